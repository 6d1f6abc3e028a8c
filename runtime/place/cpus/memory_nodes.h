/* memory_nodes.h - the machine's memory nodes, and which of them have high bandwidth
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Allocators that ask for a partition or for high-bandwidth memory need to know the
 *             NUMA nodes. /sys/devices/system/node has them, and since Linux 5.2 their bandwidth
 *             (from the firmware's HMAT), so no library is loaded.
 * Use         nth_memory_nodes() reads the files on first need; afterwards one load.
 * Orders      A   the finished object: nth_memory_nodes() -> nth_memory_nodes()
 * Tested by   tests/unit/memory.c, over trees of its own
 */
#ifndef NTH_PLACE_MEMORY_NODES_H
#define NTH_PLACE_MEMORY_NODES_H

#include <stdint.h>

#define NTH_NODE_WORDS 16 /* 1024 nodes: the kernel's largest configuration */

/* Immutable once published. */
struct nth_memory_nodes {
  uint32_t count; /* nodes with memory; 0: not known, counts as one */
  uint32_t fast;  /* how many of them have high bandwidth; 0: all are alike */
  uint64_t all[NTH_NODE_WORDS];
  uint64_t high[NTH_NODE_WORDS];
};

/* Never NULL, never freed. */
const struct nth_memory_nodes *nth_memory_nodes(void);

/* Reads the files under nth_sysfile_root now. Outside memory_nodes.c only unit tests call it. */
void nth_memory_nodes_read(struct nth_memory_nodes *nodes);

#endif
