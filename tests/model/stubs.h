/* stubs.h - what team.c and task.c call and most models do not need: dependences
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_STUBS_H
#define NTH_MODEL_STUBS_H

#include "runtime/omp/tasks/depend.h"
#include "tests/model/stubs_team.h"

void nth_depend_forget(struct nth_task *t) { (void)t; }
void nth_depend_clear(struct nth_task *t) { (void)t; }
void nth_depend_restart(struct nth_task *t) { (void)t; }
void nth_depend_go_on_alone(struct nth_task *t) { (void)t; }
void nth_depend_group_over(struct nth_task *t) { (void)t; }
bool nth_depend_alone(const struct nth_task *t) { return (void)t, false; }
void nth_depend_end(struct nth_depend *d) { (void)d; }
void nth_depend_release(struct nth_depend *d, bool own) { (void)d, (void)own; }
void nth_depend_fetch(struct nth_depend *d) { (void)d; }
void nth_depend_wait(struct nth_member *m, void **depend) { (void)m, (void)depend; }
bool nth_depend_register(struct nth_task *t, void **depend) { return (void)t, (void)depend, true; }

#endif
