/* stall_text.c - the text of NTH_STALL: who waits for whom
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A member waits for another one if that one has the lock; or has not come to the barrier or the
 * region's end, perhaps since it is the master of an inner region; or runs a task that the waiting
 * task made; or has the iteration of an ordered loop that comes before the waiting one's. It waits
 * for itself if it has the lock.
 */
#include "runtime/omp/told/stall_text.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/msg.h"
#include "runtime/omp/told/reasons.h"

/* --- pieces --- */

enum { PLACE = 192 };

/* A place in the program: OBJECT+0xOFFSET (FUNCTION). addr2line takes the offset. */
static const char *place(char *text, uintptr_t ra) {
  Dl_info info;
  if (ra == 0)
    return "an unknown place";
  if (!dladdr((void *)(ra - 1), &info) || !info.dli_fname) {
    snprintf(text, PLACE, "0x%" PRIxPTR, ra);
    return text;
  }
  const char *slash = strrchr(info.dli_fname, '/');
  snprintf(text, PLACE, "%s+0x%" PRIxPTR "%s%s%s", slash ? slash + 1 : info.dli_fname,
           ra - 1 - (uintptr_t)info.dli_fbase, info.dli_sname ? " (" : "",
           info.dli_sname ? info.dli_sname : "", info.dli_sname ? ")" : "");
  return text;
}

static double seconds(uint64_t ns) { return (double)ns / 1e9; }

/* Of the state that a member notes. */
static enum nth_reason reason_of(uint32_t state) {
  switch (state) {
#define REASON(state, kind, text)                                                                  \
  case ompt_state_##state: return NTH_REASON_##kind;
    NTH_REASONS(REASON)
#undef REASON
  default: return NTH_REASON_idle;
  }
}

static const char *name_of(uint32_t state) {
  switch (state) {
#define REASON(state, kind, text)                                                                  \
  case ompt_state_##state: return text;
    NTH_REASONS(REASON)
#undef REASON
  default: return "is idle";
  }
}

/* The lock in another member's hands; NULL: it has not got it. */
static const struct nth_stall_lock *holds(const struct nth_stall_notes *n, ompt_wait_id_t lock) {
  for (int i = 0; i < NTH_STALL_LOCKS && lock; i++)
    if (nth_load_rlx(&n->held[i].lock) == lock)
      return &n->held[i];
  return 0;
}

/* Which of its seats is in the innermost region of a; -1: none. */
static int seat_beside(const struct nth_stall_notes *n, const struct nth_stall_notes *a) {
  uintptr_t region = nth_load_rlx(&a->seat[0].region);
  for (int i = 0; i < NTH_STALL_SEATS; i++) {
    uintptr_t mine = nth_load_rlx(&n->seat[i].region);
    if (mine == 0 || mine == region)
      return mine == 0 ? -1 : i;
  }
  return -1;
}

/* To how many barriers of a seat's region it has come. */
static uint32_t barriers(const struct nth_stall_notes *n, int i) {
  bool there = i == 0 && reason_of(nth_load_rlx(&n->state)) == NTH_REASON_barrier;
  return nth_load_rlx(&n->seat[i].barriers) + there;
}

/* Whether a waits in an ordered loop for the iteration that b has, or by the static schedule is to
 * have. i: b's seat in a's region. */
static bool waits_for_iteration(const struct nth_stall_notes *a, const struct nth_stall_notes *b,
                                int i) {
  uint64_t goal = nth_load_rlx(&a->goal);
  uintptr_t loop = nth_load_rlx(&a->seat[0].loop);
  const struct nth_stall_seat *seat = &b->seat[i];
  if (goal == NTH_TOOL_NO_GOAL || loop == 0)
    return false;
  return nth_load_rlx(&seat->thread_num) == nth_load_rlx(&a->owner) ||
         (nth_load_rlx(&seat->loop) == loop && nth_load_rlx(&seat->from) <= goal &&
          goal < nth_load_rlx(&seat->to));
}

