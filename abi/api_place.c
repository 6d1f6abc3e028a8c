/* api_place.c - functions about places
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 18.3. If there are no places all lists are empty, and no thread has a place.
 *
 * omp_get_num_places            places in the list; 0 without one. 18.3.2
 * omp_get_place_num_procs       CPUs of a place; 0: no such place. 18.3.3
 * omp_get_place_proc_ids        writes their numbers, rising, to an array of that size; nothing if
 *                               there is no such place. 18.3.4
 * omp_get_place_num             place of the calling thread; -1: it is not bound. 18.3.5
 * omp_get_partition_num_places  places of the calling thread's partition. 18.3.6
 * omp_get_partition_place_nums  writes their numbers to an array of that size. 18.3.7
 */
#include "abi_protos.h"

#include "runtime/omp/team/binding.h"
#include "runtime/place/places/places.h"

/* The CPUs of place i; NULL: no such place. */
static const uint64_t *place(int i, uint32_t *words) {
  const struct nth_places *p = nth_places_get();
  *words = p ? p->words : 0;
  return p && i >= 0 && (uint32_t)i < p->count ? nth_places_set(p, (uint32_t)i) : 0;
}

/* 18.3.2. */
int omp_get_num_places(void) {
  const struct nth_places *p = nth_places_get();
  return p ? (int)p->count : 0;
}

/* 18.3.3. */
int omp_get_place_num_procs(int i) {
  uint32_t words;
  const uint64_t *set = place(i, &words);
  return set ? (int)nth_cpus_count(set, words) : 0;
}

/* 18.3.4. */
void omp_get_place_proc_ids(int i, int *ids) {
  uint32_t words;
  const uint64_t *set = place(i, &words);
  uint64_t end = (uint64_t)words * 64;
  for (uint64_t cpu = set ? nth_cpus_next(set, words, 0) : end; cpu < end;
       cpu = nth_cpus_next(set, words, cpu + 1))
    *ids++ = (int)cpu;
}

/* 18.3.5. */
int omp_get_place_num(void) { return nth_binding_place(); }

/* 18.3.6. */
int omp_get_partition_num_places(void) {
  uint32_t first;
  return (int)nth_binding_partition(&first);
}

/* 18.3.7. */
void omp_get_partition_place_nums(int *nums) {
  uint32_t first, count = nth_binding_partition(&first);
  for (uint32_t i = 0; i < count; i++)
    nums[i] = (int)(first + i);
}
