#!/usr/bin/env python3
# test_gcc_suite.py - tests of gcc-suite: directives, selectors, verdicts, runs, sampling
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Needs neither GCC's testsuite nor a compiler: python3 test_gcc_suite.py"""

import os
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from gcc_suite_lib import (build, debian, directives, judge, launch, report,  # noqa: E402
                           sources, tcl)
from gcc_suite_lib.targets import Context, Machine, UnknownTarget  # noqa: E402

MACHINE = Machine("x86_64-pc-linux-gnu", {"sse2"})


def plan_of(text, language="c", base=("-fopenmp",), default=("-O2",), openacc=False):
    context = Context(MACHINE, language, base, openacc)
    return directives.read(text, context, list(base), list(default))


def refusal(text, **how):
    try:
        plan_of(text, **how)
    except directives.Unsupported as reason:
        return str(reason)
    return None


class Words(unittest.TestCase):
    def test_quotes_and_braces(self):
        self.assertEqual(tcl.words(r'a "b c" { d {e f} } g'), ["a", "b c", " d {e f} ", "g"])

    def test_backslashes_in_quotes_only(self):
        self.assertEqual(tcl.words(r'"\[0-9\]+\\\[x" {\n}'), [r"[0-9]+\[x", r"\n"])
        self.assertEqual(tcl.words(r'"(\n|\r)"'), ["(\n|\r)"])

    def test_unclosed(self):
        self.assertEqual(tcl.words("{a b"), ["a "])


class Selectors(unittest.TestCase):
    def holds(self, selector, **how):
        return Context(MACHINE, **how).holds(selector)

    def test_names_and_globs(self):
        self.assertTrue(self.holds("lp64"))
        self.assertTrue(self.holds("sse2_runtime"))
        self.assertFalse(self.holds("avx_runtime"))
        self.assertTrue(self.holds("i?86-*-* x86_64-*-*"))
        self.assertFalse(self.holds("hppa*-*-hpux*"))

    def test_operators(self):
        self.assertFalse(self.holds(" ! lp64 "))
        self.assertTrue(self.holds(" ! { hppa*-*-hpux* } "))
        self.assertTrue(self.holds("{ i?86-*-* x86_64-*-* } && lp64"))
        self.assertFalse(self.holds("lp64 && { ! lp64 }"))
        self.assertTrue(self.holds("offload_device || { c && { ! offloading_enabled } }"))
        self.assertFalse(self.holds("! { offload_device || lp64 }"))
        self.assertFalse(self.holds("{ offload_device || lp64 } && ilp32 || offload_device"))

    def test_not_binds_closer_than_and(self):
        self.assertFalse(self.holds("! lp64 && offload_device"))
        self.assertTrue(self.holds("! offload_device && lp64"))

    def test_test_properties(self):
        self.assertTrue(self.holds("c++", language="c++"))
        self.assertFalse(self.holds("c", language="c++"))
        self.assertTrue(self.holds("__OPTIMIZE__", options=["-O0", "-O2"]))
        self.assertFalse(self.holds("__OPTIMIZE__", options=["-O2", "-O0"]))
        self.assertFalse(self.holds("__OPTIMIZE__"))
        self.assertTrue(self.holds("openacc_host_selected", openacc=True))

    def test_unknown(self):
        with self.assertRaises(UnknownTarget):
            self.holds("moon_phase")


