/* survey.h - what a machine consists of: its CPUs in order, and what they share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The tree of domains is made of this table and of nothing else. hwloc fills it
 *             (hwloc.c), or a test does, which may write down a machine of any shape.
 * Use         nth_hwloc_survey() fills a survey; then nth_domains_make(), then nth_survey_free()
 * Invariants  I1  CPUs that share an object of a kind have the same number in that kind's array;
 *                 they need not be neighbours, but in hwloc's order they nearly always are
 */
#ifndef NTH_PLACE_SURVEY_H
#define NTH_PLACE_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/place/cpus/cpuset.h"

/* Kinds of objects that CPUs share, in the order in which a report names them. */
enum nth_share {
  NTH_SHARE_PACKAGE,
  NTH_SHARE_DIE,
  NTH_SHARE_NUMA,
  NTH_SHARE_L3,
  NTH_SHARE_L2,
  NTH_SHARE_CORE,
  NTH_SHARES
};
extern const char *const nth_share_names[NTH_SHARES];

#define NTH_SHARE_NONE UINT32_MAX

/* From the heap, in one piece with cpu. */
struct nth_survey {
  uint32_t count;               /* CPUs */
  uint32_t *cpu;                /* [count]: the CPU's number in the system */
  uint32_t *shared[NTH_SHARES]; /* [count]: number of the object around the CPU; NTH_SHARE_NONE */
  uint32_t *speed;              /* [count]: kind of core, the slowest 0; all 0 where there is one
                                 * kind */
  bool pretended;               /* it describes another machine than this one */
};

/* Makes room for count CPUs, with no object around any of them. False: no memory. */
bool nth_survey_make(struct nth_survey *s, uint32_t count);
void nth_survey_free(struct nth_survey *s);

/* Fills a survey from hwloc, which is opened for this and then closed. Of this machine it takes
 * only the CPUs in allowed; of another machine, which HWLOC_XMLFILE and the like describe, the CPUs
 * in nth_survey_cpus. False: there is no survey. why then says what was wrong, else where the
 * survey is from. */
bool nth_hwloc_survey(struct nth_survey *s, const struct nth_cpuset *allowed, char *why,
                      size_t size);

/* Whether the environment describes a machine for hwloc. */
bool nth_hwloc_told(void);

/* For tests, set while the environment is read: the file that is opened as hwloc; the CPUs of a
 * pretended machine that may be used, as a kernel list, NULL: all. */
extern const char *nth_hwloc_file, *nth_survey_cpus;

#endif
