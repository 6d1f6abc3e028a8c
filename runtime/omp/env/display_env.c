/* display_env.c - OMP_DISPLAY_ENV and omp_display_env
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The host's values are those of the environment; omp_set_ calls do not change what is shown.
 */
#include <stdlib.h>

#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/env/affinity_format.h"
#include "runtime/omp/env/display.h"
#include "runtime/omp/env/env_vars.h"
#include "runtime/place/places/allowed.h"
#include "runtime/place/places/places.h"
#include "runtime/sched/wait/wait.h"

/* GOMP_SPINCOUNT as libgomp shows it where the variable is not set. */
#define SPINCOUNT_ACTIVE UINT64_C(30000000000)
#define SPINCOUNT_UNSET 300000
#define SPINCOUNT_PASSIVE 0

/* --- values --- */

static const char *truth(bool value) { return value ? "TRUE" : "FALSE"; }

void nth_show_dynamic(struct nth_text *t, const struct nth_env *env) {
  nth_text_add(t, truth(env->initial.dynamic));
}

void nth_show_num_threads(struct nth_text *t, const struct nth_env *env) {
  nth_text_unsigned(t, env->initial.nthreads ? env->initial.nthreads : nth_allowed_first());
  for (uint32_t i = 1; i < env->nthreads_list_len; i++) {
    nth_text_add(t, ",");
    nth_text_unsigned(t, env->nthreads_list[i]);
  }
}

void nth_show_proc_bind(struct nth_text *t, const struct nth_env *env) {
  static const char *const names[] = {"FALSE", "TRUE", "MASTER", "CLOSE", "SPREAD"};
  nth_text_add(t, names[env->initial.bind]);
  for (uint32_t i = 1; i < env->bind_list_len; i++) {
    nth_text_add(t, ",");
    nth_text_add(t, names[env->bind_list[i]]);
  }
}

void nth_show_stacksize(struct nth_text *t, const struct nth_env *env) {
  nth_text_unsigned(t, env->stacksize_shown);
}

void nth_show_wait_policy(struct nth_text *t, const struct nth_env *env) {
  nth_text_add(t, env->wait_policy == NTH_POLICY_ACTIVE ? "ACTIVE" : "PASSIVE");
}

void nth_show_thread_limit(struct nth_text *t, const struct nth_env *env) {
  nth_text_unsigned(t, env->initial.thread_limit);
}

void nth_show_max_active_levels(struct nth_text *t, const struct nth_env *env) {
  nth_text_unsigned(t, env->initial.max_active_levels);
}

void nth_show_num_teams(struct nth_text *t, const struct nth_env *env) {
  nth_text_unsigned(t, env->num_teams);
}

void nth_show_teams_thread_limit(struct nth_text *t, const struct nth_env *env) {
  nth_text_unsigned(t, env->teams_thread_limit);
}

void nth_show_default_device(struct nth_text *t, const struct nth_env *env) {
  nth_text_signed(t, env->initial.default_device);
}

static uint64_t spincount(void) {
  if (nth_env.spincount_given)
    return nth_env.spincount;
  return nth_env.wait_policy == NTH_POLICY_ACTIVE    ? SPINCOUNT_ACTIVE
         : nth_env.wait_policy == NTH_POLICY_PASSIVE ? SPINCOUNT_PASSIVE
                                                     : SPINCOUNT_UNSET;
}

/* --- lines --- */

static void open_line(struct nth_text *t, const char *scope, const char *name) {
  nth_text_add(t, "  [");
  nth_text_add(t, scope);
  nth_text_add(t, "] ");
  nth_text_add(t, name);
  nth_text_add(t, " = '");
}

static void line(struct nth_text *t, const char *scope, const char *name, const char *value) {
  open_line(t, scope, name);
  nth_text_add(t, value);
  nth_text_add(t, "'\n");
}

static void line_number(struct nth_text *t, const char *scope, const char *name, uint64_t value) {
  open_line(t, scope, name);
  nth_text_unsigned(t, value);
  nth_text_add(t, "'\n");
}

/* The values for devices, sorted by device: first _ALL, then _DEV, then the numbers. */
struct scoped {
  struct nth_env_scoped **list;
  size_t count;
};

static int compare_scoped(const void *a, const void *b) {
  const struct nth_env_scoped *x = *(struct nth_env_scoped *const *)a;
  const struct nth_env_scoped *y = *(struct nth_env_scoped *const *)b;
  return (x->device > y->device) - (x->device < y->device);
}

