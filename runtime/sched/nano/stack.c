/* stack.c - stacks beside an OS thread's own, and the step from one to another
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/nano/stack.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "runtime/arch/insn.h"
#include "runtime/arch/switch.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/base/objects.h"
#include "runtime/base/os.h"
#include "runtime/mem/huge.h"
#include "runtime/watch/asan.h"
#include "runtime/watch/tsan.h"
#include "runtime/watch/valgrind.h"

/* The thread sanitizer counts each stack as a thread, and ends the process at 8128. */
#define STACKS_MOST (nth_tsan_fibers() ? 4096u : NTH_STACKS_MOST)

/* --- what sanitizers are told --- */

static void tell_made(struct nth_stack *s) {
  nth_asan_clear(s->low, s->size);
  nth_lsan_root(s->low, s->size);
  s->fake = 0;
  if (nth_tsan_fibers())
    s->fiber = __tsan_create_fiber(0);
}

static void tell_unmade(struct nth_stack *s) {
  nth_lsan_no_root(s->low, s->size);
  if (nth_tsan_fibers())
    __tsan_destroy_fiber(s->fiber);
}

static void tell_mapped(struct nth_stack *s, bool mapped) {
  if (mapped)
    s->known = nth_valgrind_stack((uintptr_t)s->low, (uintptr_t)s->low + s->size - 1);
  else
    nth_valgrind_no_stack(s->known);
}

/* left: the stack from which the calling thread has come. Here the sanitizer tells the bounds of a
 * processor's own stack. */
static void tell_arrived(void *fake, struct nth_stack *left) {
  const void *low;
  size_t size;
  __sanitizer_finish_switch_fiber(fake, &low, &size);
  if (left && !left->map) {
    left->low = (char *)(uintptr_t)low;
    left->size = size;
  }
}

void nth_stack_adopt(struct nth_stack *own) {
  *own = (struct nth_stack){0};
  if (nth_tsan_fibers())
    own->fiber = __tsan_get_current_fiber();
}

void nth_stack_arrived(struct nth_stack *from) {
  if (nth_asan_stacks())
    tell_arrived(0, from);
}

/* --- the step --- */

static inline void step(struct nth_stack *from, struct nth_stack *to) {
  nth_assert(from != to && to->sp);
  if (nth_tsan_fibers())
    __tsan_switch_to_fiber(to->fiber, 0);
  from->split_limit = nth_split_limit();
  nth_set_split_limit(to->split_limit);
  nth_switch(&from->sp, to->sp, 0);
}

static __attribute__((noinline)) void step_told(struct nth_stack *from, struct nth_stack *to,
                                                void **fake) {
  __sanitizer_start_switch_fiber(fake, to->low, to->size);
  step(from, to);
  tell_arrived(from->fake, 0);
}

/* Without a sanitizer nothing follows nth_switch(), so it returns to the caller at once. A return
 * on another stack is one that the processor does not foresee: 8 ns each. */
void nth_stack_switch(struct nth_stack *from, struct nth_stack *to) {
  if (nth_asan_stacks())
    step_told(from, to, &from->fake);
  else
    step(from, to);
}

void nth_stack_end(struct nth_stack *from, struct nth_stack *to) {
  if (nth_asan_stacks())
    step_told(from, to, 0);
  else
    step(from, to);
}

/* --- memory --- */

uint64_t nth_stack_bytes;

static _Atomic(uint32_t) in_all; /* stacks that are mapped; w: all */

/* Bytes of a stack; 0: not known. */
static size_t wanted(void) {
  size_t bytes = (size_t)nth_stack_bytes;
  pthread_attr_t attr;
  if (bytes == 0 && pthread_attr_init(&attr) == 0) {
    (void)pthread_attr_getstacksize(&attr, &bytes);
    pthread_attr_destroy(&attr);
  }
  return bytes;
}

