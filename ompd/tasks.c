/* tasks.c - libompd.so: tasks, their functions and their frames
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 20.5.7. A task's parent and ICVs are the runtime's. Its frames, and the task
 * that a member has left for it, are in the records that members keep with OMP_DEBUG=enabled, or
 * with a tool (told.h).
 */
#include "ompd/space.h"

/* A task that has left its stack frame is where the frame says. */
static uint64_t settled(struct nth_ompd_look *look, uint64_t task) {
  for (int moves = 0; task && moves < 2; moves++) {
    if (!(nth_ompd_get(look, task, NTH_AT_task_flags) & nth_ompd_is(look, NTH_IS_task_moved)))
      break;
    task = nth_ompd_get(look, task, NTH_AT_task_moved_to);
  }
  return task;
}

/* The record of the task around: as nth_told_below(). */
static uint64_t record_below(struct nth_ompd_look *look, uint64_t record) {
  uint64_t below = nth_ompd_get(look, record, NTH_AT_record_below);
  uint64_t region = below ? 0 : nth_ompd_get(look, record, NTH_AT_record_region);
  return region ? nth_ompd_get(look, region, NTH_AT_region_from) : below;
}

uint64_t nth_ompd_record(struct nth_ompd_look *look, uint64_t member, uint64_t task) {
  uint64_t known = nth_ompd_get(look, member, NTH_AT_member_tool);
  uint64_t record = known ? nth_ompd_get(look, known, NTH_AT_known_task) : 0;
  for (uint32_t level = 0; record && level < NTH_OMPD_LEVELS; level++) {
    if (settled(look, nth_ompd_get(look, record, NTH_AT_record_task)) == task)
      return look->rc == ompd_rc_ok ? record : 0;
    record = record_below(look, record);
  }
  return 0;
}

uint64_t nth_ompd_initial_slot(struct nth_ompd_look *look, uint64_t task) {
  for (uint32_t level = 0; task && level < NTH_OMPD_LEVELS; level++) {
    if (nth_ompd_get(look, task, NTH_AT_task_flags) & nth_ompd_is(look, NTH_IS_task_implicit))
      return task - look->space->table.field[NTH_AT_slot_implicit].offset;
    task = settled(look, nth_ompd_get(look, task, NTH_AT_task_parent) &
                             ~nth_ompd_is(look, NTH_IS_parent_bits));
  }
  nth_ompd_fail(look, ompd_rc_unavailable);
  return 0;
}

void nth_ompd_task_check(struct nth_ompd_look *look, const ompd_task_handle_t *t) {
  if (t->of.line)
    nth_ompd_member(look, t->of);
  if (look->rc == ompd_rc_ok && t->team &&
      nth_ompd_get(look, t->team, NTH_AT_team_regions) != t->regions)
    nth_ompd_fail(look, ompd_rc_stale_handle);
}

uint64_t nth_ompd_task_flags(struct nth_ompd_look *look, const ompd_task_handle_t *t) {
  return nth_ompd_get(look, t->task, NTH_AT_task_flags);
}

static bool is(struct nth_ompd_look *look, const ompd_task_handle_t *t,
               enum nth_ompd_number number) {
  return (nth_ompd_task_flags(look, t) & nth_ompd_is(look, number)) != 0;
}

/* record: NULL: it is looked for among the member's. */
static ompd_rc_t new_task(struct nth_ompd_look *look, uint64_t task, uint64_t record, uint64_t team,
                          struct nth_ompd_line of, ompd_task_handle_t **handle) {
  task = settled(look, task);
  if (!record && of.line)
    record = nth_ompd_record(look, nth_ompd_get(look, of.line, NTH_AT_line_member), task);
  uint64_t regions = team ? nth_ompd_get(look, team, NTH_AT_team_regions) : 0;
  if (look->rc != ompd_rc_ok)
    return look->rc;
  ompd_task_handle_t *t = nth_ompd_new(sizeof *t);
  if (!t)
    return ompd_rc_nomem;
  *t = (ompd_task_handle_t){
      NTH_OMPD_TASK, (ompd_address_space_handle_t *)look->space, task, record, team, regions, of};
  *handle = t;
  return ompd_rc_ok;
}

