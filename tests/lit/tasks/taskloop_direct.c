/* taskloop_direct.c - GOMP_taskloop called directly: sizes and alignments of the arguments,
 * parts */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks argument blocks of 16 to 5000 bytes at alignments 8 to 512: each task has its own,
// aligned, equal to the caller's when it begins though others change theirs; bytes copied, or built
// by the copy function, which runs on the calling thread. Each part of the loop comes once, in both
// directions, with ends as given. Undeferred ones may get the caller's own block; argument 1: those
// of a team may change theirs (libgomp runs some in the caller's block).
// RUN: %omp_build %s -o %t && %omp_run %t %own
#include "check.h"
#include <pthread.h>
#include <stddef.h>

typedef void task_fn(void *);
void GOMP_taskloop(task_fn *, void *, void (*)(void *, void *), long, long, unsigned, unsigned long,
                   int, long, long, long);
void GOMP_taskloop_ull(task_fn *, void *, void (*)(void *, void *), long, long, unsigned,
                       unsigned long, int, unsigned long long, unsigned long long,
                       unsigned long long);

enum { MOST = 5000, TRIPS = 500, UP = 0x100, GRAINSIZE = 0x200, DEFERRED = 0x400, NOGROUP = 0x800 };

struct block {
  long from, to;
  short size, align; /* when there is room for them: size > 16 */
  unsigned char data[MOST];
};
enum { HEAD = offsetof(struct block, data) };

static _Atomic(int) seen[TRIPS];
static _Atomic(int) copies;
static long step;
static bool changes;
static pthread_t caller;

static void look(struct block *b) {
  CHECK_EQ((uintptr_t)b % (uintptr_t)b->align, 0);
  for (int i = HEAD; i < b->size; i++)
    CHECK_EQ(b->data[i - HEAD], (unsigned char)(i * 7 + b->size));
  if (changes && b->size > HEAD)
    memset(b->data, 0, (size_t)(b->size - HEAD));
}

static void mark(long from, long to) {
  CHECK((to - from) * step > 0);
  for (long i = from; step > 0 ? i < to : i > to; i += step)
    seen[step > 0 ? i / step : (TRIPS * 3 + i) / 3]++;
}

static void body(void *argument) {
  struct block *b = argument;
  look(b);
  mark(b->from, b->to);
}

static void small_body(void *argument) {
  long *part = argument;
  mark(part[0], part[1]);
}

static void copy(void *to, void *from) {
  CHECK(pthread_equal(pthread_self(), caller));
  copies++;
  memcpy(to, from, (size_t)((struct block *)from)->size);
}

static void all_once(void) {
  for (int i = 0; i < TRIPS; i++) {
    CHECK_EQ(seen[i], 1);
    seen[i] = 0;
  }
}

static void loop(int size, int align, unsigned flags, unsigned long num, bool copied) {
  static _Alignas(512) struct block b;
  b.size = (short)size;
  b.align = (short)align;
  for (int i = HEAD; i < size; i++)
    b.data[i - HEAD] = (unsigned char)(i * 7 + size);
  copies = 0;
  step = size % 3 ? 2 : -3;
  long start = step > 0 ? 0 : -3, end = step > 0 ? 2 * TRIPS - 1 : -3 - 3 * TRIPS + 2;
  task_fn *fn = size > 16 ? body : small_body;
  if (size % 2)
    GOMP_taskloop(fn, &b, copied ? copy : NULL, size, align, flags, num, 0, start, end, step);
  else
    GOMP_taskloop_ull(fn, &b, copied ? copy : NULL, size, align, flags | (step > 0 ? UP : 0), num,
                      0, (unsigned long long)start, (unsigned long long)end,
                      (unsigned long long)step);
  if (flags & NOGROUP) {
    memset(&b, 0, sizeof b); /* the tasks have theirs */
#pragma omp taskwait
  }
  all_once();
  if (copied && flags & GRAINSIZE && num == 1)
    CHECK_EQ(copies, TRIPS);
}

static void loops(unsigned flags) {
  static const int sizes[] = {16, 21, 24, 33, 40, 64, 79, 80, 81, 96, 127, 200, 700, 2500, 5000};
  for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
    for (int align = 8; align <= 512; align *= 4) {
      loop(sizes[s], align, flags | GRAINSIZE, 1, false);
      loop(sizes[s], align, flags, 7, false);
      loop(sizes[s], align, flags | GRAINSIZE, 45, false);
      if (sizes[s] > 24)
        loop(sizes[s], align, flags | GRAINSIZE, 1, true);
    }
}

int main(int argc, char **argv) {
  bool own = argc > 1 && argv[1][0] == '1';
#pragma omp parallel
#pragma omp single
  {
    caller = pthread_self();
    changes = false;
    loops(0);
    loops(DEFERRED);
    changes = own && omp_get_num_threads() > 1;
    loops(DEFERRED);
    loops(DEFERRED | NOGROUP);
  }
  return 0;
}