class Directives(unittest.TestCase):
    def test_defaults(self):
        plan = plan_of("int main(void) {}\n")
        self.assertEqual((plan.do, plan.should_fail), ("run", False))
        self.assertEqual(plan.all_options(), ["-fopenmp", "-O2"])

    def test_options_replace_the_default(self):
        text = ('/* { dg-options "-O0 -g" } */\n/* { dg-additional-options "-mavx" { target '
                'avx_runtime } } */\n/* { dg-additional-options "-msse2" {target c } } */\n')
        self.assertEqual(plan_of(text).all_options(), ["-fopenmp", "-O0", "-g", "-msse2"])

    def test_additional_options_keep_it(self):
        plan = plan_of("! { dg-additional-options -Wuninitialized }\n")
        self.assertEqual(plan.all_options(), ["-fopenmp", "-O2", "-Wuninitialized"])

    def test_comment_after_a_directive(self):
        plan = plan_of('/* { dg-additional-options "-DA" } using arrays.  */\n')
        self.assertIn("-DA", plan.all_options())

    def test_do(self):
        self.assertIn("compiler's matter", refusal("// { dg-do compile }\n"))
        self.assertIn("not this target", refusal("// { dg-do run { target avx_runtime } }\n"))
        self.assertEqual(plan_of('! { dg-do  run }\n').do, "run")
        both = "! { dg-do run { target offload_device } }\n! { dg-do link }\n"
        self.assertEqual(plan_of(both).do, "link")
        other = "! { dg-do run }\n! { dg-do link { target offload_device } }\n"
        self.assertEqual(plan_of(other).do, "run")

    def test_require(self):
        self.assertIsNone(refusal("// { dg-require-effective-target tls_runtime }\n"))
        self.assertIn("offload_device",
                      refusal("// { dg-require-effective-target offload_device }\n"))
        self.assertIn("unknown", refusal("// { dg-require-effective-target moon }\n"))

    def test_skip_if(self):
        shared = '// { dg-skip-if "why" { *-*-* } { "-DM=1" } }\n'
        self.assertIn("why", refusal(shared, base=["-DM=1"]))
        self.assertIsNone(refusal(shared, base=["-DM=0"]))
        unless = '// { dg-skip-if "" { *-*-* } { "*" } { "-O0" "-DM=0" } }\n'
        self.assertIsNotNone(refusal(unless))
        self.assertIsNone(refusal(unless, base=["-DM=0"]))
        self.assertIsNotNone(refusal('// { dg-skip-if "" { *-*-* } { "-O2" } { "" } }\n'))
        self.assertIsNone(refusal('// { dg-skip-if "" { offload_device } }\n'))
        self.assertIsNotNone(refusal('// { dg-skip-if "bare" *-*-* }\n'))

    def test_environment_and_sources(self):
        plan = plan_of('// { dg-set-target-env-var OMP_PLACES "{6,7}:4:-2,!{2,3}" }\n'
                       '// { dg-set-target-env-var "GOMP_DEBUG" "1" }\n'
                       '// { dg-additional-sources "a.c ../b.c" }\n')
        self.assertEqual(plan.environment, {"OMP_PLACES": "{6,7}:4:-2,!{2,3}", "GOMP_DEBUG": "1"})
        self.assertEqual(plan.sources, ["a.c", "../b.c"])

    def test_should_fail(self):
        self.assertTrue(plan_of('/* { dg-shouldfail "" } */\n').should_fail)
        self.assertFalse(plan_of('/* { dg-shouldfail "" { offload_device } } */\n').should_fail)

    def test_errors_are_the_compilers(self):
        self.assertIn("error", refusal('x; /* { dg-error "no x" } */\n'))
        self.assertIsNone(refusal('x; /* { dg-error "no" "" { target offload_device } } */\n'))
        self.assertIsNone(refusal('x; /* { dg-warning "unused" "" { target *-*-* } .-1 } */\n'))

    def test_timeout(self):
        self.assertIsNone(refusal("/* { dg-timeout 10 } */\n"))
        self.assertEqual(plan_of("! { dg-timeout-factor 2.0 }\n").timeout_factor, 2)

    def test_unknown_directive(self):
        self.assertIn("dg-dance", refusal("// { dg-dance left }\n"))


class Output(unittest.TestCase):
    def found(self, text, output):
        plan = plan_of(text)
        return bool(directives.output_regex(plan.outputs).search(output))

    def test_two_lines_make_one_expression(self):
        text = ('/* { dg-output "CheCKpOInT(\\n|\\r\\n|\\r).*" } */\n'
                '/* { dg-output "\\\\\\[\\[0-9a-f\\]+,\\\\\\+46\\\\\\] is bad" } */\n')
        self.assertTrue(self.found(text, "CheCKpOInT\nlibgomp: x\n[7ff0,+46] is bad\n"))
        self.assertFalse(self.found(text, "[7ff0,+46] is bad\nCheCKpOInT\n"))

    def test_dollar_is_the_very_end(self):
        self.assertTrue(self.found('// { dg-output "a(\\n)+$" }\n', "a\n\n"))
        self.assertFalse(self.found('// { dg-output "a$" }\n', "a\n"))

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a.C", '// { dg-output-file "a.output" }\n'),
                               ("a.output", "1 [2]\n")):
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
            test = sources.Test("libgomp.c++", "c++", os.path.join(folder, "a.C"), False, None, "a")
            test.read_plan(MACHINE)
            regex = directives.output_regex(test.plan.outputs)
            self.assertTrue(regex.search("1 [2]\n"))
            self.assertFalse(regex.search("1 [2]\n3\n"))
            os.unlink(os.path.join(folder, "a.output"))
            test.read_plan(MACHINE)
            self.assertEqual(test.unsupported, "no file a.output")

    def test_selector(self):
        self.assertEqual(plan_of('// { dg-output "a" { target offload_device } }\n').outputs, [])


