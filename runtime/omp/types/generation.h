/* generation.h - the number of forks that the process has survived; what a fork does: forked.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_GENERATION_H
#define NTH_OMP_GENERATION_H

#include <stdint.h>

/* w: the child's handler, single-threaded; r: all */
extern uint32_t nth_fork_generation;

#endif
