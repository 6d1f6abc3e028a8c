/* icvs.c - libompd.so: internal control variables, and the settings of the environment
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 20.5.9 and 20.5.10. An ICV of a data environment is given for any handle: a
 * thread stands for its current task, a region for what its implicit tasks begin with, the process
 * for its initial task's.
 */
#include "ompd/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where an ICV's number is: a field of that struct, or what has no field; or its text. */
enum source {
  TASK,
  TEAM,
  ENV,
  SETTING,
  PROCS,
  DEBUG,
  NUM,
  FINAL,
  IMPLICIT,
  TOOL,
  FORMAT,   /* a text */
  TOOL_TEXT /* a text; empty where the variable is not set */
};

/* The first 30 have the numbers of LLVM's libompd, by which the tests of LLVM's plug-in for gdb
 * name them. Five exist for debuggers only: OpenMP's names of these begin with ompd-, and LLVM's
 * libompd has them also without. scope: the one that debuggers are told. variable: of the
 * environment; NULL: none. */
static const struct icv {
  const char *name, *variable;
  ompd_scope_t scope;
  enum source source;
  enum nth_ompd_field field;
} icvs[] = {
    {0},
    {"dyn-var", "OMP_DYNAMIC", ompd_scope_thread, TASK, NTH_AT_icv_dynamic},
    {"run-sched-var", "OMP_SCHEDULE", ompd_scope_task, TASK, NTH_AT_icv_run_sched},
    {"stacksize-var", "OMP_STACKSIZE", ompd_scope_address_space, ENV, NTH_AT_env_stacksize},
    {"cancel-var", "OMP_CANCELLATION", ompd_scope_address_space, ENV, NTH_AT_env_cancellation},
    {"max-task-priority-var", "OMP_MAX_TASK_PRIORITY", ompd_scope_address_space, ENV,
     NTH_AT_env_max_task_priority},
    {"debug-var", "OMP_DEBUG", ompd_scope_address_space, DEBUG, 0},
    {"nthreads-var", "OMP_NUM_THREADS", ompd_scope_thread, TASK, NTH_AT_icv_nthreads},
    {"display-affinity-var", "OMP_DISPLAY_AFFINITY", ompd_scope_address_space, ENV,
     NTH_AT_env_display_affinity},
    {"affinity-format-var", "OMP_AFFINITY_FORMAT", ompd_scope_address_space, FORMAT, 0},
    {"default-device-var", "OMP_DEFAULT_DEVICE", ompd_scope_thread, TASK,
     NTH_AT_icv_default_device},
    {"tool-var", "OMP_TOOL", ompd_scope_address_space, TOOL, NTH_AT_tool_looks},
    {"tool-libraries-var", "OMP_TOOL_LIBRARIES", ompd_scope_address_space, TOOL_TEXT,
     NTH_AT_tool_libraries},
    {"tool-verbose-init-var", "OMP_TOOL_VERBOSE_INIT", ompd_scope_address_space, TOOL_TEXT,
     NTH_AT_tool_verbose},
    {"levels-var", 0, ompd_scope_parallel, TEAM, NTH_AT_team_level},
    {"active-levels-var", 0, ompd_scope_parallel, TEAM, NTH_AT_team_active_level},
    {"thread-limit-var", "OMP_THREAD_LIMIT", ompd_scope_task, TASK, NTH_AT_icv_thread_limit},
    {"max-active-levels-var", "OMP_MAX_ACTIVE_LEVELS", ompd_scope_task, TASK,
     NTH_AT_icv_max_active_levels},
    {"bind-var", "OMP_PROC_BIND", ompd_scope_task, TASK, NTH_AT_icv_bind},
    {"num-procs-var", 0, ompd_scope_address_space, PROCS, 0},
    {"ompd-num-procs-var", 0, ompd_scope_address_space, PROCS, 0},
    {"thread-num-var", 0, ompd_scope_thread, NUM, 0},
    {"ompd-thread-num-var", 0, ompd_scope_thread, NUM, 0},
    {"final-task-var", 0, ompd_scope_task, FINAL, 0},
    {"ompd-final-var", 0, ompd_scope_task, FINAL, 0},
    {"ompd-final-task-var", 0, ompd_scope_task, FINAL, 0},
    {"implicit-task-var", 0, ompd_scope_task, IMPLICIT, 0},
    {"ompd-implicit-var", 0, ompd_scope_task, IMPLICIT, 0},
    {"ompd-implicit-task-var", 0, ompd_scope_task, IMPLICIT, 0},
    {"team-size-var", 0, ompd_scope_parallel, TEAM, NTH_AT_team_size},
    {"ompd-team-size-var", 0, ompd_scope_parallel, TEAM, NTH_AT_team_size},
    {"def-allocator-var", "OMP_ALLOCATOR", ompd_scope_task, TASK, NTH_AT_icv_default_allocator},
    {"wait-policy-var", "OMP_WAIT_POLICY", ompd_scope_address_space, ENV, NTH_AT_env_wait_policy},
    {"target-offload-var", "OMP_TARGET_OFFLOAD", ompd_scope_address_space, ENV,
     NTH_AT_env_target_offload},
    {"nteams-var", "OMP_NUM_TEAMS", ompd_scope_address_space, SETTING, NTH_AT_settings_num_teams},
    {"teams-thread-limit-var", "OMP_TEAMS_THREAD_LIMIT", ompd_scope_address_space, SETTING,
     NTH_AT_settings_teams_thread_limit},
};
enum { ICVS = sizeof icvs / sizeof icvs[0] };

