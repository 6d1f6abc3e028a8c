/* hwloc_abi.h - the part of hwloc 2.x's binary interface that we use, as libhwloc.so.15 has it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         hwloc is opened when the machine's topology is first needed, and need not be
 *             installed. Nor need its header be installed: if the build used the header, a library
 *             built without it would have no topology on any machine. All versions of hwloc 2 have
 *             this layout; hwloc 3 has another soname.
 * Tested by   tests/unit/hwloc.c against <hwloc.h>, where that is installed
 */
#ifndef NTH_PLACE_HWLOC_ABI_H
#define NTH_PLACE_HWLOC_ABI_H

#include <stdint.h>

#define NTH_HWLOC_SONAME "libhwloc.so.15"
#define NTH_HWLOC_MAJOR 2 /* of hwloc_get_api_version(): version >> 16 */

/* hwloc_obj_type_t */
enum {
  NTH_HWLOC_PACKAGE = 1,
  NTH_HWLOC_CORE = 2,
  NTH_HWLOC_PU = 3,
  NTH_HWLOC_L2 = 5,
  NTH_HWLOC_L3 = 6,
  NTH_HWLOC_GROUP = 12,
  NTH_HWLOC_NUMA = 13,
  NTH_HWLOC_DIE = 19
};

enum {
  NTH_HWLOC_NUMA_DEPTH = -3,
  NTH_HWLOC_KEEP_ALL = 0, /* hwloc_type_filter_e */
  NTH_HWLOC_KEEP_NONE = 1,
  NTH_HWLOC_KEEP_STRUCTURE = 2
};

/* hwloc_topology_flags_e; the first since 2.5, the others since 2.8 */
#define NTH_HWLOC_KEEP_BINDING (1ul << 6)
#define NTH_HWLOC_NO_DISTANCES (1ul << 7)
#define NTH_HWLOC_NO_MEMATTRS (1ul << 8)

/* struct hwloc_obj up to the last field that is read here. */
struct nth_hwloc_obj {
  int type;
  char *subtype;
  unsigned os_index;
  char *name;
  uint64_t total_memory;
  void *attr;
  int depth;
  unsigned logical_index;
  struct nth_hwloc_obj *next_cousin, *prev_cousin, *parent;
  unsigned sibling_rank;
  struct nth_hwloc_obj *next_sibling, *prev_sibling;
  unsigned arity;
  struct nth_hwloc_obj **children, *first_child, *last_child;
  int symmetric_subtree;
  unsigned memory_arity;
  struct nth_hwloc_obj *memory_first_child;
  unsigned io_arity;
  struct nth_hwloc_obj *io_first_child;
  unsigned misc_arity;
  struct nth_hwloc_obj *misc_first_child;
  void *cpuset;
};

#endif
