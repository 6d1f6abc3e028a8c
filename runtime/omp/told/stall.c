/* stall.c - NTH_STALL, NTH_STALL_SIGNAL: what members note, and who watches
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/told/stall.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "runtime/base/clock.h"
#include "runtime/base/config.h"
#include "runtime/base/env.h"
#include "runtime/base/futex.h"
#include "runtime/base/msg.h"
#include "runtime/base/os.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/told/points.h"
#include "runtime/omp/told/stall_text.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/omp/worksharing/loop.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/struct/cut.h"

bool nth_stall_on;

static _Atomic(struct nth_stall_notes *) all; /* L */
static uint64_t limit_ns;                     /* 0: only reports that are asked for */

/* --- notes --- */

/* Notes that nobody uses; NULL: none. */
static struct nth_stall_notes *reuse(void) {
  for (struct nth_stall_notes *n = nth_load_acq(&all); n; n = n->next) { /* L */
    uint32_t free = 0;
    if (nth_load_rlx(&n->used) == 0 && nth_cas_acq(&n->used, &free, 1)) /* L */
      return n;
  }
  return 0;
}

static struct nth_stall_notes *new_notes(void) {
  static _Atomic(uint32_t) made;
  struct nth_stall_notes *n = nth_heap_need(sizeof *n);
  n->number = nth_add_rlx(&made, 1) + 1;
  nth_store_rlx(&n->used, 1);
  n->next = nth_load_rlx(&all);
  while (!nth_cas_rel(&all, &n->next, n)) {} /* L */
  return n;
}

static struct nth_stall_notes *notes_of(struct nth_tool_member *tm) {
  if (nth_likely(tm->notes != 0))
    return tm->notes;
  struct nth_stall_notes *n = reuse();
  tm->notes = n ? n : new_notes();
  return tm->notes;
}

/* Notes an ordered loop that the member is in. */
static void note_loop(struct nth_stall_seat *seat, const struct nth_loop *l) {
  nth_store_rlx(&seat->loop, (uintptr_t)(l && l->ordered ? l->share : 0));
  nth_store_rlx(&seat->from, l ? l->begin : 0);
  nth_store_rlx(&seat->to, l ? l->end : 0);
}

/* Which member of its team has an iteration of the loop by the static schedule; UINT32_MAX: that is
 * not known. */
static uint32_t owner_of(const struct nth_member_state *s, uint64_t iteration) {
  const struct nth_loop *l = &s->slot->loop;
  uint64_t begin, end;
  if (iteration == NTH_TOOL_NO_GOAL || !l->ordered)
    return UINT32_MAX;
  if (l->kind == NTH_LOOP_CYCLIC)
    return (uint32_t)(iteration / l->bounds.chunk % s->team_size);
  nth_cut_block(l->bounds.trips, s->thread_num, s->team_size, &begin, &end);
  if (l->bounds.chunk > 0 || l->begin != begin || l->end != end)
    return UINT32_MAX;
  for (uint32_t i = 0; i < s->team_size; i++) {
    nth_cut_block(l->bounds.trips, i, s->team_size, &begin, &end);
    if (begin <= iteration && iteration < end)
      return i;
  }
  return UINT32_MAX;
}

/* Notes the member's regions. s: its state in the innermost one; t: its task, NULL: none. */
static void note_seats(struct nth_stall_notes *n, uint32_t thread_num,
                       const struct nth_member_state *s, const struct nth_tool_task *t) {
  int i = 0;
  for (; i < NTH_STALL_SEATS && t && t->region; i++) {
    struct nth_stall_seat *seat = &n->seat[i];
    nth_store_rlx(&seat->region, (uintptr_t)t->region);
    nth_store_rlx(&seat->begun, (uintptr_t)t->region->ra);
    nth_store_rlx(&seat->thread_num, thread_num);
    nth_store_rlx(&seat->size, nth_load_rlx(&t->region->size));
    nth_store_rlx(&seat->barriers, s ? s->slot->epoch : 0);
    note_loop(seat, s ? &s->slot->loop : 0);
    t = s && s->team && thread_num == 0 ? t->region->from : 0;
    if (!t || t->flags & ompt_task_initial)
      t = 0;
    else
      s = &s->team->saved;
    thread_num = s ? s->thread_num : 0;
  }
  if (i < NTH_STALL_SEATS)
    nth_store_rlx(&n->seat[i].region, 0);
}

