/* burst.h - what bursts of tasks and of nano-threads share: the work of one, and their check
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use     timed runs: burst_multiply() in each; then a run with burst_note() in each, between
 *         burst_slots() and burst_verify()
 * Check   each adds a word made of its number to a slot that no other thread writes: all ran, each
 *         once.
 */
#ifndef NTH_KERNEL_BURST_H
#define NTH_KERNEL_BURST_H

#include "kernel.h"

/* What has been added by one thread, on lines of its own. */
struct burst_slot {
  _Alignas(128) uint64_t sum;
};

/* Dependent multiplications of numbers. */
static inline void burst_multiply(long times) {
  double x = 1;
  for (long i = 0; i < times; i++) {
    x *= 0.999;
    __asm__ volatile("" : "+x"(x));
  }
}

static inline void burst_note(struct burst_slot *slot, long number) {
  slot->sum += kern_hash((uint64_t)number);
}

/* Empty slots, or NULL. */
static inline struct burst_slot *burst_slots(int count) {
  struct burst_slot *slots = aligned_alloc(128, (size_t)count * sizeof *slots);
  if (kern_check(slots != NULL, "no memory")) {
    memset(slots, 0, (size_t)count * sizeof *slots);
  }
  return slots;
}

/* Whether 0 .. n - 1 were noted, each once. Frees the slots. */
static inline bool burst_verify(struct burst_slot *slots, int count, long n, uint64_t *found) {
  uint64_t wanted = 0;
  *found = 0;
  for (int i = 0; i < count; i++) {
    *found += slots[i].sum;
  }
  for (long number = 0; number < n; number++) {
    wanted += kern_hash((uint64_t)number);
  }
  free(slots);
  return kern_check(*found == wanted, "the words make %016llx, not %016llx",
                    (unsigned long long)*found, (unsigned long long)wanted);
}

#endif
