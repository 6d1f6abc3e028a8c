/* reduction.cpp - C++ reductions: classes, lambdas and iterators */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks declare reduction over std::vector and a class with operators, loops over random-access
// iterators under each schedule, and lambdas called in regions.
// RUN: %omp_test
#include "check.h"
#include <algorithm>
#include <string>
#include <vector>

struct matrix {
  long a = 1, b = 0, c = 0, d = 1;
};

static matrix multiply(const matrix &x, const matrix &y) {
  matrix m;
  m.a = (x.a * y.a + x.b * y.c) % 1000003;
  m.b = (x.a * y.b + x.b * y.d) % 1000003;
  m.c = (x.c * y.a + x.d * y.c) % 1000003;
  m.d = (x.c * y.b + x.d * y.d) % 1000003;
  return m;
}

static void append(std::vector<int> &to, const std::vector<int> &from) {
  to.insert(to.end(), from.begin(), from.end());
}

/* clang-format off */
#pragma omp declare reduction(append : std::vector<int> : append(omp_out, omp_in))
#pragma omp declare reduction(multiply : matrix : omp_out = multiply(omp_out, omp_in))
/* clang-format on */

int main() {
  std::vector<int> in(1000);
  for (int i = 0; i < 1000; i++)
    in[(size_t)i] = i * 7919 % 1009;
  for (int round = 0; round < 20; round++) {
    std::vector<int> out;
#pragma omp parallel for reduction(append : out) schedule(dynamic, 11)
    for (int i = 0; i < 1000; i++)
      if (in[(size_t)i] % 3 == 0)
        out.push_back(in[(size_t)i]);
    std::vector<int> want;
    std::copy_if(in.begin(), in.end(), std::back_inserter(want), [](int v) { return v % 3 == 0; });
    std::sort(out.begin(), out.end());
    std::sort(want.begin(), want.end());
    CHECK(out == want);
    matrix fibonacci, step;
    step.a = step.b = step.c = 1;
    step.d = 0;
#pragma omp parallel for reduction(multiply : fibonacci) schedule(guided)
    for (int i = 0; i < 40; i++)
      fibonacci = multiply(fibonacci, step);
    CHECK_EQ(fibonacci.b, 102334155 % 1000003);
    long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
    for (auto it = in.begin(); it < in.end(); it += 3)
      sum += *it;
#pragma omp parallel for reduction(+ : sum)
    for (int &value : in)
      sum -= value;
    auto add = [&sum](long v) {
#pragma omp atomic
      sum += v;
    };
#pragma omp parallel for schedule(guided)
    for (auto it = in.rbegin(); it < in.rend(); ++it)
      add(*it);
    long check = 0;
    for (size_t i = 0; i < in.size(); i += 3)
      check += in[i];
    CHECK_EQ(sum, check);
  }
  return 0;
}
