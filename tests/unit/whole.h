/* whole.h - a team of n laid on the whole of a tree, member after member
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_UNIT_WHOLE_H
#define NTH_UNIT_WHOLE_H

#include "runtime/place/domains/route.h"

static inline struct nth_layout whole_layout(const struct nth_domains *tree, uint32_t n) {
  struct nth_stretch all = {tree, 0, tree->node[0].count, false};
  struct nth_layout l;
  nth_layout_blocks(&l, &all, n);
  return l;
}

#endif
