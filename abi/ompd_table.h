/* ompd_table.h - the table by which libompd.so finds its way in this library's data
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A debugger's library reads a process or core file without debug information. So this
 *             library has a table of the fields that it needs, made by the compiler from the
 *             headers, in its own data. Both libraries are compiled with the lists below. The
 *             table has their text: a libompd.so with other lists, or of another version, refuses
 *             the process (docs/design/ompd.md)
 * Use         a new field: a row in NTH_OMPD_FIELDS. libompd.so then has NTH_AT_<id>. A field that
 *             the headers do not have is an error of the compiler
 * Invariants  I1  a field in the table has 1, 2, 4 or 8 bytes, or is a struct that the reader takes
 *                 the address of
 *             I2  the table lies in writable data, which a core file always holds
 */
#ifndef NTH_ABI_OMPD_TABLE_H
#define NTH_ABI_OMPD_TABLE_H

#include <stdint.h>

/* X(id, struct, field) */
#define NTH_OMPD_FIELDS(X)                                                                         \
  X(line_next, nth_roll, next)                                                                     \
  X(line_uses, nth_roll, uses)                                                                     \
  X(line_thread, nth_roll, thread)                                                                 \
  X(line_pthread, nth_roll, pthread)                                                               \
  X(line_member, nth_roll, member)                                                                 \
  X(member_identity, nth_member, identity)                                                         \
  X(member_team, nth_member, now.team)                                                             \
  X(member_slot, nth_member, now.slot)                                                             \
  X(member_task, nth_member, now.task)                                                             \
  X(member_icv, nth_member, now.icv)                                                               \
  X(member_thread_num, nth_member, now.thread_num)                                                 \
  X(member_is_root, nth_member, is_root)                                                           \
  X(member_tool, nth_member, tool)                                                                 \
  X(member_solo, nth_member, solo)                                                                 \
  X(member_role, nth_member, role)                                                                 \
  X(role_outer, nth_role, outer)                                                                   \
  X(role_team, nth_role, saved.team)                                                               \
  X(role_thread_num, nth_role, saved.thread_num)                                                   \
  X(role_task, nth_role, saved.task)                                                               \
  X(role_icv, nth_role, saved.icv)                                                                 \
  X(role_slot, nth_role, slot)                                                                     \
  X(identity_carrier, nth_identity, carrier)                                                       \
  X(carrier_current, nth_carrier, current)                                                         \
  X(carrier_tid, nth_carrier, tid)                                                                 \
  X(team_size, nth_team, size)                                                                     \
  X(team_level, nth_team, level)                                                                   \
  X(team_active_level, nth_team, active_level)                                                     \
  X(team_parent, nth_team, parent)                                                                 \
  X(team_master_num, nth_team, master_num)                                                         \
  X(team_slot, nth_team, slot)                                                                     \
  X(team_icv, nth_team, icv)                                                                       \
  X(team_regions, nth_team, regions)                                                               \
  X(team_pjv, nth_team, crew.pjv)                                                                  \
  X(team_workers, nth_team, group.proc)                                                            \
  X(team_combined_fn, nth_team, shares.combined.fn)                                                \
  X(worker_identity, nth_worker, identity)                                                         \
  X(worker_lwd, nth_worker, lwd.slot)                                                              \
  X(wd_stamp, nth_wd_slot, stamp)                                                                  \
  X(wd_fn, nth_wd_slot, fn)                                                                        \
  X(wd_owner, nth_wd_slot, owner)                                                                  \
  X(team_saved_slot, nth_team, saved.slot)                                                         \
  X(team_saved_task, nth_team, saved.task)                                                         \
  X(team_saved_icv, nth_team, saved.icv)                                                           \
  X(slot_implicit, nth_slot, implicit)                                                             \
  X(slot_done, nth_slot, djs.count)                                                                \
  X(slot_epoch, nth_slot, epoch)                                                                   \
  X(task_parent, nth_task, parent)                                                                 \
  X(task_flags, nth_task, flags)                                                                   \
  X(task_icv, nth_task, icv)                                                                       \
  X(task_own_icv, nth_task, own_icv)                                                               \
  X(task_fn, nth_task, fn)                                                                         \
  X(task_data, nth_task, data)                                                                     \
  X(task_moved_to, nth_task, next)                                                                 \
  X(icv_nthreads, nth_icv, nthreads)                                                               \
  X(icv_thread_limit, nth_icv, thread_limit)                                                       \
  X(icv_run_sched, nth_icv, run_sched)                                                             \
  X(icv_run_chunk, nth_icv, run_chunk)                                                             \
  X(icv_default_device, nth_icv, default_device)                                                   \
  X(icv_dynamic, nth_icv, dynamic)                                                                 \
  X(icv_bind, nth_icv, bind)                                                                       \
  X(icv_max_active_levels, nth_icv, max_active_levels)                                             \
  X(icv_default_allocator, nth_icv, default_allocator)                                             \
  X(env_initial, nth_env, initial)                                                                 \
  X(env_nthreads_list, nth_env, nthreads_list)                                                     \
  X(env_nthreads_list_len, nth_env, nthreads_list_len)                                             \
  X(env_bind_list, nth_env, bind_list)                                                             \
  X(env_bind_list_len, nth_env, bind_list_len)                                                     \
  X(env_stacksize, nth_env, stacksize)                                                             \
  X(env_wait_policy, nth_env, wait_policy)                                                         \
  X(env_cancellation, nth_env, cancellation)                                                       \
  X(env_display_affinity, nth_env, display_affinity)                                               \
  X(env_max_task_priority, nth_env, max_task_priority)                                             \
  X(env_target_offload, nth_env, target_offload)                                                   \
  X(env_affinity_format, nth_env, affinity_format)                                                 \
  X(settings_num_teams, nth_settings, num_teams)                                                   \
  X(settings_teams_thread_limit, nth_settings, teams_thread_limit)                                 \
  X(allowed_all, nth_allowed, all)                                                                 \
  X(tool_on, nth_tool, on)                                                                         \
  X(tool_looks, nth_tool, looks)                                                                   \
  X(tool_libraries, nth_tool, libraries)                                                           \
  X(tool_verbose, nth_tool, verbose)                                                               \
  X(known_data, nth_tool_member, data)                                                             \
  X(known_task, nth_tool_member, task)                                                             \
  X(known_wait, nth_tool_member, wait)                                                             \
  X(known_state, nth_tool_member, state)                                                           \
  X(known_whole, nth_tool_member, initial.whole)                                                   \
  X(record_data, nth_tool_task, data)                                                              \
  X(record_exit, nth_tool_task, frame.exit_frame)                                                  \
  X(record_enter, nth_tool_task, frame.enter_frame)                                                \
  X(record_exit_flags, nth_tool_task, frame.exit_frame_flags)                                      \
  X(record_enter_flags, nth_tool_task, frame.enter_frame_flags)                                    \
  X(record_region, nth_tool_task, region)                                                          \
  X(record_below, nth_tool_task, below)                                                            \
  X(record_code, nth_tool_task, code)                                                              \
  X(record_flags, nth_tool_task, flags)                                                            \
  X(record_task, nth_tool_task, task)                                                              \
  X(region_data, nth_tool_region, data)                                                            \
  X(region_from, nth_tool_region, from)                                                            \
  X(args_tool, nth_told_args, tool)                                                                \
  X(args_fn, nth_told_args, fn)

