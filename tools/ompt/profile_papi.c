/* profile_papi.c - opens libpapi, tries the events, makes the sets
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tools/ompt/profile_papi.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/atomic.h"
#include "tools/ompt/profile.h"

struct prof_papi papi;
struct prof_set prof_sets[PROF_EVENTS];
_Atomic(uint32_t) prof_papi_sets;

#define DEFAULTS "PAPI_TOT_CYC,PAPI_TOT_INS,PAPI_L1_DCM,PAPI_L2_DCM,PAPI_CA_SHR"
#define SOFTWARE "perf::TASK-CLOCK,perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES"

static bool loaded;
static char reasons[PROF_EVENTS][160]; /* why an event does not count; "": it does */

/* --- the library --- */

static unsigned long thread_id(void) { return (unsigned long)syscall(SYS_gettid); }

static bool has_calls(void *library) {
  bool all = true;
#define FIND(name, type, arguments)                                                                \
  papi.name = (type(*) arguments)dlsym(library, "PAPI_" #name);                                    \
  all &= papi.name != 0;
  PROF_PAPI_CALLS(FIND)
#undef FIND
  return all;
}

/* Opens what is installed. Its number is part of its name, and it wants to be told the same one. */
static bool load(char *why, size_t size) {
  static const struct {
    const char *name;
    int version;
  } known[] = {{"libpapi.so.7.2", 7 << 24 | 2 << 16}, {"libpapi.so.7.1", 7 << 24 | 1 << 16},
               {"libpapi.so.7.0", 7 << 24},           {"libpapi.so.6.0", 6 << 24},
               {"libpapi.so.5.7", 5 << 24 | 7 << 16}, {"libpapi.so", 7 << 24}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    void *library = dlopen(known[i].name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      continue;
    if (has_calls(library) && papi.library_init(known[i].version) == known[i].version &&
        papi.thread_init(thread_id) == PAPI_OK)
      return true;
    snprintf(why, size, "%s does not start", known[i].name);
    return false;
  }
  snprintf(why, size, "libpapi is not installed");
  return false;
}

/* Why the processor's counters are not there, if that is so. */
static const char *no_hardware(void) {
  struct perf_event_attr attr = {.size = sizeof attr,
                                 .type = PERF_TYPE_HARDWARE,
                                 .config = PERF_COUNT_HW_CPU_CYCLES,
                                 .exclude_kernel = 1,
                                 .exclude_hv = 1};
  long file = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (file >= 0) {
    close((int)file);
    return 0;
  }
  switch (errno) {
  case ENOENT:
  case ENODEV:
  case EOPNOTSUPP: return "the kernel offers no counters of this CPU, as in most virtual machines";
  case EACCES:
  case EPERM: return "the system refuses its counters (kernel.perf_event_paranoid)";
  case ENOSYS: return "this kernel or sandbox has no perf_event_open";
  default: return "the processor's counters cannot be opened";
  }
}

/* --- sets --- */

int prof_set_start(const struct prof_set *s, int *handle) {
  int error;
  *handle = PAPI_NULL;
  if (s->component == PROF_RUSAGE)
    return PAPI_OK;
  if ((error = papi.create_eventset(handle)) != PAPI_OK)
    return error;
  error = papi.assign_eventset_component(*handle, s->component);
  if (error == PAPI_OK && s->multiplexed)
    error = papi.set_multiplex(*handle);
  for (uint32_t i = 0; i < s->count && error == PAPI_OK; i++)
    error = papi.add_event(*handle, s->codes[i]);
  if (error == PAPI_OK)
    error = papi.start(*handle);
  if (error != PAPI_OK) {
    papi.cleanup_eventset(*handle);
    papi.destroy_eventset(handle);
  }
  return error;
}

void prof_set_stop(int handle) {
  long long values[PROF_EVENTS];
  if (handle == PAPI_NULL)
    return;
  papi.stop(handle, values);
  papi.cleanup_eventset(handle);
  papi.destroy_eventset(&handle);
}

/* Whether the events of a set count together; may make it a multiplexed one. */
static int try_set(struct prof_set *s) {
  long long values[PROF_EVENTS];
  int handle, error = prof_set_start(s, &handle);
  if (error != PAPI_OK && s->count > 1 && !s->multiplexed) {
    s->multiplexed = papi.multiplex_init() == PAPI_OK;
    error = prof_set_start(s, &handle);
  }
  if (error != PAPI_OK)
    return error;
  if (!prof_set_read(s, handle, values))
    error = -6; /* PAPI_ESBSTR: the set can be started only */
  prof_set_stop(handle);
  return error;
}

static int rusage_code(const char *name) {
  static const char *const names[] = {"CPU-NS", "PAGE-FAULTS", "CONTEXT-SWITCHES"};
  for (int i = 0; i < 3; i++)
    if (strncmp(name, "rusage::", 8) == 0 && strcmp(name + 8, names[i]) == 0)
      return i;
  return -1;
}

/* Tries a set while those before it run: a component may have one running set only. */
static int try_beside(struct prof_set *s, uint32_t others) {
  int handles[PROF_EVENTS];
  for (uint32_t i = 0; i < others; i++)
    (void)prof_set_start(&prof_sets[i], &handles[i]); /* it may run already */
  int error = try_set(s);
  for (uint32_t i = 0; i < others; i++)
    prof_set_stop(handles[i]);
  return error;
}

/* Whether a component counts for the process, or the machine, and not for a thread. */
static bool is_shared(int component) {
  return component != PROF_RUSAGE && component != papi.get_component_index("perf_event");
}

/* Adds an event to the first set that can have it, of those from `first` on, or to one more. 0, or
 * PAPI's error: it counts alone, but not beside the others. */
static int place(uint32_t event, int component, int code, uint32_t first, uint32_t *used) {
  struct prof_set tried;
  for (uint32_t i = first; i < *used; i++) {
    tried = prof_sets[i];
    tried.codes[tried.count] = code;
    tried.events[tried.count++] = event;
    if (tried.component == component && try_set(&tried) == PAPI_OK) {
      prof_sets[i] = tried;
      return PAPI_OK;
    }
  }
  tried = (struct prof_set){.component = component,
                            .shared = is_shared(component),
                            .count = 1,
                            .codes = {code},
                            .events = {event}};
  int error = try_beside(&tried, *used);
  if (error == PAPI_OK)
    prof_sets[(*used)++] = tried;
  return error;
}

/* What getrusage() has of an event of the kernel's; NULL: nothing. */
static const char *from_rusage(const char *name) {
  static const char *const same[][2] = {{"perf::TASK-CLOCK", "rusage::CPU-NS"},
                                        {"perf::PAGE-FAULTS", "rusage::PAGE-FAULTS"},
                                        {"perf::CONTEXT-SWITCHES", "rusage::CONTEXT-SWITCHES"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (strcmp(name, same[i][0]) == 0)
      return same[i][1];
  return 0;
}

/* Whether a library of the program has made a software-defined event. PAPI makes one itself when it
 * is asked for a name that it does not know; so the list is read, before any question. */
static bool is_made(const char *name) {
  enum { FIRST = 1, NEXT = 0, NATIVE = 0x40000000, LONGEST = 4096 };
  char other[LONGEST];
  int code = NATIVE, component = papi.get_component_index("sde");
  int error = papi.enum_cmp_event(&code, FIRST, component);
  for (; error == PAPI_OK; error = papi.enum_cmp_event(&code, NEXT, component))
    if (papi.event_code_to_name(code, other) == PAPI_OK && strcmp(other, name) == 0)
      return true;
  return false;
}

/* Tries one event; `reasons` has the result. False: it cannot be counted, with others or alone. */
static bool try_named(uint32_t event, uint32_t first, uint32_t *used) {
  const char *name = prof.head->event_names[event];
  int code = rusage_code(name), component = PROF_RUSAGE, error = PAPI_OK;
  reasons[event][0] = 0;
  if (code < 0 && !loaded) {
    snprintf(reasons[event], sizeof reasons[event], "libpapi is not installed");
    return false;
  }
  if (code < 0 && strncmp(name, "sde:::", 6) == 0 && !is_made(name)) {
    snprintf(reasons[event], sizeof reasons[event],
             "no library had made such an event when the first region began");
    return false;
  }
  if (code < 0) {
    if (papi.event_name_to_code(name, &code) != PAPI_OK) {
      snprintf(reasons[event], sizeof reasons[event], "PAPI knows no such event");
      return false;
    }
    component = papi.get_event_component(code);
    struct prof_set alone = {.component = component, .count = 1, .codes = {code}};
    error = component < 0 ? component : try_set(&alone);
  }
  if (error != PAPI_OK)
    snprintf(reasons[event], sizeof reasons[event], "%s", papi.strerror(error));
  else if (place(event, component, code, first, used) != PAPI_OK)
    snprintf(reasons[event], sizeof reasons[event], "no counter is left beside the other events");
  return error == PAPI_OK;
}

/* Without PAPI's event the kernel's own figures, under their name. */
static void try_event(uint32_t event, uint32_t first, uint32_t *used) {
  char *name = prof.head->event_names[event];
  const char *other = try_named(event, first, used) ? 0 : from_rusage(name);
  if (other) {
    strcpy(name, other);
    (void)try_named(event, first, used);
  }
}

/* --- the list --- */

/* Makes the file's list of events from names with commas between. */
static void list(const char *names) {
  struct prof_head *h = prof.head;
  h->events = 0;
  for (const char *end; *names; names = *end ? end + 1 : end) {
    end = strchrnul(names, ',');
    size_t length = (size_t)(end - names);
    if (length == 0)
      continue;
    if (h->events == PROF_EVENTS) {
      prof_say("more than %d events: the first ones count", PROF_EVENTS);
      return;
    }
    char *to = h->event_names[h->events++];
    length = length < PROF_NAME ? length : PROF_NAME - 1;
    memcpy(to, names, length);
    to[length] = 0;
  }
}

/* Tries the events that do not count yet. True: at least one counts now. */
static bool try_all(void) {
  uint32_t first = nth_load_rlx(&prof_papi_sets), used = first;
  for (uint32_t i = 0; i < prof.head->events; i++)
    if (!(prof.head->counted >> i & 1)) {
      try_event(i, first, &used);
      prof.head->counted |= reasons[i][0] ? 0 : 1u << i;
    }
  for (uint32_t i = first; i < used; i++) {
    uint32_t events = 0;
    for (uint32_t j = 0; j < prof_sets[i].count; j++)
      events |= 1u << prof_sets[i].events[j];
    prof.head->multiplexed |= prof_sets[i].multiplexed ? events : 0;
    prof.head->shared |= prof_sets[i].shared ? events : 0;
  }
  nth_store_rel(&prof_papi_sets, used); /* P */
  for (uint32_t i = first; i < used; i++)
    nth_store_rlx(prof_sets[i].shared ? &prof.shares : &prof.counts, true);
  return used > first;
}

static bool all_counted(void) { return prof.head->counted == (1u << prof.head->events) - 1; }

/* A line for the file: what is not counted, and why. */
static void reason(const char *what, const char *why) {
  char *text = prof.head->why;
  size_t have = strlen(text), room = sizeof prof.head->why - have;
  snprintf(text + have, room, "%s: %s\n", what, why);
}

/* Without a wish: the processor's events, else those of software. */
static void choose(void) {
  const char *hardware = no_hardware();
  if (loaded && !hardware) {
    list(DEFAULTS);
    if (try_all())
      return;
  }
  reason("no events of the processor", hardware ? hardware : "PAPI has none for this processor");
  prof.head->counted = 0;
  list(SOFTWARE);
  try_all();
}

void prof_papi_begin(void) {
  char why[80] = "";
  const char *names = getenv("NTH_PROFILE_PAPI");
  if (names && strcmp(names, "none") == 0)
    return;
  loaded = load(why, sizeof why);
  if (!loaded)
    reason("no events of PAPI", why);
  if (!names || !*names) {
    choose();
    return;
  }
  list(names);
  try_all();
  nth_store_rlx(&prof.pending, !all_counted());
}

/* The program has made its own events by now: software-defined ones are known by name only then. */
void prof_papi_again(void) {
  pthread_mutex_lock(&prof.lock);
  if (nth_load_rlx(&prof.pending)) {
    if (loaded)
      papi.register_thread(); /* its list of events is not for threads that it does not know */
    try_all();
    nth_store_rlx(&prof.pending, false);
  }
  pthread_mutex_unlock(&prof.lock);
}

void prof_papi_end(void) {
  const char *hardware = no_hardware();
  for (uint32_t i = 0; i < prof.head->events; i++)
    if (!(prof.head->counted >> i & 1)) {
      bool is_preset = strncmp(prof.head->event_names[i], "PAPI_", 5) == 0;
      reason(prof.head->event_names[i], is_preset && hardware ? hardware : reasons[i]);
    }
}