/* Whether a waits for b. Who is in a barrier to which all have come is about to go on. */
static bool waits_for(const struct nth_stall_notes *a, const struct nth_stall_notes *b) {
  uint32_t state = nth_load_rlx(&a->state), theirs = nth_load_rlx(&b->state);
  int i = seat_beside(b, a);
  if ((a == b && reason_of(state) != NTH_REASON_lock) || !nth_load_rlx(&b->used))
    return false;
  switch (reason_of(state)) {
  case NTH_REASON_ordered:
    return holds(b, nth_load_rlx(&a->wait)) || (i >= 0 && waits_for_iteration(a, b, i));
  case NTH_REASON_lock: return holds(b, nth_load_rlx(&a->wait)) != 0;
  case NTH_REASON_barrier: return i >= 0 && (int32_t)(barriers(a, 0) - barriers(b, i)) > 0;
  case NTH_REASON_join: return i > 0 || (i == 0 && theirs != state);
  case NTH_REASON_taskwait:
  case NTH_REASON_taskgroup:
    return nth_load_rlx(&b->maker) != 0 && nth_load_rlx(&b->maker) == nth_load_rlx(&a->task);
  default: return false;
  }
}

/* --- a member --- */

/* Of those that wait for their turn in the same ordered loop as n, the one that is first in order:
 * whom that one waits for holds up all. Of a doacross loop n itself, as its order has no turn. */
static const struct nth_stall_notes *first_in_order(const struct nth_stall_notes *all,
                                                    const struct nth_stall_notes *n) {
  const struct nth_stall_notes *first = n;
  for (const struct nth_stall_notes *other = all; other; other = other->next)
    if (nth_load_rlx(&n->wait) && nth_load_rlx(&other->used) &&
        reason_of(nth_load_rlx(&other->state)) == NTH_REASON_ordered &&
        nth_load_rlx(&other->wait) == nth_load_rlx(&n->wait) &&
        nth_load_rlx(&other->goal) < nth_load_rlx(&first->goal))
      first = other;
  return first;
}

/* For whom it waits, as ", for thread 2, 3". */
static void whom(char *text, size_t size, const struct nth_stall_notes *all,
                 const struct nth_stall_notes *n) {
  size_t length = 0;
  text[0] = 0;
  if (waits_for(n, n)) {
    snprintf(text, size, ", which it has itself");
    return;
  }
  bool ordered = reason_of(nth_load_rlx(&n->state)) == NTH_REASON_ordered;
  if (ordered)
    n = first_in_order(all, n);
  for (const struct nth_stall_notes *other = all; other && length + 16 < size; other = other->next)
    if (waits_for(n, other))
      length += (size_t)snprintf(text + length, size - length, length ? ", %u" : ", for thread %u",
                                 other->number);
  if (ordered && length == 0 && nth_load_rlx(&n->goal) != NTH_TOOL_NO_GOAL)
    snprintf(text, size, ", for iteration %" PRIu64 " (the first is 0), which no thread has begun",
             nth_load_rlx(&n->goal));
}

/* Says of which regions the member is the master, and its number in those around them. */
static void tell_regions(const struct nth_stall_notes *n) {
  char at[PLACE];
  for (int i = 1; i < NTH_STALL_SEATS && nth_load_rlx(&n->seat[i].region); i++)
    nth_msg("    in an inner region that member %u of %u began at %s",
            nth_load_rlx(&n->seat[i].thread_num), nth_load_rlx(&n->seat[i].size),
            place(at, nth_load_rlx(&n->seat[i - 1].begun)));
}

