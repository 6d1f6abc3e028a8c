/* target.h - target regions on the host
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 13.8. There is no device but the host, so mapped objects are the
 *             program's own. A region has for itself its firstprivate objects, and its place
 *             outside any team (role.h).
 * Use         fill a struct nth_target and run it.
 * How         The compiler gives an array of addresses, which stays unchanged. A region with
 *             firstprivate objects has an array of its own, with the addresses of copies. A
 *             firstprivate allocatable or pointer array of Fortran is three items: its descriptor,
 *             its data, and an attach item, by which the copied descriptor points to the copied
 *             data. A deferred region (nowait) is a task with its array and the copies in its
 *             argument block; it captures them when it is met.
 */
#ifndef NTH_OMP_TARGET_H
#define NTH_OMP_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nth_member;

/* Kinds of map items that mean something on the host: the low 8 bits of an item's kind. The high 8
 * bits are the binary logarithm of its alignment. */
enum {
  NTH_MAP_KIND = 0xff,
  NTH_MAP_FIRSTPRIVATE = 0x0c, /* the region has a copy */
  NTH_MAP_ATTACH = 0x50,       /* the object before this item is the one that a descriptor points
                                * to */
  NTH_MAP_ALIGN_SHIFT = 8
};

struct nth_target {
  void (*fn)(void *); /* called with the array of addresses */
  size_t items;
  void **addresses;            /* [items] */
  const size_t *sizes;         /* [items], bytes */
  const unsigned short *kinds; /* [items]; NULL: nothing is firstprivate */
  uint32_t thread_limit;       /* 0: not given */
  bool nowait;                 /* it is deferred; w: nth_target_run() */
  const void *ra;              /* where in the program it is; with a tool only */
};

/* Runs the region after its dependences (NULL: none); nowait: as a task. */
void nth_target_run(struct nth_member *m, const struct nth_target *t, bool nowait, void **depend);

/* Copies a block of `dims` >= 1 dimensions between two arrays; OpenMP 5.2, section 18.8.6. Lengths
 * and offsets are in elements of `size` bytes, outermost dimension first. The blocks may overlap if
 * both arrays have the same shape. False, and nothing is copied: a size is beyond the address
 * space, or a base is NULL and the block is not empty. */
struct nth_target_array {
  char *base;                      /* NULL: no array, only an empty block */
  const size_t *offsets, *lengths; /* [dims]: of the block in the array; of the array */
};
bool nth_target_copy_block(const struct nth_target_array *to, const struct nth_target_array *from,
                           size_t size, const size_t *block, int dims);

#endif
