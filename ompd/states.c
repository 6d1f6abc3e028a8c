/* states.c - libompd.so: what threads do, and the data of tools
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 20.5.8 and 20.5.9.3. With OMP_DEBUG=enabled or a tool, the members note each
 * state. Without, what a member's team shows must do: whether it is in a region, and whether it has
 * come to a barrier that is not over.
 */
#include "ompd/space.h"

#include "runtime/omp/tool/states.h"

static const struct {
  ompd_word_t state;
  const char *name;
} states[] = {
#define STATE(name) {ompt_state_##name, "ompt_state_" #name},
    NTH_TOOL_STATES(STATE, STATE)
#undef STATE
};
enum { STATES = sizeof states / sizeof states[0] };

ompd_rc_t ompd_enumerate_states(ompd_address_space_handle_t *s, ompd_word_t current,
                                ompd_word_t *next, const char **name, ompd_word_t *more) {
  NTH_OMPD_NEED(s, NTH_OMPD_SPACE);
  if (!next || !name || !more)
    return ompd_rc_bad_input;
  for (int i = 0; i + 1 < STATES; i++)
    if (states[i].state == current) {
      *next = states[i + 1].state;
      *name = states[i + 1].name;
      *more = i + 2 < STATES;
      return ompd_rc_ok;
    }
  return ompd_rc_bad_input;
}

/* Whether a member of the team has come to a barrier at which another one is still missing: each
 * counts the barriers that it has come to. */
static bool at_barrier(struct nth_ompd_look *look, struct nth_ompd_seat seat) {
  uint64_t slots = nth_ompd_get(look, seat.team, NTH_AT_team_slot);
  uint64_t size = nth_ompd_get(look, seat.team, NTH_AT_team_size);
  uint32_t mine =
      (uint32_t)nth_ompd_get(look, nth_ompd_item(look, slots, seat.num), NTH_AT_slot_epoch);
  for (uint64_t i = 0; i < size && look->rc == ompd_rc_ok; i++) {
    uint64_t other = nth_ompd_get(look, nth_ompd_item(look, slots, i), NTH_AT_slot_epoch);
    if ((int32_t)((uint32_t)other - mine) < 0)
      return true;
  }
  return false;
}

/* What can be said of a member that notes nothing. */
static ompd_word_t seen_state(struct nth_ompd_look *look, struct nth_ompd_seat seat) {
  if (seat.idle)
    return ompt_state_idle;
  if (!seat.team)
    return ompt_state_work_serial;
  return at_barrier(look, seat) ? ompt_state_wait_barrier : ompt_state_work_parallel;
}

ompd_rc_t ompd_get_state(ompd_thread_handle_t *t, ompd_word_t *state, ompd_wait_id_t *wait) {
  NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_THREAD);
  if (!state)
    return ompd_rc_bad_input;
  struct nth_ompd_look look = {t->space, ompd_rc_ok};
  uint64_t member = nth_ompd_member(&look, t->of);
  uint64_t known = nth_ompd_get(&look, member, NTH_AT_member_tool);
  uint64_t is = known ? nth_ompd_get(&look, known, NTH_AT_known_state)
                      : (uint64_t)seen_state(&look, nth_ompd_seat(&look, member));
  uint64_t what = known ? nth_ompd_get(&look, known, NTH_AT_known_wait) : 0;
  if (look.rc != ompd_rc_ok)
    return look.rc;
  *state = (ompd_word_t)is;
  if (wait)
    *wait = what;
  return ompd_rc_ok;
}

/* --- a tool's data --- */

static uint64_t thread_data(struct nth_ompd_look *look, const ompd_thread_handle_t *t) {
  uint64_t known = nth_ompd_get(look, nth_ompd_member(look, t->of), NTH_AT_member_tool);
  return known ? nth_ompd_at(look, known, NTH_AT_known_data) : 0;
}

static uint64_t region_data(struct nth_ompd_look *look, const ompd_parallel_handle_t *r) {
  nth_ompd_region_check(look, r);
  struct nth_ompd_line first = r->team ? nth_ompd_find(look, r->team, 0) : r->of;
  uint64_t member = first.line ? nth_ompd_member(look, first) : 0;
  if (!member)
    return 0;
  if (!r->team && r->slot == nth_ompd_at(look, member, NTH_AT_member_solo)) {
    uint64_t known = nth_ompd_get(look, member, NTH_AT_member_tool);
    uint64_t whole = known ? nth_ompd_at(look, known, NTH_AT_known_whole) : 0;
    return whole ? nth_ompd_at(look, whole, NTH_AT_region_data) : 0;
  }
  uint64_t slot =
      r->team ? nth_ompd_item(look, nth_ompd_get(look, r->team, NTH_AT_team_slot), 0) : r->slot;
  uint64_t record = nth_ompd_record(look, member, nth_ompd_at(look, slot, NTH_AT_slot_implicit));
  uint64_t region = record ? nth_ompd_get(look, record, NTH_AT_record_region) : 0;
  return region ? nth_ompd_at(look, region, NTH_AT_region_data) : 0;
}

static uint64_t task_data(struct nth_ompd_look *look, const ompd_task_handle_t *t) {
  nth_ompd_task_check(look, t);
  return t->record ? nth_ompd_at(look, t->record, NTH_AT_record_data) : 0;
}

ompd_rc_t ompd_get_tool_data(void *handle, ompd_scope_t scope, ompd_word_t *value,
                             ompd_address_t *ptr) {
  struct nth_ompd_look look = {0, ompd_rc_ok};
  uint64_t at;
  if (!value || !ptr)
    return ompd_rc_bad_input;
  if (scope == ompd_scope_thread) {
    ompd_thread_handle_t *t = handle;
    NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_THREAD);
    look.space = t->space;
    at = thread_data(&look, t);
  } else if (scope == ompd_scope_parallel) {
    ompd_parallel_handle_t *r = handle;
    NTH_OMPD_NEED_IN_SPACE(r, NTH_OMPD_REGION);
    look.space = r->space;
    at = region_data(&look, r);
  } else if (scope == ompd_scope_task || scope == ompd_scope_implicit_task) {
    ompd_task_handle_t *t = handle;
    NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_TASK);
    look.space = t->space;
    at = task_data(&look, t);
  } else {
    return ompd_rc_unsupported;
  }
  if (look.rc == ompd_rc_ok && !at)
    return nth_ompd_tracked(&look) ? ompd_rc_unavailable : ompd_rc_needs_state_tracking;
  uint64_t data = nth_ompd_number(&look, at, sizeof(uint64_t));
  if (look.rc != ompd_rc_ok)
    return look.rc;
  *value = (ompd_word_t)data;
  *ptr = (ompd_address_t){ompd_segment_none, data};
  return ompd_rc_ok;
}
