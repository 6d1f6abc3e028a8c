/* env_load.c - reads the environment when the library is loaded
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One pass over environ finds the entries; then the variables are taken in a fixed order, so that
 * messages come in the same order everywhere. Without a variable that needs it, nothing is
 * allocated and no system call is made. Entries are read in place. Of two entries with one name the
 * first counts, as with getenv().
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/base/atomic.h"
#include "runtime/base/env.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/env/display.h"
#include "runtime/omp/env/env_vars.h"
#include "runtime/place/cpus/survey.h"
#include "runtime/place/cpus/sysfile.h"
#include "runtime/place/places/places.h"
#include "runtime/sched/adapt/permit.h"
#include "runtime/sched/adapt/request.h"
#include "runtime/sched/share/segment.h"
#include "runtime/sched/share/share.h"
#include "runtime/sched/wait/wait.h"

/* What the pass finds. */
struct found {
  const char *host[NTH_ENV_COUNT];     /* NAME=VALUE, NULL: not set */
  const char *all[NTH_ENV_SCOPED_END]; /* NAME_ALL=VALUE */
  bool good[NTH_ENV_COUNT];            /* the host has the variable's value */
};

static struct nth_env_entry entry_of(const char *name) {
  return (struct nth_env_entry){name, strchr(name, '=') + 1};
}

/* Prints our line, which follows libgomp's. */
static void explain(uint32_t id) {
  const struct nth_env_variable *v = &nth_env_variables[id];
  if (v->rule)
    nth_msg("%s takes %s; %s", v->name, v->rule, v->otherwise);
}

/* --- values for devices --- */

/* Parses _ALL, _DEV or the beginning of _DEV_<n>, which stands before the equals sign. */
static bool parse_suffix(const char *s, int32_t *device) {
  if (!strncmp(s, "_ALL=", 5)) {
    *device = NTH_SCOPE_ALL;
    return true;
  }
  *device = NTH_SCOPE_DEV;
  return !strncmp(s, "_DEV", 4) && (s[4] == '=' || s[4] == '_');
}

/* Parses the digits after _DEV_: decimal, no leading zero. */
static bool parse_device(const char *s, int32_t *device) {
  uint64_t n = 0;
  const char *at = s;
  for (; *at >= '0' && *at <= '9' && n <= INT_MAX; at++)
    n = n * 10 + (uint64_t)(*at - '0');
  *device = (int32_t)n;
  return at > s && *at == '=' && n <= INT_MAX && (*s != '0' || at == s + 1);
}

/* Keeps the shown text of a value for devices; false: it is a bad value. */
static bool keep_scoped(uint32_t id, int32_t device, const char *entry) {
  struct nth_env one = NTH_ENV_DEFAULTS;
  struct nth_env_entry e = entry_of(entry);
  if (!nth_env_variables[id].parse(&one, &e)) {
    char name[64];
    nth_msg("%s takes %s; this value is not used",
            nth_env_printable(name, sizeof name, entry, strcspn(entry, "=")),
            nth_env_variables[id].rule);
    return false;
  }
  struct nth_text t = {0, 0, 0};
  nth_env_variables[id].show(&t, &one);
  struct nth_env_scoped *s = nth_heap_take(sizeof *s + t.length + 1);
  if (s) {
    t = (struct nth_text){s->value, t.length + 1, 0};
    nth_env_variables[id].show(&t, &one);
    nth_text_end(&t);
    s->id = id;
    s->device = device;
    s->next = nth_env.scoped;
    nth_env.scoped = s;
  }
  nth_heap_free(one.nthreads_list);
  nth_heap_free(one.bind_list);
  return true;
}

/* Takes an entry whose name is a variable's with a suffix. */
static void take_suffixed(struct found *f, uint32_t id, const char *entry, const char *suffix) {
  int32_t device;
  char text[512];
  const char *what = 0;
  if (id >= NTH_ENV_SCOPED_END || !parse_suffix(suffix, &device))
    what = "Invalid environment variable in";
  else if (device == NTH_SCOPE_DEV && suffix[4] == '_' && !parse_device(suffix + 5, &device))
    what = "Invalid device number in";
  if (what) {
    nth_msg_libgomp("%s %s", what, nth_env_printable(text, sizeof text, entry, strlen(entry)));
    nth_msg("%s %s; this entry is not used", nth_env_variables[id].name,
            id >= NTH_ENV_SCOPED_END ? "has no forms for devices"
                                     : "has forms that end in _ALL, _DEV or _DEV_<number>");
    return;
  }
  if (keep_scoped(id, device, entry) && device == NTH_SCOPE_ALL && !f->all[id])
    f->all[id] = entry;
}