def program(folder, text):
    path = os.path.join(folder, "program")
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


class Runs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def judged(self, script, text="", seconds=20):
        plan = plan_of(text)
        ended = launch.run(program(self.folder.name, script),
                           judge.settings_of(plan, "3", {"NTH_X": "y"}), "/lib/x", seconds, False)
        return judge.judge(plan, ended)

    def test_status(self):
        self.assertTrue(self.judged("exit 0").passed)
        outcome = self.judged("echo what; echo why >&2; exit 3")
        self.assertEqual((outcome.passed, outcome.reason), (False, "exit status 3: why"))
        self.assertIn("SIGABRT", self.judged("kill -ABRT $$").reason)

    def test_should_fail(self):
        fails = '// { dg-shouldfail "" }\n'
        self.assertTrue(self.judged("exit 1", fails).passed)
        self.assertFalse(self.judged("exit 0", fails).passed)

    def test_missing_symbol_is_no_wanted_failure(self):
        loader = "echo './a: symbol lookup error: ./a: undefined symbol: GOMP_x' >&2; exit 127"
        outcome = self.judged(loader, '// { dg-shouldfail "" }\n')
        self.assertFalse(outcome.passed)
        self.assertIn("undefined symbol: GOMP_x", outcome.reason)
        self.assertTrue(outcome.refused)

    def test_output(self):
        wants = '// { dg-output "a\\nb" }\n'
        self.assertTrue(self.judged("echo a; echo b >&2", wants).passed)
        self.assertIn("dg-output", self.judged("echo b; echo a", wants).reason)

    def test_output_is_a_pipe_that_never_fills(self):
        self.assertTrue(self.judged("test -p /dev/stdout").passed)
        wants = '// { dg-output "aa.*" }\n'
        self.assertTrue(
            self.judged("head -c 3000000 /dev/zero | tr '\\0' a; sleep 30 &", wants).passed)

    def test_environment(self):
        os.environ["OMP_DYNAMIC"] = "true"
        self.addCleanup(os.environ.pop, "OMP_DYNAMIC")
        script = 'test "$OMP_NUM_THREADS-$LD_LIBRARY_PATH-$NTH_X-$OMP_DYNAMIC" = %s'
        self.assertTrue(self.judged(script % "3-/lib/x-y-").passed)
        own = '// { dg-set-target-env-var OMP_NUM_THREADS "7" }\n'
        self.assertTrue(self.judged(script % "7-/lib/x-y-", own).passed)

    def test_hang(self):
        outcome = self.judged("sleep 60 & sleep 60", seconds=0.3)
        self.assertIn("hangs", outcome.reason)
        self.assertFalse(self.judged("sleep 60", '// { dg-shouldfail "" }\n', seconds=0.3).passed)


