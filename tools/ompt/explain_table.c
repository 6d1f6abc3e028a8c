/* explain_table.c - what a member has counted, by the program's address
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tools/ompt/explain_table.h"

#include <dlfcn.h>
#include <inttypes.h>

static uint64_t load(exp_count *count) { return atomic_load_explicit(count, memory_order_relaxed); }

struct exp_row *exp_row_of(struct exp_table *t, uint64_t code, enum exp_kind kind) {
  uint64_t key = (code & ~(UINT64_C(0xff) << 56)) | (uint64_t)kind << 56;
  uint64_t at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
  for (int tried = 0; tried < EXP_ROWS - 1; tried++, at++) {
    struct exp_row *row = &t->rows[at % (EXP_ROWS - 1)];
    uint64_t here = load(&row->code);
    if (here == key)
      return row;
    if (here == 0) {
      atomic_store_explicit(&row->code, key, memory_order_relaxed);
      return row;
    }
  }
  struct exp_row *rest = &t->rows[EXP_ROWS - 1];
  atomic_store_explicit(&rest->code, (uint64_t)kind << 56 | 1, memory_order_relaxed);
  return rest;
}

void exp_table_add(struct exp_table *to, struct exp_table *from) {
  for (int i = 0; i < EXP_ROWS; i++) {
    struct exp_row *one = &from->rows[i];
    uint64_t code = load(&one->code);
    if (code == 0)
      continue;
    struct exp_row *row = exp_row_of(to, code, (enum exp_kind)(code >> 56));
    exp_add(&row->times, load(&one->times));
    exp_add(&row->ns, load(&one->ns));
    exp_add(&row->member_ns, load(&one->member_ns));
    exp_add(&row->wait_ns, load(&one->wait_ns));
    exp_add(&row->tasks, load(&one->tasks));
    exp_add(&row->work_ns, load(&one->work_ns));
    exp_add(&row->joins, load(&one->joins));
    exp_add(&row->members, load(&one->member_ns) > 0);
    if (load(&one->work_ns) > load(&row->work_most))
      atomic_store_explicit(&row->work_most, load(&one->work_ns), memory_order_relaxed);
  }
}

/* OFFSET FILE: the address in the file that the program was loaded from. */
static void write_place(FILE *file, uint64_t code) {
  uintptr_t address = (uintptr_t)(code & ~(UINT64_C(0xff) << 56));
  Dl_info info;
  if (address > 1 && dladdr((void *)(address - 1), &info) && info.dli_fname)
    fprintf(file, "%" PRIuPTR " %s\n", address - 1 - (uintptr_t)info.dli_fbase, info.dli_fname);
  else
    fprintf(file, "0 ?\n");
}

void exp_table_write(struct exp_table *t, FILE *file) {
  static const char *const names[] = {"", "region", "mutex"};
  for (int i = 0; i < EXP_ROWS; i++) {
    struct exp_row *row = &t->rows[i];
    uint64_t code = load(&row->code);
    if (code == 0)
      continue;
    fprintf(file, "%s", names[code >> 56]);
    exp_count *counts[] = {&row->times,     &row->ns,      &row->member_ns,
                           &row->wait_ns,   &row->tasks,   &row->work_ns,
                           &row->work_most, &row->members, &row->joins};
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
      fprintf(file, " %" PRIu64, load(counts[n]));
    fputc(' ', file);
    write_place(file, code);
  }
}
