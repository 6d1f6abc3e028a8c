/* worker.c - a thread that the runtime made and holds: its start, its dock, its work, its end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/threads/worker.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/os.h"
#include "runtime/base/sleep.h"
#include "runtime/mem/heap.h"
#include "runtime/mem/huge.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/hold/lend.h"
#include "runtime/sched/nano/overflow.h"
#include "runtime/sched/nano/watchdog.h"
#include "runtime/sched/threads/holder.h"

/* Whether it is not to sleep. */
static bool has_work(struct nth_worker *p) {
  return nth_wdarray_ready(&p->lwd, p->lwd_position) || nth_summons_waits(&p->heard) ||
         (p->gwd && nth_wdarray_ready(p->gwd, p->gwd_position));
}

/* Answers a summons, if there is one. */
static inline void answer(struct nth_worker *p) {
  if (nth_unlikely(nth_summons_waits(&p->heard))) {
    uint32_t number = nth_summons_number();
    if (p->started)
      nth_holder_config.summoned(p);
    nth_summons_answer(&p->heard, number);
  }
}

/* Takes a descriptor: looks once at the own array, then at the group's. */
static bool get_work(struct nth_worker *p, struct nth_wd *wd) {
  if (nth_wdarray_get(&p->lwd, &p->lwd_position, false, 0, wd))
    return true;
  if (!p->gwd || !nth_wdarray_get(p->gwd, &p->gwd_position, true, p->number, wd))
    return false;
  wd->addressee = p->number; /* as LWD has it */
  return true;
}

/* The thread leaves p, which stays in its group; returns the stand-in with which the thread goes on
 * to its end. NULL: the thread has to stay. */
static struct nth_worker *leave(struct nth_worker *p) {
  nth_assert(p->may_leave && p->started && !p->ending);
  struct nth_worker *q = nth_holder_stand_in();
  if (!q)
    return 0;
  nth_assert(q != p && !nth_load_rlx(&q->group) && !q->identity); /* holder.h I1 */
  q->active = p->active;
  q->permit = p->permit;
  q->carried = q->waiter.serves = p->carried;
  nth_store_rlx(&q->thread, nth_load_rlx(&p->thread));
  nth_holder_config.move(p, q);
  uint32_t asleep = NTH_DOCK_ASLEEP;
  if (nth_cas_rel(&p->dock, &asleep, NTH_DOCK_LEFT)) { /* L */
    q->ending = true;
    if (q->carried)
      nth_load_rlx(&q->thread)->worker = q;
    return q;
  }
  nth_holder_config.move(q, p);
  nth_holder_stand_in_unused(q);
  return 0;
}

/* A carried worker's wait for work; true: it has been idle for long. */
static bool wait_docked(struct nth_worker *p, uint64_t limit,
                        void (*after)(struct nth_identity *)) {
  return nth_carry_dock(nth_worker_self(p), &p->dock, NTH_DOCK_ASLEEP, limit, after);
}

static bool sleep_docked(struct nth_worker *p, uint64_t limit) {
  return p->carried ? wait_docked(p, limit, 0) : nth_sleep(&p->dock, NTH_DOCK_ASLEEP, limit);
}

/* When p, which has slept, was woken for a region. The thread has acquired the dock if it was. */
static uint64_t came_at(struct nth_worker *p) {
  if (nth_load_acq(&p->dock) == NTH_DOCK_ASLEEP) /* D */
    return 0;
  nth_gaps_look_at_master(&p->gaps, &p->stamp);
  return nth_load_rlx(&p->stamp.at);
}

/* Sleeps once. Returns the object with which the thread goes on: p, or a stand-in if it has left p.
 * looks: how often it has looked whether it is needed. */
static struct nth_worker *dock_sleep(struct nth_worker *p, struct nth_wait *w, uint32_t *looks) {
  uint64_t limit = nth_wait_nap(w);
  nth_assert(nth_load_rlx(&p->dock) == NTH_DOCK_AWAKE); /* I2 */
  answer(p);
  bool look = limit == 0 && p->started && p->may_leave && !p->carried;
  if (look)
    limit = (uint64_t)NTH_IDLE_NS << *looks;
  nth_allowed_refresh();
  nth_xchg_acq(&p->dock, NTH_DOCK_ASLEEP); /* D */
  nth_fence_full(); /* F: against the waker's fence between its puts and its look at dock */
  if (!has_work(p)) {
    bool idle = sleep_docked(p, limit) && look;
    w->came_at = came_at(p);
    struct nth_worker *other = idle && nth_holder_config.idle(p, *looks) ? leave(p) : 0;
    if (other)
      return other;
    *looks += idle && *looks < NTH_IDLE_DOUBLINGS;
  }
  nth_xchg_acq(&p->dock, NTH_DOCK_AWAKE); /* D */
  return p;
}

