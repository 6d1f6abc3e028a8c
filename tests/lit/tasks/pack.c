/* pack.c - task in a loop: equal tasks, and what makes the next one unequal */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each task of long and short loops runs once, with arguments of many sizes, in its own
// taskgroup, with the ICVs of its construct, and with the tasks and regions that it makes itself;
// that constructs in turn, undeferred, final and mergeable ones in between, change nothing.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env NTH_TEST_BRIEF=1 %omp_run %t
#include "check.h"

#include <string.h>

enum { N = 4000 };
static int ran[N];

static void one_each(const char *what, int n) {
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    wrong += ran[i] != 1;
    ran[i] = 0;
  }
  if (wrong)
    printf("%s: %d tasks did not run once\n", what, wrong);
  CHECK_EQ(wrong, 0);
}

#define RUN_IT(i) __atomic_add_fetch(&ran[i], 1, __ATOMIC_RELAXED)

/* A task of so many bytes, all of which it looks at. */
#define SIZED(BYTES)                                                                               \
  static void sized_##BYTES(int n) {                                                               \
    for (int i = 0; i < n; i++) {                                                                  \
      struct {                                                                                     \
        short number;                                                                              \
        unsigned char rest[BYTES - 2];                                                             \
      } a = {.number = (short)i};                                                                  \
      memset(a.rest, i, sizeof a.rest);                                                            \
      _Pragma("omp task firstprivate(a)") {                                                        \
        int bad = 0;                                                                               \
        for (size_t k = 0; k < sizeof a.rest; k++)                                                 \
          bad += a.rest[k] != (unsigned char)a.number;                                             \
        if (!bad)                                                                                  \
          RUN_IT(a.number);                                                                        \
      }                                                                                            \
    }                                                                                              \
  }
SIZED(3)
SIZED(4)
SIZED(8)
SIZED(16)
SIZED(18)
SIZED(32)
SIZED(48)
SIZED(64)
SIZED(66)
SIZED(300)

static void sizes(void) {
  static void (*const all[])(int) = {sized_3,  sized_4,  sized_8,  sized_16, sized_18,
                                     sized_32, sized_48, sized_64, sized_66, sized_300};
  for (size_t s = 0; s < sizeof all / sizeof *all; s++)
    for (int n = 1; n <= N; n = n < 40 ? n + 1 : n * 10) {
#pragma omp parallel
#pragma omp single
      all[s](n);
      one_each("sizes", n);
    }
}

static void no_arguments(void) {
  static int count;
  count = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < N; i++) {
#pragma omp task
    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
  }
  CHECK_EQ(count, N);
}

/* Bursts of all lengths, each with its wait. */
static void bursts(void) {
#pragma omp parallel
#pragma omp single
  for (int n = 1, at = 0; at + n <= N; at += n, n = n % 50 + 1) {
    for (int i = at; i < at + n; i++) {
#pragma omp task firstprivate(i)
      RUN_IT(i);
    }
#pragma omp taskwait
    for (int i = at; i < at + n; i++) {
      CHECK_EQ(ran[i], 1);
      ran[i] = 0;
    }
  }
}

/* Other constructs come in between, always or now and then. */
static void in_turn(int every) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < N; i++) {
    int kind = i % every == 0 ? i / every % 5 : 5;
    switch (kind) {
    case 0:
#pragma omp task firstprivate(i) if (0)
      RUN_IT(i);
      break;
    case 1:
#pragma omp task firstprivate(i) final(1)
    {
      CHECK(omp_in_final());
#pragma omp task firstprivate(i)
      RUN_IT(i);
    } break;
    case 2:
#pragma omp task firstprivate(i) mergeable
      RUN_IT(i);
      break;
    case 3:
#pragma omp task firstprivate(i) untied
      RUN_IT(i);
      break;
    case 4:
#pragma omp task firstprivate(i) depend(inout : ran)
      RUN_IT(i);
      break;
    default:
#pragma omp task firstprivate(i)
    {
      CHECK(!omp_in_final());
      RUN_IT(i);
    }
    }
  }
  one_each("in turn", N);
}

/* One construct, final or not. */
static void final_now_and_then(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i) final(i % 7 == 0)
    {
      CHECK_EQ(omp_in_final(), i % 7 == 0);
      RUN_IT(i);
    }
  }
  one_each("final", N);
}

