/* processor.c - an OS thread in the runtime's service
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/processor.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/futex.h"
#include "runtime/base/os.h"
#include "runtime/sched/holder.h"

void nth_processor_wake_slow(struct nth_processor *p) {
  if (nth_xchg_rel(&p->dock, NTH_DOCK_AWAKE) == NTH_DOCK_ASLEEP) /* D */
    nth_futex_wake(&p->dock, 1);
}

static bool has_work(struct nth_processor *p) {
  return nth_wdarray_ready(&p->lwd, p->lwd_position) ||
         (p->gwd && nth_wdarray_ready(p->gwd, p->gwd_position));
}

/* One look at the own array, then at the group's. */
static bool get_work(struct nth_processor *p, struct nth_wd *wd) {
  if (nth_wdarray_get(&p->lwd, &p->lwd_position, false, 0, wd))
    return true;
  if (!p->gwd || !nth_wdarray_get(p->gwd, &p->gwd_position, true, p->number, wd))
    return false;
  wd->addressee = p->number; /* as with LWD */
  return true;
}

/* Sleeps until woken or timeout_ns passed; false when the holder lets an unused processor go. */
static bool dock_sleep(struct nth_processor *p, struct nth_wait *w) {
  uint64_t nap = nth_wait_nap(w);
  bool held = nth_load_acq(&p->held); /* H */
  uint64_t timeout = held ? nap : nth_holder_idle_ns();
  nth_xchg_acq(&p->dock, NTH_DOCK_ASLEEP); /* D */
  nth_fence_full(); /* F: against the waker's fence between its puts and its look at dock */
  bool slept = !has_work(p);
  if (slept)
    nth_futex_wait(&p->dock, NTH_DOCK_ASLEEP, timeout);
  nth_xchg_acq(&p->dock, NTH_DOCK_AWAKE); /* D */
  return !slept || held || has_work(p) || !nth_holder_retire(p);
}

/* The next descriptor; false when this OS thread is to end. */
static bool dock(struct nth_processor *p, struct nth_wd *wd) {
  struct nth_wait w;
  nth_wait_begin(&w, &p->waiter, NTH_WAIT_DOCK, p->crowded || nth_holder_crowded());
  for (;;) {
    if (get_work(p, wd))
      break;
    if (nth_wait_poll(&w))
      continue;
    if (!dock_sleep(p, &w))
      return false;
  }
  nth_wait_end(&w);
  return true;
}

/* Control words. False: end. */
static bool control(struct nth_processor *p, const struct nth_wd *wd) {
  if (wd->owner == NTH_WD_END)
    return false;
  p->gwd = wd->owner == NTH_WD_ATTACH ? wd->data : 0;
  p->gwd_position = (uint32_t)(uintptr_t)wd->fn;
  p->number = wd->addressee;
  return true;
}

static void *processor_main(void *arg) {
  struct nth_processor *p = arg;
  struct nth_wd wd;
  while (!p->ending && dock(p, &wd)) {
    if (nth_likely(wd.owner > NTH_WD_DETACH))
      p->run(p, &wd);
    else if (!control(p, &wd))
      break;
  }
  return 0;
}

/* The CPUs this thread may use but the one it is on; false when nothing would be left. */
static bool elsewhere(cpu_set_t *set) {
  int cpu = sched_getcpu();
  if (cpu < 0 || cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof *set, set) != 0)
    return false;
  CPU_CLR((unsigned)cpu, set);
  return CPU_COUNT(set) > 0;
}

int nth_processor_start(struct nth_processor *p, uint64_t stacksize,
                        void (*run)(struct nth_processor *, const struct nth_wd *)) {
  pthread_attr_t attr;
  int e = pthread_attr_init(&attr);
  if (e != 0)
    return e;
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  if (stacksize)
    (void)pthread_attr_setstacksize(&attr, (size_t)stacksize);
  p->run = run;
  p->ending = p->crowded = false;
  p->lwd_position = nth_wdarray_start(&p->lwd);
  p->waiter.switches = -1;
  e = pthread_create(&p->thread, &attr, processor_main, p);
  pthread_attr_destroy(&attr);
  (void)elsewhere;
  return e;
}

/* Objects of ended threads; reused because somebody may still read their dock. Holder's lock. */
static struct nth_processor *unused;

struct nth_processor *nth_processor_new(void) {
  struct nth_processor *p = unused;
  if (p) {
    unused = p->next;
    p->next = 0;
    p->gwd = 0;
    p->identity = 0;
    memset(&p->waiter, 0, sizeof p->waiter);
    nth_store_rlx(&p->dock, NTH_DOCK_AWAKE);
    return p;
  }
  return nth_os_alloc(sizeof *p);
}

void nth_processor_recycle(struct nth_processor *p) {
  p->next = unused;
  unused = p;
}
