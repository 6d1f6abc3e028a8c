/* os.c - memory and CPUs from the C library
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include "runtime/base/config.h"
#include "runtime/base/msg.h"
#include "runtime/base/syscall.h"

void *nth_os_alloc(size_t size) {
  void *p = 0;
  if (size > (size_t)-1 - NTH_APART || posix_memalign(&p, NTH_APART, size) != 0)
    return 0;
  memset(p, 0, size);
  return p;
}

void *nth_os_need(size_t size) {
  void *p = nth_os_alloc(size);
  if (p)
    return p;
  nth_msg("out of memory (%zu bytes wanted); waiting for some", size);
  while (!(p = nth_os_alloc(size)))
    nanosleep(&(struct timespec){0, 10000000}, 0);
  return p;
}

int nth_os_thread(void *(*run)(void *), void *argument) {
  sigset_t all, before;
  pthread_attr_t attr;
  pthread_t thread;
  int e = pthread_attr_init(&attr);
  if (e != 0)
    return e;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  e = pthread_create(&thread, &attr, run, argument);
  pthread_sigmask(SIG_SETMASK, &before, 0);
  pthread_attr_destroy(&attr);
  return e;
}

/* --- fences in all threads --- */

bool nth_os_fences_all;
_Atomic(bool) nth_os_fences_lost;

/* The kernel fences the threads of processes only that have announced themselves. */
enum { NOT_ANNOUNCED, BEING_ANNOUNCED, ANNOUNCED };
static _Atomic(uint32_t) announced; /* w: nth_os_begin(), who changes it from 0; r: all; M */

static bool membarrier(int command) { return syscall(SYS_membarrier, command, 0) == 0; }

static bool announce(void) { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }

static void *announce_main(void *unused) {
  (void)unused;
  bool done = announce();
  nth_store_rlx(&nth_os_fences_lost, !done);
  nth_store_rel(&announced, ANNOUNCED); /* M */
  return 0;
}

/* A thread of its own waits for the kernel. Until then all fences fail. */
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

/* Whether this is the only thread of the process. Where the C library does not tell: as many threads as there
 * are have a folder here. */
static bool is_alone(void) {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded;
#else
  struct stat folders;
  return stat("/proc/self/task", &folders) == 0 && folders.st_nlink == 3;
#endif
}

void nth_os_begin(void) {
  int saved = errno;
  if (is_alone()) {
    nth_os_fences_all = announce();
    nth_store_rel(&announced, ANNOUNCED); /* M */
  } else {
    long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0);
    nth_os_fences_all = commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  }
  errno = saved;
}

void nth_os_forked(void) {
  int saved = errno;
  if (nth_os_fences_all && nth_load_rlx(&announced) != ANNOUNCED)
    announce_main(0);
  errno = saved;
}

/* proc(5): time on the CPU, time waiting for it, turns. By plain system calls: open() and read() are
 * cancellation points. */
uint64_t nth_os_run_delay(void) { return nth_os_run_delay_of("/proc/thread-self/schedstat"); }

uint64_t nth_os_run_delay_of(const char *path) {
  char text[96];
  int saved = errno;
  uint64_t delay = NTH_OS_UNKNOWN;
  long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    long n = syscall(SYS_read, fd, text, sizeof text - 1);
    syscall(SYS_close, fd);
    text[n > 0 ? n : 0] = 0;
    char *second = strchr(text, ' ');
    if (second)
      delay = strtoull(second, 0, 10);
  }
  errno = saved;
  return delay;
}

_Atomic(bool) nth_os_bound;

/* The mask of a thread is what its cpuset allows of what was asked for last (since Linux 6.2), also when the
 * cpuset changes later. So ask for all CPUs, as long as that gives the mask there was: who asks for that very
 * mask stays out of CPUs that the cpuset gets later. */
static void ask_for(const cpu_set_t *mask) {
  cpu_set_t all, now;
  memset(&all, 0xff, sizeof all);
  if (nth_load_rlx(&nth_os_bound) || sched_setaffinity(0, sizeof all, &all) != 0 ||
      sched_getaffinity(0, sizeof now, &now) != 0 || !CPU_EQUAL(&now, mask))
    sched_setaffinity(0, sizeof *mask, mask);
}

void nth_os_leave_cpu(int cpu) {
  cpu_set_t mask, others;
  if (cpu < 0 || cpu >= CPU_SETSIZE || sched_getcpu() != cpu ||
      sched_getaffinity(0, sizeof mask, &mask) != 0)
    return;
  others = mask;
  CPU_CLR((unsigned)cpu, &others);
  if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof others, &others) == 0)
    ask_for(&mask);
}

/* Kernels and processors without such stacks answer with an error. */
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
