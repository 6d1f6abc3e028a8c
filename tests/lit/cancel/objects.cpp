// objects.cpp - objects of cancelled tasks are destroyed as often as they are made
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks counts of constructors and destructors of firstprivate and private objects in tasks and
// taskloops, with cancelled taskgroups and regions, and without.
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
// RUN: %omp_run %t
#include "check.h"

#include <atomic>

int x; // for its address
static std::atomic<long> alive, made, ran;

struct object {
  long value;
  char *memory;
  explicit object(long v) : value(v), memory(new char[10]) { count(); }
  object(const object &o) : value(o.value), memory(new char[10]) { count(); }
  ~object() {
    CHECK_EQ(value, 42);
    value = 0;
    delete[] memory;
    alive--;
  }
  static void count() {
    alive++;
    made++;
  }
};

static void group(int cancel_at) {
  object o(42);
#pragma omp taskgroup
  for (int i = 0; i < 40; i++) {
#pragma omp task firstprivate(o, i)
    {
      CHECK_EQ(o.value, 42);
      if (i == cancel_at) {
#pragma omp cancel taskgroup
      }
      ran++;
    }
  }
}

static void loop(int cancel_at) {
  object o(42);
#pragma omp taskloop firstprivate(o) grainsize(2)
  for (int i = 0; i < 40; i++) {
    CHECK_EQ(o.value, 42);
    if (i == cancel_at) {
#pragma omp cancel taskgroup
    }
    ran++;
  }
}

static void depending(int cancel_at) {
  object o(42);
#pragma omp taskgroup
  for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(o, i) depend(inout : x)
    {
      CHECK_EQ(o.value, 42);
      if (i == cancel_at) {
#pragma omp cancel taskgroup
      }
      ran++;
    }
  }
}

static void region(bool cancels) {
#pragma omp parallel
  {
    object o(42);
#pragma omp masked
    for (int i = 0; i < 40; i++) {
#pragma omp task firstprivate(o)
      {
        CHECK_EQ(o.value, 42);
        ran++;
      }
    }
#pragma omp cancel parallel if (cancels)
  }
}

int main() {
  bool on = omp_get_cancellation();
  for (int round = 0; round < CHECK_TIMES(100); round++) {
    int at = round % 3 == 0 ? -1 : round % 50;
    bool cancels = on && at >= 0;
#pragma omp parallel
#pragma omp single
    {
      long before = ran;
      group(at);
      loop(at);
      depending(at);
      CHECK(cancels && at < 40 ? ran - before < 100 : ran - before == 100);
    }
    region(at >= 0);
    CHECK_EQ(alive, 0);
  }
  CHECK(made > 0);
  return 0;
}
