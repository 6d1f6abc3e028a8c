/* carry_thread.c - roots and workers as carriers: their beginning, their rest, their end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
#include <sys/rseq.h> /* the signature differs from one processor to the next */
#endif

#include "runtime/arch/section.h"
#include "runtime/base/clock.h"
#include "runtime/base/sleep.h"
#include "runtime/mem/heap.h"
#include "runtime/sched/nano/carry_inside.h"
#include "runtime/sched/nano/overflow.h"
#include "runtime/sched/nano/watchdog.h"
#include "runtime/watch/valgrind.h"

/* --- objects --- */

static struct nth_pthread *unused; /* of threads that have ended; holder's lock */

struct nth_pthread *nth_carry_new(struct nth_worker *p) {
  nth_assert(p);
  struct nth_pthread *t = unused;
  if (t)
    unused = t->next;
  else
    t = nth_heap_alloc(sizeof *t);
  if (t)
    t->worker = p;
  return t;
}

void nth_carry_recycle(struct nth_pthread *t) {
  nth_assert(t != unused && nth_load_rlx(&t->carrier.asleep) == 0);
  t->next = unused;
  unused = t;
}

static void empty_list(struct nth_family *f) {
  for (uint32_t i = 0; i < nth_load_rlx(&f->size); i++)
    nth_store_rlx(&f->carrier[i], NULL);
}

struct nth_family *nth_carry_family(struct nth_family *before, uint32_t cpus, uint32_t most) {
  nth_assert(cpus > 0);
  struct nth_family *f = before;
  if (!f || f->room < cpus) {
    uint32_t room = cpus > most ? cpus : most;
    f = nth_heap_alloc(sizeof *f + room * sizeof f->carrier[0]);
    if (!f)
      return 0;
    f->older = before; /* never freed: another thread may be looking at it */
    f->room = room;
  }
  nth_assert(cpus <= f->room);
  empty_list(f);
  nth_store_rlx(&f->capacity, cpus);
  nth_store_rlx(&f->size, 0);
  return f;
}

/* Resets the carrier of an object that is new or used again. Late thieves may still be looking at
 * its queue, which is empty, so its lock stays as it is. */
static void reset(struct nth_carrier *c, struct nth_family *f) {
  nth_assert(f && nth_load_rlx(&c->asleep) == 0);
  nth_carrier_open(c);
  c->masked = c->tired = c->ending = c->root = false;
  nth_store_rlx(&c->helps, 0);
  nth_store_rlx(&c->away, false);
  nth_store_rlx(&c->called, false);
  c->left = 0;
  c->after = 0;
  c->backlog_at = c->look_at = 0;
  c->looks = 0;
  c->family = f;
  nth_store_rlx(&c->asleep, 0);
}

/* Resets the whole object. */
static void begin_object(struct nth_pthread *t, struct nth_family *f, uint32_t place, bool pinned) {
  struct nth_identity *x = &t->self;
  nth_assert(t->worker && !x->queue && !x->docks);
  reset(&t->carrier, f);
  x->kind = NTH_KIND_MEMBER;
  x->orphan = false;
  x->own = &t->carrier;
  nth_store_rlx(&x->carrier, x->own);
  nth_store_rlx(&x->pinned, pinned);
  x->word = 0;
  x->also = 0;
  x->place = place;
  nth_store_rlx(&x->own->place, place);
}

/* The list has entries up to the i-th. */
static void reach(struct nth_family *f, uint32_t i) {
  uint32_t size = nth_load_rlx(&f->size);
  while (size <= i && !nth_cas_rlx(&f->size, &size, i + 1)) {}
}

/* Adds c to the family's list; false: there is no room, or c's place has as many as CPUs. cpus: of
 * the place, if c has one. Several may join at a time: each has the entry that it has made its own.
 */