/* --- the pass --- */

static void take_entry(struct found *f, const char *entry) {
  bool is_omp = strncmp(entry, "OMP_", 4) == 0;
  if (!is_omp && strncmp(entry, "GOMP_", 5) != 0 && strncmp(entry, "NTH_", 4) != 0 &&
      strncmp(entry, "ACC_", 4) != 0)
    return;
  for (uint32_t id = 0; id < NTH_ENV_COUNT; id++) {
    const char *name = nth_env_variables[id].name;
    size_t length = strlen(name);
    if (strncmp(entry, name, length) != 0)
      continue;
    if (entry[length] == '=' && !f->host[id])
      f->host[id] = entry;
    else if (entry[length] == '_' && is_omp && strchr(entry, '='))
      take_suffixed(f, id, entry, entry + length);
    else
      continue;
    return;
  }
}

/* Takes the host's value of a variable: from NAME, else from NAME_ALL. */
static void take(struct found *f, uint32_t id) {
  const char *entry[2] = {f->host[id], id < NTH_ENV_SCOPED_END ? f->all[id] : 0};
  for (int i = 0; i < 2 && !f->good[id]; i++) {
    if (!entry[i])
      continue;
    struct nth_env_entry e = entry_of(entry[i]);
    f->good[id] = nth_env_variables[id].parse(&nth_env, &e);
    if (!f->good[id])
      explain(id);
  }
}

/* In a setuid program, drops all of nanogomp's own variables, and those of libgomp's that choose
 * what code runs or what is printed. Those that are read elsewhere are read by secure_getenv(). */
static void drop_unsafe(struct found *f) {
  if (!getauxval(AT_SECURE))
    return;
  for (uint32_t id = NTH_ENV_OWN; id < NTH_ENV_COUNT; id++)
    f->host[id] = 0;
  f->host[NTH_ENV_DEBUG] = f->host[NTH_ENV_ACC_PROFLIB] = 0;
  nth_env.members = NTH_MEMBERS_OS; /* the program may change its user in a region */
}

/* --- settings that depend on several variables --- */

static void take_levels(struct found *f) {
  if (f->good[NTH_ENV_MAX_ACTIVE_LEVELS])
    return;
  if (nth_env.nthreads_list || nth_env.bind_list)
    nth_env.initial.max_active_levels = NTH_MAX_LEVELS;
  take(f, NTH_ENV_NESTED);
}

static void take_places(const struct found *f) {
  bool given = f->good[NTH_ENV_PROC_BIND], places = false;
  bool use = !given || nth_env.initial.bind != NTH_BIND_FALSE;
  const char *omp = f->host[NTH_ENV_PLACES], *gomp = f->host[NTH_ENV_CPU_AFFINITY];
  if (omp)
    places = nth_places_load_omp(entry_of(omp).text, use);
  if (gomp)
    places |= nth_places_load_gomp(entry_of(gomp).text, use && !places);
  if (given && use && !places)
    nth_places_load_default();
  if (!given && places)
    nth_env.initial.bind = NTH_BIND_TRUE;
}

static void take_root(const struct found *f, uint32_t id, const char **root) {
  const char *copy = f->host[id] ? nth_heap_copy(entry_of(f->host[id]).text) : 0;
  if (copy)
    *root = copy;
}

