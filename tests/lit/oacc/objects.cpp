// objects.cpp - OpenACC in C++: members, references, templates, the typed acc_on_device
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks constructs in member functions and templates, reductions through references, and the C++
// forms of the API.
// REQUIRES: base
// RUN: %acc_test
#include <acc_prof.h>
#include <openacc.h>

#include "check.h"

template <typename T> struct vector {
  T *data;
  int size;

  void scale(T factor) {
#pragma acc parallel loop copy(data[0 : size])
    for (int i = 0; i < size; i++)
      data[i] *= factor;
  }

  void sum(T &result) const {
    T total = 0;
#pragma acc parallel loop copyin(data[0 : size]) reduction(+ : total)
    for (int i = 0; i < size; i++)
      total += data[i];
    result = total;
  }
};

template <typename T> static void check_vector() {
  T values[10], total;
  for (int i = 0; i < 10; i++)
    values[i] = (T)i;
  vector<T> v = {values, 10};
  v.scale(3);
  v.sum(total);
  CHECK(total == (T)135);
}

static int &reference(int &x) {
#pragma acc data copy(x)
#pragma acc parallel present(x)
  x++;
  return x;
}

int main() {
  check_vector<int>();
  check_vector<double>();
  int x = 1;
  CHECK_EQ(reference(reference(x)), 3);
  acc_device_t type = acc_get_device_type();
  CHECK_EQ(acc_on_device(type), 1);
  CHECK_EQ(acc_on_device(4), 0);
  CHECK_EQ(acc_async_test_all(), 1);
  return 0;
}
