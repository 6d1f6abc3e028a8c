/* direct.c - GOMP_task called directly: sizes, alignments, copy function, if and flags */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks argument blocks of 0 to 5000 bytes at alignments 1 to 512, copied at the call or built by
// the copy function on the creating thread; if_clause false passes the caller's own block; callers
// of gcc 4.4 leave the last arguments out.
// RUN: %omp_test
#include "check.h"
#include <pthread.h>

typedef void task_fn(void *);
void GOMP_task(task_fn *, void *, void (*)(void *, void *), long, long, bool, unsigned, void **,
               int, void *);
/* The same function as old binaries declare it. */
extern void old_task(task_fn *, void *, void (*)(void *, void *), long, long, bool,
                     unsigned) __asm__("GOMP_task");
void GOMP_taskwait(void);

enum { MOST = 5000, HEAD = 3 };

static long count;
static __thread void *creator_block;

struct block {
  unsigned char size_low, size_high, align_shift, data[MOST];
};

static void body(void *argument) {
  struct block *block = argument;
  int size = block->size_low + 256 * block->size_high;
  CHECK_EQ((uintptr_t)block % (1u << block->align_shift), 0);
  for (int i = HEAD; i < size; i++)
    CHECK_EQ(block->data[i - HEAD], (unsigned char)(i * 7 + size));
  memset(block->data, 0, (size_t)(size > HEAD ? size - HEAD : 0));
#pragma omp atomic
  count++;
}

static void copy(void *to, void *from) {
  struct block *block = from;
  CHECK(from == creator_block); /* runs on the creating thread */
  memcpy(to, from, (size_t)(block->size_low + 256 * block->size_high));
}

static void same_block(void *argument) {
  CHECK(argument == creator_block);
#pragma omp atomic
  count++;
}

static void no_argument(void *argument) {
  (void)argument;
#pragma omp atomic
  count++;
}

/* A task that is run at once may get, and change, the caller's own block: fill it anew. */
static struct block *fill(struct block *block, int size, int shift) {
  block->size_low = (unsigned char)size;
  block->size_high = (unsigned char)(size >> 8);
  block->align_shift = (unsigned char)shift;
  for (int i = HEAD; i < size; i++)
    block->data[i - HEAD] = (unsigned char)(i * 7 + size);
  creator_block = block;
  return block;
}

static void create(struct block *block, int size, int shift) {
  long align = 1L << shift;
  GOMP_task(body, fill(block, size, shift), NULL, size, align, true, 0, NULL, 0, NULL);
  GOMP_task(body, fill(block, size, shift), copy, size, align, true, 1, NULL, 0, NULL);
  GOMP_task(body, fill(block, size, shift), copy, size, align, false, 0, NULL, 0, NULL);
  GOMP_task(same_block, fill(block, size, shift), NULL, size, align, false, 0, NULL, 0, NULL);
  old_task(body, fill(block, size, shift), NULL, size, align, true, 0);
}

int main(void) {
  static const int sizes[] = {HEAD, 4, 8, 31, 128, 1000, MOST};
  long want = 0;
  struct block *block = aligned_alloc(512, (sizeof *block + 511) / 512 * 512);
  for (int round = 0; round < 20; round++) {
#pragma omp parallel
#pragma omp single
    for (int s = 0; s < 7; s++)
      for (int shift = 0; shift < 10; shift++) {
        create(block, sizes[s], shift);
        GOMP_task(no_argument, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
        want += 6;
        if (shift == 5)
          GOMP_taskwait();
      }
    CHECK_EQ(count, want);
  }
  create(block, 100, 4); /* outside any region */
  CHECK_EQ(count, want + 5);
  free(block);
  return 0;
}