ompd_rc_t ompd_get_curr_task_handle(ompd_thread_handle_t *t, ompd_task_handle_t **handle) {
  NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_THREAD);
  if (!handle)
    return ompd_rc_bad_input;
  struct nth_ompd_look look = {t->space, ompd_rc_ok};
  uint64_t member = nth_ompd_member(&look, t->of);
  struct nth_ompd_seat seat = nth_ompd_seat(&look, member);
  uint64_t task = nth_ompd_get(&look, member, NTH_AT_member_task);
  if (look.rc != ompd_rc_ok)
    return look.rc;
  return seat.idle ? ompd_rc_unavailable : new_task(&look, task, 0, seat.team, t->of, handle);
}

/* The task that met the region of t, an implicit task. */
static ompd_rc_t encountering(struct nth_ompd_look *look, const ompd_task_handle_t *t,
                              ompd_task_handle_t **handle) {
  if (!t->team)
    return look->rc != ompd_rc_ok ? look->rc : ompd_rc_unavailable; /* an initial task */
  uint64_t task = nth_ompd_get(look, t->team, NTH_AT_team_saved_task);
  uint64_t parent = nth_ompd_get(look, t->team, NTH_AT_team_parent);
  struct nth_ompd_line master = nth_ompd_find(look, t->team, 0);
  return new_task(look, task, 0, parent, master, handle);
}

ompd_rc_t ompd_get_generating_task_handle(ompd_task_handle_t *t, ompd_task_handle_t **handle) {
  NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_TASK);
  if (!handle)
    return ompd_rc_bad_input;
  struct nth_ompd_look look = {t->space, ompd_rc_ok};
  nth_ompd_task_check(&look, t);
  if (is(&look, t, NTH_IS_task_implicit))
    return encountering(&look, t, handle);
  uint64_t parent =
      nth_ompd_get(&look, t->task, NTH_AT_task_parent) & ~nth_ompd_is(&look, NTH_IS_parent_bits);
  if (look.rc == ompd_rc_ok && !parent)
    return ompd_rc_unavailable;
  return new_task(&look, parent, 0, t->team, t->of, handle);
}

ompd_rc_t ompd_get_scheduling_task_handle(ompd_task_handle_t *t, ompd_task_handle_t **handle) {
  NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_TASK);
  if (!handle)
    return ompd_rc_bad_input;
  struct nth_ompd_look look = {t->space, ompd_rc_ok};
  nth_ompd_task_check(&look, t);
  if (is(&look, t, NTH_IS_task_implicit))
    return encountering(&look, t, handle);
  if (look.rc == ompd_rc_ok && !t->record)
    return nth_ompd_tracked(&look) ? ompd_rc_unavailable : ompd_rc_needs_state_tracking;
  uint64_t below = record_below(&look, t->record);
  if (look.rc == ompd_rc_ok && !below)
    return ompd_rc_unavailable;
  return new_task(&look, nth_ompd_get(&look, below, NTH_AT_record_task), below, t->team, t->of,
                  handle);
}

ompd_rc_t ompd_get_task_in_parallel(ompd_parallel_handle_t *r, int num,
                                    ompd_task_handle_t **handle) {
  NTH_OMPD_NEED_IN_SPACE(r, NTH_OMPD_REGION);
  struct nth_ompd_look look = {r->space, ompd_rc_ok};
  nth_ompd_region_check(&look, r);
  uint64_t size = r->team ? nth_ompd_get(&look, r->team, NTH_AT_team_size) : 1, slot;
  if (look.rc != ompd_rc_ok)
    return look.rc;
  if (!handle || num < 0 || (uint64_t)num >= size)
    return ompd_rc_bad_input;
  struct nth_ompd_line of = r->of;
  if (r->team) {
    of = nth_ompd_find(&look, r->team, (uint32_t)num);
    slot = nth_ompd_item(&look, nth_ompd_get(&look, r->team, NTH_AT_team_slot), (uint64_t)num);
  } else {
    slot = r->slot;
  }
  return new_task(&look, nth_ompd_at(&look, slot, NTH_AT_slot_implicit), 0, r->team, of, handle);
}