ompd_rc_t ompd_enumerate_icvs(ompd_address_space_handle_t *s, ompd_icv_id_t current,
                              ompd_icv_id_t *next, const char **name, ompd_scope_t *scope,
                              int *more) {
  NTH_OMPD_NEED(s, NTH_OMPD_SPACE);
  if (!next || !name || !scope || !more || current >= ICVS - 1)
    return ompd_rc_bad_input;
  *next = current + 1;
  *name = icvs[*next].name;
  *scope = icvs[*next].scope;
  *more = *next + 1 < ICVS;
  return ompd_rc_ok;
}

/* --- whose --- */

/* What a handle means for ICVs. */
struct whose {
  struct nth_ompd_look look;
  uint64_t icv;                   /* the data environment's */
  uint64_t team;                  /* 0: level 0 */
  uint32_t num;                   /* of a thread */
  const ompd_task_handle_t *task; /* NULL: no task handle */
  uint64_t level;
};

static void of_thread(struct whose *w, const ompd_thread_handle_t *t) {
  uint64_t member = nth_ompd_member(&w->look, t->of);
  struct nth_ompd_seat seat = nth_ompd_seat(&w->look, member);
  w->icv = nth_ompd_get(&w->look, member, NTH_AT_member_icv);
  w->team = seat.idle ? 0 : seat.team;
  w->num = seat.idle ? 0 : seat.num;
}

/* Fills in w, whose look is ok. */
static ompd_rc_t find(struct whose *w, void *handle, ompd_scope_t scope) {
  if (scope == ompd_scope_thread) {
    ompd_thread_handle_t *t = handle;
    NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_THREAD);
    w->look.space = t->space;
    of_thread(w, t);
  } else if (scope == ompd_scope_parallel) {
    ompd_parallel_handle_t *r = handle;
    NTH_OMPD_NEED_IN_SPACE(r, NTH_OMPD_REGION);
    w->look.space = r->space;
    nth_ompd_region_check(&w->look, r);
    w->team = r->team;
    w->icv = r->team
                 ? nth_ompd_at(&w->look, r->team, NTH_AT_team_icv)
                 : nth_ompd_at(&w->look, nth_ompd_place(&w->look, NTH_IN_env), NTH_AT_env_initial);
  } else if (scope == ompd_scope_task || scope == ompd_scope_implicit_task) {
    ompd_task_handle_t *t = handle;
    NTH_OMPD_NEED_IN_SPACE(t, NTH_OMPD_TASK);
    w->look.space = t->space;
    nth_ompd_task_check(&w->look, t);
    w->task = t;
    w->team = t->team;
  } else {
    ompd_address_space_handle_t *s = handle;
    NTH_OMPD_NEED(s, NTH_OMPD_SPACE);
    w->look.space = s;
    w->icv = nth_ompd_at(&w->look, nth_ompd_place(&w->look, NTH_IN_env), NTH_AT_env_initial);
  }
  w->level = w->team ? nth_ompd_get(&w->look, w->team, NTH_AT_team_level) : 0;
  return w->look.rc;
}

/* Whether an ICV has a meaning for a handle of that scope. */
static bool suits(const struct icv *v, ompd_scope_t scope) {
  switch (v->source) {
  case TASK: return scope != ompd_scope_global;
  case TEAM:
    return scope == ompd_scope_parallel || scope == ompd_scope_thread || scope == ompd_scope_task ||
           scope == ompd_scope_implicit_task;
  case NUM: return scope == ompd_scope_thread;
  case FINAL:
  case IMPLICIT: return scope == ompd_scope_task || scope == ompd_scope_implicit_task;
  default: return scope == ompd_scope_address_space || scope == ompd_scope_global;
  }
}

/* --- numbers --- */

static int64_t as_signed(const struct icv *v, uint64_t n) {
  return v->field == NTH_AT_icv_thread_limit && n > INT32_MAX ? INT32_MAX
         : v->field == NTH_AT_icv_default_device || v->field == NTH_AT_env_wait_policy
             ? (int32_t)(uint32_t)n
             : (int64_t)n;
}

