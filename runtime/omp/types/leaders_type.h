/* leaders_type.h - what a team knows of those members that have OS threads; operations: members.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_LEADERS_TYPE_H
#define NTH_OMP_LEADERS_TYPE_H

#include <stdbool.h>
#include <stdint.h>

/* Who gives work to whom; w: master, between regions; r: all members. */
struct nth_leaders {
  uint32_t count; /* members that have OS threads of their own which look for work; each gives its
                   * nano-threads theirs. 0: no member is carried */
  uint32_t strip; /* consecutive members that one leader gives work */
};

/* Time that regions take which begin while OS threads of the team sleep. In ns, 0: not
 * known. The master's own. */
struct nth_alone {
  uint64_t forked_at;   /* when this region's body began; 0: no OS thread slept */
  uint64_t body, woken; /* recent averages: the master's body; a whole region for which the
                         * sleepers were woken */
  uint32_t count;       /* counts regions run alone: at each NTH_ALONE_TIMES-th the sleepers are
                         * woken */
  bool now;             /* the master runs this region alone */
};

#endif
