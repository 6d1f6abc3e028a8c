/* os.c - fences, clocks and CPUs from the operating system
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/os.h"

#include <assert.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/base/count.h"
#include "runtime/base/syscall.h"

/* Each thread has a folder in /proc/self/task, which has two links itself. */
uint32_t nth_os_tasks(void) {
  int saved = errno;
  struct stat folders;
  bool known = stat("/proc/self/task", &folders) == 0 && folders.st_nlink > 2;
  errno = saved;
  return known ? (uint32_t)folders.st_nlink - 2 : 0;
}

bool nth_os_is_alone(void) {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded;
#else
  return nth_os_tasks() == 1;
#endif
}

bool nth_os_has_one_thread(void) { return nth_os_is_alone() || nth_os_tasks() == 1; }

int nth_os_thread(void *(*run)(void *), void *argument) {
  sigset_t all, before;
  pthread_attr_t attr;
  pthread_t thread;
  int saved = errno, e = pthread_attr_init(&attr);
  if (e != 0)
    return e;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  e = pthread_create(&thread, &attr, run, argument);
  pthread_sigmask(SIG_SETMASK, &before, 0);
  pthread_attr_destroy(&attr);
  errno = saved; /* the C library maps a stack */
  return e;
}

/* --- fences in all threads --- */

bool nth_os_fences_all;
_Atomic(bool) nth_os_fences_lost;

/* The kernel makes such fences only for processes that have announced themselves. */
enum { NOT_ANNOUNCED, BEING_ANNOUNCED, ANNOUNCED };
static _Atomic(uint32_t) announced; /* w: nth_os_begin(), the thread that changes it from 0; r: all;
                                     * M */

static bool membarrier(int command) { return syscall(SYS_membarrier, command, 0) == 0; }

static bool announce(void) { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }

static void *announce_main(void *unused) {
  (void)unused;
  nth_assert(nth_os_fences_all && nth_load_rlx(&announced) != ANNOUNCED);
  /* A filter may refuse the fence itself. */
  bool done = announce() && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  nth_store_rlx(&nth_os_fences_lost, !done);
  nth_store_rel(&announced, ANNOUNCED); /* M */
  return 0;
}

/* Announces the process in a thread of its own, which waits for the kernel. Until then all fences
 * fail. */
static void announce_apart(void) {
  nth_store_rlx(&nth_os_fences_lost, true);
  if (nth_os_thread(announce_main, 0) != 0)
    announce_main(0);
}

bool nth_os_fence_all(void) {
  if (nth_unlikely(!nth_os_fences_all))
    return false;
  int saved = errno;
  uint32_t state = nth_load_acq(&announced); /* M */
  bool done = false;
  if (nth_likely(state == ANNOUNCED)) {
    done = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    if (!done)
      nth_store_rlx(&nth_os_fences_lost, true);
  } else if (state == NOT_ANNOUNCED && nth_cas_rlx(&announced, &state, BEING_ANNOUNCED)) {
    announce_apart();
  }
  errno = saved;
  return done;
}

void nth_os_begin(void) {
  int saved = errno;
  nth_assert(nth_load_rlx(&announced) != BEING_ANNOUNCED);
  if (nth_os_is_alone()) {
    nth_os_fences_all = announce();
    nth_store_rel(&announced, ANNOUNCED); /* M */
  } else {
    long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0);
    nth_os_fences_all = commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  }
  errno = saved;
}

NTH_IN_CHILD void nth_os_forked(void) {
  if (!nth_os_fences_all || nth_load_rlx(&announced) == ANNOUNCED)
    return;
  int saved = errno;
  announce_main(0);
  errno = saved;
}

/* --- CPUs --- */

/* The calls of this part are made by waits, and a filter may refuse them. errno is written only
 * then: it may be that of a member which another OS thread runs (syscall.h). */

int nth_os_on_cpu(void) {
  int saved = errno, cpu = sched_getcpu();
  if (nth_unlikely(cpu < 0))
    errno = saved;
  return cpu;
}

