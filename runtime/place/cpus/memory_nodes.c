/* memory_nodes.c - the machine's memory nodes, and which of them have high bandwidth
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/cpus/memory_nodes.h"

#include <stdio.h>
#include <string.h>

#include "runtime/base/atomic.h"
#include "runtime/base/env.h"
#include "runtime/mem/heap.h"
#include "runtime/place/cpus/cpuset.h"
#include "runtime/place/cpus/sysfile.h"

#define NODES "/sys/devices/system/node"
#define LIST_SIZE 4096 /* the kernel's files end at a page */
#define NODE_LIMIT ((uint64_t)NTH_NODE_WORDS * 64)

/* A node has high bandwidth if it has at least 3/2 of the slowest node's. HBM has 2 to 5 times as
 * much as the DRAM beside it; sockets and channels of one machine differ by less. */
static bool is_fast(uint64_t bandwidth, uint64_t slowest) { return bandwidth * 2 >= slowest * 3; }

/* The node's read bandwidth for the nearest CPUs, in MB/s; 0: not known. */
static uint64_t bandwidth_of(uint64_t node) {
  char path[96], text[32];
  snprintf(path, sizeof path, NODES "/node%llu/access0/initiators/read_bandwidth",
           (unsigned long long)node);
  const char *at = text;
  uint64_t value;
  if (!nth_sysfile_read(nth_sysfile_root, path, text, sizeof text) ||
      !nth_env_unsigned(&at, &value, UINT32_MAX))
    return 0;
  return value;
}

static uint64_t next(const struct nth_memory_nodes *n, uint64_t from) {
  return nth_cpus_next(n->all, NTH_NODE_WORDS, from);
}

static void find_fast(struct nth_memory_nodes *n) {
  uint64_t slowest = UINT64_MAX;
  for (uint64_t node = next(n, 0); node < NODE_LIMIT; node = next(n, node + 1)) {
    uint64_t bandwidth = bandwidth_of(node);
    if (bandwidth == 0)
      return; /* a comparison needs all figures */
    slowest = bandwidth < slowest ? bandwidth : slowest;
  }
  for (uint64_t node = next(n, 0); node < NODE_LIMIT; node = next(n, node + 1))
    if (is_fast(bandwidth_of(node), slowest)) {
      nth_cpus_add(n->high, node);
      n->fast++;
    }
}

void nth_memory_nodes_read(struct nth_memory_nodes *n) {
  char list[LIST_SIZE];
  memset(n, 0, sizeof *n);
  if (!nth_sysfile_read(nth_sysfile_root, NODES "/has_memory", list, sizeof list) ||
      !nth_cpus_parse(n->all, NTH_NODE_WORDS, list))
    memset(n->all, 0, sizeof n->all);
  n->count = nth_cpus_count(n->all, NTH_NODE_WORDS);
  if (n->count > 1)
    find_fast(n);
}

static void read_nodes(void *nodes) { nth_memory_nodes_read(nodes); }

const struct nth_memory_nodes *nth_memory_nodes(void) {
  static _Atomic(struct nth_memory_nodes *) known;   /* w: the first thread to read them; A */
  static const struct nth_memory_nodes none;         /* the answer if there is no memory for it */
  struct nth_memory_nodes *n = nth_load_acq(&known); /* A */
  if (nth_likely(n != 0))
    return n;
  struct nth_memory_nodes *mine = nth_heap_take(sizeof *mine);
  if (!mine)
    return &none;
  nth_sysfile_apart(read_nodes, mine);
  if (nth_cas_acqrel(&known, &n, mine)) /* A */
    return mine;
  nth_heap_free(mine);
  return n;
}
