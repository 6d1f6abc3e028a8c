/* direct.c - GOMP_target_ entries called directly: encodings that the compiler at hand does not
 * use */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks GOMP_target and the other entries of gcc 4.9, GOMP_teams, GOMP_teams4, kinds and words of
// GOMP_target_ext, device numbers, and GOMP_target_map_indirect_ptr and images, told when verbose.
// nanogomp-only: libgomp reads the images' tables, and libgomp 12 has no
// GOMP_target_map_indirect_ptr.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t -ldl
// RUN: %omp_run %t
// RUN: env NTH_VERBOSE=1 %omp_run %t 2>&1 | %FileCheck %s
// CHECK: nanogomp: code for devices of type 5 (version 0x20) is not used
// CHECK: nanogomp: code for devices of type 6
#include "check.h"
#include <dlfcn.h>

extern void GOMP_target(int, void (*)(void *), const void *, size_t, void **, size_t *,
                        unsigned char *);
extern void GOMP_target_data(int, const void *, size_t, void **, size_t *, unsigned char *);
extern void GOMP_target_end_data(void);
extern void GOMP_target_update(int, const void *, size_t, void **, size_t *, unsigned char *);
extern void GOMP_target_ext(int, void (*)(void *), size_t, void **, size_t *, unsigned short *,
                            unsigned, void **, void **);
extern void GOMP_offload_register(const void *, int, const void *);
extern void GOMP_offload_register_ver(unsigned, const void *, int, const void *);
extern void GOMP_offload_unregister(const void *, int, const void *);
extern void GOMP_offload_unregister_ver(unsigned, const void *, int, const void *);
extern void GOMP_teams(unsigned, unsigned);
extern bool GOMP_teams4(unsigned, unsigned, unsigned, bool);

static int x = 1, limit, calls;
static void *given[4];

static void body(void *p) {
  void **h = p;
  CHECK(h[0] == &x);
  CHECK_EQ(omp_get_level(), 0);
  memcpy(given, h, sizeof given);
  limit = omp_get_thread_limit();
  x++;
}

static void old_teams(void *p) {
  (void)p;
  GOMP_teams(5, 4);
  CHECK_EQ(omp_get_thread_limit(), 4);
  CHECK_EQ(omp_get_team_num(), 0);
  CHECK_EQ(omp_get_num_teams(), 1);
  calls++;
}

static void new_teams(void *p) {
  unsigned low = *(unsigned *)((void **)p)[0], n = 0;
  for (bool first = true; n < 20 && GOMP_teams4(low, low + 2, 7, first); first = false) {
    CHECK_EQ(omp_get_team_num(), n++);
    CHECK_EQ(omp_get_num_teams(), low ? low : 1);
    CHECK_EQ(omp_get_thread_limit(), 7);
    calls++;
  }
  CHECK_EQ(n, low ? low : 1);
  CHECK_EQ(omp_get_num_teams(), 1);
}

static void old_entries(void) {
  void *h[4] = {&x};
  size_t sizes[4] = {sizeof x};
  unsigned char kinds[4] = {3};
  unsigned counts[] = {0, 1, 5}, of[] = {1, 1, 5};
  GOMP_target(-1, body, NULL, 1, h, sizes, kinds);
  GOMP_target_data(-1, NULL, 1, h, sizes, kinds);
  GOMP_target_update(0, NULL, 1, h, sizes, kinds);
  GOMP_target_end_data();
  CHECK_EQ(x, 2);
  GOMP_target(-2, old_teams, NULL, 0, NULL, NULL, NULL);
  CHECK_EQ(calls, 1);
  CHECK_EQ(omp_get_thread_limit(), INT32_MAX);
  for (int i = 0; i < 3; i++) {
    calls = 0;
    h[0] = &counts[i];
    GOMP_target(-2, new_teams, NULL, 1, h, sizes, kinds);
    CHECK_EQ(calls, of[i]);
  }
}

/* Kinds: the low byte; 0x0c firstprivate, 0x0d the value itself; the high byte: alignment. */
static void kinds_and_words(void) {
  static char raw[70] __attribute__((aligned(64)));
  raw[1] = 'r';
  void *h[4] = {&x, raw + 1, (void *)77, raw}, *copy[4];
  size_t sizes[4] = {sizeof x, 20, 8, 0};
  unsigned short kinds[4] = {0x203, 0x70c, 0x30d, 0x0c};
  memcpy(copy, h, sizeof h);
  void *words[][4] = {{(void *)(2 << 8 | 6 << 16), NULL},
                      {(void *)(1 << 8 | 9 << 16), (void *)(2 << 8 | 0x80), (void *)11, NULL},
                      {(void *)(2 << 8 | 0x80), (void *)-1L, NULL},
                      {(void *)(2 << 8), NULL},
                      {(void *)(2 << 8 | 5 | 6 << 16), NULL}, /* for devices of type 5 */
                      {NULL}};
  int limits[] = {6, 11, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
  int devices[] = {-1, -2, 0, 1, -3, 100};
  for (int i = 0; i < 6; i++) {
    int before = x;
    GOMP_target_ext(devices[i], body, 4, h, sizes, kinds, i & 1, NULL, words[i]);
#pragma omp taskwait
    CHECK_EQ(x, before + 1);
    CHECK_EQ(limit, limits[i]);
    CHECK_EQ((uintptr_t)given[1] % 128, 0);
    CHECK(given[1] != raw + 1 && given[2] == (void *)77);
    CHECK(memcmp(h, copy, sizeof h) == 0);
  }
  GOMP_target_ext(-1, body, 4, h, sizes, kinds, 0, NULL, NULL);
}

int main(void) {
  void *(*map_indirect)(void *) =
      (void *(*)(void *))(uintptr_t)dlsym(RTLD_DEFAULT, "GOMP_target_map_indirect_ptr");
  CHECK(map_indirect != NULL);
  CHECK(map_indirect(&x) == &x);
  GOMP_offload_register_ver(0x20, NULL, 5, NULL);
  GOMP_offload_register(NULL, 6, NULL);
  old_entries();
  kinds_and_words();
#pragma omp parallel num_threads(3)
#pragma omp critical
  kinds_and_words();
  GOMP_offload_unregister_ver(0x20, NULL, 5, NULL);
  GOMP_offload_unregister(NULL, 6, NULL);
  return 0;
}
