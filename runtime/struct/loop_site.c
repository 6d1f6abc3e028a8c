/* loop_site.c - what a member knows of the dynamic loops that the program begins at one place
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/struct/loop_site.h"

#include "runtime/arch/insn.h"

/* Whether a share of a loop of such chunks is short. */
static bool is_short(uint32_t chunk, uint64_t count, uint32_t members) {
  uint64_t limit = (uint64_t)NTH_LOOP_SHORT_US * nth_cycles_per_us() * members;
  return count <= limit && chunk * count <= limit; /* the first: no wrap */
}

bool nth_loop_site_is_short(const struct nth_loop_site *s, uint64_t count, uint32_t members) {
  return s->trust == NTH_LOOP_SHORT_TRUST && is_short(s->chunk, count, members);
}

void nth_loop_site_note(struct nth_loop_site *s, uint64_t took, uint64_t chunks, uint64_t count,
                        uint32_t members) {
  nth_assert(chunks > 0);
  uint64_t each = took / chunks;
  uint32_t chunk = each < UINT32_MAX ? (uint32_t)each : UINT32_MAX;
  s->chunk -= s->chunk / 8;
  s->chunk = chunk > s->chunk ? chunk : s->chunk;
  if (!is_short(chunk, count, members)) {
    s->trust = 0;
    s->left = s->calm;
    s->calm = s->calm < NTH_LOOP_SHORT_CALM_MOST / 4 ? s->calm * 4 : NTH_LOOP_SHORT_CALM_MOST;
  } else if (s->trust < NTH_LOOP_SHORT_TRUST) {
    s->trust++;
    s->left = 1;
  } else {
    s->left = NTH_LOOP_SHORT_LOOKS;
  }
  nth_assert_valid(nth_loop_site_valid(s));
}
