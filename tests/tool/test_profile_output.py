#!/usr/bin/env python3
# test_profile_output.py - events, simulated figures and the page of `nanogomp profile`
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import support
from profile_support import CONSTRUCTS, ProfileTest, all_rows, line_of

from nanogomp_lib import profile_report, profile_simulate  # noqa: E402  (support set the path)

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# Counts its own things: an event of software, which PAPI reads as it reads the processor's.
COUNTED = r"""
#include <sde_lib.h>
static long long things, others;
static void spin(void) {
  for (volatile int i = 0; i < 300000; i++)
    ;
}
__attribute__((noinline)) static void some(void) {
#pragma omp parallel /* SOME */
  {
    things += 1000;
    spin();
  }
}
__attribute__((noinline)) static void many(void) {
#pragma omp parallel /* MANY */
  {
    things += 5000;
    others += 3;
    spin();
  }
}
int main(void) {
  void *h = papi_sde_init("mine");
  papi_sde_register_counter(h, "things", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, &things);
  papi_sde_register_counter(h, "others", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, &others);
  for (int i = 0; i < 2; i++) {
    some();
    many();
    things += 77;
  }
  return 0;
}
"""

# What a member does in a region, seen in instructions: MUCH has ten times the work of LITTLE, and
# both call the same function.
SIMULATED = r"""
#include <stdlib.h>
static double array[1 << 15];
__attribute__((noinline)) static void pass(int times) {
  for (int t = 0; t < times; t++)
    for (int i = 0; i < 1 << 15; i += 8)
      array[i] += 1;
}
int main(void) {
  pass(3);
#pragma omp parallel num_threads(1) /* LITTLE */
  pass(2);
#pragma omp parallel num_threads(1) /* MUCH */
  pass(20);
  return 0;
}
"""


class Events(ProfileTest):
    def events_at(self, doc, source, mark):
        return self.row_at(doc, line_of(source, mark), "region")["events"]

    def counted(self):
        flags = ["-rdynamic", "-Wl,--whole-archive", "-l:libsde.a", "-Wl,--no-whole-archive",
                 "-ldl"]
        if not glob.glob("/usr/include/sde_lib.h") or not shutil.which("pkg-config"):
            self.skipTest("no sde_lib.h (libpapi-dev)")
        try:
            return self.compile("counted", COUNTED, "-fopenmp", "-g", *flags)
        except AssertionError as error:
            self.skipTest("no program with libsde: %s" % error)

    def test_events_of_a_real_counter_by_region(self):
        """The whole way: added, started, read at both ends of the work, given to its region."""
        program = self.counted()
        doc = self.document("-n", "1", "--papi", "sde:::mine::things,sde:::mine::others",
                            "--", program)
        if not doc["events"][0]["counted"]:
            self.skipTest("this PAPI has no software-defined events: %s" % doc["why"])
        some, many = (self.events_at(doc, COUNTED, mark) for mark in ("SOME", "MANY"))
        self.assertEqual(some["sde:::mine::things"]["value"], 2000)
        self.assertEqual(many["sde:::mine::things"]["value"], 10000)
        self.assertEqual(some["sde:::mine::others"]["value"], 0)
        self.assertEqual(many["sde:::mine::others"]["value"], 6)
        self.assertFalse(many["sde:::mine::things"]["scaled"])

    def test_what_is_not_measured_is_not_nought(self):
        program = self.counted()
        done = self.profile("-n", "1", "--papi", "sde:::mine::things,PAPI_NOTHING", "--",
                            program)
        self.assertRegex(done.stdout, r"(?m)^ +10000 +- +many \(counted.c:\d+\)$")
        self.assertRegex(done.stdout, "(?m)^not counted: PAPI_NOTHING: ")

    @support.measured
    def test_without_a_wish_something_is_shown(self):
        program = self.compile("plain", CONSTRUCTS, "-fopenmp", "-g")
        doc = self.document("-n", "2", "--", program)
        self.assertTrue(any(event["counted"] for event in doc["events"]), doc["why"])
        names = [event["name"] for event in doc["events"]]
        if names[0].startswith(("perf::", "rusage::")):  # no counters of the processor: said once
            self.assertEqual(len([why for why in doc["why"] if "processor" in why]), 1)
        clock = {"perf::TASK-CLOCK", "rusage::CPU-NS"} & set(names)
        if clock:  # nanoseconds on a CPU: no more than the work took, and not much less
            row = self.row_at(doc, line_of(CONSTRUCTS, "UNEVEN"), "region")
            value = row["events"][clock.pop()]["value"] / 1e9
            self.assertLess(value, 1.1 * row["work"] + 0.001)
            self.assertGreater(value, 0.005)

    @support.measured
    def test_without_papi_the_kernel_is_asked(self):
        program = self.compile("simple", CONSTRUCTS, "-fopenmp", "-g")
        doc = self.document("-n", "2", "--papi", "rusage::CPU-NS,rusage::PAGE-FAULTS", "--",
                            program)
        self.assertEqual([event["counted"] for event in doc["events"]], [True, True])
        row = self.row_at(doc, line_of(CONSTRUCTS, "UNEVEN"), "region")
        value = row["events"]["rusage::CPU-NS"]["value"] / 1e9
        self.assertLess(value, 1.1 * row["work"] + 0.001)
        self.assertGreater(value, 0.005)

    @support.measured
    def test_the_kernels_events_are_always_counted(self):
        """By PAPI, or without it: nobody knows where its library is."""
        program = self.compile("simple", CONSTRUCTS, "-fopenmp", "-g")
        nowhere = os.path.dirname(self.write("none/libpapi.so.7.2", "no library"))
        for env in ({}, {"LD_LIBRARY_PATH": nowhere}):
            doc = self.document("-n", "2", "--papi", "task-clock,page-faults,context-switches",
                                "--", program, env=env)
            self.assertEqual([event["counted"] for event in doc["events"]], [True] * 3, doc["why"])
            row = self.row_at(doc, line_of(CONSTRUCTS, "UNEVEN"), "region")
            self.assertGreater(row["events"][doc["events"][0]["name"]]["value"], 5e6)

    def test_scaled_and_multiplexed_are_marked(self):
        show = profile_report.event_text
        self.assertEqual(show({"value": None, "scaled": False, "multiplexed": False}), "-")
        self.assertEqual(show({"value": 12, "scaled": True, "multiplexed": True}), "12~*")


