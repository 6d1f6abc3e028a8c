/* plugin.c - a shared object with a parallel region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
long plugin_sum(int size);

long plugin_sum(int size) {
  long sum = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += i;
  return sum;
}
