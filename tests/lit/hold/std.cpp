// std.cpp - std::thread, std::async and thread_local objects
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks results and exceptions of std::async, that each std::thread has its own id while others
// run, and that constructors and destructors of thread_local objects run once for each thread that
// uses one, before the join returns.
// UNSUPPORTED: sanitizer, emulated
// RUN: %hold_test
#include "check.h"
#include <atomic>
#include <future>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

static std::atomic<int> made, gone;

struct counted {
  int value = 5;
  counted() { made++; }
  ~counted() { gone++; }
};
static thread_local counted object;
static thread_local int plain = 3;

static int work(int n) {
  CHECK_EQ(plain, 3);
  plain = n;
  if (n % 4 == 0) {
    CHECK_EQ(object.value, 5);
    object.value = n;
  }
  if (n % 10 == 7)
    throw std::runtime_error("seven");
  return 2 * n;
}

int main() {
  enum { N = 40 };
  for (int round = 0; round < 20; round++) {
    std::vector<std::future<int>> all;
    for (int n = 0; n < N; n++)
      all.push_back(std::async(std::launch::async, work, n));
    int thrown = 0;
    for (int n = 0; n < N; n++)
      try {
        CHECK_EQ(all[(size_t)n].get(), 2 * n);
      } catch (const std::runtime_error &) {
        thrown++;
      }
    all.clear();
    CHECK_EQ(thrown, N / 10);
    CHECK_EQ(made, (round + 1) * N / 4);
    CHECK_EQ(gone, (round + 1) * N / 4);
    std::vector<std::thread> threads;
    std::set<std::thread::id> ids;
    for (int n = 0; n < N; n++)
      threads.emplace_back([] { plain++; });
    for (auto &t : threads)
      CHECK(ids.insert(t.get_id()).second);
    for (auto &t : threads)
      t.join();
    std::thread([] { plain = 9; }).detach();
  }
  return 0;
}
