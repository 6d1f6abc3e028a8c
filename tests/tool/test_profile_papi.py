#!/usr/bin/env python3
# test_profile_papi.py - `nanogomp profile` with more events than the processor has counters
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import json
import os
import sys
import unittest

import support
from profile_support import CONSTRUCTS, ProfileTest, line_of

COUNTERS = 2
EVENTS = ("perf::TASK-CLOCK", "perf::PAGE-FAULTS", "perf::CONTEXT-SWITCHES")
KERNELS = "rusage::CPU-NS"  # of no component of PAPI: never multiplexed

# A libpapi of a processor with two counters: a set that is not multiplexed takes no third event.
# All else is the real one's, so that the order of the calls is as that one wants it.
FEW_COUNTERS = r"""
#include <dlfcn.h>
#include <papi.h>
#include <stdlib.h>
enum { SETS = 4096 };
static struct { int events, multiplexed; } sets[SETS];
static void *real(const char *name) {
  void *library = dlopen(REAL, RTLD_NOW | RTLD_LOCAL), *found = library ? dlsym(library, name) : 0;
  if (!found)
    abort();
  return found;
}
int PAPI_library_init(int version) { /* the name of this file says which one */
  int (*init)(int) = real("PAPI_library_init");
  return init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT ? version : PAPI_EINVAL;
}
int PAPI_create_eventset(int *set) {
  int (*create)(int *) = real("PAPI_create_eventset"), error = create(set);
  if (error == PAPI_OK && (*set < 0 || *set >= SETS))
    abort();
  if (error == PAPI_OK)
    sets[*set].events = sets[*set].multiplexed = 0;
  return error;
}
int PAPI_set_multiplex(int set) {
  int (*multiplex)(int) = real("PAPI_set_multiplex"), error = multiplex(set);
  if (error == PAPI_ENOEVNT) /* it tries an event of the processor: a virtual machine has none */
    error = PAPI_OK;         /* the kernel's own events need no counter */
  error = getenv("REFUSE") ? PAPI_ENOSUPP : error;
  sets[set].multiplexed |= error == PAPI_OK;
  return error;
}
int PAPI_add_event(int set, int code) {
  int (*add)(int, int) = real("PAPI_add_event"), error = PAPI_ECNFLCT;
  if (sets[set].multiplexed || sets[set].events < COUNTERS)
    error = add(set, code);
  sets[set].events += error == PAPI_OK;
  return error;
}
"""


class FewCounters(ProfileTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        real = support.compiler_file("libpapi.so")
        if not os.path.exists(real) or not glob.glob("/usr/include/papi.h"):
            raise unittest.SkipTest("no libpapi with its header (libpapi-dev)")
        # The name that the tool asks for first; so the real one is not found before it.
        cls.papi = os.path.dirname(cls.compile(
            "papi/libpapi.so.7.2", FEW_COUNTERS, "-shared", "-fPIC", '-DREAL="%s"' % real,
            "-DCOUNTERS=%d" % COUNTERS, "-Wl,-soname,libpapi.so.7.2", "-Wl,--no-as-needed", real,
            "-ldl"))
        cls.program = cls.compile("few", CONSTRUCTS, "-fopenmp", "-g")

    def run_with(self, *events, env=None, missing=()):
        """The text of the tables, and the document. missing: what counts beside the others not."""
        path = os.path.join(self.folder, "few.json")
        done = self.profile("-n", "2", "--papi", ",".join(events), "--json", path, "--html",
                            os.path.join(self.folder, "few.html"), "--", self.program,
                            env={**(env or {}), "LD_LIBRARY_PATH": self.papi})
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path) as file:
            doc = json.load(file)["processes"][0]
        if [event["name"] for event in doc["events"]] != list(events):
            self.skipTest("PAPI does not count the kernel's events here")
        no = [event["name"] for event in doc["events"] if not event["counted"]]
        if any(why.startswith(name + ": ") and "no counter is left" not in why
               for why in doc["why"] for name in no):
            self.skipTest("PAPI counts no %s here: %s" % (", ".join(no), doc["why"]))
        self.assertEqual(no, list(missing))
        return done.stdout, doc

    def test_more_events_than_counters_share_them(self):
        text, doc = self.run_with(*EVENTS, KERNELS)
        self.assertEqual({event["name"]: event["multiplexed"] for event in doc["events"]},
                         {**dict.fromkeys(EVENTS, True), KERNELS: False})
        row = self.row_at(doc, line_of(CONSTRUCTS, "UNEVEN"), "region")
        for name, event in row["events"].items():
            self.assertIsNotNone(event["value"], name)
            self.assertEqual(event["multiplexed"], name != KERNELS, name)
        clock = row["events"][EVENTS[0]]["value"] / 1e9  # what is shared is scaled by PAPI
        self.assertLess(clock, 1.1 * row["work"] + 0.001)
        self.assertGreater(clock, 0.005)
        value = r" +\d+(?:\.\d+)?(?: [MGT])?~?"
        self.assertRegex(text, r"(?m)^(?:%s\*){3}%s +uneven \(few\.c:\d+\)$" % (value, value))
        self.assertIn("* shared a counter with others (multiplexed)", text)
        with open(os.path.join(self.folder, "few.html")) as file:
            self.assertRegex(file.read(), r"<td>[^<]*\*</td>")

    def test_no_counter_is_left_without_multiplexing(self):
        """The event that has none is not nought."""
        text, doc = self.run_with(*EVENTS, env={"REFUSE": "1"}, missing=EVENTS[COUNTERS:])
        row = self.row_at(doc, line_of(CONSTRUCTS, "UNEVEN"), "region")
        self.assertEqual([row["events"][name]["value"] is None for name in EVENTS],
                         [False, False, True])
        self.assertIn("not counted: %s: no counter is left beside the other events" % EVENTS[-1],
                      text.replace("\n  ", " "))

    def test_as_many_events_as_counters_do_not(self):
        text, doc = self.run_with(*EVENTS[:COUNTERS])
        self.assertEqual([event["multiplexed"] for event in doc["events"]], [False] * COUNTERS)
        self.assertNotIn("*", text[text.index("Events of the members' work"):])


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
