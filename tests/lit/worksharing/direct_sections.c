/* direct_sections.c - GOMP_sections_start, _next, _end and the combined forms, called directly */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks numbers 1..count handed out once each, then 0, for every end entry; sections2 with memory;
// GOMP_parallel_sections and the old GOMP_parallel_sections_start.
// RUN: %omp_test
#include "check.h"

unsigned GOMP_sections_start(unsigned);
unsigned GOMP_sections2_start(unsigned, uintptr_t *, void **);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
void GOMP_parallel_sections(void (*)(void *), void *, unsigned, unsigned, unsigned);
void GOMP_parallel_sections_start(void (*)(void *), void *, unsigned, unsigned);
void GOMP_parallel_end(void);

enum { MOST = 50 };

static int ran[MOST + 1];

static void take(unsigned s, unsigned count) {
  for (; s != 0; s = GOMP_sections_next()) {
    CHECK(s <= count);
#pragma omp atomic
    ran[s]++;
  }
  CHECK_EQ(GOMP_sections_next(), 0);
}

static void expect(unsigned count) {
  for (unsigned s = 1; s <= MOST; s++)
    CHECK_EQ(ran[s], s <= count);
  memset(ran, 0, sizeof ran);
}

static void body(void *data) {
  take(GOMP_sections_next(), *(unsigned *)data);
  GOMP_sections_end_nowait();
}

int main(void) {
  for (unsigned count = 0; count <= MOST; count += 5) {
#pragma omp parallel
    {
      take(GOMP_sections_start(count), count);
      GOMP_sections_end();
#pragma omp single
      expect(count);
      take(GOMP_sections_start(count), count);
      GOMP_sections_end_nowait();
#pragma omp barrier
#pragma omp single
      expect(count);
      void *memory = (void *)100;
      unsigned first = GOMP_sections2_start(count, NULL, &memory);
      for (int i = 0; i < 100; i++)
        CHECK_EQ(((char *)memory)[i], 0);
      take(first, count);
      GOMP_sections_end();
#pragma omp single
      expect(count);
    }
    for (unsigned threads = 0; threads < 5; threads++) {
      GOMP_parallel_sections(body, &count, threads, count, 0);
      expect(count);
      GOMP_parallel_sections_start(body, &count, threads, count);
      body(&count);
      GOMP_parallel_end();
      expect(count);
    }
  }
  return 0;
}
