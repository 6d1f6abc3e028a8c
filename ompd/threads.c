/* threads.c - libompd.so: OpenMP threads, which are members, and the OS threads that run them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 20.5.5. A member that is a nano-thread is on an OS thread only while a
 * carrier runs it; then that is its LWP. Its pthread is its own always.
 */
#include "ompd/space.h"

#include <string.h>

/* --- the roll --- */

uint64_t nth_ompd_member(struct nth_ompd_look *look, struct nth_ompd_line of) {
  uint64_t uses = nth_ompd_get(look, of.line, NTH_AT_line_uses);
  uint64_t member = nth_ompd_get(look, of.line, NTH_AT_line_member);
  if (look->rc == ompd_rc_ok && (uses != of.uses || !member))
    look->rc = ompd_rc_stale_handle;
  return look->rc == ompd_rc_ok ? member : 0;
}

bool nth_ompd_next(struct nth_ompd_look *look, struct nth_ompd_line *at, uint32_t *steps) {
  while (look->rc == ompd_rc_ok) {
    at->line = at->line ? nth_ompd_get(look, at->line, NTH_AT_line_next)
                        : nth_ompd_item(look, nth_ompd_place(look, NTH_IN_roll), 0);
    if (!at->line)
      return false;
    if (++*steps > NTH_OMPD_MANY)
      nth_ompd_fail(look, ompd_rc_error);
    at->uses = (uint32_t)nth_ompd_get(look, at->line, NTH_AT_line_uses);
    if (look->rc == ompd_rc_ok && (at->uses & 1) &&
        nth_ompd_get(look, at->line, NTH_AT_line_member))
      return true;
  }
  return false;
}

/* --- places in teams --- */

/* Whether slave i has work of its team: the master has given it more than it has finished, or it
 * has come back. */
static bool works(struct nth_ompd_look *look, uint64_t team, uint32_t i) {
  uint64_t slot = nth_ompd_item(look, nth_ompd_get(look, team, NTH_AT_team_slot), i);
  uint64_t pjv = nth_ompd_get(look, team, NTH_AT_team_pjv);
  uint64_t given = nth_ompd_number(look, pjv + i * sizeof(uint32_t), sizeof(uint32_t));
  uint64_t done = nth_ompd_get(look, slot, NTH_AT_slot_done);
  return ((given ^ done) & nth_ompd_is(look, NTH_IS_djs_count)) != 0 ||
         (done & nth_ompd_is(look, NTH_IS_djs_back)) != 0;
}

/* The member whose thread serves the team as its slave num; 0: none has been made. */
static uint64_t server(struct nth_ompd_look *look, uint64_t team, uint32_t num) {
  uint64_t worker = nth_ompd_item(look, nth_ompd_get(look, team, NTH_AT_team_workers), num);
  return worker ? nth_ompd_get(look, worker, NTH_AT_worker_identity) : 0;
}

struct nth_ompd_seat nth_ompd_seat(struct nth_ompd_look *look, uint64_t member) {
  struct nth_ompd_seat seat = {nth_ompd_get(look, member, NTH_AT_member_team),
                               nth_ompd_get(look, member, NTH_AT_member_role),
                               (uint32_t)nth_ompd_get(look, member, NTH_AT_member_thread_num),
                               false};
  if (!seat.team)
    seat.idle = !seat.role && !nth_ompd_get(look, member, NTH_AT_member_is_root);
  else if (seat.num > 0) /* what a slave was last stays, also when another one has its place */
    seat.idle = seat.num >= nth_ompd_get(look, seat.team, NTH_AT_team_size) ||
                !works(look, seat.team, seat.num) || server(look, seat.team, seat.num) != member;
  return seat;
}