void nth_stall_move_slow(struct nth_tool_member *tm, uint32_t thread_num, const void *ra) {
  struct nth_stall_notes *n = notes_of(tm);
  const struct nth_tool_task *t = tm->task;
  nth_store_rlx(&n->state, tm->state);
  nth_store_rlx(&n->wait, tm->wait);
  note_seats(n, thread_num, nth_self ? &nth_self->now : 0, t);
  if (tm->state == ompt_state_wait_ordered) {
    nth_store_rlx(&n->goal, tm->goal);
    nth_store_rlx(&n->owner, owner_of(&nth_self->now, tm->goal));
  }
  nth_store_rlx(&n->task, (uintptr_t)t);
  nth_store_rlx(&n->maker, t ? t->maker : 0);
  nth_store_rlx(&n->made, (uintptr_t)(t ? t->made : 0));
  nth_store_rlx(&n->since, nth_clock_ns());
  nth_store_rlx(&n->thread, nth_os_tid());
  if (ra)
    nth_store_rlx(&n->ra, (uintptr_t)ra);
  nth_store_rlx(&n->moves, nth_load_rlx(&n->moves) + 1);
}

void nth_stall_took(struct nth_tool_member *tm, ompt_wait_id_t lock, const void *ra) {
  if (!nth_stall_on && !nth_points_on)
    return;
  if (!tm->notes)
    nth_stall_move_slow(tm, 0, ra); /* a thread that has not met another construct */
  struct nth_stall_notes *n = tm->notes;
  for (int i = 0; i < NTH_STALL_LOCKS; i++)
    if (nth_load_rlx(&n->held[i].lock) == 0) {
      nth_store_rlx(&n->held[i].ra, (uintptr_t)ra);
      nth_store_rlx(&n->held[i].since, nth_clock_ns());
      nth_store_rlx(&n->held[i].lock, lock);
      return;
    }
}

void nth_stall_left(struct nth_tool_member *tm, ompt_wait_id_t lock) {
  struct nth_stall_notes *n = tm->notes;
  if (!n)
    return;
  for (int i = 0; i < NTH_STALL_LOCKS; i++)
    if (nth_load_rlx(&n->held[i].lock) == lock) {
      nth_store_rlx(&n->held[i].lock, 0);
      return;
    }
}

void nth_stall_member_end(struct nth_tool_member *tm) {
  struct nth_stall_notes *n = tm->notes;
  if (!n)
    return;
  for (int i = 0; i < NTH_STALL_LOCKS; i++)
    nth_store_rlx(&n->held[i].lock, 0);
  nth_store_rlx(&n->seat[0].region, 0);
  nth_store_rlx(&n->state, ompt_state_undefined);
  nth_store_rel(&n->used, 0); /* L */
}

/* --- the thread that watches --- */

static bool waits(uint32_t state) {
  return state >= ompt_state_wait_barrier && state < ompt_state_idle;
}

/* The sum of all members' moves, and whether one waits. */
static uint64_t look(bool *someone_waits) {
  uint64_t sum = 0;
  *someone_waits = false;
  for (struct nth_stall_notes *n = nth_load_acq(&all); n; n = n->next) { /* L */
    sum += nth_load_rlx(&n->moves);
    *someone_waits |= nth_load_rlx(&n->used) && waits(nth_load_rlx(&n->state));
  }
  return sum;
}

/* How many reports were asked for; w: on_signal(); r: watch(), which sleeps for it. The kernel's
 * futex orders all that matters. */
static _Atomic(uint32_t) asked;

