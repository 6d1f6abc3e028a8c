/* traits.c - what a new OS thread inherits from its creator, and what a program can change of it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/hold/traits.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "runtime/base/syscall.h"

/* The names lie in the table: pointers to them would be written when the library is loaded. */
static const struct {
  char name[32];
  uint32_t trait;
} names[] = {
    {"_Fork", NTH_TRAIT_ABROAD},
    {"__cxa_thread_atexit", NTH_TRAIT_ENDS},
    {"__cxa_thread_atexit_impl", NTH_TRAIT_ENDS},
    {"__longjmp_chk", NTH_TRAIT_MASK}, /* a jump out of a handler keeps the handler's mask */
    {"__res_state", NTH_TRAIT_ABROAD},
    {"__rseq_offset", NTH_TRAIT_OS_THREAD},
    {"_longjmp", NTH_TRAIT_MASK},
    {"add_key", NTH_TRAIT_NEVER},
    {"cap_set_proc", NTH_TRAIT_NEVER},
    {"capset", NTH_TRAIT_NEVER},
    {"clone", NTH_TRAIT_ABROAD},
    {"getrusage", NTH_TRAIT_OS_THREAD},
    {"gettid", NTH_TRAIT_OS_THREAD},
    {"initgroups", NTH_TRAIT_OS_THREAD},
    {"io_uring_queue_init", NTH_TRAIT_NEVER},
    {"io_uring_queue_init_mem", NTH_TRAIT_NEVER},
    {"io_uring_queue_init_params", NTH_TRAIT_NEVER},
    {"io_uring_setup", NTH_TRAIT_NEVER},
    {"ioperm", NTH_TRAIT_NEVER},
    {"iopl", NTH_TRAIT_NEVER},
    {"ioprio_set", NTH_TRAIT_NEVER},
    {"keyctl", NTH_TRAIT_NEVER},
    {"longjmp", NTH_TRAIT_MASK},
    {"nice", NTH_TRAIT_SCHEDULE},
    {"numa_run_on_node", NTH_TRAIT_CPUS},
    {"numa_set_membind", NTH_TRAIT_NEVER},
    {"personality", NTH_TRAIT_NEVER},
    {"pkey_alloc", NTH_TRAIT_NEVER},
    {"pkey_set", NTH_TRAIT_NEVER},
    {"prctl", NTH_TRAIT_NAME | NTH_TRAIT_CONTROLS},
    {"pthread_cancel", NTH_TRAIT_OS_THREAD},
    {"pthread_getcpuclockid", NTH_TRAIT_OS_THREAD},
    {"pthread_key_create", NTH_TRAIT_KEYS},
    {"pthread_kill", NTH_TRAIT_OS_THREAD},
    {"pthread_mutexattr_setprotocol", NTH_TRAIT_OS_THREAD},
    {"pthread_mutexattr_setrobust", NTH_TRAIT_ROBUST},
    {"pthread_mutexattr_setrobust_np", NTH_TRAIT_ROBUST},
    {"pthread_setaffinity_np", NTH_TRAIT_CPUS},
    {"pthread_setcancelstate", NTH_TRAIT_CANCEL},
    {"pthread_setcanceltype", NTH_TRAIT_CANCEL},
    {"pthread_setname_np", NTH_TRAIT_NAME},
    {"pthread_setschedparam", NTH_TRAIT_SCHEDULE},
    {"pthread_setschedprio", NTH_TRAIT_SCHEDULE},
    {"pthread_sigmask", NTH_TRAIT_MASK},
    {"pthread_sigqueue", NTH_TRAIT_OS_THREAD},
    {"sched_setaffinity", NTH_TRAIT_CPUS},
    {"sched_setattr", NTH_TRAIT_SCHEDULE},
    {"sched_setparam", NTH_TRAIT_SCHEDULE},
    {"sched_setscheduler", NTH_TRAIT_SCHEDULE},
    {"seccomp_load", NTH_TRAIT_NEVER},
    {"set_mempolicy", NTH_TRAIT_NEVER},
    {"setcontext", NTH_TRAIT_MASK},
    {"setegid", NTH_TRAIT_OS_THREAD},
    {"seteuid", NTH_TRAIT_OS_THREAD},
    {"setfsgid", NTH_TRAIT_NEVER},
    {"setfsuid", NTH_TRAIT_NEVER},
    {"setgid", NTH_TRAIT_OS_THREAD},
    {"setgroups", NTH_TRAIT_OS_THREAD},
    {"setns", NTH_TRAIT_CALLS},
    {"setpriority", NTH_TRAIT_SCHEDULE},
    {"setregid", NTH_TRAIT_OS_THREAD},
    {"setresgid", NTH_TRAIT_OS_THREAD},
    {"setresuid", NTH_TRAIT_OS_THREAD},
    {"setreuid", NTH_TRAIT_OS_THREAD},
    {"setuid", NTH_TRAIT_OS_THREAD},
    {"sigaltstack", NTH_TRAIT_SIGSTACK},
    {"sigblock", NTH_TRAIT_MASK},
    {"sighold", NTH_TRAIT_MASK},
    {"siglongjmp", NTH_TRAIT_MASK},
    {"sigprocmask", NTH_TRAIT_MASK},
    {"sigrelse", NTH_TRAIT_MASK},
    {"sigset", NTH_TRAIT_MASK},
    {"sigsetmask", NTH_TRAIT_MASK},
    {"swapcontext", NTH_TRAIT_MASK},
    {"syscall", NTH_TRAIT_CALLS},
    {"tgkill", NTH_TRAIT_ABROAD},
    {"tholder_cancel", NTH_TRAIT_OS_THREAD},
    {"timer_create", NTH_TRAIT_ABROAD},
    {"tss_create", NTH_TRAIT_KEYS},
    {"unshare", NTH_TRAIT_CALLS},
    {"uselocale", NTH_TRAIT_LOCALE},
};

