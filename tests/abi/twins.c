/* twins.c - calls generated Fortran names and looks at what arrives in the C functions
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Prints a line for each difference, and "done" at the end.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "abi_protos.h"

static long long got[3]; /* arguments of the last call */
static int failures;

#define EXPECT(have, want) expect(#have, (long long)(have), (long long)(want), __LINE__)

static void expect(const char *what, long long have, long long want, int line) {
  if (have != want) {
    printf("twins.c:%d: %s is %lld, not %lld\n", line, what, have, want);
    failures++;
  }
}

/* The C side. */
void omp_set_num_threads(int n) { got[0] = n; }

void omp_set_dynamic(int on) { got[0] = on; }

int omp_get_ancestor_thread_num(int level) {
  got[0] = level;
  return -1;
}

void omp_get_schedule(omp_sched_t *kind, int *chunk) {
  *kind = (omp_sched_t)(0x80000000U | omp_sched_guided);
  *chunk = -7;
}

void omp_set_schedule(omp_sched_t kind, int chunk) {
  got[0] = kind;
  got[1] = chunk;
}

omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int count,
                                          const omp_alloctrait_t *traits) {
  got[0] = (long long)space;
  got[1] = count;
  got[2] = (long long)(uintptr_t)traits;
  return (omp_allocator_handle_t)0x123456789abcL;
}

void omp_fulfill_event(omp_event_handle_t event) { got[0] = (long long)event; }

const char *omp_get_uid_from_device(int device) {
  got[0] = device;
  return device == 0 ? "host" : NULL;
}

void *acc_copyin(void *address, size_t size) {
  got[0] = (long long)(uintptr_t)address;
  got[1] = (long long)size;
  return address;
}

void acc_copyout_async(void *address, size_t size, int queue) {
  got[0] = (long long)(uintptr_t)address;
  got[1] = (long long)size;
  got[2] = queue;
}

static void test_scalars(void) {
  int32_t small = -3;
  int64_t large = 5LL << 40, negative = -large, bit = 1LL << 33;
  omp_set_num_threads_(&small);
  EXPECT(got[0], -3);
  omp_set_num_threads_8_(&large);
  EXPECT(got[0], INT_MAX);
  omp_set_num_threads_8_(&negative);
  EXPECT(got[0], INT_MIN);
  omp_set_dynamic_(&small);
  EXPECT(got[0], 1);
  omp_set_dynamic_8_(&bit); /* would be 0 if it were cut to 32 bits */
  EXPECT(got[0], 1);
  EXPECT(omp_get_ancestor_thread_num_8_(&large), -1);
  EXPECT(got[0], INT_MAX);
}

static void test_results(void) {
  int32_t kind = 0, chunk = 0;
  int64_t wide = 0, negative = -(1LL << 50);
  omp_get_schedule_(&kind, &chunk);
  EXPECT(kind, omp_sched_guided);
  EXPECT(chunk, -7);
  omp_get_schedule_8_(&kind, &wide);
  EXPECT(wide, -7);
  kind = omp_sched_dynamic;
  wide = negative;
  omp_set_schedule_8_(&kind, &wide);
  EXPECT(got[0], omp_sched_dynamic);
  EXPECT(got[1], INT_MIN);
}

static void test_handles(void) {
  intptr_t space = omp_low_lat_mem_space;
  int64_t count = 2;
  omp_alloctrait_t traits[2];
  EXPECT(omp_init_allocator_8_(&space, &count, traits), 0x123456789abcL);
  EXPECT(got[0], omp_low_lat_mem_space);
  EXPECT(got[1], 2);
  EXPECT(got[2], (uintptr_t)traits);
  omp_fulfill_event_((intptr_t)0x7fff12345678L);
  EXPECT(got[0], 0x7fff12345678L);
}

static void test_strings(void) {
  const char *text = NULL;
  size_t length = 99;
  omp_get_uid_from_device_(&text, &length, 0);
  EXPECT(length, 4);
  EXPECT(memcmp(text, "host", 4), 0);
  omp_get_uid_from_device_8_(&text, &length, 1LL << 40);
  EXPECT(got[0], INT_MAX);
  EXPECT(text == NULL, 1);
  EXPECT(length, 0);
}

static void test_arrays(void) {
  double data[6];
  int32_t bytes = 48, queue = 4;
  struct nth_farray array = {.address = data, .element_size = sizeof(double), .rank = 2};
  array.dim[0] = (struct nth_farray_dim){1, 1, 3};
  array.dim[1] = (struct nth_farray_dim){3, 0, 1};
  acc_copyin_32_h_(data, &bytes);
  EXPECT(got[1], 48);
  acc_copyin_array_h_(&array);
  EXPECT(got[0], (uintptr_t)data);
  EXPECT(got[1], 48);
  array.dim[1].upper = -1; /* empty */
  acc_copyout_async_array_h_(&array, &queue);
  EXPECT(got[1], 0);
  EXPECT(got[2], 4);
}

int main(void) {
  test_scalars();
  test_results();
  test_handles();
  test_strings();
  test_arrays();
  puts("done");
  return failures > 0;
}