bool nth_ompd_outward(struct nth_ompd_look *look, struct nth_ompd_seat *seat) {
  if (seat->idle || seat->num != 0)
    return false;
  if (seat->team) {
    seat->num = (uint32_t)nth_ompd_get(look, seat->team, NTH_AT_team_master_num);
    seat->team = nth_ompd_get(look, seat->team, NTH_AT_team_parent);
  } else if (seat->role) {
    seat->num = (uint32_t)nth_ompd_get(look, seat->role, NTH_AT_role_thread_num);
    seat->team = nth_ompd_get(look, seat->role, NTH_AT_role_team);
    seat->role = nth_ompd_get(look, seat->role, NTH_AT_role_outer);
  } else {
    return false;
  }
  return look->rc == ompd_rc_ok && (seat->team || seat->role);
}

/* The line of the worker that serves the team as its slave num; it may not have begun the region,
 * or have finished it. None: the thread has not been made yet. */
static struct nth_ompd_line line_of_worker(struct nth_ompd_look *look, uint64_t team,
                                           uint32_t num) {
  struct nth_ompd_line at = {0, 0};
  uint64_t member = server(look, team, num);
  for (uint32_t steps = 0; member && nth_ompd_next(look, &at, &steps);)
    if (nth_ompd_get(look, at.line, NTH_AT_line_member) == member)
      return at;
  return (struct nth_ompd_line){0, 0};
}

struct nth_ompd_line nth_ompd_find(struct nth_ompd_look *look, uint64_t team, uint32_t num) {
  struct nth_ompd_line at = {0, 0};
  if (num > 0)
    return line_of_worker(look, team, num);
  for (uint32_t steps = 0; nth_ompd_next(look, &at, &steps);) { /* the master */
    struct nth_ompd_seat seat =
        nth_ompd_seat(look, nth_ompd_get(look, at.line, NTH_AT_line_member));
    uint32_t levels = 0;
    do {
      if (seat.team == team && seat.num == 0)
        return at;
    } while (++levels < NTH_OMPD_LEVELS && nth_ompd_outward(look, &seat));
  }
  return (struct nth_ompd_line){0, 0};
}

/* --- OS threads --- */

/* The number of the OS thread that runs the member; 0: none does. */
static uint64_t os_thread(struct nth_ompd_look *look, struct nth_ompd_line of) {
  uint64_t member = nth_ompd_get(look, of.line, NTH_AT_line_member);
  uint64_t identity = nth_ompd_get(look, member, NTH_AT_member_identity);
  if (!identity)
    return nth_ompd_get(look, of.line, NTH_AT_line_thread);
  uint64_t carrier = nth_ompd_get(look, identity, NTH_AT_identity_carrier);
  if (!carrier || nth_ompd_get(look, carrier, NTH_AT_carrier_current) != identity)
    return 0;
  return nth_ompd_get(look, carrier, NTH_AT_carrier_tid);
}

static ompd_rc_t new_thread(ompd_address_space_handle_t *s, struct nth_ompd_line of,
                            ompd_thread_handle_t **handle) {
  ompd_thread_handle_t *t = nth_ompd_new(sizeof *t);
  if (!t)
    return ompd_rc_nomem;
  *t = (ompd_thread_handle_t){NTH_OMPD_THREAD, s, of};
  *handle = t;
  return ompd_rc_ok;
}

/* Whether a thread's identifier of that kind may have that size. */
static ompd_rc_t id_kind(ompd_thread_id_t kind, ompd_size_t size) {
  if (kind == OMPD_THREAD_ID_PTHREAD)
    return size == sizeof(uint64_t) ? ompd_rc_ok : ompd_rc_bad_input;
  if (kind == OMPD_THREAD_ID_LWP)
    return size == sizeof(uint64_t) || size == sizeof(uint32_t) ? ompd_rc_ok : ompd_rc_bad_input;
  return ompd_rc_unsupported;
}

