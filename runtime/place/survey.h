/* survey.h - what a machine consists of: its processors in order, and what they share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The tree of domains is made of this table and of nothing else, so that machines of
 *             any shape can be tried: from hwloc (hwloc.c), or written down in a test.
 * Use         a survey filled by nth_hwloc_survey(), then nth_domains_make(), then
 *             nth_survey_free()
 * Invariants  I1  processors that share an object of a kind have the same number there; they need
 *                 not stand side by side, but in hwloc's order they nearly always do
 */
#ifndef NTH_PLACE_SURVEY_H
#define NTH_PLACE_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/place/cpuset.h"

/* Kinds of objects that processors share, in the order in which they are named. */
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
  uint32_t count;               /* processors */
  uint32_t *cpu;                /* [count]: the CPU's number in the system */
  uint32_t *shared[NTH_SHARES]; /* [count]: number of the object around; NTH_SHARE_NONE */
  uint32_t *speed;              /* [count]: kind of core, the slowest 0; all 0 where there is one
                                 * kind */
  bool pretended;               /* it is another machine than this one */
};

/* Room for so many processors, no object around any of them. False: no memory. */
bool nth_survey_make(struct nth_survey *s, uint32_t count);
void nth_survey_free(struct nth_survey *s);

/* Asks hwloc, which is opened for that and closed again. Of this machine only the CPUs in allowed;
 * of another one, which HWLOC_XMLFILE and the like describe, those in nth_survey_cpus. False: it
 * could not be had. why, either way, says where it is from or what was wrong. */
bool nth_hwloc_survey(struct nth_survey *s, const struct nth_cpuset *allowed, char *why,
                      size_t size);

/* Whether the environment describes a machine for hwloc. */
bool nth_hwloc_told(void);

/* For tests: the file that is opened as hwloc; the CPUs of a pretended machine that may be used, as
 * a kernel list, NULL: all. Set while the environment is read. */
extern const char *nth_hwloc_file, *nth_survey_cpus;

#endif
