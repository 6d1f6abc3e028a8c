/* share.c - this program's part of the processors that it shares with other programs of the user
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/share/share.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/arch/section.h"
#include "runtime/base/clock.h"
#include "runtime/base/config.h"
#include "runtime/base/futex.h"
#include "runtime/base/msg.h"
#include "runtime/base/os.h"
#include "runtime/base/syscall.h"
#include "runtime/place/places/allowed.h"
#include "runtime/place/places/places.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/adapt/permit.h"
#include "runtime/sched/adapt/request.h"
#include "runtime/sched/share/deal.h"
#include "runtime/sched/share/segment.h"
#include "runtime/struct/mutex.h"

static struct nth_segment segment; /* its table is NULL: nothing is shared; I1 */
static struct nth_mutex lock;      /* a change of segment, and its use at the end; I1 */
static bool ended;                 /* the process ends, and claims no slot; under lock */
static uint32_t pid;               /* I1 */
static char table_name[NTH_TABLE_NAME_MOST + 1];
static _Atomic(bool) runs;      /* the thread was started; w: the first member's thread, forked() */
static _Atomic(uint64_t) owner; /* what the slot says, */
static _Atomic(int) slot = NTH_TABLE_NONE; /* and which one it is; w: the thread; I2 */

/* The thread's own. */
struct looker {
  uint64_t looked_at, used; /* when it last measured, and the CPU time by then, ns */
  uint64_t asked_at;        /* when it last asked whether the table is there still, ns */
  uint64_t idle_since;      /* ns; 0: it is not idle */
  uint32_t has;             /* its number by the last look; 0: none so far */
  uint32_t wants;
  bool quiet; /* the last measure was near nothing */
  struct nth_table_seen seen[NTH_TABLE_SLOTS];
};

/* --- the bell --- */

static long bell_call(int what, long value, const struct timespec *limit) {
  return nth_syscall(SYS_futex, (long)&segment.table->bell, what, value, (long)limit, 0);
}

static void ring(void) {
  nth_table_ring(segment.table);
  (void)bell_call(FUTEX_WAKE, INT_MAX, 0);
}

/* --- what this program wants --- */

/* Processors by ns of CPU time in ns of time; a tenth is not counted. */
static uint32_t rounded(uint64_t used, uint64_t time) {
  return (uint32_t)((used + time - time / 10) / time);
}

static void measure(struct looker *l, uint64_t now) {
  uint64_t used = nth_os_cpu_of(0), time = now - l->looked_at, more = used - l->used;
  if (time < NTH_SHARE_TICK_NS / 2)
    return; /* the bell rang */
  bool was_quiet = l->quiet;
  l->quiet = more < time / 10;
  l->looked_at = now;
  l->used = used;
  if (l->quiet && was_quiet) {
    l->wants = 0;
    l->idle_since = l->idle_since ? l->idle_since : now;
    return;
  }
  if (l->quiet)
    return; /* it may have waited for a CPU */
  l->idle_since = 0;
  uint32_t whole = l->has ? l->has : 1;
  l->wants = more >= time / 4 * 3 * whole ? UINT32_MAX : rounded(more, time);
}

/* --- the slot --- */

static void say_full(void) {
  static bool said; /* w, r: the thread */
  if (!said)
    nth_msg("NTH_SHARE: table '%s' is full, it has room for %d programs: this one uses all its "
            "processors until one of them ends",
            table_name, NTH_TABLE_SLOTS);
  said = true;
}

/* The slot; NTH_TABLE_NONE: all have owners. */
static int have_slot(void) {
  int mine = nth_load_rlx(&slot);
  uint64_t me = nth_load_rlx(&owner);
  if (mine != NTH_TABLE_NONE && nth_table_mine(segment.table, mine, me))
    return mine;
  if (me == 0) {
    me = nth_table_owner(pid, (uint32_t)(nth_clock_ns() / 1000) | 1);
    nth_table_free_own(segment.table, pid);
    nth_store_rlx(&owner, me);
  }
  nth_mutex_lock(&lock);
  mine = ended ? NTH_TABLE_NONE : nth_table_claim(segment.table, me);
  bool full = mine == NTH_TABLE_NONE && !ended;
  nth_store_rlx(&slot, mine);
  nth_mutex_unlock(&lock);
  if (full)
    say_full();
  return mine;
}

static bool is_gone(uint64_t who, uint64_t silent) {
  uint32_t process = nth_table_pid(who);
  return silent > NTH_SHARE_GONE_NS || process == 0 ||
         nth_syscall(SYS_kill, (long)process, 0, 0, 0, 0) == -ESRCH;
}

static void say(int mine, const struct looker *l) {
  struct nth_table_slot *s = &segment.table->slot[mine];
  const struct nth_request *r = nth_request_now;
  nth_store_rlx(&s->has, l->has);
  nth_store_rlx(&s->idle_since, l->idle_since);
  nth_store_rlx(&s->running, nth_load_rlx(&r->running));
  nth_store_rlx(&s->processors, nth_load_rlx(&r->processors));
}

/* --- this program's number --- */

static uint32_t least(uint32_t a, uint32_t b) { return b != 0 && b < a ? b : a; }

/* Reads all slots, and frees those of the dead. */
static uint32_t work_out(struct looker *l, int mine, uint64_t now) {
  uint32_t wants[NTH_TABLE_SLOTS], all = nth_allowed_all();
  bool freed = false;
  for (int i = 0; i < NTH_TABLE_SLOTS; i++) {
    uint64_t silent;
    wants[i] = nth_table_look(segment.table, i, &l->seen[i], now, NTH_SHARE_SILENT_NS, &silent);
    if (i == mine || l->seen[i].owner == 0 || !is_gone(l->seen[i].owner, silent))
      continue;
    freed |= nth_table_free(segment.table, i, l->seen[i].owner);
    wants[i] = 0;
  }
  if (freed)
    ring();
  if (mine == NTH_TABLE_NONE)
    return all;
  return least(nth_deal(all, wants, NTH_TABLE_SLOTS, (uint32_t)mine),
               nth_load_rlx(&segment.table->slot[mine].most));
}

