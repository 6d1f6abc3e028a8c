/* ompd.c - OMPD: how a debugger finds libompd.so, what that reads, and where it stops the program
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 20.2 and 20.6. ompd_dll_locations, ompd_dll_locations_valid and ompd_bp_*
 * have the specification's names; nth_ompd_table is for our libompd.so (ompd/). docs/debuggers.md
 * tells users more.
 */
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/export.h"
#include "abi/ompd_table.h"

#include "runtime/base/atomic.h"
#include "runtime/base/objects.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/env/affinity_format.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/member/roll.h"
#include "runtime/omp/team/parallel.h"
#include "runtime/omp/told/told.h"
#include "runtime/omp/tool/ompd-tools.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/place/places/allowed.h"

/* --- the table --- */

#define FIELD(id, type, name)                                                                      \
  {(uint32_t)offsetof(struct type, name), (uint32_t)sizeof(((struct type *)0)->name)},
#define NUMBER(id, value) (value),
#define PLACE(id, variable) (const void *)&(variable),

extern struct nth_ompd_table nth_ompd_table;
NTH_EXPORT struct nth_ompd_table nth_ompd_table = {.magic = NTH_OMPD_MAGIC,
                                                   .version = NTH_VERSION,
                                                   .bytes = sizeof(struct nth_ompd_table),
                                                   .text_bytes = sizeof(NTH_OMPD_TEXT),
                                                   .field = {NTH_OMPD_FIELDS(FIELD)},
                                                   .number = {NTH_OMPD_NUMBERS(NUMBER)},
                                                   .place = {NTH_OMPD_PLACES(PLACE)},
                                                   .text = NTH_OMPD_TEXT};

/* --- where libompd.so is --- */

#define LIBRARY "libompd.so"

NTH_EXPORT const char **ompd_dll_locations;
static const char *locations[2];

/* What execution passed through last. Each of the functions below has a body of its own, or the
 * compiler would give them one address. */
enum {
  DLL_LOCATIONS_VALID = 1,
  PARALLEL_BEGIN,
  PARALLEL_END,
  TEAMS_BEGIN,
  TEAMS_END,
  TASK_BEGIN,
  TASK_END,
  TARGET_BEGIN,
  TARGET_END,
  THREAD_BEGIN,
  THREAD_END,
  DEVICE_BEGIN,
  DEVICE_END
};
static _Atomic(int) point; /* w: all threads */
#define POINT(name, number)                                                                        \
  NTH_EXPORT __attribute__((noinline)) void ompd_##name(void) { nth_store_rlx(&point, number); }

POINT(dll_locations_valid, DLL_LOCATIONS_VALID)

/* The file libompd.so in the folder of `library`; NULL: no memory. */
static char *beside(const char *library) {
  const char *end = strrchr(library, '/');
  size_t folder = end ? (size_t)(end + 1 - library) : 0;
  char *path = nth_heap_alloc(folder + sizeof LIBRARY);
  if (path) {
    memcpy(path, library, folder);
    memcpy(path + folder, LIBRARY, sizeof LIBRARY);
  }
  return path;
}

/* Under the loader's lock. A link to this library may lie elsewhere, so its target counts if there
 * is no libompd.so beside the link. */
static int find_us(struct dl_phdr_info *info, size_t size, void *arg) {
  char real[PATH_MAX];
  (void)size, (void)arg;
  if (!nth_object_has(info, &nth_ompd_table))
    return 0;
  const char *name = info->dlpi_name;
  char *path = name[0] == '/' ? beside(name) : 0;
  if ((!path || access(path, R_OK) != 0) && realpath(name, real)) {
    nth_heap_free(path);
    path = beside(real);
  }
  locations[0] = path;
  return 1;
}

/* --- where debuggers stop: the specification's numbers are 20.6.1 to 20.6.12 --- */

POINT(bp_parallel_begin, PARALLEL_BEGIN)
POINT(bp_parallel_end, PARALLEL_END)
POINT(bp_task_begin, TASK_BEGIN)
POINT(bp_task_end, TASK_END)
POINT(bp_thread_begin, THREAD_BEGIN)
POINT(bp_thread_end, THREAD_END)
/* never passed: leagues have one team at a time, which is a region; there are no devices */
POINT(bp_teams_begin, TEAMS_BEGIN)
POINT(bp_teams_end, TEAMS_END)
POINT(bp_target_begin, TARGET_BEGIN)
POINT(bp_target_end, TARGET_END)
POINT(bp_device_begin, DEVICE_BEGIN)
POINT(bp_device_end, DEVICE_END)

/* Before the library's own constructor, which reads OMP_DEBUG and makes the first member. */
__attribute__((constructor(999))) static void begin(void) {
  nth_points =
      (struct nth_points){ompd_bp_parallel_begin, ompd_bp_parallel_end, ompd_bp_task_begin,
                          ompd_bp_task_end,       ompd_bp_thread_begin, ompd_bp_thread_end};
  (void)dl_iterate_phdr(find_us, 0);
  ompd_dll_locations = locations;
  ompd_dll_locations_valid();
}
