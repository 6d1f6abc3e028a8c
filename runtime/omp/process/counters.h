/* counters.h - what the library has done so far, in numbers, for people and tools
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A profile begins with how many regions, tasks, steals and sleeps there were.
 * How         The numbers are in many rooms: in teams, carriers, and in base/count.h. This room is
 *             above all of them and adds them up. Nothing is counted for this alone where it would
 *             show (count.h).
 * Use         nth_counters_read(); each value belongs to the name with its number
 * PAPI        If libsde is in the process when the library is loaded, each counter is its event
 *             sde:::nanogomp::NAME (sde.c)
 * fork        A child counts from 0
 * Tested by   tests/lit/process/counters*.c, tests/tool/test_sde.py
 */
#ifndef NTH_OMP_COUNTERS_H
#define NTH_OMP_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Name, what it counts. The names are for users: they stay. */
#define NTH_COUNTERS_LIST(X)                                                                       \
  X(regions, "regions of more than one member")                                                    \
  X(regions_one, "regions of one member")                                                          \
  X(regions_changed, "regions that needed a new team or another one")                              \
  X(regions_nested, "of regions: inside another region")                                           \
  X(regions_gwd, "of regions: given by one global work descriptor (NTH_FORK=gwd)")                 \
  X(regions_led, "of regions: members as nano-threads, given group by group")                      \
  X(threads, "OS threads made")                                                                    \
  X(tasks, "deferred tasks of regions that have ended")                                            \
  X(batches, "batches and packs of tasks that have ended")                                         \
  X(batched, "tasks in these")                                                                     \
  X(steals, "times that a member took tasks from another one")                                     \
  X(stolen, "tasks, or batches, that it took so")                                                  \
  X(forced, "steals from a member that was busy for long")                                         \
  X(offers, "times that a member offered its ready tasks to others")                               \
  X(offered, "tasks, or batches, in its queue then, in all")                                       \
  X(longest, "and the most at one time")                                                           \
  X(sleeps, "sleeps of OS threads in the kernel")                                                  \
  X(wakes, "system calls to wake sleepers")                                                        \
  X(yields, "times that a wait offered its CPU to the kernel")                                     \
  X(foreseen, "times that an idle thread was awake when a region was due")                         \
  X(switches, "switches between nano-thread members")                                              \
  X(taken, "nano-thread members taken over by another OS thread")                                  \
  X(watch_looks, "looks of the watchdog")                                                          \
  X(watch_acts, "times that it got an OS thread for a late member")                                \
  X(regions_fewer, "regions that got fewer members than asked, for speed")                         \
  X(taskloops_alone, "taskloops that became one task, for speed")

enum {
#define X(name, what) NTH_COUNTER_##name,
  NTH_COUNTERS_LIST(X)
#undef X
      NTH_COUNTERS
};

struct nth_counter_name {
  const char *name, *what;
  bool most; /* the largest number at one time, not a sum */
};
extern const struct nth_counter_name nth_counter_names[NTH_COUNTERS];

struct nth_counts {
  uint64_t value[NTH_COUNTERS];
};

/* What has been counted since the process began. Takes no lock and no memory. */
void nth_counters_read(struct nth_counts *now);

/* Prints them, but for those that are 0: NTH_VERBOSE=2. */
void nth_counters_tell(void);

/* In a forked child. */
void nth_counters_forked(void);

/* When the library is loaded: makes them events of libsde, if that is there. */
void nth_sde_begin(void);

#endif
