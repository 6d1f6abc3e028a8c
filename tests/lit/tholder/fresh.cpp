/* fresh.cpp - thread_local objects and thread-specific data of threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each thread has objects and data of its own, as they are at first, that all
// destructors have run when join returns, however the thread ends, even for data and objects that
// destructors make, and that pthread_exit and cancellation unwind C++ frames.
// ThreadSanitizer has left a thread when the last of its destructors run.
// UNSUPPORTED: tsan
// RUN: %th_test
#include "names.h"
#include <atomic>
#include <climits>
#include <exception>
#include <semaphore.h>
#include <stdexcept>
#include <string>

static std::atomic<long> made, destroyed, unwound, made_late, destroyed_late;

/* Made by the destructor of another object. */
struct late {
  std::string text = std::string("a text that is too long to be stored in place");
  late() { made_late++; }
  ~late() {
    CHECK(text.size() > 40);
    destroyed_late++;
  }
};
static thread_local late made_at_the_end;

struct object {
  std::string text = "first value, longer than the small buffer of a string";
  long number = 7;
  object() { made++; }
  ~object() {
    number = -1;
    destroyed++;
    made_at_the_end.text += '.';
  }
};
static thread_local object own;
static thread_local object *address; /* of `own`, when it is made */
static thread_local long counter = 41;
static thread_local char large[20000];

/* ---- thread-specific data ---- */

enum { KEYS = 40 }; /* more than glibc has in its descriptor of a thread */
static pthread_key_t keys[KEYS], stubborn;
static std::atomic<long> dropped, again;

static void drop(void *value) {
  delete static_cast<std::string *>(value);
  dropped++;
}

static void set_again(void *value) {
  again++;
  CHECK_EQ(pthread_setspecific(stubborn, value), 0);
}

/* ---- the ways to end ---- */

enum way { RETURN, PTHREAD_EXIT, THOLDER_EXIT, CANCEL, IN_CATCH, WAYS };

struct frame {
  ~frame() { unwound++; }
};

static sem_t never;

__attribute__((noinline)) static void end(way w) {
  frame f;
  if (w == PTHREAD_EXIT)
    pthread_exit(th_pointer(w));
  if (w == THOLDER_EXIT)
    tholder_exit(th_pointer(w));
  if (w == CANCEL)
    for (;;)
      sem_wait(&never);
  if (w == IN_CATCH)
    try {
      throw std::runtime_error("in flight");
    } catch (const std::exception &) {
      tholder_exit(th_pointer(w));
    }
}

static void *thread(void *argument) {
  way w = static_cast<way>(reinterpret_cast<intptr_t>(argument));
  CHECK(!std::current_exception());
  CHECK_EQ(std::uncaught_exceptions(), 0);
  CHECK(address == nullptr);
  CHECK_EQ(counter, 41);
  for (char c : large)
    CHECK_EQ(c, 0);
  CHECK_EQ(own.number, 7);
  CHECK(own.text.compare(0, 11, "first value") == 0);
  address = &own;
  own.number = counter = 1000 + w;
  own.text = "spoilt, and this text is longer than the small buffer as well";
  memset(large, 0x55, sizeof large);
  for (pthread_key_t key : keys) {
    CHECK(pthread_getspecific(key) == nullptr);
    CHECK_EQ(pthread_setspecific(key, new std::string(100, 'x')), 0);
  }
  CHECK(pthread_getspecific(stubborn) == nullptr);
  CHECK_EQ(pthread_setspecific(stubborn, &stubborn), 0);
  end(w);
  return argument;
}

/* What the destructors of `threads` threads have done. */
static void check_all(long threads) {
  CHECK_EQ(made, threads);
  CHECK_EQ(destroyed, threads);
  CHECK_EQ(unwound, threads);
  CHECK_EQ(made_late, threads);
  CHECK_EQ(destroyed_late, threads);
  CHECK_EQ(dropped, threads * KEYS);
  CHECK_EQ(again, threads * PTHREAD_DESTRUCTOR_ITERATIONS);
}

static tholder_t start(int w) {
  tholder_t t = th_start(thread, th_pointer(w));
  if (w == CANCEL)
    CHECK_EQ(tholder_cancel(t), 0); /* it has no cancellation point before it waits */
  return t;
}

static void check_result(tholder_t t, int w) {
  CHECK(th_result(t) == (w == CANCEL ? PTHREAD_CANCELED : th_pointer(w)));
}

int main() {
  enum { AT_ONCE = 10 };
  long threads = 0;
  CHECK_EQ(sem_init(&never, 0, 0), 0);
  for (pthread_key_t &key : keys)
    CHECK_EQ(pthread_key_create(&key, drop), 0);
  CHECK_EQ(pthread_key_create(&stubborn, set_again), 0);
  for (int round = 0; round < CHECK_TIMES(60); round++) {
    for (int w = 0; w < WAYS; w++) {
      check_result(start(w), w);
      check_all(++threads);
    }
    tholder_t t[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++)
      t[i] = start(i % WAYS);
    for (int i = 0; i < AT_ONCE; i++)
      check_result(t[i], i % WAYS);
    check_all(threads += AT_ONCE);
  }
  return 0;
}