/* A nano-thread's OS thread has made it look whether it is needed. Returns the stand-in if it
 * leaves p; NULL: it stays. The first look only tells that an idle time has begun. Two more follow
 * soon; the next ones come less and less often. */
static struct nth_worker *look_nano(struct nth_worker *p, uint32_t *looks) {
  uint32_t look = (*looks)++, next = look < 2 ? 1 : look + 2;
  nth_worker_carrier(p)->looks = next < NTH_IDLE_DOUBLINGS ? next : NTH_IDLE_DOUBLINGS;
  nth_allowed_refresh();
  return look > 0 && p->may_leave && nth_holder_config.idle(p, look - 1) ? leave(p) : 0;
}

/* The process has forked in p, which has no master here. */
static struct nth_worker *end_now(struct nth_worker *p, struct nth_wd *wd) {
  wd->owner = NTH_WD_END;
  return p;
}

/* A nano-thread's dock(): its OS thread leaves it at once, without polls. */
static struct nth_worker *dock_nano(struct nth_worker *p, struct nth_wd *wd) {
  uint32_t looks = 0;
  bool looked = false;
  while (!get_work(p, wd)) {
    if (!looked) {
      looked = !nth_holder_config.come_back(p);
      if (nth_unlikely(p->ending))
        return end_now(p, wd);
      continue;
    }
    answer(p);
    nth_xchg_acqrel(&p->dock, NTH_DOCK_ASLEEP); /* D */
    nth_fence_behind();                         /* F */
    if (!has_work(p)) {
      bool idle = wait_docked(p, 0, nth_worker_stay_docked);
      struct nth_worker *other = nth_unlikely(idle) ? look_nano(p, &looks) : 0;
      if (other)
        return other;
    }
    if (nth_load_acq(&p->dock) != NTH_DOCK_AWAKE) /* D */
      nth_xchg_acq(&p->dock, NTH_DOCK_AWAKE);     /* D */
  }
  return p;
}

/* Looks for a descriptor a few times, and lets its OS thread run ready identities, before p says
 * that it is docked: else the line of `dock` would go to the master and back in each region. */
static bool look_for_work(struct nth_worker *p, struct nth_wd *wd) {
  nth_assert(p->carried && !nth_worker_nano(p));
  struct nth_identity *x = nth_worker_self(p);
  if (nth_watch_apart(nth_load_rlx(&x->carrier)->family))
    return false; /* other members' OS threads want the CPU */
  for (uint32_t polls = 0; polls < NTH_DOCK_POLLS; polls++) {
    if (get_work(p, wd))
      return true;
    if (nth_load_rlx(&nth_load_rlx(&x->carrier)->queued) != 0 && !nth_carry_yield(x))
      return false;
    nth_pause();
  }
  return false;
}

/* wd: what p has run last; the same one gets what it runs next. */
static void begin_docked(struct nth_wait *w, struct nth_worker *p, struct nth_wd *wd) {
  nth_wait_begin_docked(w, &p->waiter, p->crowded, &wd->fn);
}

/* Waits for the next descriptor; returns as dock_sleep(). If only other roots crowd it, it begins
 * with as many polls as any wait: a yield parts it from its master, and without that both may open
 * many regions in one slice. */
static struct nth_worker *dock(struct nth_worker *p, struct nth_wd *wd) {
  struct nth_wait w;
  uint32_t looks = 0;
  if (nth_worker_nano(p))
    return dock_nano(p, wd);
  if (p->carried && p->crowded && !nth_wait_config.passive && look_for_work(p, wd))
    return p;
  begin_docked(&w, p, wd);
  w.crowded = w.crowded || nth_crowded();
  bool looked = false;
  while (!get_work(p, wd)) {
    if (nth_wait_poll(&w) && (looked || w.polls < NTH_DOCK_POLLS))
      continue;
    if (!looked) {
      looked = !nth_holder_config.come_back(p);
      if (nth_unlikely(p->ending))
        return end_now(p, wd);
      if (nth_unlikely(!looked))
        begin_docked(&w, p, wd);
      continue;
    }
    struct nth_worker *next = dock_sleep(p, &w, &looks);
    if (next != p)
      return next;
  }
  nth_wait_end(&w);
  return p;
}

static void attach(struct nth_worker *p, const struct nth_wd *wd) {
  nth_assert(!p->gwd && wd->data);
  p->gwd = wd->data;
  p->gwd_position = (uint32_t)(uintptr_t)wd->fn;
  p->number = wd->addressee;
}