/* Until the next look, ns. The program may end without a word. */
static uint64_t nap(void) {
  uint64_t most = nth_crowd_may_go() ? NTH_GONE_LOOK_NS : NTH_STALL_LOOK_NS;
  return limit_ns > 0 && limit_ns / 8 < most ? limit_ns / 8 : most;
}

static void watch(void) {
  uint32_t answered = 0;
  uint64_t seen = 0, since = nth_clock_ns();
  bool said = false;
  nth_syscall(SYS_prctl, 15 /* PR_SET_NAME */, (long)"nanogomp-stall", 0, 0, 0);
  while (!nth_crowd_is_gone()) {
    bool someone_waits;
    uint64_t now, moves;
    nth_futex_wait(&asked, answered, nap());
    moves = look(&someone_waits);
    now = nth_clock_ns();
    if (nth_load_rlx(&asked) != answered) {
      answered = nth_load_rlx(&asked);
      nth_stall_tell(nth_load_acq(&all), now, 0); /* L */
    }
    if (limit_ns == 0)
      continue;
    if (moves != seen || !someone_waits) {
      seen = moves;
      since = now;
      said = false;
    } else if (now - since >= limit_ns && !said) {
      nth_stall_tell(nth_load_acq(&all), now, now - since); /* L */
      said = true;                                          /* until something moves */
    }
  }
}

/* --- settings --- */

/* NTH_STALL in ns; 0: not set. */
static uint64_t read_seconds(void) {
  const char *at = secure_getenv("NTH_STALL"), *text = at;
  uint64_t seconds;
  char shown[NTH_ENV_SHOWN];
  if (!at || !*at)
    return 0;
  if (!nth_env_unsigned(&at, &seconds, 1000000) || !nth_env_end(&at) || seconds == 0) {
    nth_msg("NTH_STALL takes a number of seconds from 1 on, not '%s'; nothing is watched",
            nth_env_shown(shown, text));
    return 0;
  }
  return seconds * 1000000000u;
}

/* The signal's number; 0: not set. Others would stop the program, or mean a fault of it. */
static int read_signal(void) {
  static const struct {
    const char *name;
    int number;
  } known[] = {{"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"QUIT", SIGQUIT},  {"HUP", SIGHUP},
               {"URG", SIGURG},   {"PWR", SIGPWR},   {"WINCH", SIGWINCH}};
  const char *text = secure_getenv("NTH_STALL_SIGNAL"), *name = text, *at = text;
  uint64_t number;
  char shown[NTH_ENV_SHOWN];
  if (!text || !*text)
    return 0;
  if (strncmp(name, "SIG", 3) == 0)
    name += 3;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i].name) == 0)
      return known[i].number;
  if (nth_env_unsigned(&at, &number, (uint64_t)SIGRTMAX) && nth_env_end(&at) &&
      number >= (uint64_t)SIGRTMIN)
    return (int)number;
  nth_msg(
      "NTH_STALL_SIGNAL takes USR1, USR2, QUIT, HUP, URG, PWR, WINCH or a number from %d to %d, "
      "not '%s'; no signal is heard",
      SIGRTMIN, SIGRTMAX, nth_env_shown(shown, text));
  return 0;
}

/* On any thread, at any moment: no C library, no TLS. */
static void on_signal(int number) {
  (void)number;
  nth_add_rlx(&asked, 1);
  nth_futex_wake(&asked, 1);
}

static bool hear(int number) {
  struct sigaction now, ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK};
  sigfillset(&ours.sa_mask);
  if (sigaction(number, 0, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL) {
    nth_msg("NTH_STALL_SIGNAL: signal %d has another meaning in this program; it is not heard",
            number);
    return false;
  }
  return sigaction(number, &ours, 0) == 0;
}

bool nth_stall_begin(void) {
  int number = read_signal();
  limit_ns = read_seconds();
  if (number && !hear(number))
    number = 0;
  if (limit_ns == 0 && number == 0)
    return false;
  int error = nth_crowd_server(watch);
  if (error) {
    nth_msg("no thread for NTH_STALL (%s); nothing is watched", strerror(error));
    return false;
  }
  nth_stall_on = true;
  return true;
}
