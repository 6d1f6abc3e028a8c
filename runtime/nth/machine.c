/* machine.c - all processors for nano-threads together: nth_init() to nth_exit()
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/nth/machine.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "runtime/arch/switch.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/nth/block.h"
#include "runtime/omp/binding.h"
#include "runtime/omp/forked.h"
#include "runtime/omp/member.h"
#include "runtime/omp/team_make.h"
#include "runtime/place/allowed.h"
#include "runtime/place/tree.h"

struct nth_machine nth_machine;
_Thread_local struct nth_runner *nth_runner_self __attribute__((tls_model("initial-exec")));

/* What starting and stopping need. w, r: under the lock, but the group: who holds the machine */
static struct {
  struct nth_mutex lock;
  struct nth_group group;
  struct nth_span *spans; /* of routes that are long */
} control;

/* --- threads of the program's own --- */

/* Such a thread's part in the machine. Never freed, as successors may refer to it; used again. */
struct outsider {
  struct nth_runner runner; /* first: the TLS word points to it */
  struct nth_desc desc;
  struct outsider *next;  /* all of them */
  struct outsider *next_free;
};

static struct {
  struct nth_mutex lock;
  struct outsider *all, *free;
} outsiders;

/* Valid if the system has given one: else nobody is told that a thread ends. */
static pthread_key_t end_key;
static bool watches_ends;

/* The thread ends: one of the program's own, or processor 0's. */
static void thread_ends(void *arg) {
  struct nth_runner *r = arg;
  nth_runner_self = r;
  if (r->kthread) {
    nth_machine_stop();
  } else if (nth_deps_is(&r->current->deps, NTH_RUNS)) { /* else predecessors are to come that know it */
    struct outsider *o = (struct outsider *)r;
    nth_mutex_lock(&outsiders.lock);
    o->next_free = outsiders.free;
    outsiders.free = o;
    nth_mutex_unlock(&outsiders.lock);
  }
  nth_runner_self = 0;
}

static void set_runner(struct nth_runner *r) {
  nth_runner_self = r;
  if (watches_ends)
    pthread_setspecific(end_key, r);
}

static struct outsider *new_outsider(void) {
  nth_mutex_lock(&outsiders.lock);
  struct outsider *o = outsiders.free;
  if (o) {
    outsiders.free = o->next_free;
  } else if ((o = nth_heap_alloc(sizeof *o))) {
    o->next = outsiders.all;
    outsiders.all = o;
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

void nth_machine_wake_slow(struct nth_kthread *k) {
  uint32_t n = nth_machine.processors;
  for (uint32_t i = 0; i < n; i++) {
    struct nth_kthread *other = nth_machine.kthread[(k->number + i) % n];
    if (nth_park_wake(&nth_machine.parking, &other->park))
      return;
  }
}

/* A held thread's part in the machine, from its descriptor to the machine's stop. */
static void serve(struct nth_processor *p, const struct nth_wd *wd) {
  struct nth_kthread *k = wd->data;
  if (nth_member_known() != k->member)
    nth_member_adopt(k->member);
  nth_runner_self = &k->runner;
  nth_stack_adopt(&k->own);
  nth_kthread_at_rest(k);
  nth_kthread_serve(k);
  nth_runner_self = 0;
  if (k->generation != nth_fork_generation) {
    p->ending = true; /* the child of a nano-thread: nobody is here to stop it */
    return;
  }
  nth_add_rel(&nth_machine.left, 1); /* L */
  nth_futex_wake(&nth_machine.left, 1);
}

/* Object number i, with a first stack. */
static bool prepare(uint32_t i) {
  struct nth_kthread *k = nth_machine.kthread[i];
  if (!k && !(k = nth_machine.kthread[i] = nth_heap_alloc(sizeof *k)))
    return false;
  k->number = i;
  k->generation = nth_fork_generation;
  k->runner.kthread = k;
  k->runner.current = 0;
  nth_store_rlx(&k->made, 0);
  nth_store_rlx(&k->done, 0);
  k->waiter = &k->own_waiter;
  k->pool = nth_member_pool(); /* the first stack's */
  k->control = nth_switch_control();
  return nth_kthread_prepare(k);
}

static uint32_t prepare_all(uint32_t n) {
  uint32_t i = 0;
  while (i < n && prepare(i))
    i++;
  return i;
}

/* Gives kthread i its OS thread. */
static void give(uint32_t i) {
  struct nth_processor *p = control.group.proc[i];
  struct nth_kthread *k = nth_machine.kthread[i];
  k->waiter = &p->waiter;
  k->member = p->identity;
  k->pool = &k->member->pool;
  p->run = serve; /* it reads this with its first descriptor */
  struct nth_wd wd = {0, k, (uintptr_t)&nth_machine, i};
  nth_wdarray_put(&p->lwd, &wd);
}

/* Where the processors are in the tree of domains. */
static void lay(uint32_t n, const struct nth_part *part, const struct nth_seating *seating) {
  struct nth_layout l;
  struct nth_span *room;
  uint32_t *table = nth_lay_members(&l, part, n, seating, &room);
  nth_heap_free(control.spans);
  control.spans = room;
  nth_ready_grow(&nth_machine.ready, &l, sizeof(struct nth_domain_queue));
  for (uint32_t i = 0; i < n; i++)
    nth_ready_route(&nth_machine.kthread[i]->route, &l, i, &room);
  for (uint32_t k = 0; k < part->tree->count; k++) {
    uint32_t here = nth_layout_members(&l, k);
    if (here == 0)
      continue;
    struct nth_domain_queue *q = nth_machine_domain(l.used[k]);
    q->processors = here;
    q->share = 31 - (uint32_t)__builtin_clz(here);
  }
  nth_heap_free(table);
}

/* Processors for n; returns how many there are. */
static uint32_t hire(struct nth_member *m, uint32_t n) {
  struct nth_seating plan, *seating = 0;
  int error;
  nth_team_use_holder();
  nth_binding_root(m);
  if (nth_binding_plan(m, n, 0, &plan)) {
    plan.assignment.members = n;
    seating = &plan;
  }
  uint32_t got = nth_group_grow(&control.group, n, seating, &m->proc->waiter, &error);
  if (error)
    nth_msg("%u processors for nano-threads were asked for, but the system refused to make them (%s):"
            " there are %u", n, strerror(error), got);
  if (nth_tree_wanted(got))
    nth_tree_find();
  struct nth_part part = nth_lay_all();
  lay(got, &part, seating);
  struct nth_member *none = 0;
  nth_team_identities(&control.group, got, &part, seating, &none);
  return got;
}

/* The calling thread becomes processor 0. */
static void be_main(struct nth_member *m) {
  struct nth_kthread *k = nth_machine.kthread[0];
  k->member = m;
  nth_stack_adopt(&k->own);
  k->stack = &k->own;
  nth_deps_set(&k->main.deps, NTH_RUNS, 0);
  k->runner.current = &k->main;
  set_runner(&k->runner);
}

static void forget(void);

static void watch(void) {
  watches_ends = pthread_key_create(&end_key, thread_ends) == 0;
  nth_forked_watch();
  pthread_atfork(0, 0, forget);
}

static int start(uint32_t n) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct nth_member *m = nth_member_get();
  pthread_once(&once, watch);
  if (n == 0)
    n = m->now.icv->nthreads ? m->now.icv->nthreads : nth_allowed_cpus();
  n = prepare_all(n < NTH_MAX_PROCESSORS ? n : NTH_MAX_PROCESSORS);
  if (n == 0)
    return ENOMEM;
  n = hire(m, n);
  nth_machine.processors = n;
  for (uint32_t i = 0; i < n; i++)
    nth_machine.kthread[i]->crowded = n > nth_allowed_cpus();
  nth_store_rlx(&nth_machine.stop, false);
  nth_store_rlx(&nth_machine.left, 0);
  nth_store_rlx(&nth_machine.made_outside, 0);
  nth_block_begin();
  be_main(m);
  nth_store_rel(&nth_machine.running, true); /* M */
  for (uint32_t i = 1; i < n; i++)
    give(i);
  nth_fence_full(); /* processor:F */
  for (uint32_t i = 1; i < n; i++)
    nth_processor_wake(control.group.proc[i]);
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

/* kthread.h, I2. */
static bool unfinished(void) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < nth_machine.processors; i++)
    left -= nth_load_acq(&nth_machine.kthread[i]->done); /* kthread:D */
  for (uint32_t i = 0; i < nth_machine.processors; i++)
    left += nth_load_acq(&nth_machine.kthread[i]->made); /* kthread:D */
  return left + nth_load_acq(&nth_machine.made_outside) != 0; /* O */
}