/* Whether another one's OS thread runs p. */
static bool is_away(const struct nth_worker *p) {
  return p->carried && nth_load_rlx(&nth_worker_self(p)->carrier) != nth_worker_self(p)->own;
}

/* Runs the first descriptor. A thread that is on its creator's CPU nevertheless leaves that CPU.
 * But if the creator waits, the thread stays until it is done, or waits for the creator. */
static void run_first(struct nth_worker *p, const struct nth_wd *wd) {
  p->started = true;
  nth_allowed_present();
  if (is_away(p)) {
    p->run(p, wd); /* that OS thread stays on its CPU */
    return;
  }
  bool stay = p->creator && nth_load_rlx(&p->creator->waits);
  nth_os_arrive(&p->birth, !stay);
  p->waiter.newborn = stay;
  p->run(p, wd);
  p->waiter.newborn = false;
  if (stay) {
    nth_os_yield();
    if (!is_away(p))
      nth_os_leave_cpu(p->birth.cpu);
  }
}

/* Before a region is a safe point (permit.h), also for a thread that has only polled. */
static inline void run_next(struct nth_worker *p, const struct nth_wd *wd) {
  if (p->carried)
    nth_overflow_look(nth_load_rlx(&nth_worker_self(p)->carrier));
  else
    nth_permit_pass(&p->permit);
  p->run(p, wd);
}

/* Runs descriptors. Returns the object with which the thread ends, or becomes a carrier. */
static struct nth_worker *work(struct nth_worker *p) {
  struct nth_wd wd;
  wd.fn = 0;
  nth_assert(!p->ending);
  while (!p->ending) {
    struct nth_worker *next = dock(p, &wd);
    if (nth_unlikely(next != p))
      p = next;
    else if (nth_likely(wd.owner > NTH_WD_CARRY && p->started))
      run_next(p, &wd);
    else if (wd.owner > NTH_WD_CARRY)
      run_first(p, &wd);
    else if (wd.owner == NTH_WD_ATTACH)
      attach(p, &wd);
    else if (wd.owner == NTH_WD_CARRY)
      break;
    else
      p->ending = true;
  }
  return p;
}

static void work_carried(void *arg) { (void)work(arg); }

/* work_carried() of a worker that was a plain OS thread before: tells its master. */
static void work_on(void *arg) {
  struct nth_worker *p = arg;
  struct nth_pthread *t = nth_load_rlx(&p->thread);
  nth_holder_config.carried(p);
  nth_xchg_rel(&t->begun, 1); /* B */
  nth_futex_wake(&t->begun, 1);
  (void)work(p);
}

/* Runs p as a carrier; returns as work(). */
static struct nth_worker *be_carrier(struct nth_worker *p) {
  struct nth_pthread *t = nth_load_rlx(&p->thread);
  nth_assert(t && t->worker == p);
  t->carrier.waiter.apart.movable = p->waiter.apart.movable;
  t->carrier.permit = p->permit;
  if (p->carried) {
    nth_carry_thread(t, p->stack_bytes, work_carried, p, nth_worker_stay_docked, nth_worker_look);
  } else {
    p->carried = p->waiter.serves = true;
    nth_carry_thread(t, p->stack_bytes, work_on, p, 0, nth_worker_look);
  }
  return t->worker;
}

bool nth_worker_carry(struct nth_worker *p) {
  static const struct nth_wd wd = {0, 0, NTH_WD_CARRY, 0};
  struct nth_pthread *t = nth_load_rlx(&p->thread);
  nth_assert(!p->carried && t && t->worker == p);
  nth_assert(nth_load_rlx(&t->begun) == 0);
  if (nth_worker_left(p))
    return false;
  nth_wdarray_put(&p->lwd, &wd);
  nth_fence_full(); /* F */
  if (nth_worker_get_up(p) == NTH_DOCK_LEFT) {
    /* it left just now: its next thread is to find nothing */
    (void)get_work(p, &(struct nth_wd){0});
    nth_store_rlx(&p->dock, NTH_DOCK_LEFT);
    return false;
  }
  while (nth_load_acq(&t->begun) == 0) /* B */
    nth_futex_wait(&t->begun, 0, 0);
  return true;
}

/* Runs arg, a worker, to its end. True: the OS thread has never been a carrier. */
static bool run_worker(void *arg) {
  struct nth_worker *p = arg;
  bool plain = !p->carried;
  p->permit = (struct nth_permit){0};
  if (plain) {
    nth_permit_start(&p->permit, false);
    p = work(p);
  }
  if (!p->ending) {
    p = be_carrier(p);
    plain = false;
  } else {
    nth_permit_end(&p->permit);
  }
  nth_holder_ended(p);
  return plain;
}

