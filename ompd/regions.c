/* regions.c - libompd.so: parallel regions, which are teams at work
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 20.5.6. Around each initial task is a region of one at level 0.
 */
#include "ompd/space.h"

/* Whether the slot of an initial task is the member's own, or that of a role it is in. */
static bool has_slot(struct nth_ompd_look *look, uint64_t member, uint64_t slot) {
  uint64_t at = nth_ompd_at(look, member, NTH_AT_member_solo);
  uint64_t role = nth_ompd_get(look, member, NTH_AT_member_role);
  for (uint32_t level = 0; at != slot && role && level < NTH_OMPD_LEVELS; level++) {
    at = nth_ompd_at(look, role, NTH_AT_role_slot);
    role = nth_ompd_get(look, role, NTH_AT_role_outer);
  }
  return at == slot;
}

void nth_ompd_region_check(struct nth_ompd_look *look, const ompd_parallel_handle_t *r) {
  if (!r->team && !has_slot(look, nth_ompd_member(look, r->of), r->slot))
    nth_ompd_fail(look, ompd_rc_stale_handle);
  else if (r->team && nth_ompd_get(look, r->team, NTH_AT_team_regions) != r->regions)
    nth_ompd_fail(look, ompd_rc_stale_handle);
}

ompd_rc_t nth_ompd_region_new(struct nth_ompd_look *look, uint64_t team, uint64_t slot,
                              struct nth_ompd_line of, ompd_parallel_handle_t **handle) {
  uint64_t regions = team ? nth_ompd_get(look, team, NTH_AT_team_regions) : 0;
  if (look->rc != ompd_rc_ok)
    return look->rc;
  ompd_parallel_handle_t *r = nth_ompd_new(sizeof *r);
  if (!r)
    return ompd_rc_nomem;
  *r = (ompd_parallel_handle_t){
      NTH_OMPD_REGION, (ompd_address_space_handle_t *)look->space, team, regions, slot, of};
  *handle = r;
  return ompd_rc_ok;
}

ompd_rc_t ompd_get_curr_parallel_handle(ompd_thread_handle_t *t, ompd_parallel_handle_t **handle) {
  NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_THREAD);
  if (!handle)
    return ompd_rc_bad_input;
  struct nth_ompd_look look = {t->space, ompd_rc_ok};
  uint64_t member = nth_ompd_member(&look, t->of);
  struct nth_ompd_seat seat = nth_ompd_seat(&look, member);
  uint64_t slot = seat.team ? 0 : nth_ompd_get(&look, member, NTH_AT_member_slot);
  if (look.rc != ompd_rc_ok)
    return look.rc;
  return seat.idle ? ompd_rc_unavailable
                   : nth_ompd_region_new(&look, seat.team, slot, t->of, handle);
}

/* The member in whose initial task the outermost team of the nest was forked: team 0's. */
static struct nth_ompd_line root_of(struct nth_ompd_look *look, uint64_t team) {
  for (uint32_t level = 0; level < NTH_OMPD_LEVELS && look->rc == ompd_rc_ok; level++) {
    uint64_t parent = nth_ompd_get(look, team, NTH_AT_team_parent);
    if (!parent)
      return nth_ompd_find(look, team, 0);
    team = parent;
  }
  return (struct nth_ompd_line){0, 0};
}

ompd_rc_t ompd_get_enclosing_parallel_handle(ompd_parallel_handle_t *r,
                                             ompd_parallel_handle_t **handle) {
  NTH_OMPD_NEED_IN_SPACE(r, NTH_OMPD_REGION);
  if (!handle)
    return ompd_rc_bad_input;
  struct nth_ompd_look look = {r->space, ompd_rc_ok};
  nth_ompd_region_check(&look, r);
  if (look.rc == ompd_rc_ok && !r->team)
    return ompd_rc_unavailable;
  uint64_t parent = nth_ompd_get(&look, r->team, NTH_AT_team_parent);
  struct nth_ompd_line of = parent ? r->of : root_of(&look, r->team);
  if (look.rc != ompd_rc_ok)
    return look.rc;
  if (!of.line)
    return ompd_rc_unavailable;
  uint64_t slot = parent ? 0 : nth_ompd_get(&look, r->team, NTH_AT_team_saved_slot);
  uint64_t member = nth_ompd_member(&look, of);
  if (slot && !has_slot(&look, member, slot)) /* of a process that a slave has forked */
    slot = nth_ompd_at(&look, member, NTH_AT_member_solo);
  return nth_ompd_region_new(&look, parent, slot, of, handle);
}

ompd_rc_t ompd_get_task_parallel_handle(ompd_task_handle_t *t, ompd_parallel_handle_t **handle) {
  NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_TASK);
  if (!handle)
    return ompd_rc_bad_input;
  struct nth_ompd_look look = {t->space, ompd_rc_ok};
  nth_ompd_task_check(&look, t);
  uint64_t slot = t->team ? 0 : nth_ompd_initial_slot(&look, t->task);
  return nth_ompd_region_new(&look, t->team, slot, t->of, handle);
}

ompd_rc_t ompd_rel_parallel_handle(ompd_parallel_handle_t *r) {
  NTH_OMPD_NEED(r, NTH_OMPD_REGION);
  r->kind = 0;
  return nth_ompd_free(r);
}

ompd_rc_t ompd_parallel_handle_compare(ompd_parallel_handle_t *a, ompd_parallel_handle_t *b,
                                       int *order) {
  NTH_OMPD_NEED_IN_SPACE(a, NTH_OMPD_REGION);
  NTH_OMPD_NEED_IN_SPACE(b, NTH_OMPD_REGION);
  if (!order || a->space != b->space)
    return ompd_rc_bad_input;
  /* of regions around initial tasks, the slots tell which */
  uint64_t x = a->team ? a->team : a->slot, y = b->team ? b->team : b->slot;
  *order = x != y                     ? (x < y ? -1 : 1)
           : a->regions != b->regions ? (a->regions < b->regions ? -1 : 1)
                                      : 0;
  return ompd_rc_ok;
}
