/* env_vars.c - the variables of OpenMP: their grammars
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A parse function changes env only if the whole value is good. Messages have libgomp's words.
 */
#include "runtime/omp/env/env_vars.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/config.h"
#include "runtime/base/env.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/sched/wait/wait.h"

/* --- messages --- */

void nth_env_say(const char *what, const struct nth_env_entry *e, const char *at,
                 const char *rest) {
  char name[256], value[512];
  /* NAME alone, or NAME=PART without the character that ends PART */
  size_t length = (size_t)((at > e->text ? at : e->text) - e->name) - 1;
  nth_msg_libgomp("%s %s: %s", what, nth_env_printable(name, sizeof name, e->name, length),
                  nth_env_printable(value, sizeof value, rest, strlen(rest)));
}

void nth_env_say_invalid(const struct nth_env_entry *e, const char *rest) {
  nth_env_say("Invalid value for environment variable", e, rest, rest);
}

/* --- pieces --- */

/* A value that is one number. */
static bool parse_number(const struct nth_env_entry *e, uint64_t min, uint64_t max,
                         uint64_t *value) {
  const char *at = e->text, *rest;
  uint64_t v;
  nth_env_end(&at);
  rest = at;
  if (!nth_env_unsigned(&at, &v, max) || !nth_env_end(&at) || v < min) {
    nth_env_say_invalid(e, rest);
    return false;
  }
  *value = v;
  return true;
}

/* A number that libgomp keeps in an int. */
static bool parse_int(const struct nth_env_entry *e, uint64_t min, int32_t *value) {
  uint64_t v;
  bool good = parse_number(e, min, INT_MAX, &v);
  if (good)
    *value = (int32_t)v;
  return good;
}

/* The index of the word that is the value, else -1. shown_as_x: the message has X for the word. */
static int parse_choice(const struct nth_env_entry *e, const char *const *words, size_t count,
                        bool shown_as_x) {
  const char *at = e->text;
  int found = nth_env_choice(&at, words, count);
  if (found >= 0 && nth_env_end(&at))
    return found;
  if (found < 0 && shown_as_x)
    nth_env_say("Invalid value for environment variable", e, e->text, "X");
  else
    nth_env_say_invalid(e, at);
  return -1;
}

static bool parse_bool(const struct nth_env_entry *e, bool *value) {
  static const char *const words[] = {"false", "true"};
  int found = parse_choice(e, words, 2, true);
  if (found >= 0)
    *value = found == 1;
  return found >= 0;
}

/* --- variables with forms for devices --- */

static bool parse_dynamic(struct nth_env *env, const struct nth_env_entry *e) {
  bool value;
  bool good = parse_bool(e, &value);
  if (good)
    env->initial.dynamic = value;
  return good;
}

/* Clips a number of threads to what omp_get_max_threads can return. */
static uint32_t clip_threads(uint64_t n) { return n < INT_MAX ? (uint32_t)n : INT_MAX; }

/* Says it if the variable asks for a larger team than there can be. */
static void say_clamped(const struct nth_env_entry *e, const uint64_t *item, size_t count) {
  char name[64];
  uint64_t most = 0;
  for (size_t i = 0; i < count; i++)
    most = item[i] > most ? item[i] : most;
  if (most > NTH_MAX_TEAM)
    nth_msg("%s: %llu threads are asked for; a team has at most %u",
            nth_env_printable(name, sizeof name, e->name, (size_t)(e->text - e->name) - 1),
            (unsigned long long)most, NTH_MAX_TEAM);
}

static bool parse_num_threads(struct nth_env *env, const struct nth_env_entry *e) {
  const char *at = e->text;
  uint64_t item[NTH_MAX_LEVELS]; /* deeper levels have one thread */
  size_t count;
  if (!nth_env_unsigned_list(&at, item, NTH_MAX_LEVELS, &count)) {
    nth_env_say_invalid(e, at);
    return false;
  }
  count = count < NTH_MAX_LEVELS ? count : NTH_MAX_LEVELS;
  say_clamped(e, item, count);
  env->initial.nthreads = clip_threads(item[0]);
  uint32_t *list = count > 1 ? nth_heap_take(count * sizeof *list) : 0;
  for (size_t i = 0; list && i < count; i++)
    list[i] = clip_threads(item[i]);
  env->nthreads_list = list;
  env->nthreads_list_len = list ? (uint32_t)count : 0;
  return true;
}

