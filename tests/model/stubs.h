/* stubs.h - what team.c calls and the models do not need: choosing a size, work sharing
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_STUBS_H
#define NTH_MODEL_STUBS_H

#include "tests/model/members.h"

uint32_t nth_team_choose(struct nth_member *m, uint32_t clause) { return (void)m, clause; }
void nth_workshare_enter_region(struct nth_slot *s) { (void)s; }
void nth_workshare_leave_region(struct nth_team *t) { (void)t; }

#endif
