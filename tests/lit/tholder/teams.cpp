/* teams.cpp - thread_local objects of created threads and of their regions' members */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that an object of each created thread and of each member is made once for it, with its
// first value, and destroyed once: that of a created thread before its join returns.
// ThreadSanitizer has left a thread when the last of its destructors run.
// REQUIRES: nanogomp
// UNSUPPORTED: tsan
// RUN: %th_test
#include "names.h"
#include <atomic>
#include <omp.h>
#include <string>

static std::atomic<long> made, destroyed, destroyed_of_created;

struct object {
  std::string text = "first value, longer than the small buffer of a string";
  bool created = false;
  object() { made++; }
  ~object() {
    CHECK(text.size() > 40);
    destroyed++;
    destroyed_of_created += created;
  }
};
static thread_local object own;

static void use(void) {
  CHECK(own.text.compare(0, 11, "first value") == 0);
  own.text = "spoilt, and this text is longer than the small buffer as well";
}

static void *thread(void *argument) {
  use();
  own.created = true;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() != 0)
    use();
  return argument;
}

int main() {
  enum { AT_ONCE = 4 };
  omp_set_dynamic(0);
  long threads = 0;
  for (int round = 0; round < CHECK_TIMES(100); round++) {
    CHECK(th_call(thread, &made) == &made);
    CHECK_EQ(destroyed_of_created, ++threads);
    tholder_t t[AT_ONCE];
    for (tholder_t &each : t)
      each = th_start(thread, &each);
    for (tholder_t &each : t)
      CHECK(th_result(each) == &each);
    CHECK_EQ(destroyed_of_created, threads += AT_ONCE);
  }
  CHECK_WAIT_UNTIL(destroyed == 2 * threads); /* the members' OS threads end by themselves */
  CHECK_EQ(made, 2 * threads);
  return 0;
}
