/* holder.h - keeps processors alive between regions; groups of processors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Making and ending threads for each change of team size costs 40-400 us and loses what a
 *             program keeps in threadprivate. One process-wide holder serves all masters: a group keeps
 *             its processors from its first region to its master's end, so member i of a master stays
 *             the same OS thread; processors of an ended master serve the next one.
 * Use         nth_group_grow() before a region that needs more members than the group has;
 *             nth_group_release() when the master ends.
 * Invariants  I1  a processor is in one group, or in the idle list, or ended
 *             I2  group->proc[i], 1 <= i < size, is set once and stays until release
 * Orders      held and the detach descriptor reach the processor under processor:F, processor:H
 * Locking     one futex lock, taken on slow paths only, never while waiting for anything else
 */
#ifndef NTH_SCHED_HOLDER_H
#define NTH_SCHED_HOLDER_H

#include "runtime/sched/processor.h"

struct nth_group {
  struct nth_processor **proc; /* [0] unused; w: master in grow */
  uint32_t size;               /* members the group can make: master + processors */
  uint32_t capacity;
  struct nth_wdarray *gwd;     /* NULL: LWD */
};

/* How the holder makes processors; set once before the first group grows. */
struct nth_holder_config {
  uint64_t stacksize; /* bytes, 0: default */
  bool gwd;
  void (*run)(struct nth_processor *, const struct nth_wd *);
};
extern struct nth_holder_config nth_holder_config;

/* Makes the group serve `want` members, the master included; returns how many it can. Fewer than
 * wanted only when the system refuses threads or memory: then *error is the errno value. */
uint32_t nth_group_grow(struct nth_group *g, uint32_t want, int *error);

/* Gives all processors of a group back. No region of it runs. */
void nth_group_release(struct nth_group *g);

/* A program's thread becomes or stops being a root. */
void nth_holder_root(int change);

/* Whether the process has more active threads than CPUs, so that docked ones must not spin. */
bool nth_holder_crowded(void);

/* How long an unused processor stays, in ns. */
uint64_t nth_holder_idle_ns(void);

/* The calling, unused processor waited long enough: true when it is off the lists and must end. */
bool nth_holder_retire(struct nth_processor *p);

/* In a forked child: forget all processors, they are not here. roots: 1 if the thread is one. */
void nth_holder_forked(uint32_t roots);

/* Figures for reports: OS threads held now, and made in all. */
void nth_holder_count(uint32_t *held, uint32_t *made);

#endif