static bool join(struct nth_family *f, struct nth_carrier *c, uint32_t cpus) {
  uint32_t size = nth_load_rlx(&f->size), place = nth_load_rlx(&c->place), same = 0;
  nth_assert(c->family == f && size <= f->room);
  for (uint32_t k = 0; place != 0 && k < size; k++) {
    const struct nth_carrier *other = nth_load_rlx(&f->carrier[k]);
    same += other && nth_load_rlx(&other->place) == place;
  }
  for (uint32_t i = 0; i < nth_load_rlx(&f->capacity) && (place == 0 || same < cpus); i++) {
    struct nth_carrier *none = 0;
    if (nth_load_rlx(&f->carrier[i]) || !nth_cas_acqrel(&f->carrier[i], &none, c)) /* carrier:F */
      continue; /* of another one, or the helper's */
    reach(f, i);
    return true;
  }
  return false;
}

/* c, at rest, becomes the helper of its family, in the root's place in the list, if the family
 * needs one. */
static void help(struct nth_carrier *c) {
  nth_assert(!nth_load_rlx(&c->current) && !c->root && !c->ending);
  struct nth_family *f = c->family;
  if (nth_likely(!nth_carrier_is(NTH_ROOTS_ALONE)) || nth_load_rlx(&c->regular) ||
      nth_load_rlx(&c->helps))
    return;
  struct nth_carrier *root = nth_load_acq(&f->carrier[0]); /* carrier:F */
  if (!root || (root->root && nth_load_rlx(&root->place) == nth_load_rlx(&c->place)))
    nth_store_rlx(&c->helps, nth_cas_acqrel(&f->carrier[0], &root, c)); /* carrier:F */
}

/* c, at rest, becomes regular: there are more CPUs than when it began. */
static void enlist(struct nth_carrier *c) {
  nth_assert(!nth_load_rlx(&c->current) && !c->root);
  nth_store_rlx(&c->called, false);
  if (!nth_load_rlx(&c->regular) && nth_load_rlx(&c->helps) == 0 && nth_load_rlx(&c->place) == 0)
    nth_store_rlx(&c->regular, join(c->family, c, 0));
}

static void leave_family(struct nth_carrier *c) {
  nth_assert(c->family);
  struct nth_family *f = c->family;
  for (uint32_t i = 0; i < nth_load_rlx(&f->size); i++)
    if (nth_load_rlx(&f->carrier[i]) == c)
      nth_store_rlx(&f->carrier[i], NULL);
}

void nth_carry_adopt(struct nth_pthread *t, struct nth_family *f, uint32_t place) {
  struct nth_identity *x = &t->self;
  struct nth_carrier *c = &t->carrier;
  begin_object(t, f, place, true);
  x->pointer = nth_switch_pointer();
  c->rest = x;
  c->root = true;
  nth_store_rlx(&c->regular, true);
  c->waiter.apart.movable = false;
  c->tid = nth_os_tid();
  nth_store_rlx(&c->current, x);
  (void)join(f, c, 1);
  nth_watch_carrier(c, false);
  nth_watch_roots(true);
}

static void all_home(struct nth_carrier *c, bool over) {
  for (struct nth_identity *x = nth_carrier_empty(c, over), *next; x; x = next) {
    next = x->next;
    nth_carry_send_home(x);
  }
}

void nth_carry_disband(struct nth_family *f) {
  struct nth_carrier *root = nth_load_acq(&f->carrier[0]); /* carrier:F */
  if (root)
    all_home(root, false);
}

void nth_carry_dismiss(struct nth_carrier *c) {
  nth_assert(c->root && nth_load_rlx(&c->regular));
  leave_family(c);
  all_home(c, true);
  nth_watch_roots(false);
}

void nth_carry_retire(struct nth_carrier *c) {
  nth_assert(!c->root && !nth_load_rlx(&c->current)); /* no thread has begun */
  leave_family(c);
  all_home(c, true); /* others may have put identities there meanwhile */
}

void nth_carry_enrol(struct nth_pthread *t, struct nth_family *f, uint32_t place, uint32_t cpus) {
  struct nth_carrier *c = &t->carrier;
  begin_object(t, f, place, false);
  nth_store_rlx(&t->begun, 0);
  c->rest = &c->base;
  c->seed = (uint32_t)(uintptr_t)c / NTH_LINE;
  nth_store_rlx(&c->current, NULL);
  nth_store_rlx(&c->regular, join(f, c, cpus));
  nth_watch_carrier(c, true);
}