/* Constructs and calls of OpenMP, OpenACC and nanogomp/nth.h: with these a thread does more than
 * ask. */
static const char constructs[][8] = {"GOMP_", "GOACC_", "omp_", "acc_", "nth_"};

static bool is_construct(const char *name) {
  bool found = false;
  for (size_t i = 0; i < sizeof constructs / sizeof constructs[0]; i++)
    found = found || strncmp(name, constructs[i], strlen(constructs[i])) == 0;
  return found && strncmp(name, "omp_get_", 8) != 0;
}

uint32_t nth_trait_of(const char *name) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (name[0] == names[i].name[0] && strcmp(name, names[i].name) == 0)
      return names[i].trait;
  return is_construct(name) ? NTH_TRAIT_OS_THREAD : 0;
}

/* The mask's bytes as one number (FNV-1a). */
static uint64_t hash(const unsigned char *bytes, size_t n) {
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < n; i++)
    h = (h ^ bytes[i]) * 1099511628211u;
  return h;
}

static uint64_t cpus(void) {
  unsigned long mask[8192 / (8 * sizeof(long))]; /* as many CPUs as Linux can have */
  long bytes = nth_syscall(SYS_sched_getaffinity, 0, sizeof mask, (long)mask, 0, 0);
  return bytes > 0 ? hash((unsigned char *)mask, (size_t)bytes) : 0;
}

/* Whether the calling thread owns robust mutexes: the kernel knows where the C library lists
 * them. */
static bool owns_robust(void) {
  struct robust_list_head *head = 0;
  size_t size = 0;
  return nth_syscall(SYS_get_robust_list, 0, (long)&head, (long)&size, 0, 0) == 0 && head &&
         head->list.next != &head->list;
}

void nth_traits_read(struct nth_traits *t, uint32_t which) {
  memset(t, 0, sizeof *t);
  int saved = errno;
  if (which & NTH_TRAIT_CPUS)
    t->cpus = cpus();
  if (which & NTH_TRAIT_SCHEDULE) {
    struct sched_param p = {0};
    t->policy = sched_getscheduler(0);
    t->priority = sched_getparam(0, &p) == 0 ? p.sched_priority : 0;
    t->nice = getpriority(PRIO_PROCESS, 0);
  }
  if (which & NTH_TRAIT_NAME)
    (void)prctl(PR_GET_NAME, t->name);
  if (which & NTH_TRAIT_CONTROLS) {
    t->slack = prctl(PR_GET_TIMERSLACK);
    t->keeps = (int16_t)prctl(PR_GET_KEEPCAPS, 0, 0, 0, 0);
    t->no_new_rights = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
    t->filters = (int16_t)prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
  }
  if (which & NTH_TRAIT_SIGSTACK) {
    stack_t s;
    t->stack = sigaltstack(0, &s) == 0 && !(s.ss_flags & SS_DISABLE);
  }
  if (which & NTH_TRAIT_ROBUST)
    t->owns = owns_robust();
  errno = saved;
}

uint64_t nth_traits_mask(void) {
  uint64_t mask = 0;
  nth_syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&mask, sizeof mask, 0);
  return mask;
}

void nth_traits_set_mask(uint64_t mask) {
  nth_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, sizeof mask, 0);
}

uint64_t nth_traits_block(void) {
  uint64_t all = NTH_TRAITS_BLOCKED, mask = 0;
  nth_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&mask, sizeof mask, 0);
  return mask;
}

bool nth_traits_attributes(const pthread_attr_t *a, size_t *stack, size_t *guard) {
  void *own = 0;
  size_t size = 0;
  int inherit = PTHREAD_EXPLICIT_SCHED;
  cpu_set_t cpus;
  bool plain =
      pthread_attr_getstacksize(a, stack) == 0 && pthread_attr_getguardsize(a, guard) == 0 &&
      pthread_attr_getstack(a, &own, &size) == 0 && (uintptr_t)own + size == 0 &&
      pthread_attr_getinheritsched(a, &inherit) == 0 && inherit == PTHREAD_INHERIT_SCHED &&
      pthread_attr_getaffinity_np(a, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) == CPU_SETSIZE;
#ifdef PTHREAD_ATTR_NO_SIGMASK_NP
  sigset_t mask;
  plain = plain && pthread_attr_getsigmask_np(a, &mask) == PTHREAD_ATTR_NO_SIGMASK_NP;
#endif
  return plain;
}
