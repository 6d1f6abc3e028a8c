/* machine.c - all processors for nano-threads together: nth_init() to nth_exit()
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/nth/machine.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "runtime/arch/section.h"
#include "runtime/arch/switch.h"
#include "runtime/base/check.h"
#include "runtime/base/sleep.h"
#include "runtime/mem/heap.h"
#include "runtime/nth/block.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/team/team_make.h"
#include "runtime/omp/types/generation.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/permit.h"
#include "runtime/sched/nano/carry.h"
#include "runtime/sched/nano/luggage.h"

struct nth_machine nth_machine NTH_SPARSE;
_Thread_local struct nth_runner *nth_runner_self __attribute__((tls_model("initial-exec")));

/* What start and stop need. w, r: under the lock */
static struct {
  struct nth_mutex lock;
  struct nth_team *team; /* whose slaves are the processors */
  bool ends;             /* the slaves were made for the machine, and end with it */
} control;

/* --- threads of the program's own --- */

/* The part of such a thread in the machine. It is used again and never freed, since nano-threads
 * may have it as a successor. */
struct outsider {
  struct nth_runner runner; /* first: the TLS word points to it */
  struct nth_desc desc;
  struct outsider *next; /* in the list of free ones */
};

static struct {
  struct nth_mutex lock;
  struct outsider *free;
} outsiders;

/* watches_ends: end_key is valid, and thread_ends() is called when a thread ends. The system may
 * have no key left. */
static pthread_key_t end_key;
static bool watches_ends;

static void set_runner(struct nth_runner *r) {
  nth_runner_self = r;
  if (watches_ends)
    pthread_setspecific(end_key, r);
}

/* The calling thread is an outsider no longer, if it was one. */
static void come_in(void) {
  struct nth_runner *r = nth_runner_self;
  if (!r)
    return;
  nth_assert(!r->processor);
  set_runner(0);
  if (!nth_deps_is(&r->current->deps, NTH_RUNS))
    return; /* there are predecessors that will still refer to it */
  struct outsider *o = (struct outsider *)r;
  nth_mutex_lock(&outsiders.lock);
  o->next = outsiders.free;
  outsiders.free = o;
  nth_mutex_unlock(&outsiders.lock);
}

/* The calling thread ends: one of the program's own, or processor 0's. */
static void thread_ends(void *arg) {
  struct nth_runner *r = nth_runner_self = arg;
  if (r->processor)
    nth_machine_stop();
  else
    come_in();
  nth_runner_self = 0;
}

static struct outsider *new_outsider(void) {
  nth_mutex_lock(&outsiders.lock);
  struct outsider *o = outsiders.free;
  if (o) {
    outsiders.free = o->next;
  } else {
    o = nth_heap_alloc(sizeof *o);
  }
  nth_mutex_unlock(&outsiders.lock);
  return o;
}

struct nth_runner *nth_runner_make(int *error) {
  *error = ENXIO;
  if (!nth_load_acq(&nth_machine.running)) /* M */
    return 0;
  if (nth_runner_self)
    return nth_runner_self;
  *error = ENOMEM;
  struct outsider *o = new_outsider();
  if (!o)
    return 0;
  nth_deps_set(&o->desc.deps, NTH_RUNS, 0);
  o->runner.current = &o->desc;
  set_runner(&o->runner);
  return &o->runner;
}

/* --- processors --- */

void nth_machine_wake_slow(struct nth_processor *k) {
  uint32_t n = nth_machine.processors;
  nth_assert(k->number < n && k == nth_machine.processor[k->number]);
  for (uint32_t i = 0; i < n; i++) {
    struct nth_processor *other = nth_machine.processor[(k->number + i) % n];
    if (nth_processor_rouse(other))
      return;
  }
}

bool nth_machine_queued(void) {
  for (uint32_t i = 0; i < nth_machine.processors; i++)
    if (nth_lrq_seen(&nth_machine.processor[i]->lrq))
      return true;
  for (uint32_t i = 0; i < nth_machine.ready.nodes; i++)
    if (nth_lrq_seen(&nth_machine_domain(i)->lrq))
      return true;
  return false;
}

/* What a held thread does in the machine, from the descriptor that it gets to the machine's
 * stop. */