static struct scoped sort_scoped(void) {
  struct scoped s = {0, 0};
  for (struct nth_env_scoped *one = nth_env.scoped; one; one = one->next)
    s.count++;
  s.list = s.count ? nth_heap_take(s.count * sizeof(struct nth_env_scoped *)) : 0;
  size_t n = 0;
  for (struct nth_env_scoped *one = nth_env.scoped; s.list && one; one = one->next)
    s.list[n++] = one;
  s.count = n;
  if (n > 1)
    qsort(s.list, n, sizeof(struct nth_env_scoped *), compare_scoped);
  return s;
}

static void scoped_line(struct nth_text *t, int32_t device, const char *name, const char *value) {
  char number[16];
  struct nth_text n = {number, sizeof number, 0};
  nth_text_signed(&n, device);
  nth_text_end(&n);
  line(t,
       device == NTH_SCOPE_ALL   ? "all"
       : device == NTH_SCOPE_DEV ? "device"
                                 : number,
       name, value);
}

/* Adds the lines of OMP_MAX_ACTIVE_LEVELS: as in libgomp, one for each numbered device that has a
 * value of any variable. */
static void level_lines(struct nth_text *t, const struct scoped *s) {
  const char *name = nth_env_variables[NTH_ENV_MAX_ACTIVE_LEVELS].name;
  for (size_t i = 0, end; i < s->count; i = end) {
    int32_t device = s->list[i]->device;
    const char *value = device >= 0 ? "1" : 0;
    for (end = i; end < s->count && s->list[end]->device == device; end++)
      if (s->list[end]->id == NTH_ENV_MAX_ACTIVE_LEVELS)
        value = s->list[end]->value;
    if (value)
      scoped_line(t, device, name, value);
  }
}

/* Adds the lines of a variable that has values for devices too. */
static void variable(struct nth_text *t, const struct scoped *s, uint32_t id, const char *scope) {
  const struct nth_env_variable *v = &nth_env_variables[id];
  open_line(t, scope, v->name);
  v->show(t, &nth_env);
  nth_text_add(t, "'\n");
  if (id == NTH_ENV_MAX_ACTIVE_LEVELS) {
    level_lines(t, s);
    return;
  }
  for (size_t i = 0; i < s->count; i++)
    if (s->list[i]->id == id && !(scope[0] == 'a' && s->list[i]->device == NTH_SCOPE_ALL))
      scoped_line(t, s->list[i]->device, v->name, s->list[i]->value);
}

static void process_lines(struct nth_text *t, const struct scoped *s) {
  static const char *const offload[] = {"DEFAULT", "MANDATORY", "DISABLED"};
  line(t, "all", "OMP_CANCELLATION", truth(nth_env.cancellation));
  variable(t, s, NTH_ENV_DEFAULT_DEVICE, "all");
  line_number(t, "all", "OMP_MAX_TASK_PRIORITY", (uint64_t)nth_env.max_task_priority);
  line(t, "all", "OMP_DISPLAY_AFFINITY", truth(nth_env.display_affinity));
  line(t, "host", "OMP_AFFINITY_FORMAT", nth_affinity_format_get());
  line(t, "host", "OMP_ALLOCATOR", nth_env.allocator_name);
  line(t, "all", "OMP_TARGET_OFFLOAD", offload[nth_env.target_offload]);
}

static void whole(struct nth_text *t, const struct scoped *s, bool verbose) {
  const struct nth_places *places = nth_places_get();
  nth_text_add(t, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202111'\n");
  variable(t, s, NTH_ENV_DYNAMIC, "host");
  line(t, "host", "OMP_NESTED", truth(nth_env.initial.max_active_levels > 1));
  for (uint32_t id = NTH_ENV_NUM_THREADS; id <= NTH_ENV_TEAMS_THREAD_LIMIT; id++) {
    variable(t, s, id, "host");
    if (id == NTH_ENV_PROC_BIND) {
      open_line(t, "host", "OMP_PLACES");
      if (places)
        nth_places_text(t, places);
      nth_text_add(t, "'\n");
    }
  }
  process_lines(t, s);
  if (verbose) {
    line(t, "host", "GOMP_CPU_AFFINITY", "");
    line_number(t, "host", "GOMP_STACKSIZE", nth_env.stacksize_shown);
    line_number(t, "host", "GOMP_SPINCOUNT", spincount());
  }
  nth_text_add(t, "OPENMP DISPLAY ENVIRONMENT END\n");
}

void nth_display_env(bool verbose) {
  char small[4096]; /* enough without long lists; without memory for more, what fits is shown */
  struct scoped s = sort_scoped();
  struct nth_text t = {small, sizeof small, 0};
  whole(&t, &s, verbose);
  char *large = t.length >= sizeof small ? nth_heap_take(t.length + 1) : 0;
  if (large) {
    t = (struct nth_text){large, t.length + 1, 0};
    whole(&t, &s, verbose);
  }
  nth_text_end(&t);
  nth_msg_raw(t.at);
  nth_heap_free(large);
  nth_heap_free(s.list);
}