/* Whether `count` stacks may exist: the program needs maps and addresses too. */
static bool bearable(uint32_t count, size_t bytes) {
  struct rlimit r;
  if (getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY &&
      bytes * count > r.rlim_cur / NTH_STACKS_PART)
    return false;
  return count <= STACKS_MOST;
}

static _Atomic(bool) executable; /* an object of the process wants such stacks; w: looks; r: all */

static int look_at(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_GNU_STACK && info->dlpi_phdr[i].p_flags & PF_X)
      nth_store_rlx(&executable, true);
  return 0;
}

void nth_stack_look(void) {
  static _Atomic(uint64_t) seen;
  (void)nth_objects_walk_news(&seen, look_at, 0);
}

/* Where the system refuses that, code on the stack is a SIGSEGV. */
static void make_executable(struct nth_stack *s) {
  s->executable = true;
  (void)mprotect(s->low, s->mapped - (size_t)(s->low - s->map), PROT_READ | PROT_WRITE | PROT_EXEC);
}

static struct nth_stack *map_one(size_t bytes) {
  size_t page = nth_os_page();
  size_t size = nth_round_up(bytes, page), mapped = size + page;
  char *at =
      mmap(0, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (at == MAP_FAILED)
    return 0;
  if (mprotect(at + page, size, PROT_READ | PROT_WRITE) != 0) {
    munmap(at, mapped);
    return 0;
  }
  if (nth_huge_pages)
    nth_huge(at + page, size);
  else
    (void)madvise(at + page, size, MADV_NOHUGEPAGE); /* most stacks use their first page only */
  struct nth_stack *s = (struct nth_stack *)(at + mapped - NTH_APART);
  s->map = at;
  s->mapped = mapped;
  s->low = at + page;
  s->size = size - NTH_APART;
  s->executable = false;
  tell_mapped(s, true);
  return s;
}

static struct nth_stack *map(void) {
  size_t bytes = wanted();
  bool can = bearable(nth_add_rlx(&in_all, 1) + 1, bytes) && bytes != 0;
  struct nth_stack *s = can ? map_one(bytes) : 0;
  if (!s)
    nth_sub_rlx(&in_all, 1);
  return s;
}

static void unmap(struct nth_stack *s) {
  nth_assert(s->map && nth_load_rlx(&in_all) > 0);
  tell_mapped(s, false);
  munmap(s->map, s->mapped);
  nth_sub_rlx(&in_all, 1);
}

struct nth_stack *nth_stack_take(struct nth_pool *pool, void (*f)(void *), void *arg,
                                 uint64_t control) {
  nth_assert(f);
  if (!NTH_SWITCH)
    return 0;
  struct nth_stack *s = nth_pool_take(pool, NTH_POOL_STACK, 0);
  if (!s && !(s = map()))
    return 0;
  if (nth_unlikely(nth_load_rlx(&executable)) && !s->executable)
    make_executable(s);
  tell_made(s);
  s->split_limit = 0;
  s->sp = nth_switch_make(s->low + s->size, f, arg, control);
  nth_assert((char *)s->sp > s->low && (char *)s->sp < s->low + s->size);
  return s;
}

void nth_stack_give(struct nth_pool *pool, struct nth_stack *s) {
  nth_assert(s->map && s->low > s->map); /* no thread's own */
  tell_unmade(s);
  /* The thread sanitizer forgets what threads have done on a stack only when it is unmapped. */
  if (nth_tsan_here() || !nth_pool_give(pool, s, NTH_POOL_STACK))
    unmap(s);
}

void nth_stack_leave(struct nth_pool *pool) {
  struct nth_pool_shelf left = pool->shelf[NTH_POOL_STACK];
  nth_assert(left.count <= NTH_POOL_KEPT);
  pool->shelf[NTH_POOL_STACK].count = pool->shelf[NTH_POOL_STACK].room = 0;
  pool->keeps = false; /* or the shelf would get its room again */
  while (left.count > 0) {
    struct nth_stack *s = left.object[--left.count];
    if (!nth_pool_give(pool, s, NTH_POOL_STACK))
      unmap(s);
  }
}
