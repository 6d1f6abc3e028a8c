/* nth_report.c - nth_report: what the library tells of itself
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <limits.h>

#include "abi/export.h"
#include "abi/include/nanogomp/report.h"
#if __has_include("abi_table.h")
#include "abi_table.h"
#endif
#if __has_include("nth_commit.h")
#include "nth_commit.h"
#endif

#include "runtime/base/env.h"
#include "runtime/base/text.h"
#include "runtime/mem/pool.h"
#include "runtime/omp/env/affinity_format.h"
#include "runtime/omp/env/env_vars.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/team/lay.h"
#include "runtime/place/places/allowed.h"
#include "runtime/place/places/places.h"
#include "runtime/sched/wait/ready.h"

#ifndef NTH_VERSION
#define NTH_VERSION "unknown"
#endif
#ifndef NTH_COMMIT
#define NTH_COMMIT ""
#endif

static void key(struct nth_text *t, const char *name) {
  nth_text_add(t, name);
  nth_text_add(t, ": ");
}

static void line(struct nth_text *t, const char *name, const char *value) {
  key(t, name);
  nth_text_add(t, value);
  nth_text_add(t, "\n");
}

static void line_number(struct nth_text *t, const char *name, uint64_t value) {
  key(t, name);
  nth_text_unsigned(t, value);
  nth_text_add(t, "\n");
}

static void line_bool(struct nth_text *t, const char *name, bool value) {
  line(t, name, value ? "true" : "false");
}

static void line_of(struct nth_text *t, const char *name,
                    void (*show)(struct nth_text *t, const struct nth_env *env),
                    const struct nth_env *env) {
  key(t, name);
  show(t, env);
  nth_text_add(t, "\n");
}

static void abi_lines(struct nth_text *t) {
#ifdef NTH_ABI_ROW_COUNT
  line_number(t, "abi_done", NTH_ABI_DONE_COUNT);
  line_number(t, "abi_total", NTH_ABI_ROW_COUNT);
  line_number(t, "abi_own", NTH_ABI_OWN_COUNT);
  for (unsigned i = 0; i < NTH_ABI_ROW_COUNT; i++) {
    if (nth_abi_rows[i].is_done)
      continue;
    key(t, "abi missing");
    nth_text_add(t, nth_abi_rows[i].name);
    nth_text_add(t, "@");
    nth_text_add(t, nth_abi_rows[i].node);
    nth_text_add(t, "\n");
  }
#else
  (void)t;
#endif
}

static void cpu_lines(struct nth_text *t) {
  char why[4096];
  nth_allowed_why(why, sizeof why);
  line_number(t, "cpus_allowed", nth_allowed_all());
  line(t, "cpus_why", why);
}

/* The ICVs: those of a data environment are the calling task's, the others are the process's. */
static void icv_lines(struct nth_text *t) {
  static const char *const offload[] = {"default", "mandatory", "disabled"};
  struct nth_env now = nth_env;
  char format[512];
  now.initial = *nth_icv_read();
  now.stacksize_shown = now.stacksize;
  if (now.initial.nthreads == 0)
    now.initial.nthreads = nth_allowed_first();
  line_of(t, "nthreads-var", nth_show_num_threads, &now);
  line_of(t, "thread-limit-var", nth_show_thread_limit, &now);
  line_bool(t, "dyn-var", now.initial.dynamic);
  line_of(t, "max-active-levels-var", nth_show_max_active_levels, &now);
  line_of(t, "run-sched-var", nth_show_schedule, &now);
  line_of(t, "bind-var", nth_show_proc_bind, &now);
  line_of(t, "stacksize-var", nth_show_stacksize, &now);
  line(t, "wait-policy-var",
       now.wait_policy < 0    ? "unset"
       : now.wait_policy == 0 ? "passive"
                              : "active");
  line_bool(t, "cancel-var", now.cancellation);
  line_number(t, "max-task-priority-var", (uint64_t)now.max_task_priority);
  line_number(t, "nteams-var", nth_load_rlx(&nth_settings.num_teams));
  line_number(t, "teams-thread-limit-var", nth_load_rlx(&nth_settings.teams_thread_limit));
  line_of(t, "default-device-var", nth_show_default_device, &now);
  line(t, "target-offload-var", offload[now.target_offload]);
  line(t, "def-allocator-var", now.allocator_name);
  line_bool(t, "display-affinity-var", now.display_affinity);
  const char *current = nth_affinity_format_get();
  line(t, "affinity-format-var",
       nth_env_printable(format, sizeof format, current, strlen(current)));
}

static void place_line(struct nth_text *t) {
  const struct nth_places *p = nth_places_get();
  key(t, "place-partition-var");
  if (p)
    nth_places_text(t, p);
  nth_text_add(t, p ? "\n" : "none\n");
}

NTH_EXPORT int nth_report(char *buffer, size_t size) {
  struct nth_text t = {buffer, buffer ? size : 0, 0};
  line(&t, "version", NTH_VERSION);
  line(&t, "commit", sizeof NTH_COMMIT > 1 ? NTH_COMMIT : "none");
  abi_lines(&t);
  cpu_lines(&t);
  icv_lines(&t);
  place_line(&t);
  line(&t, "fork", nth_env.fork_gwd ? "gwd" : "lwd");
  line(&t, "pool", nth_pool_policies[nth_env.pool_policy]);
  line(&t, "members", nth_env_members_words[nth_env.members]);
  nth_lay_text(&t);
  nth_ready_text(&t);
  size_t length = nth_text_end(&t);
  return length < INT_MAX ? (int)length : INT_MAX;
}
