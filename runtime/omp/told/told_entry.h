/* told_entry.h - the entry points by which a tool asks and registers (OpenMP 5.2, section 19.6)
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_TOLD_ENTRY_H
#define NTH_OMP_TOLD_ENTRY_H

#include "runtime/omp/tool/omp-tools.h"

/* The entry point of that name; NULL: there is none. */
ompt_interface_fn_t nth_told_lookup(const char *name);

/* A number that nothing else in the process has. */
uint64_t nth_told_unique_id(void);

#endif