/* X(id, value): numbers of the library */
#define NTH_OMPD_NUMBERS(X)                                                                        \
  X(task_final, NTH_TASK_FINAL)                                                                    \
  X(task_implicit, NTH_TASK_IMPLICIT)                                                              \
  X(task_frame, NTH_TASK_FRAME)                                                                    \
  X(task_moved, NTH_TASK_MOVED)                                                                    \
  X(task_batch, NTH_TASK_BATCH)                                                                    \
  X(task_changed, NTH_TASK_CHANGED)                                                                \
  X(parent_bits, NTH_TASK_PASSES)                                                                  \
  X(djs_count, NTH_DJS_COUNT)                                                                      \
  X(djs_back, NTH_DJS_BACK)                                                                        \
  X(wd_slots, NTH_WD_SLOTS)                                                                        \
  X(wd_bytes, sizeof(struct nth_wd_slot))                                                          \
  X(sched_monotonic, NTH_SCHED_MONOTONIC)                                                          \
  X(omp_version, 202111)

/* X(id, variable): where the data begins */
#define NTH_OMPD_PLACES(X)                                                                         \
  X(roll, nth_roll_first)                                                                          \
  X(env, nth_env)                                                                                  \
  X(settings, nth_settings)                                                                        \
  X(allowed, nth_allowed)                                                                          \
  X(tool, nth_tool)                                                                                \
  X(debug, nth_points_on)                                                                          \
  X(affinity_format, nth_affinity_format_now)                                                      \
  X(run_told, nth_told_task_run)                                                                   \
  X(combined_body, nth_combined_body)

#define NTH_OMPD_ID(id, ...) NTH_AT_##id,
enum nth_ompd_field { NTH_OMPD_FIELDS(NTH_OMPD_ID) NTH_OMPD_FIELD_COUNT };
#undef NTH_OMPD_ID
#define NTH_OMPD_ID(id, ...) NTH_IS_##id,
enum nth_ompd_number { NTH_OMPD_NUMBERS(NTH_OMPD_ID) NTH_OMPD_NUMBER_COUNT };
#undef NTH_OMPD_ID
#define NTH_OMPD_ID(id, ...) NTH_IN_##id,
enum nth_ompd_place { NTH_OMPD_PLACES(NTH_OMPD_ID) NTH_OMPD_PLACE_COUNT };
#undef NTH_OMPD_ID

/* What the lists are, as text: two libraries with the same text mean the same. Fields are known by
 * their places in the list. */
#define NTH_OMPD_FIELD_TEXT(id, type, field) #type "." #field ";"
#define NTH_OMPD_OTHER_TEXT(id, what) #id ";"
#define NTH_OMPD_TEXT                                                                              \
  NTH_OMPD_FIELDS(NTH_OMPD_FIELD_TEXT)                                                             \
  NTH_OMPD_NUMBERS(NTH_OMPD_OTHER_TEXT) NTH_OMPD_PLACES(NTH_OMPD_OTHER_TEXT)

#define NTH_OMPD_MAGIC "nanogomp OMPD 1"

/* The version's text is compared, so it comes before what versions may change. */
struct nth_ompd_table {
  char magic[16];
  char version[32];
  uint32_t bytes; /* of the whole table */
  uint32_t text_bytes;
  struct nth_ompd_where {
    uint32_t offset, bytes;
  } field[NTH_OMPD_FIELD_COUNT];
  uint64_t number[NTH_OMPD_NUMBER_COUNT];
  const void *place[NTH_OMPD_PLACE_COUNT];
  char text[sizeof(NTH_OMPD_TEXT)];
};

#endif