static void *worker_main(void *arg) {
  nth_huge_stack(((struct nth_worker *)arg)->stack_bytes);
  (void)run_worker(arg);
  return 0;
}

static void end_alone(void *held) { nth_lend_end(held); }

/* Of an OS thread, joinable, that may be held afterwards. */
static void *held_worker_main(void *arg) {
  struct nth_held *h = nth_lend_arrive(((struct nth_worker *)arg)->stack_bytes);
  bool plain = false;
  pthread_cleanup_push(end_alone, h);
  plain = run_worker(arg);
  pthread_cleanup_pop(!plain);
  return plain ? nth_lend_stay(h) : 0;
}

/* Whether p's OS thread can be one of those that run created threads, too. */
static bool may_be_held(const struct nth_worker *p, const struct nth_start *start) {
  return nth_unlikely(nth_lend_used()) && !p->carried && !start && !nth_load_rlx(&nth_os_bound);
}

/* An idle held OS thread runs p; it has a CPU already, its own or one that the kernel chose when it
 * was woken. False: there is none. */
static bool borrow(struct nth_worker *p) {
  struct nth_waiter *creator = p->creator;
  int cpu = p->birth.cpu;
  p->creator = 0;
  p->birth.cpu = -1;
  if (nth_lend(run_worker, p, p->stack_bytes))
    return true;
  p->creator = creator;
  p->birth.cpu = cpu;
  return false;
}

/* start NULL: unbound. */
static int create(struct nth_worker *p, uint64_t stacksize, const struct nth_start *start) {
  nth_assert(!start || (start->cpus && start->count > 0));
  pthread_attr_t attr;
  int e = pthread_attr_init(&attr);
  if (e != 0)
    return e;
  bool held = may_be_held(p, start);
  if (!held)
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  size_t size = (size_t)stacksize,
         rest = p->carried || nth_holder_config.may_carry ? NTH_REST_BYTES : 0;
  if (size == 0 && rest != 0)
    (void)pthread_attr_getstacksize(&attr, &size);
  if (size != 0)
    (void)pthread_attr_setstacksize(&attr, size + rest);
  p->stack_bytes = 0;
  (void)pthread_attr_getstacksize(&attr, &p->stack_bytes);
  if (start)
    e = pthread_attr_setaffinity_np(&attr, start->words * sizeof *start->cpus,
                                    (const cpu_set_t *)start->cpus);
  p->bound = start != 0;
  nth_store_rlx(&p->birth.sent, start != 0);
  p->waiter.apart.movable = !start || start->count > 1;
  p->place = start ? start->place : 0;
  bool lent = p->lent = held && borrow(p);
  pthread_t thread;
  if (e == 0 && !lent)
    e = pthread_create(&thread, &attr, held ? held_worker_main : worker_main, p);
  if (e == 0 && !lent && !start && p->birth.cpu >= 0)
    nth_os_send_off(thread, &p->birth);
  pthread_attr_destroy(&attr);
  return e;
}

static int launch(struct nth_worker *p, struct nth_waiter *creator, uint64_t stacksize,
                  const struct nth_start *start) {
  nth_assert(p->run && (!p->carried || nth_load_rlx(&p->thread)->worker == p));
  p->ending = p->crowded = p->started = false;
  p->waiter.serves = p->carried;
  p->waiter.gaps = &p->gaps;
  if (nth_worker_nano(p)) {
    p->started = true; /* it begins on a carrier that has a CPU already */
    creator = 0;
    nth_store_rel(&p->dock, NTH_DOCK_ASLEEP); /* D: its thread */
  }
  p->birth.cpu = creator ? nth_os_on_cpu() : -1;
  p->creator = creator;
  int e = create(p, stacksize, start);
  if (start && e != 0 && e != EAGAIN && e != ENOMEM)
    e = create(p, stacksize, 0); /* the CPUs were refused */
  return e;
}

int nth_worker_start(struct nth_worker *p, struct nth_waiter *creator, uint64_t stacksize,
                     const struct nth_start *start,
                     void (*run)(struct nth_worker *, const struct nth_wd *)) {
  nth_assert(run && nth_load_rlx(&p->dock) == NTH_DOCK_AWAKE);
  memset(&p->gaps, 0, sizeof p->gaps);
  p->run = run;
  p->lwd_position = nth_wdarray_start(&p->lwd);
  return launch(p, creator, stacksize, start);
}

int nth_worker_start_again(struct nth_worker *p, struct nth_waiter *creator, uint64_t stacksize,
                           const struct nth_start *start) {
  nth_assert(!p->ending);
  memset(&p->waiter, 0, sizeof p->waiter);
  return launch(p, creator, stacksize, start);
}