static void tell_member(const struct nth_stall_notes *all, const struct nth_stall_notes *n,
                        uint64_t now) {
  char at[PLACE], made[PLACE], others[160], member[40] = "";
  const struct nth_stall_seat *seat = &n->seat[0];
  uint32_t state = nth_load_rlx(&n->state);
  uint32_t team = nth_load_rlx(&seat->region) ? nth_load_rlx(&seat->size) : 0;
  whom(others, sizeof others, all, n);
  if (team > 0) /* an idle thread is in none */
    snprintf(member, sizeof member, "member %u of %u, ", nth_load_rlx(&seat->thread_num), team);
  nth_msg("  thread %u (%sOS thread %d) %s for %.1f s, %s%s", n->number, member,
          nth_load_rlx(&n->thread), name_of(state), seconds(now - nth_load_rlx(&n->since)),
          place(at, nth_load_rlx(&n->ra)), others);
  if (nth_load_rlx(&n->made))
    nth_msg("    in a task made at %s", place(made, nth_load_rlx(&n->made)));
  tell_regions(n);
  for (int i = 0; i < NTH_STALL_LOCKS; i++)
    if (nth_load_rlx(&n->held[i].lock))
      nth_msg("    has lock 0x%" PRIx64 " for %.1f s, set at %s", nth_load_rlx(&n->held[i].lock),
              seconds(now - nth_load_rlx(&n->held[i].since)),
              place(at, nth_load_rlx(&n->held[i].ra)));
}

/* --- circles --- */

/* The search goes on at n, which it has not met before. */
static void enter(struct nth_stall_notes *n, struct nth_stall_notes *from,
                  struct nth_stall_notes *all) {
  nth_assert(!n->entered && !n->left);
  n->from = from;
  n->candidate = all;
  n->entered = true;
}

/* Follows the waits from n on, to no member twice. Returns the last member of a circle, whose first
 * one is *first; NULL: none. */
static struct nth_stall_notes *circle_from(struct nth_stall_notes *all, struct nth_stall_notes *n,
                                           struct nth_stall_notes **first) {
  struct nth_stall_notes *at = n;
  enter(n, 0, all);
  while (at) {
    struct nth_stall_notes *next = at->candidate;
    if (!next) {
      at->left = true;
      at = at->from;
      continue;
    }
    at->candidate = next->next;
    if (next->left || !waits_for(at, next))
      continue;
    if (next->entered) {
      *first = next;
      return at;
    }
    enter(next, at, all);
    at = next;
  }
  return 0;
}

/* Says the members between the first and the last one of a circle, whose `from` leads back. */
static void say_circle(struct nth_stall_notes *first, struct nth_stall_notes *last) {
  char text[400] = "";
  size_t end = 0;
  if (first == last) {
    nth_msg("a circle that cannot end: thread %u waits for itself", first->number);
    return;
  }
  for (struct nth_stall_notes *n = last; n != first; n = n->from)
    n->from->candidate = n; /* forwards from now on */
  struct nth_stall_notes *n = first;
  for (; n != last && end + 64 < sizeof text; n = n->candidate)
    end += (size_t)snprintf(text + end, sizeof text - end, " waits for thread %u",
                            n->candidate->number);
  nth_msg("a circle that cannot end: thread %u%s%s waits for thread %u", first->number, text,
          n == last ? "" : " ..", first->number);
}

static void tell_circle(struct nth_stall_notes *all) {
  struct nth_stall_notes *first, *last = 0;
  for (struct nth_stall_notes *n = all; n; n = n->next)
    n->entered = n->left = false;
  for (struct nth_stall_notes *n = all; n && !last; n = n->next)
    if (nth_load_rlx(&n->used) && !n->entered)
      last = circle_from(all, n, &first);
  if (last)
    say_circle(first, last);
}

void nth_stall_tell(struct nth_stall_notes *all, uint64_t now, uint64_t still) {
  if (still)
    nth_msg("no OpenMP thread has moved for %.0f s (NTH_STALL); what they do:", seconds(still));
  else
    nth_msg("asked by a signal (NTH_STALL_SIGNAL) what the OpenMP threads do:");
  for (const struct nth_stall_notes *n = all; n; n = n->next)
    if (nth_load_rlx(&n->used))
      tell_member(all, n, now);
  tell_circle(all);
  nth_msg("the program goes on");
}
