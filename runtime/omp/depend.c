/* depend.c - dependences between tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/depend.h"

#include "runtime/omp/member.h"
#include "runtime/omp/task.h"

void nth_depend_wait(struct nth_member *m, void **depend) {
  if (depend)
    nth_task_wait(m);
}
