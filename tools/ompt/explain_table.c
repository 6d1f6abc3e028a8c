/* explain_table.c - what a member has counted, by the program's address
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tools/ompt/explain_table.h"

#include "tools/ompt/explain_file.h"

static uint64_t load(exp_count *count) { return atomic_load_explicit(count, memory_order_relaxed); }

struct exp_row *exp_row_of(struct exp_table *t, uint64_t code, enum exp_kind kind) {
  uint64_t key = (code & ~(UINT64_C(0xff) << 56)) | (uint64_t)kind << 56;
  uint64_t at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
  for (int tried = 0; tried < EXP_OWN; tried++, at++) {
    struct exp_row *row = &t->rows[at % EXP_OWN];
    uint64_t here = load(&row->code);
    if (here == key)
      return row;
    if (here == 0) {
      exp_file_place(code);
      atomic_store_explicit(&row->code, key, memory_order_relaxed);
      return row;
    }
  }
  struct exp_row *rest = &t->rows[EXP_ROWS - kind];
  atomic_store_explicit(&rest->code, (uint64_t)kind << 56 | 1, memory_order_relaxed);
  return rest;
}
