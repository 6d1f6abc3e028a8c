/* count.c - events of the whole process, by PAPI and by perf_event_open
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "count.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef NTHBENCH_PAPI
#include <papi.h>
#endif

/* Of this process on any CPU, with the threads that it makes from now on. */
static int open_perf(uint32_t type, uint64_t config, bool user_only) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = type;
  attr.config = config;
  attr.inherit = 1;
  attr.exclude_kernel = user_only;
  attr.exclude_hv = user_only;
  return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int paranoid(void) {
  int level = -2;
  FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
  if (file) {
    if (fscanf(file, "%d", &level) != 1)
      level = -2;
    fclose(file);
  }
  return level;
}

static void explain(int error, char why[COUNT_WHY]) {
  switch (error) {
  case ENOENT:
  case ENODEV:
  case EOPNOTSUPP:
    snprintf(why, COUNT_WHY,
             "the kernel offers no counters of this CPU, as in most virtual machines");
    break;
  case EACCES:
  case EPERM:
    snprintf(why, COUNT_WHY, "the system refuses them: perf_event_paranoid is %d", paranoid());
    break;
  case ENOSYS: snprintf(why, COUNT_WHY, "this kernel or sandbox has no perf_event_open"); break;
  default: snprintf(why, COUNT_WHY, "perf_event_open: %s", strerror(error));
  }
}

bool count_hardware(char why[COUNT_WHY]) {
  int file = open_perf(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, true);
  if (file < 0) {
    explain(errno, why);
    return false;
  }
  close(file);
  return true;
}

struct count_soft count_softs[COUNT_SOFTS] = {
    {"context-switches", -1}, {"migrations", -1}, {"page-faults", -1}, {"task-clock", -1}};

bool count_open_soft(char why[COUNT_WHY]) {
  static const uint64_t configs[COUNT_SOFTS] = {
      PERF_COUNT_SW_CONTEXT_SWITCHES, PERF_COUNT_SW_CPU_MIGRATIONS, PERF_COUNT_SW_PAGE_FAULTS,
      PERF_COUNT_SW_TASK_CLOCK};
  bool any = false;
  for (int i = 0; i < COUNT_SOFTS; i++) {
    /* A switch happens in the kernel: without the kernel's part there would be none. */
    count_softs[i].file = open_perf(PERF_TYPE_SOFTWARE, configs[i], false);
    if (count_softs[i].file < 0)
      explain(errno, why);
    any |= count_softs[i].file >= 0;
  }
  return any;
}

long long count_read_soft(int which) {
  int64_t value;
  int file = count_softs[which].file;
  return file >= 0 && read(file, &value, sizeof value) == sizeof value ? value : -1;
}

#ifdef NTHBENCH_PAPI

static int event_set = PAPI_NULL;

const char *count_papi(char why[COUNT_WHY]) {
  static char version[32];
  if (!PAPI_is_initialized()) {
    int got = PAPI_library_init(PAPI_VER_CURRENT);
    if (got != PAPI_VER_CURRENT) {
      snprintf(why, COUNT_WHY, "PAPI does not start: %s",
               got > 0 ? "not the version it was built for" : PAPI_strerror(got));
      return NULL;
    }
  }
  snprintf(version, sizeof version, "%d.%d.%d", PAPI_VERSION_MAJOR(PAPI_VERSION),
           PAPI_VERSION_MINOR(PAPI_VERSION), PAPI_VERSION_REVISION(PAPI_VERSION));
  return version;
}

static bool refused(const char *step, int error, char why[COUNT_WHY]) {
  snprintf(why, COUNT_WHY, "%s: %s", step, PAPI_strerror(error));
  count_close();
  return false;
}

/* The component that counts the event, or -1. */
static int component_of(int code, char why[COUNT_WHY]) {
  int component = PAPI_get_event_component(code);
  const PAPI_component_info_t *info = component >= 0 ? PAPI_get_component_info(component) : NULL;
  if (info && !info->disabled && info->inherit)
    return component;
  if (info && info->disabled)
    snprintf(why, COUNT_WHY, "PAPI's component %.40s is off: %.80s", info->short_name,
             info->disabled_reason);
  else
    snprintf(why, COUNT_WHY, "PAPI's component %.40s cannot count all threads of a process",
             info ? info->short_name : "of this event");
  return -1;
}

static bool start(int code, int component, bool inherit, char why[COUNT_WHY]) {
  int error;
  PAPI_option_t option;
  if ((error = PAPI_create_eventset(&event_set)) != PAPI_OK ||
      (error = PAPI_assign_eventset_component(event_set, component)) != PAPI_OK)
    return refused("PAPI makes no event set", error, why);
  memset(&option, 0, sizeof option);
  option.inherit.inherit = PAPI_INHERIT_ALL;
  option.inherit.eventset = event_set;
  if (inherit && (error = PAPI_set_opt(PAPI_INHERIT, &option)) != PAPI_OK)
    return refused("PAPI counts it in one thread only", error, why);
  if ((error = PAPI_add_event(event_set, code)) != PAPI_OK)
    return refused("PAPI cannot add it", error, why);
  if ((error = PAPI_start(event_set)) != PAPI_OK)
    return refused("PAPI cannot start it", error, why);
  return true;
}

bool count_open(const char *name, char why[COUNT_WHY]) {
  int code;
  char text[PAPI_MAX_STR_LEN];
  if (!count_papi(why))
    return false;
  snprintf(text, sizeof text, "%s", name);
  if (PAPI_event_name_to_code(text, &code) != PAPI_OK) {
    snprintf(why, COUNT_WHY, "PAPI knows no such event on this machine");
    return false;
  }
  int component = component_of(code, why);
  /* Alone first: the reason is a better one where the event does not exist at all. */
  if (component < 0 || !start(code, component, false, why))
    return false;
  count_close();
  return start(code, component, true, why);
}

void count_close(void) {
  long long last;
  if (event_set != PAPI_NULL) {
    PAPI_stop(event_set, &last);
    PAPI_cleanup_eventset(event_set);
    PAPI_destroy_eventset(&event_set);
    event_set = PAPI_NULL;
  }
}

long long count_read(void) {
  long long value = -1;
  return PAPI_read(event_set, &value) == PAPI_OK ? value : -1;
}

#else

const char *count_papi(char why[COUNT_WHY]) {
  snprintf(why, COUNT_WHY, "nthbench-fork was built without PAPI (libpapi-dev)");
  return NULL;
}

bool count_open(const char *name, char why[COUNT_WHY]) {
  (void)name;
  return count_papi(why) != NULL;
}

void count_close(void) {}

long long count_read(void) { return -1; }

#endif
