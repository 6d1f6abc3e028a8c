/* hwloc.c - asks hwloc for the machine's CPUs and what they share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * hwloc is opened with RTLD_LOCAL and closed when the survey is made, so nothing of it stays. If
 * another hwloc is in the program's scope, hwloc is not asked, since it would call functions of the
 * other. Why RTLD_DEEPBIND does not help: docs/design/place.md.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/place/cpus/hwloc_abi.h"
#include "runtime/place/cpus/survey.h"

const char *nth_hwloc_file = NTH_HWLOC_SONAME, *nth_survey_cpus;

static const int type_of[NTH_SHARES] = {NTH_HWLOC_PACKAGE, NTH_HWLOC_DIE, NTH_HWLOC_NUMA,
                                        NTH_HWLOC_L3,      NTH_HWLOC_L2,  NTH_HWLOC_CORE};

/* hwloc's functions, X(result, name, parameters). */
#define FUNCTIONS(X)                                                                               \
  X(int, topology_init, (void **))                                                                 \
  X(int, topology_set_flags, (void *, unsigned long))                                              \
  X(int, topology_set_all_types_filter, (void *, int))                                             \
  X(int, topology_set_type_filter, (void *, int, int))                                             \
  X(int, topology_set_xml, (void *, const char *))                                                 \
  X(int, topology_set_synthetic, (void *, const char *))                                           \
  X(int, topology_load, (void *))                                                                  \
  X(int, topology_is_thissystem, (void *))                                                         \
  X(void, topology_destroy, (void *))                                                              \
  X(int, get_type_depth, (void *, int))                                                            \
  X(unsigned, get_nbobjs_by_depth, (void *, int))                                                  \
  X(struct nth_hwloc_obj *, get_obj_by_depth, (void *, int, unsigned))                             \
  X(int, bitmap_isset, (const void *, unsigned))                                                   \
  X(int, bitmap_weight, (const void *))

struct hwloc {
  void *file, *topology;
  unsigned version;
  int (*kind_of)(void *, const void *, unsigned long); /* since 2.4 */
#define FIELD(result, name, parameters) result(*name) parameters;
  FUNCTIONS(FIELD)
};

/* --- open and load --- */

static bool fail(char *why, size_t size, const char *what, const char *reason) {
  snprintf(why, size, "%s%s%s", what, reason ? ": " : "", reason ? reason : "");
  return false;
}

