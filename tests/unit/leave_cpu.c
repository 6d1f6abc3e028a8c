/* leave_cpu.c - a thread that moves to another CPU keeps its mask, or what others set meanwhile
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>

#include "runtime/base/os.h"

/* --- a system of our own, as Linux 6.2 is: CPUs 0 to 7, a cpuset, what the thread asked for --- */

static bool pretends;
static unsigned cpuset, asked, at, moves;
/* Somebody outside sets a mask after so many calls. */
static unsigned calls, outside_after, outside;

static unsigned low(const cpu_set_t *mask) {
  unsigned bits = 0;
  for (unsigned cpu = 0; cpu < 8; cpu++)
    bits |= CPU_ISSET(cpu, mask) ? 1u << cpu : 0;
  return bits;
}

int sched_getcpu(void) {
  unsigned cpu = at;
  if (!pretends && syscall(SYS_getcpu, &cpu, NULL, NULL) != 0)
    return -1;
  return (int)cpu;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask) {
  memset(mask, 0, size);
  if (!pretends)
    return syscall(SYS_sched_getaffinity, pid, size, mask) > 0 ? 0 : -1;
  for (unsigned cpu = 0; cpu < 8; cpu++)
    if (cpuset & asked & 1u << cpu)
      CPU_SET(cpu, mask);
  return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask) {
  if (!pretends)
    return (int)syscall(SYS_sched_setaffinity, pid, size, mask);
  if (!(low(mask) & cpuset)) {
    errno = EINVAL;
    return -1;
  }
  asked = low(mask);
  if (!(asked & cpuset & 1u << at)) {
    at = (unsigned)__builtin_ctz(asked & cpuset);
    moves++;
  }
  if (++calls == outside_after)
    asked = outside;
  return 0;
}

/* A move away from CPU 1, on a system with this cpuset and this mask. */
static void move(unsigned set, unsigned mask) {
  pretends = true;
  cpuset = set;
  asked = mask;
  at = 1;
  moves = calls = 0;
  nth_os_leave_cpu(1);
  pretends = false;
}

/* What the mask is after a move, and after the cpuset has become `later`. */
static void expect(unsigned set, unsigned before, unsigned later, unsigned after) {
  move(set, before);
  unit_check(at != 1 && moves == 1 && (asked & cpuset) == (set & before));
  cpuset = later;
  unit_check((asked & cpuset) == after);
}

static void mask_grows(void) {
  expect(0x03, 0xff, 0x0f, 0x0f); /* the cpuset only: all of the larger one */
  expect(0x0f, 0xff, 0x03, 0x03);
  expect(0xff, 0x03, 0xff, 0x03); /* taskset: what it said */
  expect(0x0f, 0x06, 0xff, 0x06);
  nth_store_rlx(&nth_os_bound, true); /* a place: not more than its CPUs, ever */
  expect(0x03, 0x03, 0x0f, 0x03);
  nth_store_rlx(&nth_os_bound, false);
}

/* Somebody outside sets a mask between two of the calls of a move: it stays. */
static void expect_outside(unsigned set, unsigned before, unsigned after, unsigned mask) {
  outside_after = after;
  outside = mask;
  move(set, before);
  unit_check(calls >= after && asked == mask);
  outside_after = 0;
}

static void mask_of_others_stays(void) {
  for (unsigned mask = 1; mask < 0x10; mask++) {
    if (mask != 0x0d) /* the move's own: nobody can tell */
      expect_outside(0x0f, 0xff, 1, mask);
    expect_outside(0x0f, 0xff, 2, mask);
    if (mask != 0x05)
      expect_outside(0x0f, 0x07, 1, mask);
    if ((mask & 0x07) != 0x07) /* more CPUs than before: as if the cpuset had them */
      expect_outside(0x0f, 0x07, 2, mask);
  }
}

/* --- this system --- */

static void expect_kept(const cpu_set_t *mask) {
  cpu_set_t now;
  unit_check(sched_setaffinity(0, sizeof *mask, mask) == 0);
  int cpu = sched_getcpu();
  nth_os_leave_cpu(cpu);
  unit_check(sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, mask));
  unit_check(CPU_ISSET((unsigned)sched_getcpu(), mask));
}

