/* assign.h - which member of a team is bound to which place
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 10.1.3 (6.0: 12.1.3), has the policies primary, close and spread.
 *             Here they are arithmetic without state, so a small machine can test any shape of
 *             machine.
 * Use         describe the region in a struct nth_assignment, then nth_assign() for each member.
 * Rules       A team has T members; its parent's partition has P places; the primary thread is on
 *             one of them.
 *             primary  all members are on the primary thread's place
 *             close    T <= P: one member a place, from the primary thread's on, wrapping around
 *                      T > P:  floor(T / P) members with consecutive numbers a place; the T mod P
 *                              remaining members take one place each, again from the primary
 *                              thread's on
 *             spread   T <= P: the partition is cut into T parts of consecutive places, the first
 *                              P mod T of them one place longer. The primary thread stays on its
 *                              place, and so in its part; each next member takes the first place
 *                              of the next part, wrapping around. T > P: as close, each place is
 *                              a part.
 *             Only spread gives a member another partition than its parent's.
 *             Where the specification leaves a choice, it is made as libgomp makes it.
 * Cost        no loop; two or three divisions a member: for the slow path of a fork
 * Tested by   tests/unit/assign.c, tests/lit/affinity/assign.test
 */
#ifndef NTH_PLACE_ASSIGN_H
#define NTH_PLACE_ASSIGN_H

#include <stdint.h>

/* Binding policies, with the numbers of omp_proc_bind_t. TRUE means CLOSE. */
enum {
  NTH_BIND_FALSE = 0,
  NTH_BIND_TRUE = 1,
  NTH_BIND_PRIMARY = 2,
  NTH_BIND_CLOSE = 3,
  NTH_BIND_SPREAD = 4
};

/* A seat is the place of an implicit task (an index into the place list) and its place partition,
 * in one word: one comparison tells whether anything has changed. 0: not bound. */
#define NTH_SEAT_BITS 20         /* of place + 1, of the partition's first place, of its length */
#define NTH_SEAT_POLICY_SHIFT 60 /* seats leave the bits from here on free */

static inline uint64_t nth_seat(uint32_t place, uint32_t first, uint32_t count) {
  return (uint64_t)place + 1 + ((uint64_t)first << NTH_SEAT_BITS) +
         ((uint64_t)count << 2 * NTH_SEAT_BITS);
}

static inline uint32_t nth_seat_part_(uint64_t seat, unsigned part) {
  return (uint32_t)(seat >> part * NTH_SEAT_BITS) & ((1u << NTH_SEAT_BITS) - 1);
}

/* The place, UINT32_MAX when the seat is 0. */
static inline uint32_t nth_seat_place(uint64_t seat) { return nth_seat_part_(seat, 0) - 1; }
static inline uint32_t nth_seat_first(uint64_t seat) { return nth_seat_part_(seat, 1); }
static inline uint32_t nth_seat_count(uint64_t seat) { return nth_seat_part_(seat, 2); }

struct nth_assignment {
  uint64_t primary; /* the primary thread's seat outside the region; 0: members are not bound */
  uint32_t members; /* >= 1 */
  uint32_t policy;  /* NTH_BIND_, not FALSE */
};

/* The seat of member i. */
uint64_t nth_assign(const struct nth_assignment *a, uint32_t i);

/* The number of places that the members take, where two numbers count as two places even if they
 * have CPUs in common; and how many members take the i-th of these, counted from the primary
 * thread's. */
uint32_t nth_assign_places(const struct nth_assignment *a);
uint32_t nth_assign_load(const struct nth_assignment *a, uint32_t i);

#endif
