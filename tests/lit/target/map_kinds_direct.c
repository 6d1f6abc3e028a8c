/* map_kinds_direct.c - every kind of map item, for each entry that takes them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks all 256 values, also those that no compiler has used yet, with objects that cannot be read
// or written, with NULL and with values in place of addresses, and with sizes that are none: a
// region gets the address as it is, unless the kind is firstprivate. What an attach item means
// behind a firstprivate one is in descriptor_direct.c.
// RUN: %omp_test
#include "check.h"
#include <sys/mman.h>

extern void GOMP_target_ext(int, void (*)(void *), size_t, void **, size_t *, unsigned short *,
                            unsigned, void **, void **);
extern void GOMP_target_data_ext(int, size_t, void **, size_t *, unsigned short *);
extern void GOMP_target_end_data(void);
extern void GOMP_target_update_ext(int, size_t, void **, size_t *, unsigned short *, unsigned,
                                   void **);
extern void GOMP_target_enter_exit_data(int, size_t, void **, size_t *, unsigned short *, unsigned,
                                        void **);

enum { FIRSTPRIVATE = 0x0c, TOFROM = 0x03, INT = 4, NOWAIT = 1, EXIT = 2, ITEMS = 4 };

static int x = 5;
static void *given[ITEMS];

static void body(void *p) { memcpy(given, p, sizeof given); }

static void kind(int value, void *address, size_t size) {
  size_t sizes[ITEMS] = {sizeof x, sizeof x, size, size};
  unsigned short kinds[ITEMS] = {0x200 | FIRSTPRIVATE, 0x200 | TOFROM, (unsigned short)value,
                                 (unsigned short)(0x300 | value)};
  for (unsigned flags = 0; flags <= NOWAIT; flags++) {
    void *host[ITEMS] = {&x, &x, address, address}, *words[1] = {NULL};
    memset(given, 0, sizeof given);
    GOMP_target_ext(-1, body, ITEMS, host, sizes, kinds, flags, NULL, words);
#pragma omp taskwait
    CHECK(given[0] != NULL && given[0] != &x && given[1] == &x);
    CHECK(given[2] == address && given[3] == address);
    GOMP_target_update_ext(-1, ITEMS, host, sizes, kinds, flags, NULL);
    GOMP_target_enter_exit_data(-1, ITEMS, host, sizes, kinds, flags, NULL);
    GOMP_target_enter_exit_data(-1, ITEMS, host, sizes, kinds, flags | EXIT, NULL);
#pragma omp taskwait
  }
  void *host[ITEMS] = {&x, &x, address, address};
  GOMP_target_data_ext(-1, ITEMS, host, sizes, kinds);
  GOMP_target_end_data();
  CHECK_EQ(x, 5);
}

int main(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *guarded = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(guarded != MAP_FAILED);
  for (int value = 0; value < 256; value++) {
    if (value == FIRSTPRIVATE)
      continue;
    kind(value, guarded, 0);
    kind(value, guarded, sizeof(void *));
    kind(value, guarded, page);
    kind(value, guarded, SIZE_MAX - 7);
    kind(value, NULL, 0);
    kind(value, (void *)7, INT);
  }
  return 0;
}
