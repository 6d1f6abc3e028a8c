/* static.c - loops with a static schedule, which the program divides itself
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 11.5 and 11.6. gcc 17 and later ask here for the caller's place in its team,
 * or in its league, and compute each chunk in the program. Earlier ones call omp_get_num_threads()
 * and the like. With -fopenmp-ompt the program also says where the loop begins and ends.
 *
 * GOMP_loop_static_worksharing
 *                         the size of the team, and the caller's number in it as imaginary part
 * GOMP_loop_static_worksharing_start
 *                         the same at the begin of a loop of so many iterations, for tools
 * GOMP_loop_static_worksharing_dispatch
 *                         for tools: the caller goes on to `count` iterations from `first` on
 * GOMP_loop_static_worksharing_end
 *                         for tools: the caller leaves the loop; no begin comes before the end of a
 *                         loop without iterations
 * GOMP_distribute_static_worksharing, GOMP_distribute_static_worksharing_start,
 * GOMP_distribute_static_worksharing_dispatch, GOMP_distribute_static_worksharing_end
 *                         the same for distribute: number of teams, and of the caller's team
 */
#include "abi_protos.h"

#include "abi/tool.h"
#include "runtime/omp/member/ancestors.h"
#include "runtime/omp/member/member.h"

static inline _Complex int pair(int size, int num) {
  _Complex int both;
  __real__ both = size;
  __imag__ both = num;
  return both;
}

/* One TLS load and one test: each static loop comes here. */
static inline _Complex int place_in_team(void) {
  const struct nth_member *m = nth_self;
  return nth_likely(m != 0) ? pair((int)m->now.team_size, (int)m->now.thread_num) : pair(1, 0);
}

static inline _Complex int place_in_league(void) {
  struct nth_league l = nth_member_league(nth_self);
  return pair((int)l.teams, (int)l.num);
}

_Complex int GOMP_loop_static_worksharing(unsigned long long trips) {
  (void)trips;
  return place_in_team();
}

_Complex int GOMP_loop_static_worksharing_start(unsigned long long trips) {
  if (nth_tool_on())
    nth_told_static_begin(nth_member_get(), ompt_work_loop_static, trips, NTH_RA);
  return place_in_team();
}

void GOMP_loop_static_worksharing_dispatch(unsigned long long first, unsigned long long count) {
  if (nth_tool_on())
    nth_told_static_chunk(nth_member_get(), ompt_dispatch_ws_loop_chunk, first, count);
}

void GOMP_loop_static_worksharing_end(void) {
  if (nth_tool_on())
    nth_told_construct_end(nth_member_get());
}

_Complex int GOMP_distribute_static_worksharing(unsigned long long trips) {
  (void)trips;
  return place_in_league();
}

_Complex int GOMP_distribute_static_worksharing_start(unsigned long long trips) {
  if (nth_tool_on())
    nth_told_static_begin(nth_member_get(), ompt_work_distribute, trips, NTH_RA);
  return place_in_league();
}

void GOMP_distribute_static_worksharing_dispatch(unsigned long long first,
                                                 unsigned long long count) {
  if (nth_tool_on())
    nth_told_static_chunk(nth_member_get(), ompt_dispatch_distribute_chunk, first, count);
}

void GOMP_distribute_static_worksharing_end(void) {
  if (nth_tool_on())
    nth_told_construct_end(nth_member_get());
}
