#!/usr/bin/env python3
# test_descriptors.py - the tools keep no number of a file in a program, nor trust one
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program closes all numbers that it does not know, opens files that get them, and goes on until
each tool needs more of its own file."""
import json
import os
import unittest

import support
from nanogomp_lib import explain, trace_file

TOOLS = {"profile": "libnanogomp-profile.so", "trace": "libnanogomp-trace.so",
         "explain": explain.TOOL}
FILES, REGIONS, MEMBERS = 30, 60, 6

# The first regions are seen before, the others after. Prints the first number that is free.
CLOSES = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void spin(void) { for (volatile int i = 0; i < 20000; i++) {} }
static void inner(int depth) {
  if (depth == 0) {
#pragma omp parallel num_threads(2) /* REGION */
    spin();
  } else {
#pragma omp parallel num_threads(1)
    inner(depth - 1);
  }
}
int main(int argc, char **argv) {
#pragma omp parallel num_threads(2)
  spin();
  int before = open("/dev/null", O_RDONLY);
  close(before);
  for (int i = 3; i < 200; i++)
    close(i);
  for (int i = 0; i < FILES; i++) {
    char name[4096];
    snprintf(name, sizeof name, "%s/own-%d", argv[1], i);
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd != 3 + i || write(fd, "mine", 4) != 4 || lseek(fd, 0, SEEK_SET) != 0)
      return 5;
  }
  for (int i = 0; i < REGIONS; i++)
    inner(i % 8);
#pragma omp parallel num_threads(MEMBERS)
  for (int i = 0; i < 3000; i++) {
#pragma omp critical
    __asm__ volatile("");
  }
  if (argc > 2 && fork() == 0) {
    inner(0);
    exit(0);
  }
  while (wait(0) > 0) {}
  for (int i = 0; i < FILES; i++) {
    char text[5] = "";
    if (lseek(3 + i, 0, SEEK_CUR) != 0 || read(3 + i, text, 5) != 4 || strcmp(text, "mine"))
      return 6;
  }
  printf("%d\n", before);
  return 0;
}
"""

# The program closes all numbers that it does not know, as above. What gets them are eventfds, which
# have the inode of the kernel's counters; a reading would take their numbers.
EVENTFDS = r"""
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>
static void region(void) {
#pragma omp parallel num_threads(2)
  for (volatile int i = 0; i < 20000; i++) {}
}
int main(void) {
  uint64_t number;
  region();
  int before = dup(0);
  for (int i = 3; i < 200; i++)
    close(i);
  for (int i = 0; i < FILES; i++)
    if (eventfd(7, EFD_NONBLOCK) != 3 + i)
      return 5;
  for (int i = 0; i < REGIONS; i++)
    region();
  for (int i = 0; i < FILES; i++)
    if (read(3 + i, &number, sizeof number) != sizeof number || number != 7)
      return 6;
  printf("%d\n", before);
  return 0;
}
"""

# A libpapi whose one event is the kernel's CPU clock of a thread, so that a machine without PAPI's
# counters has some.
PAPI = r"""
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { SETS = 4096 };
static int files[SETS], sets;
int PAPI_library_init(int version) { return version; }
int PAPI_thread_init(unsigned long (*id)(void)) { return 0; }
int PAPI_multiplex_init(void) { return -1; }
int PAPI_create_eventset(int *set) {
  *set = __atomic_fetch_add(&sets, 1, __ATOMIC_RELAXED);
  return 0;
}
int PAPI_assign_eventset_component(int set, int component) { return 0; }
int PAPI_set_multiplex(int set) { return -1; }
int PAPI_event_name_to_code(const char *name, int *code) { return *code = 0; }
int PAPI_get_event_component(int code) { return 0; }
int PAPI_add_event(int set, int code) { return 0; }
int PAPI_start(int set) {
  struct perf_event_attr attr = {.size = sizeof attr, .type = PERF_TYPE_SOFTWARE,
                                 .config = PERF_COUNT_SW_TASK_CLOCK, .exclude_kernel = 1};
  files[set] = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  return files[set] < 0 ? -1 : 0;
}
int PAPI_stop(int set, long long *values) { return close(files[set]); }
int PAPI_read(int set, long long *values) {
  return read(files[set], values, sizeof *values) == sizeof *values ? 0 : -1;
}
int PAPI_cleanup_eventset(int set) { return 0; }
int PAPI_destroy_eventset(int *set) { *set = -1; return 0; }
int PAPI_unregister_thread(void) { return 0; }
char *PAPI_strerror(int error) { return "refused"; }
"""


