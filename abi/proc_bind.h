/* proc_bind.h - the flags argument of GOMP_parallel and its combined forms
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_ABI_PROC_BIND_H
#define NTH_ABI_PROC_BIND_H

#include <stdint.h>

/* The proc_bind clause as NTH_BIND_ (omp_proc_bind_t); 0: none. The other bits are unused. */
static inline uint32_t nth_proc_bind(unsigned flags) { return flags & 7; }

#endif
