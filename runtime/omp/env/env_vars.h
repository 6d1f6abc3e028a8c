/* env_vars.h - the variables of OpenMP: names, grammars and how they are shown
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Each variable has one row in a table. Loading and showing go through the rows. A
 *             value for a device is parsed the same way, into a struct nth_env of its own; only its
 *             shown text is kept.
 */
#ifndef NTH_OMP_ENV_VARS_H
#define NTH_OMP_ENV_VARS_H

#include "runtime/base/text.h"
#include "runtime/omp/types/icv.h"

/* In the order in which OMP_DISPLAY_ENV shows them. Those before NTH_ENV_SCOPED_END have forms for
 * devices: _ALL, _DEV and _DEV_<n>. */
enum {
  NTH_ENV_DYNAMIC,
  NTH_ENV_NUM_THREADS,
  NTH_ENV_SCHEDULE,
  NTH_ENV_PROC_BIND,
  NTH_ENV_STACKSIZE,
  NTH_ENV_WAIT_POLICY,
  NTH_ENV_THREAD_LIMIT,
  NTH_ENV_MAX_ACTIVE_LEVELS,
  NTH_ENV_NUM_TEAMS,
  NTH_ENV_TEAMS_THREAD_LIMIT,
  NTH_ENV_DEFAULT_DEVICE,
  NTH_ENV_SCOPED_END, /* from here on: one value for the process */
  NTH_ENV_NESTED = NTH_ENV_SCOPED_END,
  NTH_ENV_PLACES,
  NTH_ENV_CPU_AFFINITY,
  NTH_ENV_GOMP_STACKSIZE,
  NTH_ENV_SPINCOUNT,
  NTH_ENV_CANCELLATION,
  NTH_ENV_DISPLAY_AFFINITY,
  NTH_ENV_AFFINITY_FORMAT,
  NTH_ENV_DISPLAY_ENV,
  NTH_ENV_TARGET_OFFLOAD,
  NTH_ENV_MAX_TASK_PRIORITY,
  NTH_ENV_ALLOCATOR,
  NTH_ENV_DEBUG,
  NTH_ENV_ACC_DEVICE_NUM,
  NTH_ENV_ACC_DEVICE_TYPE,
  NTH_ENV_ACC_PROFLIB,
  NTH_ENV_OPENACC_DIM,
  NTH_ENV_OWN, /* from here on: nanogomp's own */
  NTH_ENV_FORK = NTH_ENV_OWN,
  NTH_ENV_MEMBERS,
  NTH_ENV_UNTIED,
  NTH_ENV_TEST_MOVE,
  NTH_ENV_TEST_BERTHS,
  NTH_ENV_TEST_BRIEF,
  NTH_ENV_POOL,
  NTH_ENV_DOMAINS,
  NTH_ENV_PRICE,
  NTH_ENV_HUGE_PAGES,
  NTH_ENV_RANGES,
  NTH_ENV_CLAIMS,
  NTH_ENV_OWN_END, /* from here on: taken before the others, or after them */
  NTH_ENV_VERBOSE = NTH_ENV_OWN_END,
  NTH_ENV_SHARE,
  NTH_ENV_TEST_CGROUP_ROOT,
  NTH_ENV_TEST_SYS_ROOT,
  NTH_ENV_TEST_HWLOC,
  NTH_ENV_TEST_CPUS,
  NTH_ENV_COUNT
};

/* A string of the process's environment. */
struct nth_env_entry {
  const char *name; /* "NAME=VALUE" */
  const char *text; /* the value in it */
};

struct nth_env_variable {
  const char *name;
  /* Takes the value. False: libgomp's line is printed and env is as it was. NULL: see
   * env_load.c. */
  bool (*parse)(struct nth_env *env, const struct nth_env_entry *e);
  /* Adds the value as OMP_DISPLAY_ENV shows it; NULL: the variable has no values for devices. */
  void (*show)(struct nth_text *t, const struct nth_env *env);
  const char *rule;      /* our line: which values there are; NULL: no line */
  const char *otherwise; /* our line: what is used instead */
};
extern const struct nth_env_variable nth_env_variables[NTH_ENV_COUNT];
/* Values of NTH_MEMBERS, by number (omp/nano/members.h). */
extern const char *const nth_env_members_words[3];

/* Prints "Invalid value for environment variable NAME: REST". rest points into the entry; if a part
 * before it was understood, NAME=PART replaces NAME. */
void nth_env_say_invalid(const struct nth_env_entry *e, const char *rest);
/* Prints "WHAT NAME: REST". at points into the entry: NAME=PART ends before it. rest is any text
 * (e.g. "X"). */
void nth_env_say(const char *what, const struct nth_env_entry *e, const char *at, const char *rest);

/* OMP_ALLOCATOR; see env_alloc.c. */
bool nth_env_parse_allocator(struct nth_env *env, const struct nth_env_entry *e);
/* OMP_SCHEDULE; see env_schedule.c. */
bool nth_env_parse_schedule(struct nth_env *env, const struct nth_env_entry *e);

/* nanogomp's own variables; see env_own.c. */
bool nth_env_parse_fork(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_members(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_untied(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_test_move(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_test_berths(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_test_brief(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_pool(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_domains(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_price(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_huge_pages(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_ranges(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_claims(struct nth_env *env, const struct nth_env_entry *e);
bool nth_env_parse_verbose(struct nth_env *env, const struct nth_env_entry *e);

/* How values are shown; see display_env.c. */
void nth_show_dynamic(struct nth_text *t, const struct nth_env *env);
void nth_show_num_threads(struct nth_text *t, const struct nth_env *env);
void nth_show_schedule(struct nth_text *t, const struct nth_env *env);
void nth_show_proc_bind(struct nth_text *t, const struct nth_env *env);
void nth_show_stacksize(struct nth_text *t, const struct nth_env *env);
void nth_show_wait_policy(struct nth_text *t, const struct nth_env *env);
void nth_show_thread_limit(struct nth_text *t, const struct nth_env *env);
void nth_show_max_active_levels(struct nth_text *t, const struct nth_env *env);
void nth_show_num_teams(struct nth_text *t, const struct nth_env *env);
void nth_show_teams_thread_limit(struct nth_text *t, const struct nth_env *env);
void nth_show_default_device(struct nth_text *t, const struct nth_env *env);

#endif
