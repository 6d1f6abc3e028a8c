/* firstprivate_big.c - task: large and over-aligned firstprivate data */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks structs from 1 byte to 100 KiB and alignments up to 4096 as firstprivate: each task has
// its own copy at the right alignment, and writing to it changes no other.
// RUN: %omp_test
#include "check.h"

struct small {
  char byte;
};
struct large {
  int word[25600];
};
struct aligned64 {
  _Alignas(64) int word[3];
};
struct aligned4096 {
  _Alignas(4096) int word[5];
};

static long sum;

static void one(int i) {
  struct small s = {(char)(i % 100)};
  struct aligned64 a = {{i, i + 1, i + 2}};
  struct aligned4096 b = {{i, 0, 0, 0, -i}};
#pragma omp task firstprivate(s, a, b, i)
  {
    CHECK_EQ((uintptr_t)&a % 64, 0);
    CHECK_EQ((uintptr_t)&b % 4096, 0);
    CHECK_EQ(s.byte, i % 100);
    CHECK(a.word[0] == i && a.word[1] == i + 1 && a.word[2] == i + 2);
    CHECK(b.word[0] == i && b.word[4] == -i);
    s.byte = 0;
    memset(&a, 0xff, sizeof a);
    memset(&b, 0xff, sizeof b);
#pragma omp atomic
    sum += i;
  }
}

static void two(int i, struct large *large) {
  for (int w = 0; w < 25600; w += 97)
    large->word[w] = i ^ w;
  struct large copy = *large;
#pragma omp task firstprivate(copy, i)
  {
    for (int w = 0; w < 25600; w += 97)
      CHECK_EQ(copy.word[w], i ^ w);
    memset(&copy, 0, sizeof copy);
#pragma omp atomic
    sum += 1000;
  }
}

int main(void) {
  static struct large large;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 300; i++) {
    one(i);
    if (i % 3 == 0)
      two(i, &large);
    if (i % 50 == 0) {
#pragma omp task if (0)
      one(i);
    }
  }
  CHECK_EQ(sum, 300 * 299 / 2 + 100 * 1000 + 50 * (1 + 2 + 3 + 4 + 5));
  return 0;
}