/* NTH_SHARE: a table's name, or a folder for a file of the program's own. */
static void take_share(const struct found *f) {
  static const char *const off[] = {"off", "false", "no", "0", "disabled"};
  char shown[512];
  const char *text = f->host[NTH_ENV_SHARE] ? entry_of(f->host[NTH_ENV_SHARE]).text : 0;
  if (!text)
    return;
  for (size_t i = 0; i < sizeof off / sizeof *off; i++)
    if (strcasecmp(text, off[i]) == 0)
      return;
  if (strcasecmp(text, "auto") == 0)
    text = "auto";
  bool table = nth_share_is_name(text);
  if (!table && !strchr(text, '/')) {
    nth_msg("NTH_SHARE takes off, auto, a name of up to %d letters, digits, '.', '-' and '_', or a "
            "folder, with a '/' in it, not '%s': processors are not shared",
            NTH_TABLE_NAME_MOST, nth_env_printable(shown, sizeof shown, text, strlen(text)));
    return;
  }
  const char *why = table ? nth_share_load(text) : 0;
  int error = table ? 0 : nth_request_load(text);
  if (why)
    nth_msg("NTH_SHARE: no table '%s' is used (%s): processors are not shared with other programs",
            nth_env_printable(shown, sizeof shown, text, strlen(text)), why);
  else if (error)
    nth_msg("NTH_SHARE takes a folder that can be written; no file was made in '%s' (%s): nobody "
            "outside can take processors from the program",
            nth_env_printable(shown, sizeof shown, text, strlen(text)), strerror(error));
  else
    nth_permits_begin();
}

/* The order in which variables are taken: libgomp's, for the messages. Our own follow. OMP_PLACES
 * stands for GOMP_CPU_AFFINITY too. */
static const uint8_t order[] = {NTH_ENV_SCHEDULE,        NTH_ENV_DYNAMIC,
                                NTH_ENV_CANCELLATION,    NTH_ENV_DISPLAY_AFFINITY,
                                NTH_ENV_AFFINITY_FORMAT, NTH_ENV_DEFAULT_DEVICE,
                                NTH_ENV_TARGET_OFFLOAD,  NTH_ENV_MAX_TASK_PRIORITY,
                                NTH_ENV_ALLOCATOR,       NTH_ENV_THREAD_LIMIT,
                                NTH_ENV_DEBUG,           NTH_ENV_NUM_THREADS,
                                NTH_ENV_NUM_TEAMS,       NTH_ENV_TEAMS_THREAD_LIMIT,
                                NTH_ENV_PROC_BIND,       NTH_ENV_MAX_ACTIVE_LEVELS,
                                NTH_ENV_NESTED,          NTH_ENV_PLACES,
                                NTH_ENV_WAIT_POLICY,     NTH_ENV_SPINCOUNT,
                                NTH_ENV_STACKSIZE,       NTH_ENV_GOMP_STACKSIZE,
                                NTH_ENV_DISPLAY_ENV,     NTH_ENV_ACC_DEVICE_NUM,
                                NTH_ENV_ACC_DEVICE_TYPE, NTH_ENV_ACC_PROFLIB,
                                NTH_ENV_OPENACC_DIM};

static void take_all(struct found *f) {
  for (size_t i = 0; i < sizeof order; i++) {
    if (order[i] == NTH_ENV_NESTED)
      take_levels(f);
    else if (order[i] == NTH_ENV_PLACES)
      take_places(f);
    else if (order[i] != NTH_ENV_GOMP_STACKSIZE || !f->good[NTH_ENV_STACKSIZE])
      take(f, order[i]);
  }
  for (uint32_t id = NTH_ENV_OWN; id < NTH_ENV_OWN_END; id++)
    take(f, id);
}

void nth_env_load(void) {
  struct found f = {{0}, {0}, {0}};
  for (char **entry = environ; entry && *entry; entry++)
    take_entry(&f, *entry);
  drop_unsafe(&f);
  take(&f, NTH_ENV_VERBOSE); /* first: it decides how much is printed */
  nth_verbose = nth_env.verbose;
  take_root(&f, NTH_ENV_TEST_CGROUP_ROOT, &nth_sysfile_cgroup_root);
  take_root(&f, NTH_ENV_TEST_SYS_ROOT, &nth_sysfile_root);
  take_root(&f, NTH_ENV_TEST_HWLOC, &nth_hwloc_file);
  take_root(&f, NTH_ENV_TEST_CPUS, &nth_survey_cpus);
  take_all(&f);
  take_share(&f);
  if (nth_env.target_offload == NTH_OFFLOAD_MANDATORY && !f.good[NTH_ENV_DEFAULT_DEVICE])
    nth_env.initial.default_device = -4; /* omp_invalid_device: there is no device but the host */
  nth_store_rlx(&nth_settings.num_teams, nth_env.num_teams);
  nth_store_rlx(&nth_settings.teams_thread_limit, nth_env.teams_thread_limit);
  if (nth_env.display_env != NTH_DISPLAY_NO)
    nth_display_env(nth_env.display_env == NTH_DISPLAY_VERBOSE);
}
