/* parallel.c - parallel constructs in their open and combined forms
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/team/parallel.h"

#include "runtime/omp/taskloop/reduction.h"
#include "runtime/omp/tasks/taskgroup.h"
#include "runtime/omp/team/team_size.h"
#include "runtime/omp/types/taskgroup_type.h"

void nth_parallel_open(void (*fn)(void *), void *data, uint32_t clause) {
  struct nth_member *m = nth_member_get();
  nth_team_fork(m, nth_team_mine(m, nth_team_choose(m, clause, fn), 0), fn, data);
}

void nth_parallel_close(void) {
  struct nth_member *m = nth_member_get();
  if (m->now.team)
    nth_team_join(m, m->now.team);
}

void nth_combined_body(void *data) {
  const struct nth_combined *c = data;
  nth_assert(nth_self->now.team && c == &nth_self->now.team->shares.combined);
  nth_loop_begin(nth_self, &c->args);
  c->fn(c->data);
}

/* The arguments lie in the team object, since the open form returns before the body runs. */
static struct nth_team *fork_combined(void (*fn)(void *), void *data, uint32_t clause,
                                      uint32_t bind, const struct nth_loop_args *args) {
  struct nth_member *m = nth_member_get();
  struct nth_team *t = nth_team_mine(m, nth_team_choose(m, clause, fn), bind);
  t->shares.combined = (struct nth_combined){fn, data, *args};
  t->shares.combined.args.from = (uintptr_t)fn;
  nth_team_fork(m, t, nth_combined_body, &t->shares.combined);
  nth_loop_begin(m, &t->shares.combined.args);
  return t;
}

void nth_parallel_loop(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind,
                       const struct nth_loop_args *args) {
  struct nth_team *t = fork_combined(fn, data, clause, bind, args);
  fn(data);
  nth_team_join(nth_self, t);
}

void nth_parallel_loop_open(void (*fn)(void *), void *data, uint32_t clause,
                            const struct nth_loop_args *args) {
  fork_combined(fn, data, clause, 0, args);
}

void nth_parallel_group(struct nth_team *t, struct nth_taskgroup *group, uintptr_t *arrays) {
  *group = (struct nth_taskgroup){0};
  nth_reduction_register(group, arrays, t->size);
  for (uint32_t i = 0; i < t->size; i++) {
    nth_assert(!t->slot[i]->implicit.group); /* the last region closed its taskgroups */
    t->slot[i]->implicit.group = group;
  }
}

void nth_parallel_ungroup(struct nth_team *t, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    t->slot[i]->implicit.group = 0;
}

uint32_t nth_parallel_reductions(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind,
                                 uintptr_t *arrays) {
  struct nth_member *m = nth_member_get();
  struct nth_team *t = nth_team_mine(m, nth_team_choose(m, clause, fn), bind);
  uint32_t n = t->size;
  struct nth_taskgroup group;
  nth_parallel_group(t, &group, arrays);
  nth_team_fork(m, t, fn, data);
  fn(data);
  nth_team_join(m, t);
  nth_parallel_ungroup(t, n);
  return n;
}
