/* carried_opened.c - a created thread that its joiner runs, and that must go on by itself */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread loads a library that can tell its OS thread from the joiner's. So from its end on it
// is on its own one.
// A tool: the tool's imports forbid that a joiner runs a thread.
// UNSUPPORTED: tool
// UNSUPPORTED: emulated, sanitizer
// RUN: %omp_build -fPIC -shared %S/Inputs/opened.c -o %t.so
// RUN: %th_build %s -o %t -ldl && %omp_run %t %t.so
/* An import of prctl() would forbid it, too. */
#include <sys/prctl.h>
#define prctl(...) ((void)0)
#include "names.h"
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 10, WARM = 200 };

static char os_main[64];
static int on_main; /* the last created thread ran on main's OS thread */

static void os_thread(char name[64]) {
  ssize_t n = readlink("/proc/thread-self", name, 63);
  CHECK(n > 0);
  name[n] = '\0';
}

static void *looks(void *argument) {
  char here[64];
  os_thread(here);
  on_main = strcmp(here, os_main) == 0;
  return argument;
}

static void *opens(void *name) {
  void *library = dlopen(name, RTLD_NOW);
  CHECK(library != NULL);
  int (*tid)(void) = (int (*)(void))dlsym(library, "opened_tid");
  CHECK(tid && tid() > 0);
  return looks(name);
}

/* In a process of its own: a library is new only once. */
static void once(char *name) {
  os_thread(os_main);
  for (int i = 0; i < WARM || (i < 100 * WARM && !on_main); i++)
    CHECK(th_call(looks, &on_main) == &on_main);
  CHECK(th_call(opens, name) == name);
  for (int i = 0; i < WARM; i++) {
    CHECK(th_call(looks, &on_main) == &on_main);
    CHECK(!on_main);
  }
  _exit(0);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  for (int i = 0; i < TIMES; i++) {
    int status;
    pid_t child = fork();
    if (child == 0)
      once(argv[1]);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
  }
  return 0;
}
