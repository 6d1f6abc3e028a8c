/* ahead.cpp - OS threads made ahead of need, where created threads end with theirs */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that most threads of a program with thread_local objects find an OS thread that was made
// while an earlier one was joined, that the same holds where thread-specific data is left behind,
// that such OS threads are as new, and that they end when they have been idle for long, are not
// wanted, or only they are left.
// REQUIRES: nanogomp, base
// UNSUPPORTED: sanitizer
// RUN: %th_build %s -o %t && %omp_run %t
// RUN: %th_build %s -D KEYS -o %t.keys && %omp_run %t.keys
#include "names.h"
#include <atomic>
#include <string>

enum { N = 200, AT_ONCE = 40, AHEAD_MOST = 16 };
static std::atomic<long> made, destroyed;

#ifdef KEYS
static pthread_key_t key;
static void drop(void *) { destroyed++; }
static void use(void) {
  CHECK(pthread_getspecific(key) == nullptr);
  CHECK_EQ(pthread_setspecific(key, &made), 0);
  made++;
}
#else
struct object {
  std::string text = "first value, longer than the small buffer of a string";
  object() { made++; }
  ~object() { destroyed++; }
};
static thread_local object own;
static void use(void) {
  CHECK(own.text.compare(0, 11, "first value") == 0);
  own.text = "spoilt, and this text is longer than the small buffer as well";
}
#endif
static thread_local long counter = 41;

/* Long enough for its creator to join it. */
static void *thread(void *argument) {
  CHECK_EQ(counter++, 41);
  use();
  check_sleep_ms(2);
  return argument;
}

static struct tholder_counts counts(void) {
  struct tholder_counts c;
  CHECK_EQ(tholder_count(&c), 0);
  return c;
}

/* One after the other. */
static void pairs(void) {
  for (int i = 0; i < N; i++) {
    CHECK(th_call(thread, &made) == &made);
    CHECK_EQ(destroyed, made);
  }
}

static void bursts(void) {
  tholder_t t[AT_ONCE];
  for (int round = 0; round < 5; round++) {
    for (tholder_t &each : t)
      each = th_start(thread, &each);
    for (tholder_t &each : t)
      CHECK(th_result(each) == &each);
    CHECK_EQ(destroyed, made);
    CHECK(counts().idle <= AHEAD_MOST);
  }
}

int main() {
#ifdef KEYS
  CHECK_EQ(pthread_key_create(&key, drop), 0);
#endif
  CHECK_EQ(tholder_config(THOLDER_IDLE_NS, INT64_C(600000000000)), 0);
  pairs();
  CHECK(counts().own < N / 2);
  CHECK_WAIT_UNTIL(counts().idle > 0);
  CHECK(counts().held <= AHEAD_MOST);
  bursts();
  CHECK_EQ(tholder_config(THOLDER_IDLE_NS, 1000000), 0);
  CHECK_EQ(tholder_config(THOLDER_IDLE_MOST, 0), 0);
  pairs(); /* these use up those that are idle */
  CHECK_WAIT_UNTIL(counts().held == 0);
  CHECK_EQ(tholder_config(THOLDER_IDLE_MOST, -1), 0);
  CHECK_EQ(tholder_config(THOLDER_IDLE_NS, INT64_C(600000000000)), 0);
  pairs();
  pthread_exit(nullptr); /* an idle one does not keep the process */
}
