/* reduction.c - reductions: every operator and type */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks + - * & | ^ && || min max over int, long, double, float and complex on parallel, for,
// sections and nested regions; the original value takes part once.
// RUN: %omp_test
#include "check.h"
#include <complex.h>

enum { TRIPS = 60 };

int main(void) {
  int n = omp_get_max_threads();
  double end = check_seconds() + 1.5;
  for (int round = 0; round < 60 && check_seconds() < end; round++) {
    int plus = 3, minus = 100, and = ~0, or = 1, xor = 5, land = 1, lor = 0, small = 1000,
        big = -1000;
    long product = 2;
    double sum = 0.5, least = 1e9, most = -1e9;
    float fsum = 1;
    _Complex double z = 1;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : plus, sum, fsum, z)                    \
    reduction(- : minus) reduction(* : product) reduction(& : and) reduction(| : or)               \
    reduction(^ : xor) reduction(&& : land) reduction(|| : lor) reduction(min : small, least)      \
    reduction(max : big, most)
    for (int i = 0; i < TRIPS; i++) {
      plus += i;
      minus -= i;
      if (i % 6 == 0)
        product *= 2;
      and &= ~(1 << i % 30);
      or |= 1 << i % 10;
      xor ^= i;
      land = land && i >= 0;
      lor = lor || i == TRIPS - 1;
      small = (i * 37) % 61 - 30 < small ? (i * 37) % 61 - 30 : small;
      big = (i * 37) % 61 - 30 > big ? (i * 37) % 61 - 30 : big;
      sum += 0.25 * i;
      least = i - 7.5 < least ? i - 7.5 : least;
      most = i + 7.5 > most ? i + 7.5 : most;
      fsum += 1;
      z += I * i;
    }
    int xored = 5, low = 1000, high = -1000;
    for (int i = 0; i < TRIPS; i++) {
      xored ^= i;
      low = (i * 37) % 61 - 30 < low ? (i * 37) % 61 - 30 : low;
      high = (i * 37) % 61 - 30 > high ? (i * 37) % 61 - 30 : high;
    }
    CHECK_EQ(plus, 3 + TRIPS * (TRIPS - 1) / 2);
    CHECK_EQ(minus, 100 - TRIPS * (TRIPS - 1) / 2);
    CHECK_EQ(product, 2 << 10);
    CHECK_EQ((unsigned)and, 3u << 30);
    CHECK_EQ(or, 1023);
    CHECK_EQ(xor, xored);
    CHECK_EQ(land, 1);
    CHECK_EQ(lor, 1);
    CHECK_EQ(small, low);
    CHECK_EQ(big, high);
    CHECK(sum == 0.5 + 0.25 * TRIPS * (TRIPS - 1) / 2);
    CHECK(least == -7.5 && most == TRIPS - 1 + 7.5 && fsum == TRIPS + 1);
    CHECK(creal(z) == 1 && cimag(z) == TRIPS * (TRIPS - 1) / 2);
    long members = 0, inner = 0;
#pragma omp parallel reduction(+ : members, inner)
    {
      members += 10 + omp_get_thread_num();
#pragma omp parallel num_threads(2) reduction(+ : inner)
      inner += 1;
    }
    CHECK_EQ(members, 10L * n + (long)n * (n - 1) / 2);
    CHECK_EQ(inner, n == 1 ? 2 : n); /* only one level is active */
  }
  return 0;
}
