# profile_support.py - what the tests of `nanogomp profile` share: programs, a run as a document
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import unittest

import support

# Each construct, with times and numbers that the profile must show. Marks name the lines.
CONSTRUCTS = r"""
#include <omp.h>
#include <unistd.h>
static omp_lock_t lock;
static void spin(double ms) {
  double end = omp_get_wtime() + ms / 1000;
  while (omp_get_wtime() < end)
    ;
}
__attribute__((noinline)) static void first(void) {
#pragma omp parallel num_threads(2)
  spin(0);
}
__attribute__((noinline)) static void uneven(void) {
#pragma omp parallel num_threads(2) /* UNEVEN */
  {
    if (omp_get_thread_num() == 0)
      spin(60);
  }
}
__attribute__((noinline)) static void loops(void) {
#pragma omp parallel num_threads(2) /* LOOPS */
  {
#pragma omp for schedule(dynamic, 3) /* FOR */
    for (int i = 0; i < 30; i++)
      spin(0.2);
#pragma omp single /* SINGLE */
    spin(2);
#pragma omp barrier /* BARRIER */
  }
}
__attribute__((noinline)) static void locks(void) {
#pragma omp parallel num_threads(2) /* LOCKS */
  for (int i = 0; i < 5; i++) {
    omp_set_lock(&lock); /* SET */
    spin(2);
    omp_unset_lock(&lock);
#pragma omp critical(name) /* CRITICAL */
    spin(1);
  }
}
__attribute__((noinline)) static void tasks(void) {
#pragma omp parallel num_threads(2) /* TASKS */
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task /* TASK */
      spin(0.5);
    }
#pragma omp taskwait /* TASKWAIT */
#pragma omp taskgroup
    {
#pragma omp task untied /* UNTIED */
      {
#pragma omp task
        spin(1);
#pragma omp taskwait
      }
    } /* TASKGROUP */
  }
}
__attribute__((noinline)) static void nested(void) {
#pragma omp parallel num_threads(2) /* OUTER */
#pragma omp parallel num_threads(2) /* INNER */
  spin(1);
}
int main(void) {
  omp_init_lock(&lock);
  omp_set_max_active_levels(2);
  first();
  spin(30);
#pragma omp single nowait /* ALONE */
  spin(10);
  uneven();
  for (int i = 0; i < 2; i++)
    loops(); /* CALL */
  locks();
  tasks();
  nested();
  return 0;
}
"""

# A region, then an end by the word that is given.
ENDS = r"""
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void region(void) {
#pragma omp parallel num_threads(2) /* REGION */
  for (volatile int i = 0; i < 3000000; i++)
    ;
}
int main(int argc, char **argv) {
  const char *how = argv[argc - 1];
  if (!strcmp(how, "daemon")) {
    if (fork())
      _exit(0);
    sleep(1);
  }
  region();
  if (argc > 2)
    execl(argv[0], argv[0], how, NULL);
  if (!strcmp(how, "_exit"))
    _exit(3);
  if (!strcmp(how, "kill"))
    raise(SIGKILL);
  if (!strcmp(how, "abort"))
    abort();
  if (!strcmp(how, "exec"))
    execl("/bin/true", "true", NULL);
  if (!strcmp(how, "fork")) {
    int status = 1;
    if (!fork()) {
      region();
      region();
      exit(0);
    }
    wait(&status);
    return status;
  }
  return 0;
}
"""

# The initial thread ends the program inside a region, or the other member does, by the first word.
INSIDE = support.END_BY + r"""
__attribute__((noinline)) static void whole(void) {
#pragma omp parallel num_threads(2) /* WHOLE */
  spin(10);
}
int main(int argc, char **argv) {
  int member = atoi(argv[2]);
  omp_set_max_active_levels(2);
  whole();
#pragma omp parallel num_threads(2) /* OPEN */
  {
    spin(40);
#pragma omp barrier
    if (omp_get_thread_num() == member) {
#pragma omp parallel num_threads(2) /* WITHIN */
      {
        spin(20);
        if (omp_get_thread_num() == 0)
          end_by(argv[1]);
        spin(1e6);
      }
    }
#pragma omp barrier /* MET */
  }
  return 0;
}
"""


def line_of(source, mark):
    for number, line in enumerate(source.splitlines(), 1):
        if "/* %s */" % mark in line:
            return number
    raise AssertionError(mark)


def all_rows(rows):
    """Regions and constructs, however deep."""
    for row in rows:
        yield row
        yield from all_rows(row["constructs"])
        yield from all_rows(row["regions"])


class ProfileTest(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not os.path.exists(os.path.join(cls.lib, "libnanogomp-profile.so")):
            raise unittest.SkipTest("no libnanogomp-profile.so")

    def profile(self, *arguments, **more):
        return self.tool("profile", "--lib", self.lib, *arguments, **more)

    def documents(self, *arguments, status=0, **more):
        """The processes' documents of a run."""
        done = self.profile("--json", "-", *arguments, **more)
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)["processes"]

    def document(self, *arguments, **more):
        docs = self.documents(*arguments, **more)
        self.assertEqual(len(docs), 1)
        return docs[0]

    def row_at(self, doc, line, kind):
        found = [row for row in all_rows(doc["regions"]) if row["kind"] == kind and row["site"] and
                 row["site"]["line"] == line]
        self.assertEqual(len(found), 1, "%s of line %d" % (kind, line))
        return found[0]

    def assert_sums(self, doc):
        """What is measured adds up to the members' lives, and to the run."""
        for member in doc["members"]:
            self.assertAlmostEqual(member["explained"], 1, delta=0.01)
        # a busy machine may take the CPU between the tool's begin and the first thread's
        self.assertAlmostEqual(doc["serial"] + doc["parallel"], doc["seconds"],
                               delta=0.02 * doc["seconds"] + 0.02)
