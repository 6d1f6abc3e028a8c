/* masked.c - masked constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 10.5. gcc 17 and later call these; earlier ones compare with
 * omp_get_thread_num() in the program.
 *
 * GOMP_has_masked_thread_num           whether the caller has the number of the filter clause
 * GOMP_has_masked_thread_num_with_end  the same; if so, GOMP_masked_end comes behind the block. For
 * GOMP_masked_end                      tools: of programs compiled with -fopenmp-ompt
 */
#include "abi_protos.h"

#include "abi/tool.h"
#include "runtime/omp/member/member.h"

bool GOMP_has_masked_thread_num(int filter) { return filter == omp_get_thread_num(); }

bool GOMP_has_masked_thread_num_with_end(int filter) {
  bool runs = filter == omp_get_thread_num();
  if (runs && nth_tool_on())
    nth_told_masked(nth_member_get(), ompt_scope_begin, NTH_RA);
  return runs;
}

void GOMP_masked_end(void) {
  if (nth_tool_on())
    nth_told_masked(nth_member_get(), ompt_scope_end, NTH_RA);
}
