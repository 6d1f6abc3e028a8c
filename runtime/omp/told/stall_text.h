/* stall_text.h - the text of NTH_STALL: who waits for whom
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_STALL_TEXT_H
#define NTH_OMP_STALL_TEXT_H

#include "runtime/omp/told/stall.h"

/* Writes what each member does, and which wait for each other in a circle. all: the newest notes;
 * now: ns; still: for how long nothing has moved; 0: a signal has asked. */
void nth_stall_tell(struct nth_stall_notes *all, uint64_t now, uint64_t still);

#endif
