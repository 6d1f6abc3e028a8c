/* memory.c - device memory routines on the host */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks omp_target_alloc, free, is_present, memcpy, memcpy_rect (1 to 4 dimensions, every element
// against plain loops; zero volumes; limits), associate_ptr and disassociate_ptr.
// RUN: %omp_test
#include "check.h"
#include <limits.h>

static void simple(int host) {
  char *p = omp_target_alloc(100, host), text[100] = "0123456789";
  CHECK(p != NULL);
  CHECK_EQ(omp_target_memcpy(p, text, 10, 20, 0, host, host), 0);
  CHECK_EQ(omp_target_memcpy(text, p, 5, 1, 25, host, host), 0);
  CHECK_STREQ(text, "0567896789");
  CHECK_EQ(omp_target_memcpy(p, text, 0, 0, 0, host, host), 0);
  CHECK(omp_target_is_present(p, host) && omp_target_is_present(text, host));
  CHECK(omp_target_associate_ptr(p, text, 10, 0, host) != 0);
  CHECK(omp_target_disassociate_ptr(p, host) != 0);
  omp_target_free(p, host);
  omp_target_free(NULL, host);
}

static void unknown(int device, int host) {
  char a[4] = "abc", b[4] = "xyz";
  size_t one[1] = {1}, zero[1] = {0};
  CHECK(omp_target_alloc(4, device) == NULL);
  CHECK(omp_target_memcpy(a, b, 4, 0, 0, device, host) != 0);
  CHECK(omp_target_memcpy(a, b, 4, 0, 0, host, device) != 0);
  CHECK(omp_target_memcpy_rect(a, b, 1, 1, one, zero, zero, one, one, device, host) != 0);
  CHECK(omp_target_associate_ptr(a, b, 4, 0, device) != 0);
  CHECK(omp_target_disassociate_ptr(a, device) != 0);
  CHECK_STREQ(a, "abc");
}

enum { MOST = 4, SIDE = 6, ALL = SIDE * SIDE * SIDE * SIDE };

static size_t element(const size_t *at, const size_t *offset, const size_t *length, int dims) {
  size_t n = 0;
  for (int d = 0; d < dims; d++)
    n = n * length[d] + at[d] + offset[d];
  return n;
}

static void rect(int dims, uint64_t *state, int host) {
  static int from[ALL], to[ALL], wanted[ALL];
  size_t volume[MOST], of[MOST], ot[MOST], lf[MOST], lt[MOST], at[MOST] = {0}, total = 1;
  for (int d = 0; d < dims; d++) {
    lf[d] = 1 + check_random(state) % SIDE;
    lt[d] = 1 + check_random(state) % SIDE;
    size_t least = lf[d] < lt[d] ? lf[d] : lt[d];
    volume[d] = check_random(state) % 12 == 0 ? 0 : 1 + check_random(state) % least;
    of[d] = check_random(state) % (lf[d] - volume[d] + 1);
    ot[d] = check_random(state) % (lt[d] - volume[d] + 1);
    total *= volume[d];
  }
  for (int i = 0; i < ALL; i++) {
    from[i] = i + 1;
    to[i] = wanted[i] = -1;
  }
  for (size_t n = 0; n < total; n++) {
    size_t rest = n;
    for (int d = dims - 1; d >= 0; rest /= volume[d], d--)
      at[d] = rest % volume[d];
    wanted[element(at, ot, lt, dims)] = from[element(at, of, lf, dims)];
  }
  CHECK_EQ(omp_target_memcpy_rect(to, from, sizeof *to, dims, volume, ot, of, lt, lf, host, host),
           0);
  CHECK(memcmp(to, wanted, sizeof to) == 0);
}

int main(int argc, char **argv) {
  int host = omp_get_initial_device();
  uint64_t state = 7;
  (void)argv;
  simple(host);
  unknown(omp_get_num_devices() + 1, host);
  unknown(-77, host);
  CHECK(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3);
  for (int i = 0; i < 2000; i++)
    rect(2 + i % 3, &state, host);
  size_t three[1] = {3}, one[1] = {1}, zero[1] = {0}, length[1] = {5};
  int a[5] = {1, 2, 3, 4, 5}, b[5] = {0};
  CHECK_EQ(omp_target_memcpy_rect(b, a, sizeof *a, 1, three, zero, one, length, length, host, host),
           0);
  CHECK(b[0] == 2 && b[2] == 4 && b[3] == 0);
  size_t huge[1] = {SIZE_MAX / 2};
  CHECK(omp_target_memcpy_rect(b, a, 4, 1, huge, zero, zero, length, length, host, host) != 0);
#pragma omp parallel
#pragma omp target
  simple(host);
  return argc - 1;
}
