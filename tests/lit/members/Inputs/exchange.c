/* exchange.c - preloaded: members exchange their OS threads at every call of the runtime */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in, over any libgomp, for a runtime that moves members: two members of a team (not member
// 0) that are about to make, or have made, a call save their registers, change stacks and thread
// pointers, and each goes on on the other's OS thread. At the end of a region's body each goes
// home.
// With it the tests of this folder show what they would say of a runtime that moves members
// wrongly:
//   -DWITHOUT_TLS     the thread pointer stays with the OS thread
//   -DWITHOUT_FLOAT   the floating-point control words stay
//   -DWITHOUT_MASK    signals come in while a member's thread pointer is used twice
// x86-64 only. While a thread is without a member it runs on a stack of its own and uses no
// thread-local data.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <asm/prctl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

struct seat; /* an OS thread */

struct member {
  void *stack_pointer;
  uint64_t thread_pointer;
  struct seat *seat, *home;
  struct region *region; /* where it is a member other than 0 */
};

_Static_assert(offsetof(struct member, thread_pointer) == 8, "used by change() below");

struct seat {
  struct member *given;    /* another is to run here */
  struct member *returned; /* its own member waits to run here */
  char stack[16384] __attribute__((aligned(16)));
};

struct region {
  void (*body)(void *);
  void *data;
  struct member *offer; /* ready to exchange */
};

static __thread struct member self;

static long raw3(long number, long a, long b, long c, long d) {
  long result;
  register long r10 __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                   : "rcx", "r11", "memory");
  return result;
}

/* Saves the caller as *me, calls choose(me) on the stack that ends at top, then runs its answer. */
void change(struct member *me, struct member *(*choose)(struct member *), void *top)
    __attribute__((visibility("hidden")));
__asm__(".text\n"
        ".hidden change\n"
        ".type change, @function\n"
        "change:\n"
        "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
        "  sub $8, %rsp\n"
        "  stmxcsr (%rsp)\n  fnstcw 4(%rsp)\n"
        "  mov %rsp, (%rdi)\n"
        "  mov %rdx, %rsp\n"
        "  call *%rsi\n"
        "  mov %rax, %rbx\n"
#ifndef WITHOUT_TLS
        "  mov $158, %eax\n  mov $0x1002, %edi\n  mov 8(%rbx), %rsi\n  syscall\n"
#endif
        "  mov (%rbx), %rsp\n"
#ifndef WITHOUT_FLOAT
        "  ldmxcsr (%rsp)\n  fldcw 4(%rsp)\n"
#endif
        "  add $8, %rsp\n"
        "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
        "  ret\n");

/* Runs without a member: neither thread-local data nor the C library. */
static struct member *sit(struct seat *seat, struct member *next) {
  next->seat = seat;
  return next;
}

static struct member *exchange_or_stay(struct member *me) {
  struct seat *seat = me->seat;
  struct region *region = me->region;
  struct member *other = __atomic_exchange_n(&region->offer, NULL, __ATOMIC_ACQ_REL);
  if (other) {
    __atomic_store_n(&other->seat->given, me, __ATOMIC_RELEASE);
    return sit(seat, other);
  }
  if (!__atomic_compare_exchange_n(&region->offer, &other, me, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE))
    return me;
  for (int i = 0;; i++) {
    struct member *given = __atomic_load_n(&seat->given, __ATOMIC_ACQUIRE), *mine = me;
    if (given) {
#ifdef WITHOUT_MASK /* the data is in use twice for a while */
      for (volatile int busy = 0; busy < 100000;)
        busy++;
#endif
      __atomic_store_n(&seat->given, NULL, __ATOMIC_RELAXED);
      return sit(seat, given);
    }
    if (i >= 30 && __atomic_compare_exchange_n(&region->offer, &mine, NULL, false, __ATOMIC_ACQ_REL,
                                               __ATOMIC_ACQUIRE))
      return me; /* nobody came */
    raw3(SYS_sched_yield, 0, 0, 0, 0);
  }
}

static struct member *home_or_wait(struct member *me) {
  struct seat *seat = me->seat;
  struct member *own;
  __atomic_store_n(&me->home->returned, me, __ATOMIC_RELEASE);
  while (!(own = __atomic_exchange_n(&seat->returned, NULL, __ATOMIC_ACQ_REL)))
    raw3(SYS_sched_yield, 0, 0, 0, 0);
  return sit(seat, own);
}

/* Not inlined: the caller must not keep an address of thread-local data's OS thread. */
__attribute__((noinline)) static void leave_seat(struct member *(*choose)(struct member *)) {
  struct member *me = &self;
#ifndef WITHOUT_MASK
  uint64_t all = ~0ull, old = 0;
  raw3(SYS_rt_sigprocmask, 2, (long)&all, (long)&old, 8);
#endif
  change(me, choose, me->seat->stack + sizeof me->seat->stack);
#ifndef WITHOUT_MASK
  raw3(SYS_rt_sigprocmask, 2, (long)&old, 0, 8);
#endif
}

static void exchange(void) {
  if (self.region)
    leave_seat(exchange_or_stay);
}

static void forget(void) { self.region = NULL; }

__attribute__((constructor)) static void begin(void) {
  pthread_atfork(NULL, NULL, forget); /* the others are not in the child */
}

extern int omp_get_thread_num(void);

static void body(void *pointer) {
  struct region *region = pointer, *outer = self.region;
  bool first = omp_get_thread_num() == 0;
  if (!first && !self.home) {
    self.home = self.seat =
        mmap(NULL, sizeof *self.home, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (self.home == MAP_FAILED)
      abort();
    raw3(SYS_arch_prctl, ARCH_GET_FS, (long)&self.thread_pointer, 0, 0);
  }
  self.region = first ? NULL : region;
  region->body(region->data);
  if (self.region && self.seat != self.home)
    leave_seat(home_or_wait);
  self.region = outer;
}

#define REAL(type, name)                                                                           \
  static type *real;                                                                               \
  if (!real)                                                                                       \
    real = (type *)dlsym(RTLD_NEXT, name);

typedef void parallel_type(void (*)(void *), void *, unsigned, unsigned);
void GOMP_parallel(void (*fn)(void *), void *data, unsigned size, unsigned flags) {
  REAL(parallel_type, "GOMP_parallel")
  struct region region = {fn, data, NULL};
  real(body, &region, size, flags);
}

typedef void pointer_type(void *);
#define CALL(name)                                                                                 \
  void name(void *pointer) {                                                                       \
    REAL(pointer_type, #name)                                                                      \
    exchange();                                                                                    \
    real(pointer);                                                                                 \
    exchange();                                                                                    \
  }
CALL(GOMP_barrier) /* those without a parameter do not mind one */
CALL(GOMP_taskwait)
CALL(GOMP_taskyield)
CALL(GOMP_taskgroup_end)
CALL(GOMP_critical_start)
CALL(GOMP_critical_name_start)
CALL(omp_set_lock)
