/* binding.h - threads bound to places
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, sections 10.1.3 (the rules: place/places/assign.h), 2
 *             (place-partition-var and bind-var) and 18.3. Binding is on when the environment names
 *             places or asks for binding; it then stays on for the life of the process.
 * How         A program's thread takes the first place at its first region, or when it asks for its
 *             place. So programs without regions, and threads made before the first one, are left
 *             alone. The master works out its team's seats when something about them changes and
 *             writes them into the slots. A member whose slot has a new seat moves itself before it
 *             does anything else. A new thread starts on its place, and takes its seat like one
 *             that moves. Nobody is ever bound to a CPU outside the process's start-up mask.
 * Memory      In its first region and at its moves a member takes its own objects to the memory
 *             node of its place (place/cpus/near.h).
 * Cost        binding on or off, when nothing changes: one comparison in fits(), one in enter()
 */
#ifndef NTH_OMP_BINDING_H
#define NTH_OMP_BINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/sched/threads/holder.h"

struct nth_member;
struct nth_team;

/* Binds a program's thread that is not bound yet, if binding is on. */
void nth_binding_root(struct nth_member *m);

/* How n members are seated in the region that m forks next; bind: its proc_bind clause, NTH_BIND_
 * or 0. False: they are not bound. Valid while m is in the task that encounters the region. */
bool nth_binding_plan(const struct nth_member *m, uint32_t n, uint32_t bind,
                      struct nth_seating *seating);

/* Writes the seats into the team's slots. */
void nth_binding_seat(struct nth_team *t, const struct nth_seating *seating);

/* Whether the members' places have fewer CPUs than there are members. */
bool nth_binding_crowded(const struct nth_seating *seating);

/* Moves the calling thread, which is member m, to another seat. A refusal is told once; the thread
 * then goes on unbound. */
void nth_binding_move(struct nth_member *m, uint64_t seat);

/* The place to which m is bound; -1: to none, or m is NULL. */
int nth_binding_place_of(const struct nth_member *m);
/* omp_get_place_num: the place of the calling thread; -1: none. Binds a program's thread first. */
int nth_binding_place(void);

/* The place partition of the current task: its first place and, returned, its number of places. */
uint32_t nth_binding_partition(uint32_t *first);

#endif