/* Asks the program for its number, if that has changed. What nth_request() asks for bounds it. */
static void ask(const struct looker *l) {
  uint32_t own = nth_load_rlx(&nth_request_program);
  uint32_t n = l->has < nth_allowed_all() ? least(l->has, own) : own;
  if (n != nth_load_rlx(&nth_request_now->asked))
    nth_request_ask(n);
}

static void look(struct looker *l) {
  uint64_t now = nth_clock_ns();
  int mine = have_slot();
  measure(l, now);
  bool more = mine != NTH_TABLE_NONE && nth_table_beat(segment.table, mine, l->wants);
  l->has = work_out(l, mine, now);
  ask(l);
  if (mine != NTH_TABLE_NONE)
    say(mine, l);
  if (more)
    ring();
}

/* Sleeps until the next look, which is not sooner than NTH_SHARE_LEAST_NS after this one, however
 * often somebody rings. */
static void await_tick(const struct looker *l, uint32_t bell, uint64_t now) {
  static _Atomic(uint32_t) nobody; /* rings this one */
  bool rests = l->idle_since != 0 && now - l->idle_since > NTH_SHARE_IDLE_NS;
  const struct timespec tick = {0, rests ? NTH_SHARE_IDLE_TICK_NS : NTH_SHARE_TICK_NS};
  (void)bell_call(FUTEX_WAIT, (long)bell, &tick);
  uint64_t slept = nth_clock_ns() - now;
  if (slept < NTH_SHARE_LEAST_NS)
    nth_futex_wait(&nobody, 0, NTH_SHARE_LEAST_NS - slept);
}

/* --- the table --- */

/* From now on the program uses this table. */
static void use(struct looker *l, struct nth_segment next) {
  struct nth_segment old = segment;
  nth_mutex_lock(&lock);
  segment = next;
  nth_store_rlx(&slot, NTH_TABLE_NONE);
  nth_mutex_unlock(&lock);
  memset(l->seen, 0, sizeof l->seen);
  nth_segment_close(&old);
}

/* Whether there is a table. If it has been removed those who come later have another one: so this
 * program goes there. */
static bool have_table(struct looker *l, uint64_t now) {
  struct nth_segment next;
  const char *why = 0;
  if (now - l->asked_at < NTH_SHARE_THERE_NS)
    return true;
  l->asked_at = now;
  if (!nth_segment_removed(&segment))
    return true;
  bool opened = nth_segment_open(&next, table_name, &why);
  use(l, next);
  if (!opened)
    nth_msg("NTH_SHARE: table '%s' was removed, and no other one is used (%s): processors are not "
            "shared any longer",
            table_name, why);
  return opened;
}

static void share_processors(void) {
  static struct looker looker NTH_SPARSE;
  struct looker *l = &looker;
  uint64_t now = nth_clock_ns();
  nth_places_unbind();
  nth_request_listen(nth_permits_changed); /* in a forked child nobody has */
  *l = (struct looker){.looked_at = now, .asked_at = now, .used = nth_os_cpu_of(0), .wants = 1};
  while (have_table(l, now) && !nth_crowd_is_gone()) {
    uint32_t bell = nth_table_ticket(segment.table);
    look(l);
    await_tick(l, bell, now);
    now = nth_clock_ns();
  }
  l->has = UINT32_MAX;
  ask(l);
}

/* --- begin and end --- */

bool nth_share_is_name(const char *text) {
  static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  size_t length = strspn(text, good);
  return length > 0 && length <= NTH_TABLE_NAME_MOST && text[length] == 0 &&
         strcmp(text, ".") != 0 && strcmp(text, "..") != 0;
}

const char *nth_share_load(const char *name) {
  const char *why = 0;
  pid = (uint32_t)getpid();
  nth_segment_name(table_name, name);
  return nth_segment_open(&segment, table_name, &why) ? 0 : why;
}

void nth_share_start(void) {
  bool ran = false;
  if (!nth_load_rlx(&runs) && segment.table && nth_cas_rlx(&runs, &ran, true) &&
      nth_crowd_server(share_processors) != 0)
    nth_store_rlx(&runs, false);
}

void nth_share_listen(void) {
  nth_request_listen(nth_permits_changed);
  nth_share_start();
}

NTH_IN_CHILD void nth_share_forked(void) {
  nth_mutex_init(&lock);
  if (segment.table && !nth_segment_ours(&segment))
    nth_segment_close(&segment);
  if (!segment.table)
    return;
  ended = false;
  pid = (uint32_t)getpid();
  nth_store_rlx(&runs, false);
  nth_store_rlx(&owner, 0);
  nth_store_rlx(&slot, NTH_TABLE_NONE);
  nth_permits_begin();
}

/* At the end of the process: the others hear of it at once. */
__attribute__((destructor)) static void leave(void) {
  if (pid == 0 || pid != (uint32_t)getpid())
    return;
  nth_mutex_lock(&lock);
  int mine = nth_load_rlx(&slot);
  ended = true;
  if (segment.table && mine != NTH_TABLE_NONE) {
    nth_table_leave(segment.table, mine, nth_load_rlx(&owner));
    ring();
  }
  nth_mutex_unlock(&lock);
}
