/* depend_check.h - checks the depend objects of a depend array
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_ABI_DEPEND_CHECK_H
#define NTH_ABI_DEPEND_CHECK_H

#include <stdlib.h>

#include "runtime/base/msg.h"
#include "runtime/omp/tasks/depend.h"

/* An omp_depend_t (OpenMP 5.2, section 15.9.4) with an unknown kind of dependence is not
 * initialised or is destroyed; it ends the program, as with libgomp. depend may be NULL. */
static inline void nth_abi_check_depend(void **depend) {
  struct nth_depend_list list;
  struct nth_access a;
  if (!depend || depend[0] || !depend[1])
    return; /* only the new format has depend objects */
  nth_depend_list_begin(&list, depend);
  list.at = list.out + list.mutex + list.in;
  while (nth_depend_list_next(&list, &a)) {
    if (a.kind < NTH_DEPEND_IN || a.kind > NTH_DEPEND_INOUTSET) {
      nth_msg_libgomp("unknown omp_depend_t dependence type %d", (int)a.kind);
      exit(EXIT_FAILURE);
    }
  }
}

#endif