class Verdicts(unittest.TestCase):
    def test_all(self):
        good, bad = judge.Outcome(True, "", 0), judge.Outcome(False, "x", 0)
        passed, failed, hung = (True, "", 0), (False, "y", 0), (False, judge.HANGS, 9)
        refused = judge.Outcome(False, "z", 0, refused=True)
        for base, ours, wanted in (
                ([passed], [good], judge.BOTH), ([passed], [good, bad], judge.REGRESSION),
                ([failed], [good], judge.ONLY_OURS), ([failed], [bad], judge.NEITHER),
                ([passed, hung], [bad], judge.REGRESSION), ([hung, hung], [bad], judge.NEITHER),
                ([passed, failed], [refused], judge.REGRESSION),
                ([passed, failed], [bad], judge.FLAKY), ([passed, failed], [good], judge.BOTH)):
            self.assertEqual(judge.verdict(base, ours), wanted)

    def test_stacks_are_cut_by_thread(self):
        frames = "".join("#%d  f ()\n" % i for i in range(100))
        lines = report.short_stacks("noise\nThread 1 (LWP 1):\n%s\nThread 2 (LWP 2):\n#0 g ()\n"
                                    % frames)
        self.assertEqual(len(lines), 1 + report.STACK_FRAMES + 1 + 2)
        self.assertEqual(lines[-2:], ["Thread 2 (LWP 2):", "#0 g ()"])

    def test_cause(self):
        self.assertEqual(report.cause("exit status 127: undefined symbol: GOMP_x, version GOMP_4"),
                         "undefined symbol: GOMP_x")


class Names(unittest.TestCase):
    def test_compilers(self):
        for wanted, environ, names in (
                ("", {}, ["gcc", "g++", "gfortran"]),
                ("", {"CC": "gcc-13", "FC": "f"}, ["gcc-13", "g++", "f"]),
                ("16", {"CC": "gcc-13"}, ["gcc-16", "g++-16", "gfortran-16"]),
                ("/opt/gcc-16/bin/gcc", {},
                 ["/opt/gcc-16/bin/" + name for name in ("gcc", "g++", "gfortran")]),
                ("x86_64-linux-gnu-gcc-15", {},
                 ["x86_64-linux-gnu-%s-15" % name for name in ("gcc", "g++", "gfortran")])):
            self.assertEqual(list(build.named(wanted, environ).values()), names)
        with self.assertRaises(ValueError):
            build.named("clang", {})

    def test_source_for_a_compiler(self):
        """A version that was asked for and is not there is no reason to take another."""
        with self.assertRaises(sources.Missing):
            sources.choose("3", "12")


class Debian(unittest.TestCase):
    def test_settings(self):
        """What tells apt the way to the archive, and nothing else."""
        dumped = ('APT "";\nAcquire "";\nAcquire::http::Proxy "http://p:1";\n'
                  'Acquire::Retries "3";\nAcquire::https "";\nAcquire::Languages "none";\n')
        self.assertEqual(debian.way_to_archive(dumped),
                         'Acquire::http::Proxy "http://p:1";\nAcquire::Retries "3";\n')

    def test_archive(self):
        listed = "https://x/node x y\nhttp://m/debian-security/ Debian Debian-Security\n"
        self.assertEqual(debian.archive_of(listed), debian.ARCHIVE)
        self.assertEqual(debian.archive_of(listed + "http://m/debian/ Debian Debian\n"),
                         "http://m/debian/")

    def test_places(self):
        """Folders that the programs need, each once, and none within another."""
        self.assertEqual(debian.places(["/a/b", "/a", "/c/d", "/a/b/e", "/c/dd"]),
                         ["/a", "/c/d", "/c/dd"])

    def test_entry(self):
        script = debian.entry("/x/it's", ["/a b"])
        self.assertIn("mount --bind '/a b' '/x/it'\"'\"'s/a b'", script)

    def test_refusal(self):
        with self.assertRaises(sources.Missing) as caught:
            debian.set_up("sid", "/nowhere", "", False)
        self.assertIn("root", str(caught.exception))


class Sample(unittest.TestCase):
    def test_parts_are_the_whole(self):
        tests = []
        for folder, number in (("libgomp.c", 20), ("libgomp.c++", 7)):
            tests += [sources.Test(folder, "c", "", False, None, "%s/%d.c" % (folder, i))
                      for i in range(number)]
        tests[3].unsupported = "no"
        parts = [sources.sample(tests, part, 5) for part in range(1, 6)]
        names = sorted(test.name for part in parts for test in part)
        self.assertEqual(names, sorted(test.name for test in tests if not test.unsupported))
        for part in parts:
            self.assertTrue(any(test.folder == "libgomp.c++" for test in part))
        self.assertEqual([t.name for t in sources.sample(tests, 2, 5)],
                         [t.name for t in parts[1]])


if __name__ == "__main__":
    unittest.main()