/* --- a worker's thread --- */

void nth_carry_unregister_rseq(uintptr_t pointer) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
  /* NOLINTBEGIN(readability-redundant-declaration): weak here, an older glibc lacks them */
  extern const ptrdiff_t __rseq_offset __attribute__((weak));
  extern const unsigned int __rseq_size __attribute__((weak));
  /* NOLINTEND(readability-redundant-declaration) */
  enum { LEAST = 32, UNREGISTER = 1 }; /* glibc registers that much, or what the kernel knows */
  if (&__rseq_offset && &__rseq_size && __rseq_size != 0)
    nth_syscall(SYS_rseq, (long)(pointer + (uintptr_t)__rseq_offset),
                __rseq_size > LEAST ? __rseq_size : LEAST, UNREGISTER, RSEQ_SIG, 0);
#else
  (void)pointer;
#endif
}

/* Bytes between the frames of the OS thread at rest and those of the identity. memcheck takes a
 * step of the stack pointer for a frame of the same stack, unless the step is longer than 2,000,000
 * bytes or leads to another registered stack, which memcheck does not always see. The usual 8 MiB
 * have room for such a step. */
static uintptr_t gap(size_t stack_bytes) {
  return nth_valgrind() && stack_bytes > 3 * NTH_VALGRIND_STEP ? NTH_VALGRIND_STEP : NTH_REST_BYTES;
}

/* The first frame of an identity. */
static void begin(void *arg) {
  struct nth_identity *x = arg;
  nth_carry_arrived(nth_load_rlx(&x->carrier));
  nth_assert(nth_identity_runs(x) && !x->queue);
  x->run(x->arg);
  nth_store_rlx(&x->pinned, true); /* nobody steals it on its way to its own OS thread */
  nth_carry_come_home(x);
  if (x->orphan)
    _longjmp(*x->end, 1); /* a forked child: its own OS thread's loop is not here, its caller is */
  x->own->ending = true;
  nth_carry_go(x, &x->own->base, nth_carry_stay_out);
}

/* The own identity, if it is time for it to look whether it is needed; else NULL. */
static struct nth_identity *look_at_times(struct nth_pthread *t,
                                          bool (*look)(struct nth_identity *), uint64_t now) {
  struct nth_carrier *c = &t->carrier;
  if (c->look_at != 0 && now >= c->look_at) {
    c->look_at = 0;
    if (look(&t->self))
      return &t->self;
    c->looks = 0; /* it is at work */
  }
  if (c->look_at == 0)
    c->look_at = now + (c->looks == 0 ? NTH_IDLE_NANO_NS : NTH_IDLE_NS << (c->looks - 1));
  return 0;
}

/* The OS thread's loop: runs identities and rests. Returns when its own identity has ended; others
 * may be left in its queue. It does not wait for these: a thief that takes the last one tells
 * nobody. */
static void serve(struct nth_pthread *t, bool (*look)(struct nth_identity *)) {
  struct nth_carrier *c = &t->carrier;
  while (!c->ending) {
    uint64_t now = nth_clock_ns();
    nth_assert(!nth_load_rlx(&c->current) && c->masked);
    help(c);
    if (nth_unlikely(nth_load_rlx(&c->called)))
      enlist(c);
    if (nth_permits_count())
      nth_carry_come_back(c);
    struct nth_identity *x = nth_carrier_take(c, now, 0);
    if (!x && nth_carrier_serves(c))
      x = nth_carrier_steal(c, now, true);
    if (!x && !nth_load_rlx(&c->regular))
      x = look_at_times(t, look, now);
    if (!x)
      x = nth_carrier_take_poller(c); /* c cannot sleep for x before x has announced itself */
    c->tired = false;
    if (x) {
      nth_permit_back(&c->permit); /* it may be away, and come for x */
      nth_carry_go(&c->base, x, nth_carry_stay_out);
    } else {
      nth_carrier_doze(c, 0, nth_carrier_away(c) ? now + NTH_AWAY_LOOK_NS : c->look_at);
    }
  }
}

