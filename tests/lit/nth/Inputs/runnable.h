/* runnable.h - how many OS threads of this process are runnable, sampled while a test works
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A child process reads /proc/PID/task/TID/stat of all threads every few milliseconds; a thread of
 * the test's own would be one more that wants a CPU. The states are read one after the other, so a
 * thread that wakes another one and falls asleep is seen twice now and then: the share of samples
 * with more than there are CPUs is bounded, not zero. The watchdog, which looks for some us every
 * few ms, is left out.
 */
#ifndef RUNNABLE_H
#define RUNNABLE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <dirent.h>
#include <nanogomp/nth.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

static struct runnable {
  int go, stop, cpus;
  pid_t child;
  long samples, over, most, disturbed;
} *runnable;

static char runnable_state(const char *folder, const char *tid) {
  char path[400], line[256];
  snprintf(path, sizeof path, "%s/%s/stat", folder, tid);
  FILE *f = fopen(path, "r");
  if (!f)
    return 0;
  const char *name_ends = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
  fclose(f);
  return name_ends && !strstr(line, "(nanogomp-watch)") ? name_ends[2] : 0;
}

/* All of the system. */
static long runnable_everywhere(void) {
  long n = 0;
  FILE *f = fopen("/proc/loadavg", "r");
  if (f && fscanf(f, "%*s %*s %*s %ld", &n) != 1)
    n = 0;
  if (f)
    fclose(f);
  return n;
}

static void runnable_sample(const char *folder) {
  DIR *tasks = opendir(folder);
  CHECK(tasks);
  while (!__atomic_load_n(&runnable->stop, __ATOMIC_ACQUIRE)) {
    long n = 0;
    rewinddir(tasks);
    for (struct dirent *e; (e = readdir(tasks));)
      n += e->d_name[0] != '.' && runnable_state(folder, e->d_name) == 'R';
    if (__atomic_load_n(&runnable->go, __ATOMIC_ACQUIRE)) {
      runnable->samples++;
      runnable->over += n > runnable->cpus;
      runnable->most = n > runnable->most ? n : runnable->most;
      runnable->disturbed += runnable_everywhere() > n + 1;
    }
    check_sleep_ms(3);
  }
  _exit(0);
}

/* First thing in main. */
static void runnable_prepare(void) {
  cpu_set_t set;
  char folder[64];
  snprintf(folder, sizeof folder, "/proc/%ld/task", (long)getpid());
  runnable =
      mmap(NULL, sizeof *runnable, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(runnable != MAP_FAILED);
  CHECK_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  runnable->cpus = CPU_COUNT(&set);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    runnable_sample(folder);
  }
  runnable->child = child;
}

/* Where each processor and member is an OS thread the bound does not hold; nor where bodies are
 * slowed down so much that the runtime takes them for members that do not come back. */
static bool runnable_is_bound(void) {
  const char *members = getenv("NTH_MEMBERS");
  return (!members || strcmp(members, "os") != 0) && CHECK_SLOWER == 1;
}

/* Calls round() for half a second, up to eight times: beside other processes a thread that is woken
 * waits for its CPU, and the runtime sees members that are late and gives them OS threads. Once it
 * has to be as it is alone, unless it never was alone. */
static void runnable_check(void (*round)(void)) {
  long windows = runnable_is_bound() ? 8 : 1, rounds = 0, alone = 0;
  bool good = false;
  round(); /* all OS threads there are to be */
  for (; windows > 0 && !good; windows--) {
    runnable->samples = runnable->over = runnable->most = runnable->disturbed = 0;
    __atomic_store_n(&runnable->go, 1, __ATOMIC_RELEASE);
    for (double end = check_seconds() + 0.5; check_seconds() < end; rounds++)
      round();
    __atomic_store_n(&runnable->go, 0, __ATOMIC_RELEASE);
    printf("%ld rounds, %ld samples, %ld with more than %d runnable, at most %ld; "
           "%ld beside other processes\n",
           rounds, runnable->samples, runnable->over, runnable->cpus, runnable->most,
           runnable->disturbed);
    good = runnable->over <= 2 + runnable->samples / 8;
    alone += runnable->disturbed <= runnable->samples / 8;
  }
  CHECK(good || alone == 0 || !runnable_is_bound());
  __atomic_store_n(&runnable->stop, 1, __ATOMIC_RELEASE);
  CHECK_EQ(waitpid(runnable->child, NULL, 0), runnable->child);
}

/* A test's main. Its argument: how many processors there are. */
static int runnable_main(int argc, char **argv, void (*round)(void)) {
  CHECK_EQ(argc, 2);
  runnable_prepare();
  CHECK_EQ(nth_init(atoi(argv[1])), 0);
  runnable_check(round);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}

#endif
