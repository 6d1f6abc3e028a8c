/* generation.c - the number of forks that the process has survived
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/types/generation.h"

uint32_t nth_fork_generation;
