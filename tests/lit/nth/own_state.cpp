/* own_state.cpp - errno and C++ exceptions of nano-threads that take turns on one OS thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a nano-thread that blocks has its errno, the exception it is handling and the count
// of those in flight again when it goes on, and that others in between see none of them.
// RUN: %nth_test
#include "check.h"
#include <cerrno>
#include <exception>
#include <nanogomp/nth.h>
#include <stdexcept>
#include <string>

static void check_none() {
  CHECK(!std::current_exception());
  CHECK_EQ(std::uncaught_exceptions(), 0);
}

/* Blocks until a child has run that disturbs what it can. */
static void disturb(long i) {
  check_none();
  errno = 1000 + (int)i;
  try {
    throw std::logic_error("child");
  } catch (const std::logic_error &e) {
    CHECK_STREQ(e.what(), "child");
  }
  check_none();
}

static void wait_for_child(long i) {
  struct nth_desc *self = nth_self();
  CHECK_EQ(nth_depadd(self, 2), 0);
  CHECK_EQ(nth_to_lrq(nth_processor(), nth_create_ls(disturb, 0, self, 1, i)), 0);
  CHECK_EQ(nth_block(), 0);
}

struct waits_in_destructor {
  long i;
  ~waits_in_destructor() {
    CHECK_EQ(std::uncaught_exceptions(), 1);
    errno = (int)i;
    wait_for_child(i);
    CHECK_EQ(errno, i);
    CHECK_EQ(std::uncaught_exceptions(), 1);
  }
};

static void throws(long i, int depth) {
  waits_in_destructor w{i};
  if (depth == 0)
    throw std::runtime_error("thrown by " + std::to_string(i));
  throw i;
}

static long handled;
static void nano(long i) {
  const std::string mine = "thrown by " + std::to_string(i);
  check_none();
  errno = (int)i;
  wait_for_child(i);
  CHECK_EQ(errno, i);
  try {
    throws(i, 0);
  } catch (const std::runtime_error &e) {
    wait_for_child(i);
    CHECK(e.what() == mine);
    try {
      throws(i, 1);
    } catch (long n) {
      wait_for_child(i);
      CHECK_EQ(n, i);
    }
    try {
      throw;
    } catch (const std::exception &again) {
      wait_for_child(i);
      CHECK(again.what() == mine);
    }
    CHECK_EQ(std::uncaught_exceptions(), 0);
  }
  check_none();
  __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

int main() {
  const long n = 200;
  CHECK_EQ(nth_init(0), 0);
  struct nth_desc *me = nth_self();
  try {
    throw 5;
  } catch (int five) {
    errno = 77;
    CHECK_EQ(nth_depadd(me, n + 1), 0);
    for (long i = 0; i < n; i++)
      CHECK_EQ(nth_to_lrq(int(i) % nth_processors(), nth_create_ls(nano, 0, me, 1, i)), 0);
    CHECK_EQ(nth_block(), 0);
    CHECK_EQ(five, 5);
    CHECK_EQ(errno, 77);
    CHECK(std::current_exception());
  }
  CHECK_EQ(handled, n);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