static int64_t value_of(struct whose *w, const struct icv *v) {
  struct nth_ompd_look *look = &w->look;
  switch (v->source) {
  case TASK: {
    uint64_t at = w->task ? nth_ompd_task_icv(look, w->task) : w->icv;
    uint64_t n = nth_ompd_get(look, at, v->field);
    if (v->field == NTH_AT_icv_nthreads && n == 0) { /* as many as there are CPUs, once counted */
      n = nth_ompd_get(look, nth_ompd_place(look, NTH_IN_allowed), NTH_AT_allowed_all);
      if (n == 0)
        nth_ompd_fail(look, ompd_rc_unavailable);
    }
    if (v->field == NTH_AT_icv_run_sched)
      n &= ~nth_ompd_is(look, NTH_IS_sched_monotonic);
    return as_signed(v, n);
  }
  case TEAM:
    return w->team ? (int64_t)nth_ompd_get(look, w->team, v->field) : v->field == NTH_AT_team_size;
  case ENV: return as_signed(v, nth_ompd_get(look, nth_ompd_place(look, NTH_IN_env), v->field));
  case SETTING: return (int64_t)nth_ompd_get(look, nth_ompd_place(look, NTH_IN_settings), v->field);
  case PROCS: {
    uint64_t n = nth_ompd_get(look, nth_ompd_place(look, NTH_IN_allowed), NTH_AT_allowed_all);
    if (n == 0)
      nth_ompd_fail(look, ompd_rc_unavailable);
    return (int64_t)n;
  }
  case DEBUG: return (int64_t)nth_ompd_number(look, nth_ompd_place(look, NTH_IN_debug), 1);
  case TOOL: return (int64_t)nth_ompd_get(look, nth_ompd_place(look, NTH_IN_tool), v->field);
  case NUM: return w->num;
  case FINAL:
  case IMPLICIT: {
    uint64_t bit = nth_ompd_is(look, v->source == FINAL ? NTH_IS_task_final : NTH_IS_task_implicit);
    return (nth_ompd_task_flags(look, w->task) & bit) != 0;
  }
  default: nth_ompd_fail(look, ompd_rc_incompatible); return 0;
  }
}

/* Whether a list of the environment has items for levels further in: its length is that field. */
static bool has_more(struct whose *w, const struct icv *v, uint64_t *length) {
  enum nth_ompd_field count =
      v->field == NTH_AT_icv_nthreads ? NTH_AT_env_nthreads_list_len : NTH_AT_env_bind_list_len;
  if (v->source != TASK || (v->field != NTH_AT_icv_nthreads && v->field != NTH_AT_icv_bind))
    return false;
  *length = nth_ompd_get(&w->look, nth_ompd_place(&w->look, NTH_IN_env), count);
  return *length > w->level + 1;
}

/* Checks what both functions below take. */
static ompd_rc_t begin(struct whose *w, void *handle, ompd_scope_t scope, ompd_icv_id_t id,
                       const void *out) {
  if (!nth_ompd_call || !out || id == ompd_icv_undefined || id >= ICVS)
    return ompd_rc_bad_input;
  if (!suits(&icvs[id], scope))
    return ompd_rc_bad_input;
  return find(w, handle, scope);
}

ompd_rc_t ompd_get_icv_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t id,
                                  ompd_word_t *value) {
  struct whose w = {.look = {0, ompd_rc_ok}};
  uint64_t length;
  ompd_rc_t rc = begin(&w, handle, scope, id, value);
  if (rc != ompd_rc_ok)
    return rc;
  int64_t n = value_of(&w, &icvs[id]);
  if (w.look.rc != ompd_rc_ok)
    return w.look.rc;
  *value = n;
  bool part = has_more(&w, &icvs[id], &length) || icvs[id].field == NTH_AT_icv_run_sched;
  return w.look.rc != ompd_rc_ok ? w.look.rc : part ? ompd_rc_incomplete : ompd_rc_ok;
}

/* --- texts --- */

enum { TEXT_BYTES = 1024 };

static const char *sched_name(int64_t kind) {
  switch (kind) {
  case 1: return "static";
  case 2: return "dynamic";
  case 3: return "guided";
  case 4: return "auto";
  case 0x101: return "trapezoid";
  case 0x102: return "affinity";
  case 0x103: return "gss";
  default: return "unknown";
  }
}

static void add_list(struct whose *w, const struct icv *v, char *text, size_t size) {
  uint64_t length, env = nth_ompd_place(&w->look, NTH_IN_env);
  if (!has_more(w, v, &length))
    return;
  bool threads = v->field == NTH_AT_icv_nthreads;
  uint32_t bytes = threads ? sizeof(uint32_t) : sizeof(uint8_t);
  uint64_t list =
      nth_ompd_get(&w->look, env, threads ? NTH_AT_env_nthreads_list : NTH_AT_env_bind_list);
  for (uint64_t i = w->level + 1; i < length && strlen(text) + 24 < size; i++)
    snprintf(text + strlen(text), 24, ",%llu",
             (unsigned long long)nth_ompd_number(&w->look, list + i * bytes, bytes));
}

