/* fortran.c - Fortran names that do not follow from their C names by rule
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A CHARACTER argument is an address; its length comes after all other arguments. It has no
 * terminator: text written to it is padded with blanks, and text read from it counts in full, with
 * the blanks at its end (except in device UIDs).
 *
 * OpenMP 5.2, section 18.3. api_display.c and api_place.c tell what the C names do.
 * omp_*_affinity_format_, omp_display_affinity_, omp_capture_affinity_
 *               lengths count characters of the CHARACTER variable; results are whole lengths
 * omp_get_*_8_  fill arrays of INTEGER(8)
 * omp_get_device_from_uid_  -4, omp_invalid_device: no such device; -1: the host
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "abi_protos.h"

#include "abi/fatal.h"
#include "runtime/omp/env/affinity_format.h"
#include "runtime/omp/target/device.h"
#include "runtime/omp/team/binding.h"
#include "runtime/place/places/places.h"

/* --- affinity format --- */

static int32_t length_of(size_t n) { return n < INT32_MAX ? (int32_t)n : INT32_MAX; }

static void pad(char *buffer, size_t size, size_t used) {
  if (used < size)
    memset(buffer + used, ' ', size - used);
}

void omp_set_affinity_format_(const char *format, size_t length) {
  if (!nth_affinity_format_set(format, length))
    nth_abi_fatal("Out of memory setting the affinity format");
}

int32_t omp_get_affinity_format_(char *buffer, size_t size) {
  const char *format = nth_affinity_format_get();
  size_t n = strlen(format);
  memcpy(buffer, format, n < size ? n : size);
  pad(buffer, size, n);
  return length_of(n);
}

void omp_display_affinity_(const char *format, size_t length) {
  struct nth_affinity_error error;
  nth_binding_place(); /* as in api_display.c */
  if (!nth_affinity_show(format, length, &error))
    nth_abi_fatal(error.text);
}

int32_t omp_capture_affinity_(char *buffer, const char *format, size_t size, size_t length) {
  struct nth_affinity_error error;
  nth_binding_place();
  /* has room for a terminator, unlike the program's buffer */
  char small[512], *line = size < sizeof small ? small : malloc(size + 1);
  size_t room = line ? size + 1 : 0;
  size_t n = nth_affinity_line(line, room, format, length, &error);
  if (n == NTH_AFFINITY_BAD)
    nth_abi_fatal(error.text);
  size_t used = !line ? 0 : n < size ? n : size;
  if (used > 0)
    memcpy(buffer, line, used);
  pad(buffer, size, used);
  if (line != small)
    free(line);
  return length_of(n);
}

/* --- device UIDs --- */

int32_t omp_get_device_from_uid_(const char *uid, size_t length) {
  char text[64];
  while (length > 0 && uid[length - 1] == ' ')
    length--;
  if (length == 0 || length >= sizeof text)
    return NTH_DEVICE_INVALID; /* shorter or longer than any UID */
  memcpy(text, uid, length);
  text[length] = 0;
  return omp_get_device_from_uid(text);
}

/* --- places, INTEGER(8) --- */

void omp_get_partition_place_nums_8_(int64_t *nums) {
  uint32_t first, count = nth_binding_partition(&first);
  for (uint32_t i = 0; i < count; i++)
    nums[i] = (int64_t)first + i;
}

void omp_get_place_proc_ids_8_(const int64_t *place, int64_t *ids) {
  const struct nth_places *p = nth_places_get();
  if (!p || *place < 0 || *place >= p->count)
    return;
  const uint64_t *set = nth_places_set(p, (uint32_t)*place);
  uint64_t end = (uint64_t)p->words * 64;
  for (uint64_t cpu = nth_cpus_next(set, p->words, 0); cpu < end;
       cpu = nth_cpus_next(set, p->words, cpu + 1))
    *ids++ = (int64_t)cpu;
}