static void serve(struct nth_worker *p, const struct nth_wd *wd) {
  struct nth_processor *k = wd->data;
  struct nth_member *m = p->identity;
  nth_assert(k->number > 0 && k == nth_machine.processor[k->number]);
  nth_assert(nth_load_rlx(&nth_machine.running) && wd->addressee == k->number);
  if (nth_member_known() != m)
    nth_member_adopt(m);
  m->solo.implicit.flags &= ~(uint32_t)NTH_TASK_CHANGED;
  nth_member_alone(m);
  k->member = m;
  k->pool = &m->pool;
  k->waiter = &p->waiter;
  p->run = nth_team_run;
  come_in();
  nth_runner_self = &k->runner;
  /* With a CPU for each, a processor stays on its own OS thread. Else a nano-thread that waits for
   * a flag of main's could keep main from its OS thread, and main runs on no other. */
  bool stays = m->identity && !k->crowded;
  if (stays) {
    nth_carry_pin(m->identity, true);
    nth_carry_come_home(m->identity);
  }
  nth_stack_adopt(&k->own);
  nth_processor_serve(k);
  if (stays)
    nth_carry_pin(m->identity, false);
  nth_runner_self = 0;
  if (k->generation != nth_fork_generation) {
    p->ending = true; /* a nano-thread has forked: in the child nobody stops this thread */
    return;
  }
  nth_add_rel(&nth_machine.left, 1); /* L */
  nth_rouse(&nth_machine.left, 1);
}

/* Makes processor i ready, with a first stack. */
static bool prepare(uint32_t i) {
  struct nth_processor *k = nth_machine.processor[i];
  if (!k && !(k = nth_machine.processor[i] = nth_heap_alloc(sizeof *k)))
    return false;
  nth_assert(nth_mutex_is_held(&control.lock));
  nth_assert(!k->held && k->held_count == 0 && !k->spare); /* as the last machine has left it */
  nth_assert(!nth_lrq_seen(&k->lrq) && !nth_lrq_may_resume(&k->lrq));
  nth_assert_valid(nth_lrq_valid(&k->lrq));
  k->number = i;
  k->generation = nth_fork_generation;
  k->runner.processor = k;
  k->runner.current = 0;
  nth_store_rlx(&k->made, 0);
  nth_store_rlx(&k->done, 0);
  k->turn = k->turns = 1;
  k->away.stands = false;
  k->pool = nth_member_pool(); /* the first stack comes from it */
  k->control = nth_switch_control();
  return nth_processor_prepare(k);
}

static uint32_t prepare_all(uint32_t n) {
  uint32_t i = 0;
  while (i < n && prepare(i))
    i++;
  return i;
}

/* Gives processor i its OS thread. */
static void give(uint32_t i) {
  struct nth_worker *p = control.team->group.proc[i];
  struct nth_processor *k = nth_machine.processor[i];
  nth_assert(i > 0 && k->idle && k->generation == nth_fork_generation);
  p->run = serve; /* the OS thread reads this after the descriptor */
  struct nth_wd wd = {0, k, (uintptr_t)&nth_machine, i};
  nth_wdarray_put(&p->lwd, &wd);
}

/* Each processor gets the place of its member in the tree of domains. */
static void lay(const struct nth_team *t) {
  nth_ready_grow_like(&nth_machine.ready, &t->ready, sizeof(struct nth_domain_queue));
  for (uint32_t k = 0; k < nth_machine.ready.nodes; k++)
    nth_machine_domain(k)->processors = 0;
  for (uint32_t i = 0; i < t->size; i++) {
    const struct nth_route *r = &t->slot[i]->route;
    nth_machine.processor[i]->route = *r;
    NTH_ROUTE_EACH_NODE(r, 0, r->path, k)
    nth_machine_domain(k)->processors++;
  }
  for (uint32_t k = 0; k < nth_machine.ready.nodes; k++) {
    struct nth_domain_queue *q = nth_machine_domain(k);
    nth_assert(q->processors > 0 && q->processors <= t->size);
    nth_assert_valid(nth_lrq_valid(&q->lrq));
    q->share = 31 - (uint32_t)__builtin_clz(q->processors);
  }
}

/* The calling thread becomes processor 0. */
static void be_main(struct nth_member *m) {
  struct nth_processor *k = nth_machine.processor[0];
  nth_assert(k->number == 0 && k->idle);
  k->member = m;
  k->waiter = &m->proc->waiter;
  nth_stack_adopt(&k->own);
  k->stack = &k->own;
  nth_deps_set(&k->main.deps, NTH_RUNS, 0);
  k->runner.current = &k->main;
  come_in();
  set_runner(&k->runner);
}

NTH_IN_CHILD static void forget(void);

static void watch(void) {
  watches_ends = pthread_key_create(&end_key, thread_ends) == 0;
  pthread_atfork(0, 0, forget);
}

