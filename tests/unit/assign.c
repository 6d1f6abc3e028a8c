/* assign.c - the rules of thread affinity as the specification states them, against ours
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Every partition of up to MOST places at two offsets, every place of the primary thread in it,
 * teams of up to 3 * MOST + 1 members, every policy. What is checked are the sentences of OpenMP
 * 5.2, section 10.1.3; no formula of assign.c is repeated here.
 */
#include "tests/unit/unit.h"

#include <stdbool.h>

#include "runtime/place/places/assign.h"

enum { MOST = 9, MEMBERS = 3 * MOST + 1 };

static uint32_t first, count, at, members; /* parent's partition; primary's place; team */
static uint64_t seat[MEMBERS];

static uint32_t place(uint32_t i) { return nth_seat_place(seat[i]); }

/* The place after this one in the parent's partition, which is a circle. */
static uint32_t after(uint32_t p) { return p + 1 == first + count ? first : p + 1; }

static bool keeps_partition(uint32_t i) {
  return nth_seat_first(seat[i]) == first && nth_seat_count(seat[i]) == count;
}

static void make(uint32_t policy) {
  struct nth_assignment a = {nth_seat(first + at, first, count), members, policy};
  for (uint32_t i = 0; i < members; i++)
    seat[i] = nth_assign(&a, i);
  unit_check(place(0) == first + at); /* the primary thread never moves */
  uint32_t used[2 * MOST + 8] = {0}, places = 0;
  for (uint32_t i = 0; i < members; i++)
    places += used[place(i)]++ == 0;
  unit_check(nth_assign_places(&a) == places);
  for (uint32_t i = 0, p = first + at; policy == NTH_BIND_CLOSE && i < places; i++, p = after(p))
    unit_check(nth_assign_load(&a, i) == used[p]);
}

static void primary(void) {
  make(NTH_BIND_PRIMARY);
  for (uint32_t i = 0; i < members; i++)
    unit_check(place(i) == first + at && keeps_partition(i));
}

/* More members than places: each place has the floor or the ceiling of T / P; the first of them
 * come in groups with consecutive numbers, a place a group, from the primary's on. */
static void many_members(void) {
  uint32_t load[2 * MOST + 8] = {0}, floor = members / count;
  for (uint32_t i = 0; i < members; i++)
    load[place(i)]++;
  for (uint32_t p = first; p < first + count; p++)
    unit_check(load[p] == floor || (members % count != 0 && load[p] == floor + 1));
  uint32_t i = 0;
  for (uint32_t group = 0, p = first + at; group < count; group++, p = after(p))
    for (uint32_t k = 0; k < floor; k++)
      unit_check(place(i++) == p);
}

static void close_by(uint32_t policy) {
  make(policy);
  for (uint32_t i = 0; i < members; i++)
    unit_check(keeps_partition(i));
  if (members > count)
    many_members();
  for (uint32_t i = 1; i < members && members <= count; i++)
    unit_check(place(i) == after(place(i - 1)));
}

/* No more members than places: T subpartitions of consecutive places, each of the floor or the
 * ceiling of P / T; together they are the partition. */
static void subpartitions(void) {
  uint32_t covered[2 * MOST + 8] = {0};
  for (uint32_t i = 0; i < members; i++) {
    uint32_t start = nth_seat_first(seat[i]), length = nth_seat_count(seat[i]);
    unit_check(length == count / members ||
               (count % members != 0 && length == count / members + 1));
    for (uint32_t p = start; p < start + length; p++)
      covered[p]++;
    unit_check(start <= place(i) && place(i) < start + length);
    if (i > 0)
      unit_check(place(i) == start &&
                 start == after(nth_seat_first(seat[i - 1]) + nth_seat_count(seat[i - 1]) - 1));
  }
  for (uint32_t p = first; p < first + count; p++)
    unit_check(covered[p] == 1);
}

static void spread(void) {
  make(NTH_BIND_SPREAD);
  if (members <= count) {
    subpartitions();
    return;
  }
  many_members();
  for (uint32_t i = 0; i < members; i++)
    unit_check(nth_seat_first(seat[i]) == place(i) && nth_seat_count(seat[i]) == 1);
}

static void rules(void) {
  for (first = 0; first <= 7; first += 7)
    for (count = 1; count <= MOST; count++)
      for (at = 0; at < count; at++)
        for (members = 1; members <= 3 * count + 1; members++) {
          primary();
          close_by(NTH_BIND_CLOSE);
          close_by(NTH_BIND_TRUE);
          spread();
        }
}

static void seats(void) {
  uint64_t most = nth_seat(65535, 65535, 65536);
  unit_check(nth_seat_place(most) == 65535 && nth_seat_first(most) == 65535);
  unit_check(nth_seat_count(most) == 65536 && most >> NTH_SEAT_POLICY_SHIFT == 0);
  unit_check(nth_seat(0, 0, 1) != 0 && nth_seat_place(0) == UINT32_MAX);
  struct nth_assignment unbound = {0, 4, NTH_BIND_CLOSE};
  unit_check(nth_assign(&unbound, 3) == 0);
}

int main(void) {
  unit_begin();
  unit_run(seats);
  unit_run(rules);
  return 0;
}