static void mask_is_kept(void) {
  cpu_set_t all, some;
  unit_check(sched_getaffinity(0, sizeof all, &all) == 0);
  expect_kept(&all);
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (!CPU_ISSET(cpu, &all))
      continue;
    CPU_ZERO(&some); /* as under taskset -c */
    CPU_SET(cpu, &some);
    expect_kept(&some);
    if (CPU_COUNT(&all) < 2)
      continue;
    some = all;
    CPU_CLR(cpu, &some);
    expect_kept(&some);
  }
  unit_check(sched_setaffinity(0, sizeof all, &all) == 0);
}

/* Where a thread runs first, and with which mask it goes on once the maker has sent it off. */
struct beginner {
  int cpu;
  cpu_set_t mask;
  pthread_barrier_t sent;
};

static void *begin(void *arg) {
  struct beginner *b = arg;
  b->cpu = sched_getcpu();
  pthread_barrier_wait(&b->sent);
  unit_check(sched_getaffinity(0, sizeof b->mask, &b->mask) == 0);
  return NULL;
}

/* The thread sanitizer lets a new thread run before its maker goes on. */
#ifdef __SANITIZE_THREAD__
enum { SENT_IN_TIME = 0 };
#else
enum { SENT_IN_TIME = 1 };
#endif

enum { THREADS = 40, ROUNDS = 10 };

/* How many of some new threads begin elsewhere. */
static unsigned sent_off(const cpu_set_t *all) {
  struct beginner b;
  unsigned elsewhere = 0;
  for (unsigned i = 0; i < THREADS; i++) {
    pthread_t thread;
    int cpu = sched_getcpu();
    struct nth_os_birth birth = {cpu, false};
    unit_check(pthread_barrier_init(&b.sent, NULL, 2) == 0);
    unit_check(pthread_create(&thread, NULL, begin, &b) == 0);
    nth_os_send_off(thread, &birth);
    pthread_barrier_wait(&b.sent);
    unit_check(pthread_join(thread, NULL) == 0 && CPU_EQUAL(&b.mask, all));
    elsewhere += b.cpu != cpu;
  }
  return elsewhere;
}

/* The kernel may move the maker or the thread in between, so not each thread begins elsewhere, and
 * on a busy machine few do: the best of some rounds counts. */
static void new_threads_are_sent_off(void) {
  cpu_set_t all;
  unsigned most = 0;
  unit_check(sched_getaffinity(0, sizeof all, &all) == 0);
  for (int round = 0; round < ROUNDS && most < THREADS * 3 / 4; round++) {
    unsigned elsewhere = sent_off(&all);
    most = elsewhere > most ? elsewhere : most;
  }
  unit_check(!SENT_IN_TIME || CPU_COUNT(&all) < 2 || most >= THREADS * 3 / 4);
}

static _Atomic(bool) goes_on;

static void *arrive(void *arg) {
  nth_os_arrive(arg, true);
  atomic_store(&goes_on, true);
  return NULL;
}

/* A mask that the program sets in a new thread comes after all that the maker does with it. */
static void arrival_waits(void) {
  pthread_t thread;
  struct timespec soon = {.tv_nsec = 10000000};
  struct nth_os_birth birth = {sched_getcpu(), false};
  unit_check(pthread_create(&thread, NULL, arrive, &birth) == 0);
  nanosleep(&soon, NULL);
  unit_check(!atomic_load(&goes_on));
  nth_os_send_off(thread, &birth);
  unit_check(pthread_join(thread, NULL) == 0 && atomic_load(&goes_on));
  birth = (struct nth_os_birth){-1, false};
  (void)arrive(&birth); /* nobody sends it off */
}

int main(void) {
  unit_begin();
  unit_run(arrival_waits);
  unit_run(mask_grows);
  unit_run(mask_of_others_stays);
  unit_run(mask_is_kept);
  unit_run(new_threads_are_sent_off);
  return 0;
}
