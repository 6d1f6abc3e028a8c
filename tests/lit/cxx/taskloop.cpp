// taskloop.cpp - C++ objects and exceptions in taskloops of many tasks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each task has a copy of its own of firstprivate objects, made by the thread that met
// the construct before it goes on, from the values they had then, and destroyed once; private,
// lastprivate and reduction objects; exceptions thrown and caught in tasks, also while others of
// the loop run, and in tasks that wait for children; taskloops in taskloops; nogroup.
// RUN: %omp_test
#include "check.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

enum { N = CHECK_TIMES(6000) };

struct object {
  static std::atomic<long> alive, copies;
  static std::thread::id maker;
  std::vector<long> values;
  explicit object(long v) : values(3, v) { alive++; }
  object(const object &o) : values(o.values) {
    CHECK(std::this_thread::get_id() == maker);
    alive++;
    copies++;
  }
  object &operator=(const object &o) = default;
  ~object() {
    values.at(2) = -1;
    alive--;
  }
};
std::atomic<long> object::alive, object::copies;
std::thread::id object::maker;

static std::atomic<long> ran;

static void own_copies(int n) {
  object o(5);
  object::maker = std::this_thread::get_id();
  object::copies = ran = 0;
#pragma omp taskloop grainsize(1) firstprivate(o)
  for (int i = 0; i < n; i++) {
    CHECK_EQ(std::accumulate(o.values.begin(), o.values.end(), 0l), 15);
    o.values[1] = i;
    o.values.push_back(i);
    ran++;
  }
  CHECK_EQ(ran, n);
  CHECK(object::copies >= n);
  CHECK_EQ(object::alive, 1);
}

static void left_behind(int n) {
  ran = 0;
  object::maker = std::this_thread::get_id();
  {
    object o(7);
#pragma omp taskloop grainsize(1) firstprivate(o) nogroup
    for (int i = 0; i < n; i++) {
      CHECK_EQ(o.values.size(), 3);
      CHECK_EQ(o.values[2], 7);
      ran++;
    }
    o.values.assign(3, 8); // the tasks have theirs
  }
#pragma omp taskwait
  CHECK_EQ(ran, n);
  CHECK_EQ(object::alive, 0);
}

static void last_and_sum(int n) {
  std::string last = "none";
  std::vector<long> sum(4);
#pragma omp declare reduction(plus : std::vector<long> : std::transform(                           \
        omp_out.begin(), omp_out.end(), omp_in.begin(), omp_out.begin(), std::plus<long>()))       \
    initializer(omp_priv = std::vector<long>(omp_orig.size()))
#pragma omp taskloop grainsize(1) lastprivate(last) reduction(plus : sum)
  for (int i = 0; i < n; i++) {
    last = std::to_string(i) + " is a string too long to be kept in place";
    sum[i % 4] += i;
  }
  CHECK(last.compare(0, last.find(' '), std::to_string(n - 1)) == 0);
  CHECK_EQ(std::accumulate(sum.begin(), sum.end(), 0l), (long)n * (n - 1) / 2);
}

static void thrown(int n) {
  std::atomic<long> caught{0};
#pragma omp taskloop grainsize(1) shared(caught)
  for (int i = 0; i < n; i++) {
    try {
      std::vector<int> local(10, i);
      if (i % 3 == 0)
        throw std::runtime_error(std::to_string(i));
      local.at((size_t)(i % 3 == 1 ? 11 : 0)) = 1;
    } catch (const std::exception &e) {
      if (i % 30 == 0) {
#pragma omp task shared(caught)
        try {
          throw i;
        } catch (int j) {
          caught += i == j;
        }
#pragma omp taskwait
        CHECK(e.what() == std::to_string(i)); // still this one
      }
      caught++;
    }
  }
  CHECK_EQ(caught, (n + 2) / 3 + (n + 1) / 3 + (n + 29) / 30);
}

static void nested(int n) {
  ran = 0;
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < n; i++) {
    std::vector<int> inner(8, i);
#pragma omp taskloop grainsize(1) shared(inner)
    for (int j = 0; j < 8; j++) {
      inner[j] += j;
      ran++;
    }
    CHECK_EQ(std::accumulate(inner.begin(), inner.end(), 0), 8 * i + 28);
  }
  CHECK_EQ(ran, 8 * n);
}

static void all(int n) {
  own_copies(n);
  left_behind(n);
  last_and_sum(n);
  thrown(n);
  nested(n / 10 + 1);
}

int main() {
#pragma omp parallel
#pragma omp single
  for (int n = 1; n <= N; n = n * 3 + 1)
    all(n);
  all(N / 10);
  return 0;
}