static void icvs(void) {
#pragma omp parallel
#pragma omp single
  {
    omp_set_num_threads(3);
    for (int i = 0; i < N; i++) {
      if (i % 10 == 0)
        omp_set_num_threads(3 + i / 10);
#pragma omp task firstprivate(i)
      {
        CHECK_EQ(omp_get_max_threads(), 3 + i / 10);
        if (i % 3 == 0)
          omp_set_num_threads(7);
        RUN_IT(i);
      }
    }
  }
  one_each("icvs", N);
}

/* The first time that the maker writes its ICVs is after some tasks. */
static void icvs_late(void) {
  for (int round = 0; round < 50; round++) {
    int before = omp_get_max_threads();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 60; i++) {
      if (i == 30)
        omp_set_num_threads(before + 5);
#pragma omp task firstprivate(i)
      {
        CHECK_EQ(omp_get_max_threads(), before + (i < 30 ? 0 : 5));
        RUN_IT(i);
      }
    }
    one_each("icvs late", 60);
  }
}

static void make(int i) {
#pragma omp task firstprivate(i)
  RUN_IT(i);
}

/* The same construct in and outside groups: a group's end waits for its own. */
static void groups(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i + 40 <= N; i += 40) {
    for (int k = 0; k < 10; k++)
      make(i + k);
#pragma omp taskgroup
    {
      for (int k = 10; k < 20; k++)
        make(i + k);
#pragma omp taskgroup
      for (int k = 20; k < 30; k++)
        make(i + k);
      for (int k = 20; k < 30; k++)
        CHECK_EQ(__atomic_load_n(&ran[i + k], __ATOMIC_RELAXED), 1);
    }
    for (int k = 10; k < 20; k++)
      CHECK_EQ(__atomic_load_n(&ran[i + k], __ATOMIC_RELAXED), 1);
    for (int k = 30; k < 40; k++)
      make(i + k);
  }
  one_each("groups", N / 40 * 40);
}

static void reductions(void) {
  long sum = 0, others = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(others)
      __atomic_add_fetch(&others, 1, __ATOMIC_RELAXED);
    }
#pragma omp taskgroup task_reduction(+ : sum)
    for (long i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
      sum += i;
    }
    CHECK_EQ(sum, (round + 1) * 4950);
  }
  CHECK_EQ(others, 400);
}

/* Tasks that make tasks of the same construct, wait for them, yield, open regions. */
static void tree(int from, int n) {
  if (n <= 0)
    return;
  for (int i = 0; i < 8 && i < n; i++) {
    int mine = n / 8 + (i < n % 8), first = from + i * (n / 8) + (i < n % 8 ? i : n % 8);
#pragma omp task firstprivate(mine, first)
    {
      RUN_IT(first);
      tree(first + 1, mine - 1);
      if (first % 3 == 0) {
#pragma omp taskwait
        for (int k = first; k < first + mine && k < first + 2; k++)
          CHECK_EQ(__atomic_load_n(&ran[k], __ATOMIC_RELAXED), 1);
      } else if (first % 3 == 1) {
#pragma omp taskyield
      }
    }
  }
}

static void trees(void) {
#pragma omp parallel
#pragma omp single
  tree(0, N);
  one_each("trees", N);
}

static void regions(void) {
  static int inner;
  inner = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 60; i++) {
#pragma omp task firstprivate(i)
    {
#pragma omp parallel num_threads(2)
#pragma omp single
      for (int k = 0; k < 20; k++) {
#pragma omp task
        __atomic_add_fetch(&inner, 1, __ATOMIC_RELAXED);
      }
      RUN_IT(i);
    }
    if (i % 9 == 0) { /* the maker is in another team for a while */
#pragma omp parallel num_threads(2)
#pragma omp single
      for (int k = 0; k < 20; k++) {
#pragma omp task
        __atomic_add_fetch(&inner, 1, __ATOMIC_RELAXED);
      }
    }
  }
  omp_set_max_active_levels(1);
  one_each("regions", 60);
  CHECK_EQ(inner, 60 * 20 + 7 * 20);
}

/* All members make tasks. */
static void by_all(void) {
  long count = 0;
  int members = 0;
#pragma omp parallel reduction(+ : members)
  {
    members = 1;
    for (int i = 0; i < N; i++) {
#pragma omp task shared(count)
      __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    }
  }
  CHECK_EQ(count, (long)members * N);
}

int main(void) {
  sizes();
  no_arguments();
  bursts();
  in_turn(1);
  in_turn(2);
  in_turn(13);
  final_now_and_then();
  icvs();
  icvs_late();
  groups();
  reductions();
  trees();
  regions();
  by_all();
  return 0;
}
