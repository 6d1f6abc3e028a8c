/* env_alloc.c - OMP_ALLOCATOR
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Grammar     allocator := predefined | space [ ':' trait '=' value { ',' trait '=' value } ]
 * The allocator is made at once: it is the default allocator of every initial task. allocator.h
 * says what the traits mean.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/env.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/env/env_vars.h"
#include "runtime/omp/memory/allocator.h"

/* A word, and its number in omp.h (abi/omp_types.h). */
struct named {
  const char *name;
  uint32_t value;
};
#define END {0, 0}

static const struct named allocators[] = {{"omp_default_mem_alloc", NTH_ALLOCATOR_DEFAULT},
                                          {"omp_large_cap_mem_alloc", 2},
                                          {"omp_const_mem_alloc", 3},
                                          {"omp_high_bw_mem_alloc", NTH_ALLOCATOR_HIGH_BW},
                                          {"omp_low_lat_mem_alloc", 5},
                                          {"omp_cgroup_mem_alloc", 6},
                                          {"omp_pteam_mem_alloc", 7},
                                          {"omp_thread_mem_alloc", NTH_ALLOCATOR_THREAD},
                                          {"ompx_gnu_pinned_mem_alloc", NTH_ALLOCATOR_PINNED},
                                          {"ompx_gnu_managed_mem_alloc", NTH_ALLOCATOR_MANAGED},
                                          END};

static const struct named spaces[] = {{"omp_default_mem_space", NTH_SPACE_DEFAULT},
                                      {"omp_large_cap_mem_space", NTH_SPACE_LARGE_CAP},
                                      {"omp_const_mem_space", NTH_SPACE_CONST},
                                      {"omp_high_bw_mem_space", NTH_SPACE_HIGH_BW},
                                      {"omp_low_lat_mem_space", NTH_SPACE_LOW_LAT},
                                      {"ompx_gnu_managed_mem_space", NTH_SPACE_MANAGED},
                                      END};

/* All traits but fb_data, which cannot be written as text. */
static const struct named traits[] = {
    {"sync_hint", NTH_TRAIT_SYNC_HINT}, {"alignment", NTH_TRAIT_ALIGNMENT},
    {"access", NTH_TRAIT_ACCESS},       {"pool_size", NTH_TRAIT_POOL_SIZE},
    {"fallback", NTH_TRAIT_FALLBACK},   {"pinned", NTH_TRAIT_PINNED},
    {"partition", NTH_TRAIT_PARTITION}, END};

static const struct named sync_hints[] = {{"contended", 3},  {"uncontended", 4}, {"serialized", 5},
                                          {"sequential", 5}, {"private", 6},     END};
static const struct named accesses[] = {
    {"all", 7}, {"thread", 8}, {"pteam", 9}, {"cgroup", 10}, END};
static const struct named fallbacks[] = {{"default_mem_fb", NTH_FALLBACK_DEFAULT_MEM},
                                         {"null_fb", NTH_FALLBACK_NULL},
                                         {"abort_fb", NTH_FALLBACK_ABORT},
                                         {"allocator_fb", NTH_FALLBACK_ALLOCATOR},
                                         END};
static const struct named truths[] = {{"false", 0}, {"true", 1}, END};
static const struct named partitions[] = {
    {"environment", 15}, {"nearest", 16}, {"blocked", 17}, {"interleaved", 18}, END};

static const struct named *find(const char **at, const struct named *list) {
  for (; list->name; list++)
    if (nth_env_word(at, list->name))
      return list;
  return 0;
}

static const struct named *values_of(uint32_t key) {
  switch (key) {
  case NTH_TRAIT_SYNC_HINT: return sync_hints;
  case NTH_TRAIT_ACCESS: return accesses;
  case NTH_TRAIT_FALLBACK: return fallbacks;
  case NTH_TRAIT_PINNED: return truths;
  case NTH_TRAIT_PARTITION: return partitions;
  default: return 0; /* a number */
  }
}