static bool parse_proc_bind(struct nth_env *env, const struct nth_env_entry *e) {
  enum { MASTER = NTH_BIND_SPREAD + 1 }; /* the old name of primary */
  static const char *const words[] = {"false", "true", "primary", "close", "spread", "master"};
  const char *at = e->text;
  uint8_t item[NTH_MAX_LEVELS];
  size_t count = 0;
  for (;;) {
    const char *rest = at;
    int found = nth_env_choice(&at, words, 6);
    bool last = *at == 0, alone = found == NTH_BIND_FALSE || found == NTH_BIND_TRUE;
    if (found < 0 || !(last || *at == ',') || (alone && !(last && count == 0))) {
      nth_env_end(&rest);
      nth_env_say_invalid(e, rest);
      return false;
    }
    if (count < NTH_MAX_LEVELS)
      item[count++] = found == MASTER ? NTH_BIND_PRIMARY : (uint8_t)found;
    if (last)
      break;
    at++;
  }
  env->initial.bind = item[0];
  env->bind_list = count > 1 ? nth_heap_take(count) : 0;
  env->bind_list_len = env->bind_list ? (uint32_t)count : 0;
  if (env->bind_list)
    memcpy(env->bind_list, item, count);
  return true;
}

/* The largest accepted stack size, in bytes: half of the address space; no stack can be that large.
 * The smallest one is the C library's for this machine. */
#define STACK_MAX (UINT64_C(1) << (sizeof(void *) > 4 ? 46 : 30))

static bool parse_stacksize(struct nth_env *env, const struct nth_env_entry *e) {
  const char *at = e->text, *rest;
  uint64_t bytes;
  nth_env_end(&at);
  rest = at;
  if (!nth_env_size(&at, &bytes) || !nth_env_end(&at)) {
    nth_env_say_invalid(e, rest);
    return false;
  }
  env->stacksize = env->stacksize_shown = bytes;
  uint64_t least = (uint64_t)sysconf(_SC_THREAD_STACK_MIN), kib = (least + 1023) / 1024;
  if (bytes >= least && bytes <= STACK_MAX)
    return true;
  if (bytes < least)
    nth_msg_libgomp("Stack size less than minimum of %" PRIu64 "k", kib);
  else
    nth_msg_libgomp("Stack size larger than system limit");
  nth_msg("%.*s takes at least %" PRIu64
          "K and less than the address space; the system's default is used",
          (int)(e->text - e->name) - 1, e->name, kib);
  env->stacksize = 0;
  return true;
}

static bool parse_wait_policy(struct nth_env *env, const struct nth_env_entry *e) {
  static const char *const words[] = {[NTH_POLICY_PASSIVE] = "passive", "active"};
  int found = parse_choice(e, words, 2, true);
  if (found >= 0)
    env->wait_policy = found;
  return found >= 0;
}

static bool parse_thread_limit(struct nth_env *env, const struct nth_env_entry *e) {
  uint64_t value;
  bool good = parse_number(e, 1, INT64_MAX, &value);
  if (good)
    env->initial.thread_limit = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
  return good;
}

static bool parse_max_active_levels(struct nth_env *env, const struct nth_env_entry *e) {
  uint64_t value;
  bool good = parse_number(e, 0, INT64_MAX, &value);
  if (good)
    env->initial.max_active_levels = value < NTH_MAX_LEVELS ? (uint8_t)value : NTH_MAX_LEVELS;
  return good;
}

static bool parse_num_teams(struct nth_env *env, const struct nth_env_entry *e) {
  int32_t value;
  bool good = parse_int(e, 1, &value);
  if (good)
    env->num_teams = (uint32_t)value;
  return good;
}