/* The OS thread of x, which has ended, runs no other identity any more. */
static void retire(struct nth_identity *x) {
  struct nth_carrier *c = x->own;
  leave_family(c);
  nth_store_rlx(&c->away, false);
  all_home(c, true);
  c->rest = x; /* the program's destructors wait in place */
  nth_store_rlx(&c->regular, false);
  nth_store_rlx(&c->helps, 0);
  nth_store_rlx(&x->pinned, true);
  nth_store_rlx(&c->current, x);
  nth_permit_end(&c->permit);
}

static void run_thread(struct nth_pthread *t, size_t stack_bytes, void (*run)(void *), void *arg,
                       void (*after)(struct nth_identity *), bool (*look)(struct nth_identity *)) {
  struct nth_identity *x = &t->self;
  struct nth_carrier *c = &t->carrier;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  nth_assert(c->family && c->rest == &c->base && !nth_load_rlx(&c->current));
  nth_assert(stack_bytes > NTH_REST_BYTES);
  x->stack_high = here;
  x->stack_low = here - stack_bytes;
  nth_overflow_thread(c);
  x->pointer = c->base.pointer = nth_switch_pointer();
  x->run = run;
  x->arg = arg;
  uintptr_t top = (here - gap(stack_bytes)) & ~(uintptr_t)63;
  unsigned stack = nth_valgrind_stack(x->stack_low, top - 1), rest = nth_valgrind_stack(top, here);
  x->sp = nth_switch_make((void *)top, begin, x, nth_switch_control());
  c->base.own = c;
  nth_store_rlx(&c->base.carrier, c);
  c->tid = nth_os_tid();
  nth_carry_unregister_rseq(x->pointer);
  nth_permit_start(&c->permit, false);
  nth_carry_mask(c);
  if (nth_load_rlx(&c->regular) || !after)
    nth_carry_go(&c->base, x, nth_carry_stay_out);
  else
    after(x);
  serve(t, look);
  retire(x);
  nth_overflow_leave(c);
  nth_valgrind_no_stack(stack);
  nth_valgrind_no_stack(rest);
  if (c->masked)
    nth_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&c->mask, 0, sizeof c->mask, 0);
}

/* An orphan (nth_carry_forked()) jumps to this frame, which is still on its stack. It does not call
 * pthread_exit(), for which the C library loads another one: the loader's lock may be taken for
 * good in a forked child. */
void nth_carry_thread(struct nth_pthread *t, size_t stack_bytes, void (*run)(void *), void *arg,
                      void (*after)(struct nth_identity *), bool (*look)(struct nth_identity *)) {
  jmp_buf end;
  t->self.end = &end;
  if (_setjmp(end) == 0)
    run_thread(t, stack_bytes, run, arg, after, look);
  else
    retire(&t->self);
}

/* --- fork --- */

NTH_IN_CHILD void nth_carry_forked(struct nth_identity *x) {
  struct nth_carrier *c = x ? nth_load_rlx(&x->carrier) : 0;
  struct nth_family *f = c ? c->family : 0;
  nth_assert(!x || nth_identity_runs(x));
  nth_store_rlx(&nth_sleepers, 0);
  nth_watch_forked(f != 0);
  if (!f)
    return;
  x->led = x->led || !x->own->root; /* it counts as a root until it ends, in a child's child, too */
  ((struct nth_pthread *)x)->carrier.family = f; /* what its worker asks (worker.h) */
  empty_list(f);
  nth_store_rlx(&f->asleep, 0);
  nth_store_rlx(&f->carrier[0], c);
  if (c->masked) /* x goes on under the mask, which is the OS thread's */
    nth_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&c->mask, 0, sizeof c->mask, 0);
  reset(c, f);
  nth_store_rlx(&c->current, x);
  c->tid = nth_os_tid();
  nth_store_rlx(&c->regular, true);
  x->orphan = x->orphan || x->own != c;
  if (x->orphan &&
      c->rest != &c->base) /* the area is that of a root, whose stack is no thread's now */
    nth_carry_unregister_rseq(c->rest->pointer);
  if (x->orphan || nth_load_rlx(&x->pinned)) {
    x->own = c;
    c->rest = x;
    c->root = true;
    nth_store_rlx(&x->pinned, true);
  }
}