static int start(uint32_t n) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct nth_member *m = nth_member_get();
  pthread_once(&once, watch);
  nth_stack_look();
  if (n == 0)
    n = m->now.icv->nthreads ? m->now.icv->nthreads : nth_allowed_all();
  n = prepare_all(n < NTH_MAX_PROCESSORS ? n : NTH_MAX_PROCESSORS);
  if (n == 0)
    return ENOMEM;
  const struct nth_team *next = m->lent ? m->lent : m->next_team;
  control.ends = !next || next->group.size <= 1;
  nth_permits_suspend(true);
  struct nth_team *t = control.team = nth_team_lend(m, n);
  nth_assert(t->size > 0 && t->size <= n);
  nth_machine.processors = n = t->size;
  lay(t);
  for (uint32_t i = 0; i < n; i++)
    nth_machine.processor[i]->crowded = n > nth_allowed_cpus();
  nth_store_rlx(&nth_machine.stop, false);
  nth_store_rlx(&nth_machine.left, 0);
  nth_store_rlx(&nth_machine.made_outside, 0);
  nth_luggage_begin();
  be_main(m);
  nth_store_rel(&nth_machine.running, true); /* M */
  nth_request_begin(n, nth_away_changed);
  for (uint32_t i = 1; i < n; i++)
    give(i);
  nth_fence_full(); /* worker:F */
  for (uint32_t i = 1; i < n; i++)
    nth_worker_wake(t->group.proc[i]);
  return 0;
}

int nth_machine_start(int processors) {
  if (!NTH_SWITCH || nth_os_shadow_stack())
    return ENOTSUP;
  if (processors < 0 || processors > NTH_MAX_PROCESSORS)
    return EINVAL;
  nth_mutex_lock(&control.lock);
  int error = nth_load_rlx(&nth_machine.running) ? EBUSY : start((uint32_t)processors);
  nth_mutex_unlock(&control.lock);
  return error;
}

/* --- stop --- */

/* processor.h, I2. */
static bool unfinished(void) {
  uint32_t left = 0;
  nth_assert(nth_mutex_is_held(&control.lock));
  for (uint32_t i = 0; i < nth_machine.processors; i++)
    left -= nth_load_acq(&nth_machine.processor[i]->done); /* processor:D */
  for (uint32_t i = 0; i < nth_machine.processors; i++)
    left += nth_load_acq(&nth_machine.processor[i]->made);    /* processor:D */
  return left + nth_load_acq(&nth_machine.made_outside) != 0; /* O */
}

static void stop_all(struct nth_waiter *waiter) {
  uint32_t others = nth_machine.processors - 1, left;
  struct nth_wait w;
  nth_assert(nth_processor_is_mine(nth_machine.processor[0]) && !nth_load_rlx(&nth_machine.stop));
  nth_store_rel(&nth_machine.stop, true); /* S */
  nth_deque_fence();                      /* as after a put: park.h */
  for (uint32_t i = 1; i <= others; i++) {
    (void)nth_processor_rouse(nth_machine.processor[i]);
    (void)nth_away_recall(nth_machine.processor[i]);
  }
  nth_wait_begin(&w, waiter, NTH_WAIT_JOIN, false);
  while ((left = nth_load_acq(&nth_machine.left)) != others) { /* L */
    if (!nth_wait_poll(&w))
      nth_sleep(&nth_machine.left, left, 0);
  }
  nth_wait_end(&w);
}

/* Makes the processors slaves of the team again. m NULL: the team's master ends, and has given its
 * other teams back. */
static void dismiss(struct nth_member *m) {
  struct nth_team *t = control.team;
  nth_assert(t && t->size == nth_machine.processors);
  control.team = 0;
  if (m) {
    nth_team_take_back(m, control.ends);
  } else {
    nth_group_release(&t->group);
    nth_team_reuse(t);
  }
}

int nth_machine_stop(void) {
  struct nth_runner *r = nth_runner_self;
  struct nth_processor *k = nth_machine.processor[0];
  if (!nth_load_acq(&nth_machine.running)) /* M */
    return ENXIO;
  if (!r || r->processor != k || r->current != &k->main)
    return EPERM;
  nth_mutex_lock(&control.lock);
  bool busy = unfinished();
  if (!busy) {
    struct nth_member *m = nth_member_known();
    stop_all(m == k->member ? k->waiter : &(struct nth_waiter){0});
    nth_request_end();
    nth_permits_suspend(false);
    dismiss(m == k->member ? m : 0);
    k->pool = nth_member_pool(); /* the pool of a thread that ends may be gone */
    nth_processor_end(k);
    set_runner(0);
    nth_store_rlx(&nth_machine.running, false);
  }
  nth_mutex_unlock(&control.lock);
  return busy ? EBUSY : 0;
}

/* In a forked child: there are no processors, and objects may have been copied halfway through a
 * change. */
NTH_IN_CHILD static void forget(void) {
  nth_mutex_init(&control.lock);
  control.team = 0;
  nth_mutex_init(&outsiders.lock);
  outsiders.free = 0;
  struct nth_machine *m = &nth_machine;
  memset(m->processor, 0, sizeof m->processor);
  m->ready = (struct nth_ready_tree){0};
  nth_store_rlx(&m->parking.asleep, 0);
  nth_store_rlx(&m->absent.asleep, 0);
  nth_store_rlx(&m->made_outside, 0);
  nth_store_rlx(&m->running, false);
  if (nth_runner_self)
    set_runner(0);
}