static bool parse_teams_thread_limit(struct nth_env *env, const struct nth_env_entry *e) {
  int32_t value;
  bool good = parse_int(e, 1, &value);
  if (good)
    env->teams_thread_limit = (uint32_t)value;
  return good;
}

static bool parse_default_device(struct nth_env *env, const struct nth_env_entry *e) {
  return parse_int(e, 0, &env->initial.default_device);
}

/* --- variables of the process --- */

static bool parse_nested(struct nth_env *env, const struct nth_env_entry *e) {
  bool value;
  bool good = parse_bool(e, &value);
  if (good)
    env->initial.max_active_levels = value ? NTH_MAX_LEVELS : 1;
  return good;
}

static bool parse_spincount(struct nth_env *env, const struct nth_env_entry *e) {
  const char *at = e->text;
  uint64_t count;
  if (!nth_env_spin(&at, &count) || !nth_env_end(&at)) {
    nth_msg_libgomp("Invalid value for environment variable GOMP_SPINCOUNT");
    return false;
  }
  env->spincount_given = true;
  env->spincount = count;
  return true;
}

static bool parse_cancellation(struct nth_env *env, const struct nth_env_entry *e) {
  return parse_bool(e, &env->cancellation);
}

static bool parse_display_affinity(struct nth_env *env, const struct nth_env_entry *e) {
  return parse_bool(e, &env->display_affinity);
}

static bool parse_affinity_format(struct nth_env *env, const struct nth_env_entry *e) {
  char *format = nth_heap_copy(e->text);
  if (format)
    env->affinity_format = format;
  return true;
}

static bool parse_display_env(struct nth_env *env, const struct nth_env_entry *e) {
  static const char *const words[] = {[NTH_DISPLAY_NO] = "false", "true", "verbose"};
  const char *at = e->text;
  int found = nth_env_choice(&at, words, 3);
  if (found < 0 || !nth_env_end(&at)) {
    nth_msg_libgomp("Invalid value for environment variable OMP_DISPLAY_ENV");
    return false;
  }
  env->display_env = found;
  return true;
}

static bool parse_target_offload(struct nth_env *env, const struct nth_env_entry *e) {
  static const char *const words[] = {"default", "mandatory", "disabled"};
  int found = parse_choice(e, words, 3, false);
  if (found >= 0)
    env->target_offload = found;
  return found >= 0;
}

static bool parse_max_task_priority(struct nth_env *env, const struct nth_env_entry *e) {
  return parse_int(e, 0, &env->max_task_priority);
}

static bool parse_debug(struct nth_env *env, const struct nth_env_entry *e) {
  int32_t value;
  bool good = parse_int(e, 0, &value);
  if (good)
    env->debug = (uint32_t)value;
  return good;
}

static bool parse_acc_device_num(struct nth_env *env, const struct nth_env_entry *e) {
  return parse_int(e, 0, &env->acc_device_num);
}

/* The text is kept as it is: an unknown type is an error at the first use of OpenACC. */
static bool parse_acc_device_type(struct nth_env *env, const struct nth_env_entry *e) {
  env->acc_device_type = *e->text ? nth_heap_copy(e->text) : 0;
  return true;
}

static bool parse_acc_proflib(struct nth_env *env, const struct nth_env_entry *e) {
  env->acc_proflib = nth_heap_copy(e->text);
  return true;
}

/* [gang]:[worker]:[vector]. Parsing stops at what is wrong, without a message, as in libgomp. */
static bool parse_openacc_dim(struct nth_env *env, const struct nth_env_entry *e) {
  const char *at = e->text;
  for (int i = 0; i < 3; i++) {
    uint64_t value;
    if (nth_env_unsigned(&at, &value, INT_MAX))
      env->acc_dims[i] = (int32_t)value;
    if (!nth_env_char(&at, ':'))
      break;
  }
  return true;
}

#define SYSTEM_DEFAULT "the system's default is used"
#define ONE_A_CPU "one thread an allowed CPU is used"
#define TRUE_FALSE "true or false"
#define DOMAINS_RULE                                                                               \
  "numbers from 1 on with x between, the last of processors: 2x4 is two domains of 4 processors, " \
  "4x2x2 four domains of two such; 128 domains at most"

