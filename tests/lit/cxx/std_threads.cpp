/* std_threads.cpp - std::thread, std::async and mutexes together with regions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks regions opened from std::threads and futures, std::mutex, call_once and condition
// variables used between members, and a std::thread created and joined by a member.
// RUN: %omp_test
#include "check.h"
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static long counter;

static long sum_region(int size) {
  long sum = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
  {
    for (int k = 0; k < 100; k++) {
      std::lock_guard<std::mutex> lock(mutex);
      counter++;
    }
#pragma omp for
    for (int i = 0; i < 1000; i++)
      sum += i;
  }
  return sum;
}

/* Member 1 waits for member 0 by a condition variable: both must be running threads. */
static void meet() {
  std::mutex m;
  std::condition_variable condition;
  int stage = 0;
#pragma omp parallel num_threads(2)
  {
    std::unique_lock<std::mutex> lock(m);
    for (int k = 0; k < 50; k++) {
      condition.wait(lock, [&] { return stage % 2 == omp_get_thread_num(); });
      stage++;
      condition.notify_all();
    }
  }
  CHECK_EQ(stage, 100);
}

int main() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([t] {
      for (int k = 0; k < 10; k++)
        CHECK_EQ(sum_region(1 + (t + k) % 4), 499500);
    });
  std::vector<std::future<long>> futures;
  for (int t = 0; t < 6; t++)
    futures.push_back(std::async(std::launch::async, sum_region, 2));
  for (auto &future : futures)
    CHECK_EQ(future.get(), 499500);
  for (auto &thread : threads)
    thread.join();
  CHECK_EQ(counter, 100 * (10 * (1 + 2 + 3 + 4) + 6 * 2));
  meet();
  std::once_flag once;
  int calls = 0, joined = 0;
#pragma omp parallel num_threads(4) reduction(+ : joined)
  {
    std::call_once(once, [&] { calls++; });
    std::thread helper([&joined] {
      long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
      sum++;
      joined += (int)sum;
    });
    helper.join();
  }
  CHECK_EQ(calls, 1);
  CHECK_EQ(joined, 8);
  return 0;
}