class Width(ProfileTest):
    """The tables have at most 100 columns, and each place keeps its line."""

    NAMES = ("std::__detail::_Executor<__gnu_cxx::__normal_iterator<char const*, std::string>, "
             "std::allocator<int>, true>::_M_main_dispatch<unsigned long>",
             "__a_module_of_some_length_MOD_a_subroutine_with_a_name_of_63_characters_at_most",
             "f")
    FILES = ("a_source_file_with_a_name_that_somebody_wanted_to_be_quite_clear_indeed.cpp", "x.f90")

    def long(self, doc):
        """The document with long names everywhere, and many members."""
        doc["program"] = "/home/user/" + "a-long-folder/" * 12 + "program-with-a-long-name"
        names = [(name, file) for name in self.NAMES for file in self.FILES]
        rows = list(all_rows(doc["regions"]))
        for row, (name, file) in zip(rows, names * len(rows)):
            row["where"] = "%s (%s:%d)" % (name, file, 12345)
            row["caller"] = row["caller"] and "%s (%s:%d)" % (name, file, 54321)
            if row["site"]:
                row["site"]["file"] = "/home/" + file
            row["count"], row["units"] = 10 ** 9 * (row["count"] or 1), 10 ** 9
        rows[0]["open"] = True
        doc["members"] = [dict(member, number=i) for i, member in
                          enumerate(doc["members"] * 40)]
        doc["complete"] = doc["end_known"] = False
        doc["events"] = [{"name": "perf::A-RATHER-LONG-NAME-OF-AN-EVENT-%d" % i, "counted": True}
                         for i in range(7)]
        value = {"value": 123456789, "scaled": True, "multiplexed": True}
        for row in rows + [doc]:
            row["events" if row is not doc else "serial_events"] = {
                event["name"]: value for event in doc["events"]}
        return doc

    def test_every_line(self):
        program = self.compile("wide", CONSTRUCTS, "-fopenmp", "-g")
        doc = self.document("-n", "2", "--papi", "none", "--", program)
        doc["lost"] = 3
        text = profile_report.report(self.long(doc), 0)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 100, line)
        self.assertIn("-with-a-long-name: ", text.splitlines()[0])
        named = [line for line in text.splitlines() if "(" in line and ":" in line]
        self.assertGreater(sum(":12345" in line for line in named), len(doc["regions"]))
        tables = text.split("Events of the members' work")[1]
        self.assertEqual([tables.count("EVENT-%d" % i) for i in range(7)], [1] * 7)
        self.assertEqual(tables.count("outside regions"), 2)

    def test_numbers_that_are_rounded_up(self):
        """They have the next unit, as what they are shown as has."""
        for show, cases in ((profile_report.seconds, (
                (9.996e-7, "1.0 us"), (0.00099996, "1.0 ms"), (0.99996, "1.00 s"),
                (0.99994, "999.9 ms"), (9999.994, "9999.99 s"), (9999.996, "10000 s"))),
                            (profile_report.number, (
                (999999, "999999"), (9994999, "9.99 M"), (9999000, "10.0 M"),
                (999499999, "999 M"), (999999999, "1.00 G"), (2e15, "2000 T")))):
            self.assertEqual([show(value) for value, _ in cases], [text for _, text in cases])

    def test_long_names(self):
        """Functions of one class still differ."""
        for text, width, shown in (
                ("c::CImg<float>::blur(int) (a.so.1+0x4)", 60, "c::CImg<float>::blur(int) (a+0x4)"),
                ("ci::CImg<float>::blur(int) (a.so.1+0x4)", 30, "ci::CImg<float>::blur (a+0x4)"),
                ("ci::CImg<V<int, 2>>::blur(int) (a.so.1+0x4)", 24, "ci::CImg<>::blur (a+0x4)"),
                ("ci::CImg<V<int, 2>>::blur(int) (a.so.1+0x4)", 22, "..CImg<>::blur (a+0x4)"),
                ("A::operator()(int) const (a.c:3)", 24, "A::operator() (a.c:3)"),
                ("a::(anonymous namespace)::f(int, void (*)(int)) (a.c:3)", 40,
                 "a::(anonymous namespace)::f (a.c:3)"),
                ("a_function_with_a_long_name (a.c:3)", 24, "a_function_wit.. (a.c:3)")):
            self.assertEqual(profile_report.cut(text, width), shown)