ompd_rc_t ompd_rel_task_handle(ompd_task_handle_t *t) {
  NTH_OMPD_NEED(t, NTH_OMPD_TASK);
  t->kind = 0;
  return nth_ompd_free(t);
}

ompd_rc_t ompd_task_handle_compare(ompd_task_handle_t *a, ompd_task_handle_t *b, int *order) {
  NTH_OMPD_NEED_IN_SPACE(a, NTH_OMPD_TASK);
  NTH_OMPD_NEED_IN_SPACE(b, NTH_OMPD_TASK);
  if (!order || a->space != b->space)
    return ompd_rc_bad_input;
  *order = a->task != b->task ? (a->task < b->task ? -1 : 1) : 0;
  return ompd_rc_ok;
}

/* --- what a task runs --- */

/* The function of a region by the newest descriptor that the team's first slave has been given for
 * it (wdarray.h); 0: there is none of its own, as with NTH_FORK=gwd. */
static uint64_t function_given(struct nth_ompd_look *look, uint64_t team) {
  uint64_t function = 0, bytes = nth_ompd_is(look, NTH_IS_wd_bytes);
  uint32_t newest = 0;
  if (nth_ompd_get(look, team, NTH_AT_team_size) < 2)
    return 0;
  uint64_t worker = nth_ompd_item(look, nth_ompd_get(look, team, NTH_AT_team_workers), 1);
  uint64_t slot = nth_ompd_at(look, worker, NTH_AT_worker_lwd);
  for (uint64_t i = 0; i < nth_ompd_is(look, NTH_IS_wd_slots); i++, slot += bytes) {
    uint32_t epoch = (uint32_t)nth_ompd_get(look, slot, NTH_AT_wd_stamp);
    if (nth_ompd_get(look, slot, NTH_AT_wd_owner) != team ||
        (function && (int32_t)(epoch - newest) < 0))
      continue;
    newest = epoch;
    function = nth_ompd_get(look, slot, NTH_AT_wd_fn);
  }
  return function && function == nth_ompd_place(look, NTH_IN_combined_body)
             ? nth_ompd_get(look, team, NTH_AT_team_combined_fn)
             : function;
}

/* The function of a region by the record of a member that has begun it: all run the same one. */
static uint64_t function_recorded(struct nth_ompd_look *look, uint64_t team) {
  uint64_t size = nth_ompd_get(look, team, NTH_AT_team_size), record = 0;
  for (uint64_t i = 0; i < size && !record && look->rc == ompd_rc_ok; i++) {
    struct nth_ompd_line of = nth_ompd_find(look, team, (uint32_t)i);
    uint64_t slot = nth_ompd_item(look, nth_ompd_get(look, team, NTH_AT_team_slot), i);
    if (of.line)
      record = nth_ompd_record(look, nth_ompd_member(look, of),
                               nth_ompd_at(look, slot, NTH_AT_slot_implicit));
  }
  return record ? nth_ompd_get(look, record, NTH_AT_record_code) : 0;
}

