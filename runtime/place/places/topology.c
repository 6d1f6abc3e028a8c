/* topology.c - the machine's cores, sockets, caches and memory nodes as CPU sets
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/places/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/env.h"
#include "runtime/mem/heap.h"
#include "runtime/place/cpus/sysfile.h"

#define SYSTEM "/sys/devices/system"
#define LIST_SIZE 65536 /* bytes of a CPU list; the kernel's end at a page, a longer one is cut */
#define CACHE_LEVELS 16 /* index0, index1, ... of a CPU */

/* Empties set, then reads the CPU list in a file into it. */
static bool read_list(const char *path, uint64_t *set, uint32_t words) {
  char *list = nth_heap_take(LIST_SIZE);
  memset(set, 0, words * sizeof *set);
  bool good = list && nth_sysfile_read(nth_sysfile_root, path, list, LIST_SIZE) &&
              nth_cpus_parse(set, words, list);
  nth_heap_free(list);
  return good;
}

/* Reads a file under cpuN/topology by its name since Linux 5.2, else by its old name. */
static bool read_siblings(uint64_t cpu, const char *name, const char *old, uint64_t *set,
                          uint32_t words) {
  char path[128];
  snprintf(path, sizeof path, SYSTEM "/cpu/cpu%llu/topology/%s", (unsigned long long)cpu, name);
  if (read_list(path, set, words))
    return true;
  snprintf(path, sizeof path, SYSTEM "/cpu/cpu%llu/topology/%s", (unsigned long long)cpu, old);
  return read_list(path, set, words);
}

bool nth_topology_last_cache(uint64_t cpu, uint64_t *set, uint32_t words) {
  uint64_t best = 0, best_index = 0;
  char path[128], text[32];
  for (unsigned index = 0; index < CACHE_LEVELS; index++) {
    snprintf(path, sizeof path, SYSTEM "/cpu/cpu%llu/cache/index%u/level", (unsigned long long)cpu,
             index);
    const char *at = text;
    uint64_t level;
    if (!nth_sysfile_read(nth_sysfile_root, path, text, sizeof text))
      break;
    if (nth_env_unsigned(&at, &level, 100) && level > best) {
      best = level;
      best_index = index;
    }
  }
  snprintf(path, sizeof path, SYSTEM "/cpu/cpu%llu/cache/index%llu/shared_cpu_list",
           (unsigned long long)cpu, (unsigned long long)best_index);
  return best > 0 && read_list(path, set, words);
}

/* The CPUs of the memory node that has this CPU. online: the nodes' numbers. */
static bool read_node(uint64_t cpu, const uint64_t *online, uint64_t *set, uint32_t words) {
  char path[128];
  for (uint64_t node = nth_cpus_next(online, words, 0); node < (uint64_t)words * 64;
       node = nth_cpus_next(online, words, node + 1)) {
    snprintf(path, sizeof path, SYSTEM "/node/node%llu/cpulist", (unsigned long long)node);
    if (read_list(path, set, words) && nth_cpus_has(set, words, cpu))
      return true;
  }
  return false;
}

static bool read_kind(enum nth_place_kind kind, uint64_t cpu, const uint64_t *nodes, uint64_t *set,
                      uint32_t words) {
  switch (kind) {
  case NTH_PLACES_CORES:
    return read_siblings(cpu, "core_cpus_list", "thread_siblings_list", set, words);
  case NTH_PLACES_SOCKETS:
    return read_siblings(cpu, "package_cpus_list", "core_siblings_list", set, words);
  case NTH_PLACES_LL_CACHES: return nth_topology_last_cache(cpu, set, words);
  case NTH_PLACES_NUMA_DOMAINS: return read_node(cpu, nodes, set, words);
  default: return false;
  }
}

/* Fills list->bits. left: the CPUs that have no place yet; nodes: room for one set. */
static void fill(struct nth_places *list, enum nth_place_kind kind, uint32_t limit, uint64_t *left,
                 uint64_t *nodes, bool *known) {
  uint32_t words = list->words;
  uint64_t end = (uint64_t)words * 64;
  if (kind == NTH_PLACES_NUMA_DOMAINS && !read_list(SYSTEM "/node/online", nodes, words))
    memset(nodes, 0, words * sizeof *nodes);
  for (uint64_t cpu = nth_cpus_next(left, words, 0); cpu < end && list->count < limit;
       cpu = nth_cpus_next(left, words, cpu + 1)) {
    uint64_t *set = list->bits + (size_t)list->count++ * words;
    if (kind == NTH_PLACES_THREADS || !read_kind(kind, cpu, nodes, set, words)) {
      *known = *known && kind == NTH_PLACES_THREADS;
      memset(set, 0, words * sizeof *set);
    }
    nth_cpus_add(set, cpu);
    for (uint32_t w = 0; w < words; w++) {
      set[w] &= left[w];
      left[w] &= ~set[w];
    }
  }
}

struct nth_places *nth_topology_places(enum nth_place_kind kind, uint32_t limit,
                                       const struct nth_cpuset *usable, bool *known) {
  uint32_t words = usable->words, cpus = nth_cpus_count(usable->word, words);
  if (limit == 0 || limit > cpus)
    limit = cpus;
  struct nth_places *list =
      nth_heap_take(sizeof *list + (size_t)limit * words * sizeof list->bits[0]);
  uint64_t *left = nth_heap_take(2 * words * sizeof *left);
  *known = true;
  if (list && left) {
    list->count = 0;
    list->words = words;
    memcpy(left, usable->word, words * sizeof *left);
    fill(list, kind, limit, left, left + words, known);
  } else {
    nth_heap_free(list);
    list = 0;
  }
  nth_heap_free(left);
  return list;
}