class Decisions(ProfileTest):
    """What the library has chosen: members of a region, tasks of a taskloop."""
    SOURCE = r"""
#include <omp.h>
static int small[3];
static void loops(void) {
#pragma omp taskloop /* LOOP */
  for (int i = 0; i < 3; i++)
    small[i]++;
}
int main(void) {
  omp_set_dynamic(1);
  for (int i = 0; i < 20000; i++) {
#pragma omp parallel num_threads(2) /* SHORT */
    __asm__ volatile("");
  }
  omp_set_dynamic(0);
  for (int i = 2; i < 5; i++) {
#pragma omp parallel num_threads(i) /* SIZES */
    __asm__ volatile("");
  }
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 1000; i++)
    loops();
}
"""

    def test_numbers_are_shown(self):
        program = self.compile("decides", self.SOURCE, "-fopenmp", "-g")
        for price in ("off", "on"):
            doc = self.document("--papi", "none", "--", program, env={"NTH_PRICE": price})
            teams = {mark: self.row_at(doc, line_of(self.SOURCE, mark), "region")["teams"]
                     for mark in ("SHORT", "SIZES")}
            self.assertEqual(teams["SIZES"], {"least": 2, "most": 4, "mean": 3, "asked": 4})
            self.assertIn("2 to 4 of 4 members", profile_report.report(doc, 0))
            self.assertEqual(teams["SHORT"]["asked"], 2)
            tasks = self.row_at(doc, line_of(self.SOURCE, "LOOP"), "task")["count"]
            if price == "off":
                self.assertEqual((teams["SHORT"]["least"], tasks), (teams["SHORT"]["most"], 2000))
            else:
                self.assertEqual(teams["SHORT"]["least"], 1)
                self.assertLess(tasks, 2000)