ompd_rc_t ompd_get_task_function(ompd_task_handle_t *t, ompd_address_t *entry) {
  NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_TASK);
  if (!entry)
    return ompd_rc_bad_input;
  struct nth_ompd_look look = {t->space, ompd_rc_ok};
  nth_ompd_task_check(&look, t);
  uint64_t function = 0;
  bool implicit = is(&look, t, NTH_IS_task_implicit);
  if (t->record || (implicit && t->team && nth_ompd_tracked(&look))) {
    function = t->record ? nth_ompd_get(&look, t->record, NTH_AT_record_code)
                         : function_recorded(&look, t->team);
    function -= function != 0; /* the record has an address inside the function */
  } else if (implicit && t->team) {
    function = function_given(&look, t->team);
  } else if (!implicit && !is(&look, t, NTH_IS_task_batch)) {
    function = nth_ompd_get(&look, t->task, NTH_AT_task_fn);
    if (function == nth_ompd_place(&look, NTH_IN_run_told))
      function =
          nth_ompd_get(&look, nth_ompd_get(&look, t->task, NTH_AT_task_data), NTH_AT_args_fn);
  }
  if (look.rc != ompd_rc_ok)
    return look.rc;
  if (!function)
    return (implicit && !t->team) || nth_ompd_tracked(&look) ? ompd_rc_unavailable
                                                             : ompd_rc_needs_state_tracking;
  *entry = (ompd_address_t){ompd_segment_none, function};
  return ompd_rc_ok;
}

ompd_rc_t ompd_get_task_frame(ompd_task_handle_t *t, ompd_frame_info_t *leave,
                              ompd_frame_info_t *enter) {
  NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_TASK);
  if (!leave || !enter)
    return ompd_rc_bad_input;
  struct nth_ompd_look look = {t->space, ompd_rc_ok};
  nth_ompd_task_check(&look, t);
  if (look.rc == ompd_rc_ok && !t->record)
    return nth_ompd_tracked(&look) ? ompd_rc_unavailable : ompd_rc_needs_state_tracking;
  *leave =
      (ompd_frame_info_t){{ompd_segment_none, nth_ompd_get(&look, t->record, NTH_AT_record_exit)},
                          (ompd_word_t)nth_ompd_get(&look, t->record, NTH_AT_record_exit_flags)};
  *enter =
      (ompd_frame_info_t){{ompd_segment_none, nth_ompd_get(&look, t->record, NTH_AT_record_enter)},
                          (ompd_word_t)nth_ompd_get(&look, t->record, NTH_AT_record_enter_flags)};
  return look.rc;
}

/* --- ICVs --- */

/* A member's or team's pointer to ICVs belongs to the task that is its current one, or was when it
 * forked. Another task has the ICVs with which it began, unless it may have changed them. */
uint64_t nth_ompd_task_icv(struct nth_ompd_look *look, const ompd_task_handle_t *t) {
  uint64_t member = t->of.line ? nth_ompd_member(look, t->of) : 0;
  if (member && settled(look, nth_ompd_get(look, member, NTH_AT_member_task)) == t->task)
    return nth_ompd_get(look, member, NTH_AT_member_icv);
  uint64_t team = member ? nth_ompd_get(look, member, NTH_AT_member_team) : 0;
  for (uint32_t level = 0; team && level < NTH_OMPD_LEVELS; level++) {
    if (settled(look, nth_ompd_get(look, team, NTH_AT_team_saved_task)) == t->task)
      return nth_ompd_get(look, team, NTH_AT_team_saved_icv);
    team = nth_ompd_get(look, team, NTH_AT_team_parent);
  }
  uint64_t role = member ? nth_ompd_get(look, member, NTH_AT_member_role) : 0;
  for (uint32_t level = 0; role && level < NTH_OMPD_LEVELS; level++) {
    if (settled(look, nth_ompd_get(look, role, NTH_AT_role_task)) == t->task)
      return nth_ompd_get(look, role, NTH_AT_role_icv);
    role = nth_ompd_get(look, role, NTH_AT_role_outer);
  }
  bool changed = is(look, t, NTH_IS_task_changed), implicit = is(look, t, NTH_IS_task_implicit);
  if (implicit && changed)
    return nth_ompd_at(look, t->task, NTH_AT_task_own_icv);
  if (implicit)
    return t->team ? nth_ompd_at(look, t->team, NTH_AT_team_icv)
                   : nth_ompd_at(look, nth_ompd_place(look, NTH_IN_env), NTH_AT_env_initial);
  if (changed)
    nth_ompd_fail(look, ompd_rc_unavailable);
  return nth_ompd_get(look, t->task, NTH_AT_task_icv);
}