const struct nth_env_variable nth_env_variables[NTH_ENV_COUNT] = {
    [NTH_ENV_DYNAMIC] = {"OMP_DYNAMIC", parse_dynamic, nth_show_dynamic, TRUE_FALSE,
                         "false is used"},
    [NTH_ENV_NUM_THREADS] = {"OMP_NUM_THREADS", parse_num_threads, nth_show_num_threads,
                             "numbers from 1 on, separated by commas", ONE_A_CPU},
    [NTH_ENV_SCHEDULE] = {"OMP_SCHEDULE", nth_env_parse_schedule, nth_show_schedule,
                          "[monotonic:|nonmonotonic:] "
                          "static|dynamic|guided|auto|trapezoid|affinity|gss [,chunk from 0]",
                          "dynamic,1 is used"},
    [NTH_ENV_PROC_BIND] = {"OMP_PROC_BIND", parse_proc_bind, nth_show_proc_bind,
                           "true, false, or a list of primary, close, spread", "it is as if unset"},
    [NTH_ENV_STACKSIZE] = {"OMP_STACKSIZE", parse_stacksize, nth_show_stacksize,
                           "a size such as 512K, 16M, 1G", SYSTEM_DEFAULT},
    [NTH_ENV_WAIT_POLICY] = {"OMP_WAIT_POLICY", parse_wait_policy, nth_show_wait_policy,
                             "active or passive", "neither is used"},
    [NTH_ENV_THREAD_LIMIT] = {"OMP_THREAD_LIMIT", parse_thread_limit, nth_show_thread_limit,
                              "a number from 1 on", "there is no limit"},
    [NTH_ENV_MAX_ACTIVE_LEVELS] = {"OMP_MAX_ACTIVE_LEVELS", parse_max_active_levels,
                                   nth_show_max_active_levels, "a number from 0 on",
                                   "it is as if unset"},
    [NTH_ENV_NUM_TEAMS] = {"OMP_NUM_TEAMS", parse_num_teams, nth_show_num_teams,
                           "a number from 1 to 2147483647", "it is as if unset"},
    [NTH_ENV_TEAMS_THREAD_LIMIT] = {"OMP_TEAMS_THREAD_LIMIT", parse_teams_thread_limit,
                                    nth_show_teams_thread_limit, "a number from 1 to 2147483647",
                                    "it is as if unset"},
    [NTH_ENV_DEFAULT_DEVICE] = {"OMP_DEFAULT_DEVICE", parse_default_device, nth_show_default_device,
                                "a number from 0 to 2147483647", "0 is used"},
    [NTH_ENV_NESTED] = {"OMP_NESTED", parse_nested, 0, TRUE_FALSE, "it is as if unset"},
    [NTH_ENV_PLACES] = {"OMP_PLACES", 0, 0, 0, 0},
    [NTH_ENV_CPU_AFFINITY] = {"GOMP_CPU_AFFINITY", 0, 0, 0, 0},
    [NTH_ENV_GOMP_STACKSIZE] = {"GOMP_STACKSIZE", parse_stacksize, 0,
                                "a size such as 512K, 16M, 1G", SYSTEM_DEFAULT},
    [NTH_ENV_SPINCOUNT] = {"GOMP_SPINCOUNT", parse_spincount, 0,
                           "a number with k, m, g or t after it, or infinite", "it is as if unset"},
    [NTH_ENV_CANCELLATION] = {"OMP_CANCELLATION", parse_cancellation, 0, TRUE_FALSE,
                              "false is used"},
    [NTH_ENV_DISPLAY_AFFINITY] = {"OMP_DISPLAY_AFFINITY", parse_display_affinity, 0, TRUE_FALSE,
                                  "false is used"},
    [NTH_ENV_AFFINITY_FORMAT] = {"OMP_AFFINITY_FORMAT", parse_affinity_format, 0, 0, 0},
    [NTH_ENV_DISPLAY_ENV] = {"OMP_DISPLAY_ENV", parse_display_env, 0, "true, false or verbose",
                             "false is used"},
    [NTH_ENV_TARGET_OFFLOAD] = {"OMP_TARGET_OFFLOAD", parse_target_offload, 0,
                                "default, mandatory or disabled", "default is used"},
    [NTH_ENV_MAX_TASK_PRIORITY] = {"OMP_MAX_TASK_PRIORITY", parse_max_task_priority, 0,
                                   "a number from 0 to 2147483647", "0 is used"},
    [NTH_ENV_ALLOCATOR] = {"OMP_ALLOCATOR", nth_env_parse_allocator, 0,
                           "a predefined allocator, or a memory space with :trait=value,...",
                           "omp_default_mem_alloc is used"},
    [NTH_ENV_DEBUG] = {"GOMP_DEBUG", parse_debug, 0, "a number from 0 on", "0 is used"},
    [NTH_ENV_ACC_DEVICE_NUM] = {"ACC_DEVICE_NUM", parse_acc_device_num, 0, "a number from 0 on",
                                "0 is used"},
    [NTH_ENV_ACC_DEVICE_TYPE] = {"ACC_DEVICE_TYPE", parse_acc_device_type, 0, 0, 0},
    [NTH_ENV_ACC_PROFLIB] = {"ACC_PROFLIB", parse_acc_proflib, 0, 0, 0},
    [NTH_ENV_OPENACC_DIM] = {"GOMP_OPENACC_DIM", parse_openacc_dim, 0, 0, 0},
    [NTH_ENV_FORK] = {"NTH_FORK", nth_env_parse_fork, 0, "lwd or gwd", "lwd is used"},
    [NTH_ENV_POOL] = {"NTH_POOL", nth_env_parse_pool, 0, "hier, local or central", "hier is used"},
    [NTH_ENV_PRICE] = {"NTH_PRICE", nth_env_parse_price, 0, "on or off", "on is used"},
    [NTH_ENV_HUGE_PAGES] = {"NTH_HUGE_PAGES", nth_env_parse_huge_pages, 0, "off or on",
                            "off is used"},
    [NTH_ENV_RANGES] = {"NTH_RANGES", nth_env_parse_ranges, 0, "off or on", "off is used"},
    [NTH_ENV_CLAIMS] = {"NTH_CLAIMS", nth_env_parse_claims, 0, "several or single",
                        "several is used"},
    [NTH_ENV_UNTIED] = {"NTH_UNTIED", nth_env_parse_untied, 0, "leave or stay", "leave is used"},
    [NTH_ENV_MEMBERS] = {"NTH_MEMBERS", nth_env_parse_members, 0, "os, nano or auto",
                         "auto is used"},
    [NTH_ENV_DOMAINS] = {"NTH_DOMAINS", nth_env_parse_domains, 0, DOMAINS_RULE,
                         "the machine's domains are used"},
    [NTH_ENV_VERBOSE] = {"NTH_VERBOSE", nth_env_parse_verbose, 0, "0, 1 or 2", "0 is used"},
    [NTH_ENV_SHARE] = {"NTH_SHARE", 0, 0, 0, 0},
    [NTH_ENV_TEST_MOVE] = {"NTH_TEST_MOVE", nth_env_parse_test_move, 0, 0, 0},
    [NTH_ENV_TEST_BERTHS] = {"NTH_TEST_BERTHS", nth_env_parse_test_berths, 0, 0, 0},
    [NTH_ENV_TEST_BRIEF] = {"NTH_TEST_BRIEF", nth_env_parse_test_brief, 0, 0, 0},
    [NTH_ENV_TEST_CGROUP_ROOT] = {"NTH_TEST_CGROUP_ROOT", 0, 0, 0, 0},
    [NTH_ENV_TEST_SYS_ROOT] = {"NTH_TEST_SYS_ROOT", 0, 0, 0, 0},
    [NTH_ENV_TEST_HWLOC] = {"NTH_TEST_HWLOC", 0, 0, 0, 0},
    [NTH_ENV_TEST_CPUS] = {"NTH_TEST_CPUS", 0, 0, 0, 0},
};
