/* topology.h - the machine's cores, sockets, caches and memory nodes as CPU sets
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The abstract names of OMP_PLACES (cores, sockets, ...) stand for such sets. They are
 *             read from /sys/devices/system when they are needed.
 */
#ifndef NTH_PLACE_TOPOLOGY_H
#define NTH_PLACE_TOPOLOGY_H

#include "runtime/place/places/place_parse.h"

/* The first limit places (0: all) that an abstract name stands for, in the order of their first
 * CPU, each cut to the CPUs in usable. From the heap; NULL: no memory. *known: /sys has told all of
 * them; a CPU of which it tells nothing is a place of its own. */
struct nth_places *nth_topology_places(enum nth_place_kind kind, uint32_t limit,
                                       const struct nth_cpuset *usable, bool *known);

/* The CPUs that share this CPU's cache of the highest level; false: /sys does not tell. */
bool nth_topology_last_cache(uint64_t cpu, uint64_t *set, uint32_t words);

#endif