static bool find_functions(struct hwloc *h, char *why, size_t size) {
  const char *missing = 0;
#define FIND(result, name, parameters)                                                             \
  if (!(h->name = (result(*) parameters)dlsym(h->file, "hwloc_" #name)))                           \
    missing = "it has no hwloc_" #name;
  FUNCTIONS(FIND)
  unsigned (*version)(void) = (unsigned (*)(void))dlsym(h->file, "hwloc_get_api_version");
  h->kind_of =
      (int (*)(void *, const void *, unsigned long))dlsym(h->file, "hwloc_cpukinds_get_by_cpuset");
  if (!version)
    missing = "it has no hwloc_get_api_version";
  if (missing)
    return fail(why, size, nth_hwloc_file, missing);
  h->version = version();
  if (h->version >> 16 != NTH_HWLOC_MAJOR)
    return fail(why, size, nth_hwloc_file, "it is not hwloc 2");
  void *first = dlsym(RTLD_DEFAULT, "hwloc_topology_init");
  if (first && first != (void *)h->topology_init)
    return fail(why, size, "another hwloc is in the program's scope", 0);
  return true;
}

/* The variable that describes a machine to hwloc, in place of this machine's kernel; NULL: none. */
static const char *told(const char **value) {
  static const char *const names[] = {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if ((*value = secure_getenv(names[i])) && **value)
      return names[i];
  return 0;
}

bool nth_hwloc_told(void) {
  const char *value;
  return told(&value) != 0;
}

/* Hands the first two variables to hwloc and returns whether it understood them. hwloc reads them
 * itself too, but if it does not understand them it writes lines of its own and takes this
 * machine. */
static int describe(struct hwloc *h, const char *name, const char *value) {
  if (name && !strcmp(name, "HWLOC_XMLFILE"))
    return h->topology_set_xml(h->topology, value);
  if (name && !strcmp(name, "HWLOC_SYNTHETIC"))
    return h->topology_set_synthetic(h->topology, value);
  return 0;
}

static bool load(struct hwloc *h, char *why, size_t size) {
  const char *value, *name = told(&value);
  if (h->topology_init(&h->topology) != 0) {
    h->topology = 0;
    return fail(why, size, "hwloc_topology_init", strerror(errno));
  }
  /* Devices, distances and memory attributes are of no use here. An older hwloc refuses newer
   * flags. */
  if (h->topology_set_flags(h->topology, NTH_HWLOC_KEEP_BINDING | NTH_HWLOC_NO_DISTANCES |
                                             NTH_HWLOC_NO_MEMATTRS) != 0)
    h->topology_set_flags(h->topology, NTH_HWLOC_KEEP_BINDING);
  h->topology_set_all_types_filter(h->topology, NTH_HWLOC_KEEP_NONE);
  for (uint32_t k = 0; k < NTH_SHARES; k++)
    h->topology_set_type_filter(h->topology, type_of[k], NTH_HWLOC_KEEP_ALL);
  /* a memory node hangs on a group if no other object has exactly its CPUs */
  h->topology_set_type_filter(h->topology, NTH_HWLOC_GROUP, NTH_HWLOC_KEEP_STRUCTURE);
  if (describe(h, name, value) == 0 && h->topology_load(h->topology) == 0)
    return true;
  if (!name)
    return fail(why, size, "hwloc_topology_load", strerror(errno));
  snprintf(why, size, "%s: hwloc makes no machine of \"%.100s\"", name, value);
  return false;
}

static bool open_library(struct hwloc *h, char *why, size_t size) {
  memset(h, 0, sizeof *h);
  if (getauxval(AT_SECURE)) /* hwloc loads plug-ins and files that the environment names */
    return fail(why, size, "hwloc is not used in a setuid program", 0);
  h->file = dlopen(nth_hwloc_file, RTLD_NOW | RTLD_LOCAL);
  if (!h->file) {
    const char *reason = dlerror();
    return fail(why, size, reason ? reason : nth_hwloc_file, 0);
  }
  return find_functions(h, why, size) && load(h, why, size);
}

static void close_library(struct hwloc *h) {
  if (h->topology)
    h->topology_destroy(h->topology);
  if (h->file)
    dlclose(h->file);
}

/* --- the survey --- */

/* Notes the objects around a CPU: its ancestors. Memory nodes are not among these; note_numa()
 * notes them. */
static void note_ancestors(struct nth_survey *s, uint32_t p, const struct nth_hwloc_obj *o) {
  for (; o; o = o->parent)
    for (uint32_t k = 0; k < NTH_SHARES; k++)
      if (o->type == type_of[k])
        s->shared[k][p] = o->logical_index;
}

/* Notes each CPU's memory node. Of several nodes around a CPU (banks of slow and fast memory) it
 * takes the one with the fewest CPUs, the first of equals. */
static void note_numa(struct hwloc *h, struct nth_survey *s) {
  uint32_t *numa = s->shared[NTH_SHARE_NUMA];
  for (uint32_t i = 0; i < h->get_nbobjs_by_depth(h->topology, NTH_HWLOC_NUMA_DEPTH); i++) {
    const struct nth_hwloc_obj *o = h->get_obj_by_depth(h->topology, NTH_HWLOC_NUMA_DEPTH, i), *old;
    int weight = h->bitmap_weight(o->cpuset);
    for (uint32_t p = 0; p < s->count; p++) {
      if (!h->bitmap_isset(o->cpuset, s->cpu[p]))
        continue;
      old = numa[p] == NTH_SHARE_NONE
                ? 0
                : h->get_obj_by_depth(h->topology, NTH_HWLOC_NUMA_DEPTH, numa[p]);
      if (!old || weight < h->bitmap_weight(old->cpuset))
        numa[p] = i;
    }
  }
}

/* The CPUs that the process may use; an empty set: all. */
static bool find_allowed(const struct nth_survey *s, const struct nth_cpuset *allowed,
                         struct nth_cpuset *set) {
  enum { PRETENDED_WORDS = 256 };
  const struct nth_cpuset *from = s->pretended ? 0 : allowed;
  if (!nth_cpuset_make(set, from ? from->words : PRETENDED_WORDS))
    return false;
  if (from)
    memcpy(set->word, from->word, from->words * sizeof *from->word);
  else if (!s->pretended || !nth_survey_cpus ||
           !nth_cpus_parse(set->word, set->words, nth_survey_cpus))
    memset(set->word, 0, set->words * sizeof *set->word);
  return true;
}

static bool fill(struct hwloc *h, struct nth_survey *s, const struct nth_cpuset *allowed) {
  int depth = h->get_type_depth(h->topology, NTH_HWLOC_PU);
  uint32_t all = h->get_nbobjs_by_depth(h->topology, depth), n = 0;
  bool pretended = !h->topology_is_thissystem(h->topology);
  struct nth_cpuset set;
  if (!nth_survey_make(s, all))
    return false;
  s->pretended = pretended;
  if (!find_allowed(s, allowed, &set)) {
    nth_survey_free(s);
    return false;
  }
  bool any = nth_cpus_count(set.word, set.words) == 0;
  for (uint32_t i = 0; i < all; i++) {
    const struct nth_hwloc_obj *o = h->get_obj_by_depth(h->topology, depth, i);
    if (!any && !nth_cpus_has(set.word, set.words, o->os_index))
      continue;
    int speed = h->kind_of ? h->kind_of(h->topology, o->cpuset, 0) : -1;
    s->speed[n] = speed > 0 ? (uint32_t)speed : 0;
    s->cpu[n] = o->os_index;
    note_ancestors(s, n++, o);
  }
  nth_cpuset_free(&set);
  s->count = n;
  note_numa(h, s);
  return true;
}

bool nth_hwloc_survey(struct nth_survey *s, const struct nth_cpuset *allowed, char *why,
                      size_t size) {
  struct hwloc h;
  int saved = errno;
  bool good = open_library(&h, why, size);
  if (good && !(good = fill(&h, s, allowed)))
    fail(why, size, "there is no memory for the machine's table", 0);
  if (good && s->count == 0) {
    nth_survey_free(s);
    good = fail(why, size, "hwloc knows none of the CPUs that the process may use", 0);
  }
  if (good) {
    const char *value, *name = told(&value);
    snprintf(why, size, "hwloc %u.%u%s%s%s", h.version >> 16, h.version >> 8 & 255,
             name ? ", " : "", name ? name : "",
             s->pretended ? ": another machine than this one" : "");
  }
  close_library(&h);
  errno = saved;
  return good;
}