class Simulated(ProfileTest):
    def test_shares_follow_the_calls(self):
        """A function that two regions call, and one that calls itself by another."""
        counts = profile_simulate.Counts()
        counts.add("""events: Ir Dr
ob=a
fl=/x.c
fn=main._omp_fn.0
7 10 1
cfn=shared
calls=1 0
7 30 3
fn=main._omp_fn.1
9 20 2
cfn=shared
calls=1 0
9 90 9
fn=shared
3 100 10
cfn=again
calls=5 0
3 20 2
fn=again
4 20 4
cfn=shared
calls=5 0
4 60 2
fn=main
1 5 1
""".splitlines())
        rows = {profile_simulate.name_of(counts, region): figures
                for region, figures in counts.by_region().items()}
        self.assertEqual(set(rows), {"main (x.c:7)", "main (x.c:9)", "outside regions"})
        self.assertAlmostEqual(rows["main (x.c:7)"][0], 10 + 120 / 4, delta=0.1)
        self.assertAlmostEqual(rows["main (x.c:9)"][0], 20 + 120 * 3 / 4, delta=0.1)
        self.assertAlmostEqual(rows["outside regions"][0], 5, delta=0.1)

    def test_run(self):
        if not shutil.which("valgrind"):
            self.skipTest("no valgrind")
        program = self.compile("passes", SIMULATED, "-fopenmp", "-g")
        done = self.profile("--papi", "none", "--simulate", "--json", "-", "--", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        simulated = json.loads(done.stdout)["simulated"]
        rows = {row["where"]: row["events"] for row in simulated["rows"]}
        little, much = (rows["main (passes.c:%d)" % line_of(SIMULATED, mark)]
                        for mark in ("LITTLE", "MUCH"))
        self.assertAlmostEqual(much["Ir"] / little["Ir"], 10, delta=0.5)
        self.assertGreaterEqual(much["D1mr"], 20 * (1 << 12) * 0.9)  # 256 KiB, a line for each 8
        table = self.profile("--papi", "none", "--simulate", "--", program).stdout
        self.assertRegex(table, r"(?m)^SIMULATED \(valgrind")


class Tags(html.parser.HTMLParser):
    """That tags are closed in order; what is loaded from elsewhere."""

    VOID = {"meta", "path"}

    def __init__(self):
        super().__init__()
        self.open, self.elsewhere = [], []

    def handle_starttag(self, tag, attrs):
        self.elsewhere += [value for name, value in attrs if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID and self.open.pop() != tag:
            raise AssertionError("</%s>" % tag)


# Measures the page in the browser: bars outside their box or upon each other, empty time lines.
PROBE = """<script>addEventListener('load', () => {
  const box = e => e.getBoundingClientRect(), all = s => [...document.querySelectorAll(s)];
  const bars = all('.flame .bar'), flame = box(document.querySelector('.flame'));
  let bad = bars.filter(b => box(b).left < flame.left - 1 || box(b).right > flame.right + 1 ||
                             box(b).bottom > flame.bottom + 1).length;
  for (const a of bars) for (const b of bars)
    if (a !== b && box(a).top === box(b).top && box(a).left < box(b).left &&
        box(a).right > box(b).left + 1) bad++;
  document.title = JSON.stringify({bars: bars.length, bad, lines: all('svg').length,
    empty: all('svg').filter(s => !s.querySelector('path')).length,
    wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    high: Math.min(...bars.map(b => box(b).height))});
});</script></body>"""


class Page(ProfileTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("<b>&", CONSTRUCTS, "-fopenmp", "-g")
        cls.path = os.path.join(cls.folder, "page.html")

    def page(self):
        done = self.profile("-n", "2", "--html", self.path, "--", self.program)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path) as file:
            return file.read()

    def test_one_file_with_everything(self):
        text = self.page()
        tags = Tags()
        tags.feed(text)
        self.assertEqual((tags.open, tags.elsewhere), ([], []))
        self.assertNotIn("<b>&", text)
        for word in ("uneven (", "member 1", "imbalance", "outside regions"):
            self.assertTrue(word in text, word)

    def test_in_a_browser(self):
        browser = next(filter(None, map(shutil.which, BROWSERS)), None)
        if not browser:
            self.skipTest("no Chromium: the page is not laid out (tools/setup --browser)")
        text = self.page()
        with open(self.path, "w") as file:
            file.write(text.replace("</body>", PROBE))
        done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu",
                               "--window-size=1200,1000", "--dump-dom",
                               "--user-data-dir=" + os.path.join(self.folder, "browser"),
                               "file://" + self.path],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              timeout=support.TIMEOUT_SECONDS, text=True)
        title = re.search("<title>(.*?)</title>", done.stdout)
        self.assertTrue(title and "{" in title.group(1), done.stdout[:200])
        seen = json.loads(title.group(1).replace("&quot;", '"'))
        self.assertEqual((seen["bad"], seen["empty"], seen["wide"]), (0, 0, False), seen)
        self.assertGreater(seen["bars"], 10)
        self.assertGreaterEqual(seen["lines"], 2)
        self.assertGreater(seen["high"], 15)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