/* trait '=' value */
static bool parse_trait(const char **at, struct nth_trait *trait) {
  const struct named *key = find(at, traits);
  if (!key || !nth_env_char(at, '='))
    return false;
  trait->key = (int32_t)key->value;
  const struct named *values = values_of(key->value);
  if (!values)
    return nth_env_unsigned(at, &trait->value, INT64_MAX);
  const struct named *value = find(at, values);
  trait->value = value ? value->value : 0;
  return value != 0;
}

#define TRAITS 8 /* one for each key */

struct wish {
  uint32_t space, traits;
  struct nth_trait trait[TRAITS];
};

/* A later trait with the same key wins. */
static void add_trait(struct wish *w, const struct nth_trait *trait) {
  uint32_t i = 0;
  while (i < w->traits && w->trait[i].key != trait->key)
    i++;
  w->trait[i] = *trait;
  w->traits += i == w->traits;
}

/* The predefined allocator of a space, which a space without traits stands for. */
static const struct named *predefined_of(uint32_t space) {
  uint32_t value =
      space == NTH_SPACE_MANAGED ? NTH_ALLOCATOR_MANAGED : NTH_ALLOCATOR_DEFAULT + space;
  const struct named *a = allocators;
  while (a->value != value)
    a++;
  return a;
}

static bool use(struct nth_env *env, const struct named *predefined) {
  env->initial.default_allocator = predefined->value;
  env->allocator_name = predefined->name;
  return true;
}

/* Makes the allocator. A pool of size 0 is refused here, since it could serve nothing. */
static uintptr_t make(const struct wish *w) {
  for (uint32_t i = 0; i < w->traits; i++)
    if (w->trait[i].key == NTH_TRAIT_POOL_SIZE && w->trait[i].value == 0)
      return NTH_ALLOCATOR_NULL;
  return nth_allocator_make(w->space, w->traits, w->trait);
}

static bool fail(const struct nth_env_entry *e, const char *at) {
  char text[512];
  if (*at)
    nth_msg_libgomp("Invalid value for environment variable OMP_ALLOCATOR when parsing: %s",
                    nth_env_printable(text, sizeof text, at, strlen(at)));
  else
    nth_msg_libgomp("Missing value at the end of environment variable %s",
                    nth_env_printable(text, sizeof text, e->name, strlen(e->name)));
  return false;
}

/* space [ ':' trait '=' value { ',' trait '=' value } ] */
static bool parse_wish(const char **at, struct wish *w) {
  const struct named *space = find(at, spaces);
  if (!space)
    return false;
  w->space = space->value;
  bool more = nth_env_char(at, ':');
  while (more) {
    struct nth_trait trait;
    if (!parse_trait(at, &trait))
      return false;
    add_trait(w, &trait);
    more = nth_env_char(at, ',');
  }
  return nth_env_end(at);
}

bool nth_env_parse_allocator(struct nth_env *env, const struct nth_env_entry *e) {
  const char *at = e->text;
  nth_env_end(&at);
  const struct named *found = find(&at, allocators);
  if (found) {
    if (!nth_env_end(&at))
      return fail(e, at);
    return use(env, found);
  }
  struct wish w = {.traits = 0};
  if (!parse_wish(&at, &w))
    return fail(e, at);
  if (w.traits == 0)
    return use(env, predefined_of(w.space));
  uintptr_t made = make(&w);
  if (made == NTH_ALLOCATOR_NULL) {
    nth_msg_libgomp("Allocator of environment variable OMP_ALLOCATOR cannot be created, using "
                    "omp_default_mem_alloc instead");
    nth_msg("OMP_ALLOCATOR: an alignment is a power of two, a pool has a size");
    return true;
  }
  const char *name = nth_heap_copy(e->text); /* shown as it is written, with its blanks */
  env->initial.default_allocator = made;
  env->allocator_name = name ? name : "(out of memory)";
  return true;
}
