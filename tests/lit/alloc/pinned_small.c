/* pinned_small.c - the trait pinned: small blocks share pages */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that some small blocks lock one page, that blocks of many sizes and alignments from many
// threads do not overlap and begin with zeros when they are to, that the last one unlocks its page,
// and that a child of fork() may give back its parent's blocks and make its own.
// nanogomp-only: libgomp 12 makes no allocator with pinned=true.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"
#include "locked.h"
#include <sys/mman.h>
#include <sys/wait.h>

static omp_allocator_handle_t pinned;

static void share_a_page(void) {
  long before = locked(), page = sysconf(_SC_PAGESIZE) / 1024;
  char *p = omp_alloc(10, pinned), *q, *r[6];
  CHECK(p);
  if (CHECK_SLOWER == 1) /* sanitizers lock nothing */
    CHECK_EQ(locked(), before + page);
  memset(p, 1, 10);
  p = omp_realloc(p, 20, pinned, pinned);
  CHECK(p && p[9] == 1);
  p = omp_realloc(p, 300, pinned, pinned);
  CHECK(p && p[9] == 1);
  q = omp_calloc(1, 10, pinned);
  CHECK(q && q[0] == 0 && q[9] == 0);
  for (int i = 0; i < 6; i++)
    CHECK((r[i] = omp_aligned_alloc((size_t)8 << i, 16, pinned)) &&
          (uintptr_t)r[i] % ((size_t)8 << i) == 0);
  if (CHECK_SLOWER == 1)
    CHECK_EQ(locked(), before + page);
  omp_free(p, pinned);
  omp_free(q, pinned);
  for (int i = 0; i < 6; i++)
    omp_free(r[i], pinned);
  CHECK_EQ(locked(), before);
}

enum { KEPT = 40 };

struct kept {
  unsigned char *p, mark;
  size_t size;
};

static void check_and_free(struct kept *k) {
  for (size_t i = 0; i < k->size; i++)
    CHECK_EQ(k->p[i], k->mark);
  omp_free(k->p, pinned);
  k->p = NULL;
}

static void replace(struct kept *k, uint64_t random, unsigned char mark) {
  size_t align = (size_t)1 << (random >> 16) % 12;
  if (k->p && random % 3 == 0) { /* another size, perhaps where it is */
    size_t size = 1 + (random >> 24) % 1500, least = size < k->size ? size : k->size;
    CHECK((k->p = omp_realloc(k->p, size, pinned, pinned)));
    for (size_t i = 0; i < least; i++)
      CHECK_EQ(k->p[i], k->mark);
    k->size = size;
  } else {
    if (k->p)
      check_and_free(k);
    k->size = 1 + (random >> 24) % 1300;
    CHECK((k->p = omp_aligned_calloc(align, 1, k->size, pinned)));
    CHECK_EQ((uintptr_t)k->p % align, 0);
    for (size_t i = 0; i < k->size; i++)
      CHECK_EQ(k->p[i], 0);
  }
  k->mark = mark;
  memset(k->p, mark, k->size);
}

static void mix(int seed) {
  struct kept kept[KEPT] = {{0}};
  uint64_t state = (uint64_t)seed * 77 + 5;
  for (int turn = 0; turn < CHECK_TIMES(3000); turn++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    replace(&kept[(state >> 40) % KEPT], state >> 20, (unsigned char)(seed * 31 + turn));
  }
  for (int i = 0; i < KEPT; i++)
    if (kept[i].p)
      check_and_free(&kept[i]);
}

static void in_child(void) {
  char *p = omp_alloc(100, pinned), *q = omp_alloc(100, pinned);
  memset(p, 5, 100);
  pid_t child = fork();
  if (child == 0) {
    bool good = p[99] == 5;
    char *mine = omp_realloc(p, 120, pinned, pinned);
    good = good && mine && mine[99] == 5;
    char *more = omp_alloc(200, pinned);
    omp_free(q, pinned);
    omp_free(more, pinned);
    omp_free(mine, pinned);
    _exit(good ? 0 : 1);
  }
  int status;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  CHECK_EQ(p[99], 5);
  omp_free(p, pinned);
  omp_free(q, pinned);
}

int main(void) {
  static char page[8192];
  if (mlock(page, sizeof page) != 0)
    return 0; /* not allowed here */
  munlock(page, sizeof page);
  omp_alloctrait_t traits[] = {{omp_atk_pinned, omp_atv_true}}; /* fallback: any memory */
  pinned = omp_init_allocator(omp_default_mem_space, 1, traits);
  CHECK(pinned);
  share_a_page();
  long before = locked();
#pragma omp parallel
  mix(omp_get_thread_num());
  CHECK_EQ(locked(), before);
  in_child();
  CHECK_EQ(locked(), before);
  omp_destroy_allocator(pinned);
  return 0;
}