ompd_rc_t ompd_get_thread_handle(ompd_address_space_handle_t *s, ompd_thread_id_t kind,
                                 ompd_size_t size, const void *id, ompd_thread_handle_t **handle) {
  NTH_OMPD_NEED(s, NTH_OMPD_SPACE);
  if (!id || !handle)
    return ompd_rc_bad_input;
  ompd_rc_t rc = id_kind(kind, size);
  if (rc != ompd_rc_ok)
    return rc;
  struct nth_ompd_look look = {s, ompd_rc_ok};
  struct nth_ompd_line at = {0, 0};
  uint64_t wanted = size == sizeof(uint32_t) ? *(const uint32_t *)id : *(const uint64_t *)id;
  for (uint32_t steps = 0; nth_ompd_next(&look, &at, &steps);) {
    uint64_t has = kind == OMPD_THREAD_ID_LWP ? os_thread(&look, at)
                                              : nth_ompd_get(&look, at.line, NTH_AT_line_pthread);
    if (look.rc == ompd_rc_ok && has == wanted && has != 0)
      return new_thread(s, at, handle);
  }
  return look.rc != ompd_rc_ok ? look.rc : ompd_rc_unavailable;
}

ompd_rc_t ompd_get_thread_id(ompd_thread_handle_t *t, ompd_thread_id_t kind, ompd_size_t size,
                             void *id) {
  NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_THREAD);
  if (!id)
    return ompd_rc_bad_input;
  ompd_rc_t rc = id_kind(kind, size);
  if (rc != ompd_rc_ok)
    return rc;
  struct nth_ompd_look look = {t->space, ompd_rc_ok};
  nth_ompd_member(&look, t->of);
  uint64_t has = kind == OMPD_THREAD_ID_LWP ? os_thread(&look, t->of)
                                            : nth_ompd_get(&look, t->of.line, NTH_AT_line_pthread);
  if (look.rc != ompd_rc_ok)
    return look.rc;
  if (has == 0)
    return ompd_rc_unavailable;
  if (size == sizeof(uint32_t))
    *(uint32_t *)id = (uint32_t)has;
  else
    *(uint64_t *)id = has;
  return ompd_rc_ok;
}

ompd_rc_t ompd_get_thread_in_parallel(ompd_parallel_handle_t *r, int num,
                                      ompd_thread_handle_t **handle) {
  NTH_OMPD_NEED_IN_SPACE(r, NTH_OMPD_REGION);
  struct nth_ompd_look look = {r->space, ompd_rc_ok};
  nth_ompd_region_check(&look, r);
  uint64_t size = r->team ? nth_ompd_get(&look, r->team, NTH_AT_team_size) : 1;
  if (look.rc != ompd_rc_ok)
    return look.rc;
  if (!handle || num < 0 || (uint64_t)num >= size)
    return ompd_rc_bad_input;
  struct nth_ompd_line of = r->team ? nth_ompd_find(&look, r->team, (uint32_t)num) : r->of;
  if (look.rc != ompd_rc_ok)
    return look.rc;
  return of.line ? new_thread(r->space, of, handle) : ompd_rc_unavailable;
}

ompd_rc_t ompd_rel_thread_handle(ompd_thread_handle_t *t) {
  NTH_OMPD_NEED(t, NTH_OMPD_THREAD);
  t->kind = 0;
  return nth_ompd_free(t);
}

ompd_rc_t ompd_thread_handle_compare(ompd_thread_handle_t *a, ompd_thread_handle_t *b, int *order) {
  NTH_OMPD_NEED_IN_SPACE(a, NTH_OMPD_THREAD);
  NTH_OMPD_NEED_IN_SPACE(b, NTH_OMPD_THREAD);
  if (!order || a->space != b->space)
    return ompd_rc_bad_input;
  *order = a->of.line != b->of.line   ? (a->of.line < b->of.line ? -1 : 1)
           : a->of.uses != b->of.uses ? (a->of.uses < b->of.uses ? -1 : 1)
                                      : 0;
  return ompd_rc_ok;
}

ompd_rc_t ompd_get_device_from_thread(ompd_thread_handle_t *t,
                                      ompd_address_space_handle_t **device) {
  NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_THREAD);
  if (!device)
    return ompd_rc_bad_input;
  *device = t->space;
  return ompd_rc_ok;
}