static void add_schedule(struct whose *w, int64_t kind, char *text, size_t size) {
  uint64_t at = w->task ? nth_ompd_task_icv(&w->look, w->task) : w->icv;
  uint64_t whole = nth_ompd_get(&w->look, at, NTH_AT_icv_run_sched);
  bool monotonic = (whole & nth_ompd_is(&w->look, NTH_IS_sched_monotonic)) != 0;
  snprintf(text, size, "%s%s,%d", monotonic ? "monotonic:" : "", sched_name(kind),
           (int32_t)nth_ompd_get(&w->look, at, NTH_AT_icv_run_chunk));
}

/* A text of the process, cut to the size; at 0: an empty one. */
static void add_text(struct nth_ompd_look *look, uint64_t at, char *text, size_t size) {
  size_t n = 0;
  while (at && n + 1 < size && (text[n] = (char)nth_ompd_number(look, at + n, 1)))
    n++;
  text[n] = 0;
}

/* The current affinity format; else the environment's. */
static uint64_t format_at(struct nth_ompd_look *look) {
  uint64_t now = nth_ompd_item(look, nth_ompd_place(look, NTH_IN_affinity_format), 0);
  return now ? now
             : nth_ompd_get(look, nth_ompd_place(look, NTH_IN_env), NTH_AT_env_affinity_format);
}

/* The ICV as text; look.rc says whether it was read. */
static void text_of(struct whose *w, const struct icv *v, char *text, size_t size) {
  struct nth_ompd_look *look = &w->look;
  if (v->source == FORMAT || v->source == TOOL_TEXT) {
    uint64_t at = v->source == FORMAT
                      ? format_at(look)
                      : nth_ompd_get(look, nth_ompd_place(look, NTH_IN_tool), v->field);
    add_text(look, at, text, size);
    return;
  }
  int64_t n = value_of(w, v);
  if (v->source == TOOL) {
    snprintf(text, size, "%s", n ? "enabled" : "disabled");
    return;
  }
  if (v->field == NTH_AT_icv_run_sched && v->source == TASK) {
    add_schedule(w, n, text, size);
    return;
  }
  snprintf(text, size, "%lld", (long long)n);
  add_list(w, v, text, size);
}

ompd_rc_t ompd_get_icv_string_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t id,
                                         const char **string) {
  struct whose w = {.look = {0, ompd_rc_ok}};
  char text[TEXT_BYTES];
  ompd_rc_t rc = begin(&w, handle, scope, id, string);
  if (rc != ompd_rc_ok)
    return rc;
  text_of(&w, &icvs[id], text, sizeof text);
  if (w.look.rc != ompd_rc_ok)
    return w.look.rc;
  char *copy = nth_ompd_new(strlen(text) + 1);
  if (!copy)
    return ompd_rc_nomem;
  memcpy(copy, text, strlen(text));
  *string = copy;
  return ompd_rc_ok;
}

/* --- the environment's settings: one block, the pointers and then the texts --- */

ompd_rc_t ompd_get_display_control_vars(ompd_address_space_handle_t *s,
                                        const char *const **control_vars) {
  NTH_OMPD_NEED(s, NTH_OMPD_SPACE);
  if (!control_vars)
    return ompd_rc_bad_input;
  enum { ITEM = TEXT_BYTES + 64 };
  char **list = nth_ompd_new((ICVS + 1) * sizeof *list + (size_t)ICVS * ITEM);
  if (!list)
    return ompd_rc_nomem;
  char *at = (char *)(list + ICVS + 1);
  int n = 0;
  for (ompd_icv_id_t id = 1; id < ICVS; id++) {
    struct whose w = {.look = {0, ompd_rc_ok}};
    char text[TEXT_BYTES];
    if (!icvs[id].variable || find(&w, s, ompd_scope_address_space) != ompd_rc_ok)
      continue;
    text_of(&w, &icvs[id], text, sizeof text);
    if (w.look.rc != ompd_rc_ok)
      continue; /* a number that is not known yet */
    snprintf(at, ITEM, "%s=%s", icvs[id].variable, text);
    list[n++] = at;
    at += strlen(at) + 1;
  }
  *control_vars = (const char *const *)list;
  return ompd_rc_ok;
}

ompd_rc_t ompd_rel_display_control_vars(const char *const **control_vars) {
  if (!nth_ompd_call || !control_vars || !*control_vars)
    return ompd_rc_bad_input;
  ompd_rc_t rc = nth_ompd_free((void *)(uintptr_t)*control_vars);
  *control_vars = 0;
  return rc;
}
