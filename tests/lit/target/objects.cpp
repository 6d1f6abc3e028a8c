// objects.cpp - target constructs on C++ objects: members, references, templates, functors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that mapped objects and members are the host's own, firstprivate objects and
// functors are copies, and reductions over them are right, in members of a team too.
// RUN: %omp_test
#include "check.h"
#include <vector>

#pragma omp declare target
struct counter {
  int value = 0;
  int *data = nullptr;
  void add(int n) { value += n; }
  void region(int n) {
#pragma omp target map(tofrom : value) map(data[0 : n])
    for (int i = 0; i < n; i++) {
      data[i] += i;
      value++;
    }
  }
};
#pragma omp end declare target

struct adder {
  int base;
  int operator()(int n) const { return base + n; }
};

template <typename T> static T sum(const std::vector<T> &v) {
  T total = 0;
  const T *p = v.data();
  std::size_t n = v.size();
#pragma omp target teams distribute parallel for map(to : p[0 : n]) map(tofrom : total)            \
    reduction(+ : total) num_teams(3)
  for (std::size_t i = 0; i < n; i++)
    total += p[i];
  return total;
}

static void all() {
  std::vector<int> v(100);
  counter c;
  c.data = v.data();
  c.region(100);
  CHECK_EQ(c.value, 100);
  CHECK_EQ(v[99], 99);
  int x = 1, &reference = x, copied = 4;
#pragma omp target map(tofrom : reference) firstprivate(copied)
  {
    reference = 2;
    copied = reference;
  }
  CHECK(x == 2 && copied == 4);
  adder add = {copied};
  int result = 0;
#pragma omp target map(tofrom : result) firstprivate(add)
  {
    result = add(3);
    add.base = 0;
  }
  CHECK_EQ(add.base, 4);
  CHECK_EQ(result, 7);
  CHECK_EQ(sum(v), 4950);
  CHECK(sum(std::vector<double>(64, 0.5)) == 32.0);
  bool caught = false;
#pragma omp target map(tofrom : caught)
  {
    try {
      throw 5;
    } catch (int) {
      caught = true;
    }
  }
  CHECK(caught);
}

int main() {
  all();
#pragma omp parallel
  {
    all();
#pragma omp barrier
#pragma omp task
    all();
  }
}