static uint64_t read_clock(clockid_t clock) {
  struct timespec t;
  int saved = errno;
  if (nth_unlikely(clock_gettime(clock, &t) != 0)) {
    errno = saved;
    return 0;
  }
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct nth_os_usage nth_os_usage(void) {
  struct rusage r;
  struct nth_os_usage u = {read_clock(CLOCK_THREAD_CPUTIME_ID), 0, 0};
  int saved = errno;
  if (nth_likely(getrusage(RUSAGE_THREAD, &r) == 0)) {
    u.taken = r.ru_nivcsw;
    u.left = r.ru_nvcsw;
  } else {
    errno = saved;
  }
  return u;
}

/* The clock's number is made as pthread_getcpuclockid() makes it. */
uint64_t nth_os_cpu_of(int thread) {
  enum { OF_A_THREAD = 4, TIME_ON_CPU = 2 };
  return read_clock(thread ? (clockid_t)(~(unsigned)thread << 3 | OF_A_THREAD | TIME_ON_CPU)
                           : CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t nth_os_cpu_mine(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

bool nth_os_offer_cpu(void) {
  int64_t before = nth_os_usage().taken;
  nth_os_yield();
  return nth_os_usage().taken > before;
}

_Atomic(bool) nth_os_bound;

/* Gives the thread, 0: the calling one, this mask back. A thread's mask is the part of the mask it
 * asked for last that its cpuset allows (since Linux 6.2), also when the cpuset changes later. So
 * this asks for all CPUs, if that results in the same mask: a thread that asks for the mask itself
 * never gets CPUs that the cpuset gets later. If all CPUs result in a mask without some of these,
 * somebody outside has set another one meanwhile, which stays. */
static void ask_for(int thread, const cpu_set_t *mask) {
  cpu_set_t all, now, both;
  memset(&all, 0xff, sizeof all);
  if (!nth_load_rlx(&nth_os_bound) && sched_setaffinity(thread, sizeof all, &all) == 0 &&
      sched_getaffinity(thread, sizeof now, &now) == 0) {
    CPU_AND(&both, &now, mask);
    if (CPU_EQUAL(&now, mask) || !CPU_EQUAL(&both, mask))
      return;
  }
  sched_setaffinity(thread, sizeof *mask, mask);
}

void nth_os_leave_cpu(int cpu) {
  if (cpu >= 0 && nth_os_on_cpu() == cpu)
    nth_os_move(0, false);
}

/* The kernel has no compare-and-swap of masks. So a mask that somebody outside sets between a read
 * and the write that follows it at once, within a microsecond, is lost. One that comes during the
 * migration, which takes much longer, is seen and stays. */
static void move(int thread, bool here) {
  cpu_set_t mask, to, now;
  int cpu = nth_os_on_cpu();
  if (cpu < 0 || cpu >= CPU_SETSIZE || sched_getaffinity(thread, sizeof mask, &mask) != 0 ||
      !CPU_ISSET((unsigned)cpu, &mask) || CPU_COUNT(&mask) < 2)
    return;
  CPU_ZERO(&to);
  CPU_SET((unsigned)cpu, &to);
  if (!here)
    CPU_XOR(&to, &to, &mask);
  if (sched_setaffinity(thread, sizeof to, &to) == 0 &&
      sched_getaffinity(thread, sizeof now, &now) == 0 && CPU_EQUAL(&now, &to))
    ask_for(thread, &mask);
}

void nth_os_move(int thread, bool here) {
  int saved = errno;
  move(thread, here);
  errno = saved;
}

/* The number of a thread's clock tells the thread's number, as nth_os_cpu_of() puts it there. */
void nth_os_send_off(pthread_t thread, struct nth_os_birth *b) {
  clockid_t clock;
  nth_assert(b->cpu >= 0 && !nth_load_rlx(&b->sent));
  if (pthread_getcpuclockid(thread, &clock) == 0)
    nth_os_move(~(clock >> 3), false);
  nth_store_rel(&b->sent, true); /* B */
}

/* The maker is a system call or two behind, unless it has lost its CPU. */
void nth_os_arrive(struct nth_os_birth *b, bool leaves) {
  while (b->cpu >= 0 && !nth_load_acq(&b->sent)) /* B */
    nth_os_yield();
  if (leaves)
    nth_os_leave_cpu(b->cpu);
}

int nth_os_tid(void) { return (int)nth_syscall(SYS_gettid, 0, 0, 0, 0, 0); }

/* Kernels and CPUs without such stacks answer with an error. */
bool nth_os_shadow_stack(void) {
  uint64_t features = 0;
#if defined(__x86_64__)
  enum { SHSTK_STATUS = 0x5005, IN_FORCE = 1 }; /* of arch_prctl() */
  if (nth_syscall(SYS_arch_prctl, SHSTK_STATUS, (long)&features, 0, 0, 0) != 0)
    return false;
#elif defined(__aarch64__)
  enum { GET_STATUS = 74, IN_FORCE = 1 }; /* of prctl() */
  if (nth_syscall(SYS_prctl, GET_STATUS, (long)&features, 0, 0, 0) != 0)
    return false;
#else
  enum { IN_FORCE = 1 };
#endif
  return (features & IN_FORCE) != 0;
}

/* --- counts of slow events (count.h) --- */

/* w: threads on that CPU; r: reports; relaxed (I1). The CPUs that share lines have a tenant each */
static struct {
  _Alignas(NTH_APART) _Atomic(uint64_t) n[NTH_COUNT_KINDS];
  _Atomic(uint32_t) tenant[NTH_TENANTS / NTH_COUNT_LINES];
} nth_count_lines[NTH_COUNT_LINES] NTH_SPARSE;

static_assert(NTH_TENANTS % NTH_COUNT_LINES == 0 && sizeof nth_count_lines[0] == 2 * NTH_APART,
              "the tenants have room beside the counts");

static _Atomic(uint32_t) lines_used; /* lines beyond these are 0; w: who uses another one */

/* The index of a line that is about to be used. */
static uint32_t line(uint32_t number) {
  number %= NTH_COUNT_LINES;
  uint32_t before = nth_load_rlx(&lines_used);
  while (nth_unlikely(before <= number) && !nth_cas_rlx(&lines_used, &before, number + 1)) {}
  return number;
}

static _Atomic(uint64_t) *mine(enum nth_count what) {
  nth_assert(what < NTH_COUNT_KINDS);
  int cpu = nth_os_on_cpu(); /* -1: not known */
  return &nth_count_lines[line((uint32_t)(cpu + 1))].n[what];
}

_Atomic(uint32_t) *nth_count_tenant(uint32_t cpu) {
  uint32_t k = (cpu + 1) % NTH_TENANTS;
  return &nth_count_lines[line(k)].tenant[k / NTH_COUNT_LINES];
}

void nth_count_add(enum nth_count what, uint64_t n) { nth_add_rlx(mine(what), n); }

void nth_count_most(enum nth_count what, uint64_t n) {
  _Atomic(uint64_t) *most = mine(what);
  uint64_t before = nth_load_rlx(most);
  while (before < n && !nth_cas_rlx(most, &before, n)) {}
}

uint64_t nth_count_read(enum nth_count what) {
  uint64_t all = 0;
  nth_assert(what < NTH_COUNT_KINDS);
  for (uint32_t i = 0, used = nth_load_rlx(&lines_used); i < used; i++) {
    uint64_t n = nth_load_rlx(&nth_count_lines[i].n[what]);
    if (what != NTH_COUNT_LONGEST)
      all += n;
    else if (n > all)
      all = n;
  }
  return all;
}

NTH_IN_CHILD void nth_count_forked(void) {
  memset(nth_count_lines, 0, nth_load_rlx(&lines_used) * sizeof nth_count_lines[0]);
}
