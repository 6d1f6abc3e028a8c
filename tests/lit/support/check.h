/* check.h - assertions and timing shared by every program of tests/lit */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A failed check prints where, and by which thread, then ends the whole process at once with
   status 1 (no exit handlers: they could hang in the very runtime under test). */
#ifndef CHECK_H
#define CHECK_H

#include <inttypes.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* Work per test is divided by this where the program is slowed down by its own instruments. */
#if defined(__SANITIZE_THREAD__)
#define CHECK_SLOWER 10
#elif defined(__SANITIZE_ADDRESS__)
#define CHECK_SLOWER 3
#else
#define CHECK_SLOWER 1
#endif
#define CHECK_TIMES(n) ((n) / CHECK_SLOWER)

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition))                                                                              \
      check_fail(__FILE__, __LINE__, #condition);                                                  \
  } while (0)

/* Both values are shown as signed 64-bit integers. */
#define CHECK_EQ(actual, expected)                                                                 \
  do {                                                                                             \
    long long check_a = (long long)(actual), check_e = (long long)(expected);                      \
    if (check_a != check_e)                                                                        \
      check_fail_eq(__FILE__, __LINE__, #actual, check_a, #expected, check_e);                     \
  } while (0)

#define CHECK_STREQ(actual, expected)                                                              \
  do {                                                                                             \
    const char *check_a = (actual), *check_e = (expected);                                         \
    if (strcmp(check_a, check_e) != 0) {                                                           \
      fprintf(stderr, "\"%s\" is not \"%s\"\n", check_a, check_e);                                 \
      check_fail(__FILE__, __LINE__, #actual " equals " #expected);                                \
    }                                                                                              \
  } while (0)

static inline void check_end(void) {
  fflush(stdout);
  fflush(stderr);
  _exit(1);
}

static inline void check_fail(const char *file, int line, const char *what) {
  fprintf(stderr, "%s:%d: check failed: %s (thread %d of %d, level %d)\n", file, line, what,
          omp_get_thread_num(), omp_get_num_threads(), omp_get_level());
  check_end();
}

static inline void check_fail_eq(const char *file, int line, const char *a, long long av,
                                 const char *e, long long ev) {
  fprintf(stderr, "%s:%d: check failed: %s is %lld, %s is %lld (thread %d of %d, level %d)\n", file,
          line, a, av, e, ev, omp_get_thread_num(), omp_get_num_threads(), omp_get_level());
  check_end();
}

/* Seconds of the monotonic clock, without help from the runtime under test. */
static inline double check_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds of CPU time that the process has used. */
static inline double check_cpu_seconds(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static inline void check_sleep_ms(long ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000L + 1}; /* not nothing: gives up the CPU */
  nanosleep(&t, NULL);
}

/* Polls a flag that another thread sets. Fails after five minutes, so that a hang names its line;
   on a quiet machine the test's own limit comes first and shows the stacks. Counts polls, not
   time: the machine may have been stopped meanwhile. */
#define CHECK_WAIT_UNTIL(condition)                                                                \
  do {                                                                                             \
    for (unsigned check_polls = 0; !(condition); check_polls++) {                                  \
      if (check_polls > 1000)                                                                      \
        check_sleep_ms(1);                                                                         \
      if (check_polls > 300000)                                                                    \
        check_fail(__FILE__, __LINE__, "waited too long for: " #condition);                        \
    }                                                                                              \
  } while (0)

/* Keeps the optimiser from removing or merging work. */
#define CHECK_OPAQUE(lvalue) __asm__ volatile("" : "+r"(lvalue)::"memory")

static inline void check_busy(unsigned turns) {
  for (unsigned i = 0; i < turns; i++)
    __asm__ volatile("" ::: "memory");
}

/* Small generator for tests that draw sizes and constructs; each thread has its own state. */
static inline uint32_t check_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

/* A plain, slow counter++ for the body of a critical region or lock. Once in a while the thread
   gives up its CPU between load and store, so that a missing exclusion shows on any machine. */
static inline void check_count_alone(long *counter, long turn) {
  long value = *(volatile long *)counter;
  if (turn % 64 == 0)
    check_sleep_ms(0);
  else
    check_busy(10);
  *(volatile long *)counter = value + 1;
}

/* Lets the time limit's debugger attach under Yama's restricted ptrace. */
__attribute__((constructor, unused)) static void check_allow_debugger(void) {
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

#ifdef __SANITIZE_ADDRESS__
/* The sanitizer looks for leaks at exit, for which it takes all locks of its allocator. A child of
   fork() begins with the locks that other threads of its parent held just then, and nobody frees
   those. So a child that ends by exit() could wait for ever. Only the first process looks for
   leaks. */
static int check_first_process;

__attribute__((constructor, unused)) static void check_note_process(void) {
  check_first_process = getpid();
}

/* The sanitizer calls the function of this name. */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) int __lsan_is_turned_off(void) { return getpid() != check_first_process; }
#ifdef __cplusplus
}
#endif
#endif

#endif