static void stop_all(struct nth_waiter *waiter) {
  uint32_t others = nth_machine.processors - 1, left;
  struct nth_wait w;
  nth_store_rel(&nth_machine.stop, true); /* S */
  nth_deque_fence(); /* as behind a put: park.h */
  for (uint32_t i = 1; i <= others; i++)
    nth_park_wake(&nth_machine.parking, &nth_machine.kthread[i]->park);
  nth_wait_begin(&w, waiter, NTH_WAIT_JOIN, false);
  while ((left = nth_load_acq(&nth_machine.left)) != others) { /* L */
    if (!nth_wait_poll(&w))
      nth_futex_wait(&nth_machine.left, left, 0);
  }
  nth_wait_end(&w);
}

int nth_machine_stop(void) {
  struct nth_runner *r = nth_runner_self;
  struct nth_kthread *k = nth_machine.kthread[0];
  if (!nth_load_acq(&nth_machine.running)) /* M */
    return ENXIO;
  if (!r || r->kthread != k || r->current != &k->main)
    return EPERM;
  nth_mutex_lock(&control.lock);
  bool busy = unfinished();
  if (!busy) {
    stop_all(k->waiter);
    nth_group_release(&control.group);
    k->pool = nth_member_pool(); /* the thread may be ending, and its member have ended */
    nth_kthread_end(k);
    set_runner(0);
    nth_store_rlx(&nth_machine.running, false);
  }
  nth_mutex_unlock(&control.lock);
  return busy ? EBUSY : 0;
}

/* In a forked child: the processors are not here, and objects may have been in the midst of a change. */
static void forget(void) {
  nth_mutex_init(&control.lock);
  control.group.size = 0;
  control.group.gwd = 0;
  nth_mutex_init(&outsiders.lock);
  outsiders.free = 0;
  struct nth_machine *m = &nth_machine;
  memset(m->kthread, 0, sizeof m->kthread);
  m->ready = (struct nth_ready_tree){0};
  control.spans = 0;
  nth_store_rlx(&m->parking.asleep, 0);
  nth_store_rlx(&m->made_outside, 0);
  nth_store_rlx(&m->running, false);
  if (nth_runner_self)
    set_runner(0);
}
