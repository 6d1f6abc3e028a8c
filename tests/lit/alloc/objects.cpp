// objects.cpp - allocators in C++: class objects in the allocate clause, and containers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that copies of class type are made and ended once each in the allocator's memory, and
// that standard containers work over the memory routines in all threads.
// RUN: %omp_test
#include "check.h"
#include <atomic>
#include <map>
#include <new>
#include <vector>

static std::atomic<long> alive;

struct Object {
  long value;
  Object() : value(5) { alive++; }
  Object(const Object &from) : value(from.value) { alive++; }
  ~Object() { alive--; }
};

template <typename T> struct Memory {
  typedef T value_type;
  omp_allocator_handle_t from;
  explicit Memory(omp_allocator_handle_t a) : from(a) {}
  template <typename U> Memory(const Memory<U> &m) : from(m.from) {}
  T *allocate(size_t n) {
    void *p = omp_aligned_alloc(alignof(T), n * sizeof(T), from);
    if (!p)
      throw std::bad_alloc();
    return static_cast<T *>(p);
  }
  void deallocate(T *p, size_t) { omp_free(p, from); }
  template <typename U> bool operator==(const Memory<U> &m) const { return from == m.from; }
  template <typename U> bool operator!=(const Memory<U> &m) const { return from != m.from; }
};

static void containers(omp_allocator_handle_t a) {
  std::vector<int, Memory<int>> numbers{Memory<int>(a)};
  for (int i = 0; i < 5000; i++)
    numbers.push_back(i);
  for (int i = 0; i < 5000; i++)
    CHECK_EQ(numbers[i], i);
  typedef std::map<int, int, std::less<int>, Memory<std::pair<const int, int>>> Map;
  Map map{std::less<int>(), Memory<std::pair<const int, int>>(a)};
  for (int i = 0; i < 1000; i++)
    map[i * 7 % 1000] = i;
  for (int i = 0; i < 1000; i++)
    CHECK_EQ(map[i * 7 % 1000], i);
}

static bool used_up(omp_allocator_handle_t a) {
  try {
    std::vector<char, Memory<char>> v{Memory<char>(a)};
    v.resize(1 << 20);
  } catch (const std::bad_alloc &) {
    return true;
  }
  return false;
}

int main() {
  omp_alloctrait_t traits[] = {
      {omp_atk_alignment, (omp_alloctrait_value_t)64},
      {omp_atk_pool_size, (omp_alloctrait_value_t)65536},
      {omp_atk_fallback, omp_atv_null_fb},
  };
  omp_allocator_handle_t wide = omp_init_allocator(omp_default_mem_space, 1, traits);
  omp_allocator_handle_t small = omp_init_allocator(omp_default_mem_space, 3, traits);
  {
    Object first, priv;
    first.value = 9;
#pragma omp parallel firstprivate(first) private(priv) allocate(wide : first, priv)
    {
      CHECK_EQ(first.value, 9);
      CHECK_EQ(priv.value, 5);
      CHECK_EQ((uintptr_t)&first % 64, 0);
      CHECK_EQ((uintptr_t)&priv % 64, 0);
      containers(omp_default_mem_alloc);
      containers(wide);
      CHECK(used_up(small));
    }
    CHECK_EQ(alive, 2);
  }
  CHECK_EQ(alive, 0);
  omp_destroy_allocator(small);
  omp_destroy_allocator(wide);
  return 0;
}