class Descriptors(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name in TOOLS.values():
            if not os.path.exists(os.path.join(cls.lib, name)):
                raise unittest.SkipTest("a build with the tools")
        cls.program = cls.compile("closes", CLOSES, "-fopenmp", "-g", "-DFILES=%d" % FILES,
                                  "-DREGIONS=%d" % REGIONS, "-DMEMBERS=%d" % MEMBERS)

    def run_with(self, name, *more, **settings):
        """The folder that the tool has written into."""
        folder = os.path.join(self.folder, name)
        own = os.path.join(folder, "own")
        os.makedirs(own)
        variable = {"profile": "NTH_PROFILE_DIR", "trace": "NTH_TRACE_DIR",
                    "explain": "NTH_EXPLAIN"}[name.partition("-")[0]]
        done = self.nanogomp_run(self.program, own, *more, env={
            "OMP_TOOL_LIBRARIES": os.path.join(self.lib, TOOLS[name.partition("-")[0]]),
            variable: folder, "NTH_TRACE_BUFFER": "16384", "NTH_PROFILE_PAPI": "none", **settings})
        self.assertEqual((done.returncode, done.stderr), (0, ""), name)
        self.number = int(done.stdout)
        for i in range(FILES):
            with open(os.path.join(own, "own-%d" % i)) as file:
                self.assertEqual(file.read(), "mine", name)
        return folder

    def documents(self, folder):
        done = self.tool("profile", "--read", folder, "--json", "-")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)["processes"]

    def test_profile(self):
        """Also of a child, whose pages were its parent's."""
        docs = self.documents(self.run_with("profile", "fork"))
        self.assertEqual(self.number, 3)
        self.assertEqual(sorted(doc["parent"] is None for doc in docs), [False, True])
        doc = next(doc for doc in docs if doc["parent"] is None)
        self.assertEqual((doc["lost"], doc["complete"]), (0, True))
        self.assertGreaterEqual(len(doc["members"]), MEMBERS)
        locks = [part for row in doc["regions"] for part in row["constructs"]
                 if part["kind"] == "critical"]
        self.assertEqual([part["count"] for part in locks], [MEMBERS * 3000])

    def test_profile_with_counters(self):
        """Numbers of the kernel's counters are the program's files now, and are not read."""
        (doc,) = self.documents(self.run_with("profile-papi", NTH_PROFILE_PAPI=""))
        self.assertEqual(doc["lost"], 0)
        if self.number > 3:  # counters had numbers
            self.assertTrue(any("closed the counters' files" in why for why in doc["why"]),
                            doc["why"])

    def test_profile_with_counters_and_eventfds(self):
        """So it is with files that have no name either."""
        folder = os.path.join(self.folder, "eventfds")
        os.makedirs(folder)
        program = self.compile("takes", EVENTFDS, "-fopenmp", "-DFILES=%d" % FILES,
                               "-DREGIONS=%d" % REGIONS)
        papi = os.path.dirname(self.compile(  # the name that the tool asks for first
            "papi/libpapi.so.7.2", PAPI, "-shared", "-fPIC", "-Wl,-soname,libpapi.so.7.2"))
        done = self.nanogomp_run(program, env={
            "OMP_TOOL_LIBRARIES": os.path.join(self.lib, TOOLS["profile"]),
            "NTH_PROFILE_DIR": folder, "NTH_PROFILE_PAPI": "clock", "LD_LIBRARY_PATH": papi})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        (doc,) = self.documents(folder)
        if int(done.stdout) > 3:  # counters had numbers
            self.assertTrue(any("closed the counters' files" in why for why in doc["why"]),
                            doc["why"])

    def test_trace(self):
        folder = self.run_with("trace")
        self.assertEqual(self.number, 3)
        (name,) = [name for name in os.listdir(folder) if name.endswith(".trace")]
        with trace_file.TraceFile(os.path.join(folder, name)) as file:
            self.assertEqual((file.has_end, file.dropped), (True, 0))
            taken = sum(event[2] == trace_file.LOCK_TAKEN for row in file.rows
                        for chunk in file.chunks(row) for event in chunk)
        self.assertEqual(taken, MEMBERS * 3000)

    def test_explain(self):
        counts = explain.counts_of(self.run_with("explain"), None, 0)
        self.assertEqual(self.number, 3)
        self.assertEqual([row.times for row in counts.mutexes], [MEMBERS * 3000])
        self.assertEqual(counts.one("ended"), 1)


if __name__ == "__main__":
    unittest.main()
