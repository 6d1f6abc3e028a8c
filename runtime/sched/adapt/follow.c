/* follow.c - follows the CPU allowance while regions run
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/adapt/follow.h"

#include <sys/prctl.h>

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/base/os.h"
#include "runtime/base/syscall.h"
#include "runtime/place/cpus/quota.h"
#include "runtime/place/cpus/sysfile.h"
#include "runtime/place/places/allowed.h"
#include "runtime/place/places/places.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/adapt/permit.h"

struct nth_follow nth_follow;

/* --- the looker --- */

/* Where the quota stands; the group may change, so its folders are looked for now and then, and
 * soon if they cannot be read. */
struct files {
  struct nth_quota_folder *folders;
  uint64_t found_at; /* ns; 0: never */
  uint64_t read_at;
  bool lost;         /* the folders could not all be read */
  bool tried, apart; /* the looker wanted, has a table of descriptors of its own */
};

/* Not before there is a quota, whose files have been read: the program may be in a sandbox by now,
 * where such calls end it. */
static bool has_table(struct files *f) {
  if (!f->tried) {
    f->apart = nth_sysfile_own_table(0);
    nth_syscall(SYS_prctl, PR_SET_NAME, (long)"nanogomp-follow", 0, 0, 0);
  }
  f->tried = true;
  return f->apart;
}

static void read_quota(struct files *f, uint64_t now) {
  if (!nth_allowed_has_quota() || now - f->read_at < NTH_FOLLOW_QUOTA_NS || !has_table(f))
    return;
  f->read_at = now;
  uint64_t keep = f->lost ? NTH_FOLLOW_LOST_NS : NTH_ALLOWED_REFRESH_NS;
  if (f->found_at == 0 || now - f->found_at >= keep) {
    nth_quota_free(f->folders);
    f->folders = nth_quota_find();
    f->found_at = now;
  }
  f->lost = !nth_allowed_read(f->folders);
}

/* Sleeps while the word is `word`. While no thread of the program has a member, the looker looks
 * whether main has ended, ever more seldom. */
static void rest(uint32_t word) {
  uint64_t look = NTH_GONE_LOOK_NS;
  while (nth_futex_wait(&nth_follow.word, word, nth_crowd_may_go() ? look : 0) &&
         !nth_crowd_is_gone())
    look = look < NTH_GONE_MOST_NS ? 2 * look : look;
}

/* Sleeps until an OS thread gets a permit, unless two have one by now. met: several may run, in an
 * idle process; sleeps until one gets a permit or comes by a safe point. One that does so while it
 * still finds the looker armed, or no limit, wakes it at its next safe point. */
static void disarm(bool met) {
  nth_assert(nth_load_rlx(&nth_follow.runs));
  if (met)
    nth_permits_meet(true);
  uint32_t word = nth_load_acq(&nth_follow.word); /* W */
  nth_store_rlx(&nth_follow.armed, 0);
  nth_fence_full(); /* E */
  if (met || !nth_permits_several())
    rest(word);
  nth_store_rlx(&nth_follow.armed, 1);
  if (met)
    nth_permits_meet(false);
}

/* How long the looker waits for its next look. */
struct pace {
  uint64_t wait_ns;
  uint64_t changed_at; /* when the allowance was last found to be another one, ns; 0: never */
  uint32_t all;        /* the allowance then */
  uint64_t at, cpu;    /* the last look, and the process's CPU time then, ns */
};

/* A process that hardly uses a CPU is looked after ever more seldom. True: it is one. */
static bool is_idle(struct pace *p, uint64_t now) {
  uint64_t cpu = nth_os_cpu_of(0);
  nth_assert(p->wait_ns >= NTH_FOLLOW_NS && p->at <= now);
  bool idle = cpu - p->cpu < (now - p->at) / 8;
  if (!idle)
    p->wait_ns = NTH_FOLLOW_NS;
  else if (p->wait_ns < NTH_FOLLOW_IDLE_NS)
    p->wait_ns *= 2;
  p->at = now;
  p->cpu = cpu;
  return idle;
}

static uint64_t next_wait(struct pace *p, uint64_t now) {
  uint32_t all = nth_load_rlx(&nth_allowed.all);
  if (p->all != all)
    p->changed_at = now;
  p->all = all;
  bool soon = p->wait_ns == NTH_FOLLOW_NS && now - p->changed_at < NTH_FOLLOW_SOON_NS;
  return soon ? NTH_FOLLOW_SOON_LOOK_NS : p->wait_ns;
}

/* Whether several OS threads run members, or may: those that ran before permits were counted. */
static bool several_may_run(const struct files *f) {
  return nth_permits_several() || (f->read_at != 0 && nth_load_rlx(&nth_follow.late));
}

static void follow(void) {
  struct files files = {0, 0, 0, false, false, false};
  uint64_t several_at = nth_clock_ns(), used_at = several_at;
  struct pace pace = {NTH_FOLLOW_NS, 0, 0, used_at, 0};
  nth_places_unbind();
  while (!nth_crowd_is_gone()) {
    uint64_t now = nth_clock_ns();
    read_quota(&files, now);
    nth_allowed_look(now, 0);
    if (nth_permits_apart() && !nth_allowed_grew(now))
      nth_permits_changed();
    bool several = several_may_run(&files);
    if (several)
      several_at = now;
    if (!is_idle(&pace, now))
      used_at = now;
    if (now - several_at < NTH_FOLLOW_REST_NS && now - used_at < NTH_FOLLOW_UNUSED_NS) {
      nth_futex_wait(&nth_follow.word, nth_load_rlx(&nth_follow.word), next_wait(&pace, now));
    } else {
      disarm(several);
      several_at = used_at = nth_clock_ns();
    }
  }
}

static void wake(void) {
  nth_add_rel(&nth_follow.word, 1); /* W */
  nth_futex_wake(&nth_follow.word, 1);
}

void nth_follow_arm(void) {
  nth_fence_full(); /* E */
  if (nth_load_rlx(&nth_follow.armed) != 0)
    return;
  nth_store_rlx(&nth_follow.armed, 1); /* the next ones need not wake it */
  wake();
}

/* Where the system refuses the thread, waits look at the mask, and nobody at the quota. The next
 * change of the allowance tries again. */
static void start(void) {
  bool runs = false;
  if (nth_load_rlx(&nth_follow.runs) || !nth_cas_rlx(&nth_follow.runs, &runs, true))
    return;
  nth_permits_begin();
  nth_store_rlx(&nth_follow.late, nth_load_rlx(&nth_crowd.active) > 1);
  nth_store_rlx(&nth_follow.armed, 1);
  if (nth_crowd_server(follow) != 0)
    nth_store_rlx(&nth_follow.runs, false);
}

void nth_follow_rouse(void) {
  if (nth_load_rlx(&nth_follow.runs))
    wake();
}

static void changed(void) {
  nth_assert(nth_load_rlx(&nth_allowed.all) > 0);
  start();
  if (nth_permit_hooks.grow)
    nth_permit_hooks.grow(nth_load_rlx(&nth_allowed.all));
  nth_permits_changed();
}

void nth_follow_begin(void) {
  nth_assert(!nth_allowed_hook || nth_allowed_hook == changed);
  nth_allowed_hook = changed;
}

void nth_follow_quota(struct nth_permit *mine) {
  if (!nth_allowed_has_quota())
    return;
  start();
  nth_permit_back(mine); /* it has run before there were permits */
}

NTH_IN_CHILD void nth_follow_forked(void) {
  nth_store_rlx(&nth_follow.runs, false);
  nth_store_rlx(&nth_follow.armed, 0);
}
