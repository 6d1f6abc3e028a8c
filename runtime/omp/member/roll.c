/* roll.c - the list of all members of the process, for debuggers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/member/roll.h"

#include <pthread.h>

#include "runtime/arch/section.h"
#include "runtime/base/os.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/member.h"

_Atomic(struct nth_roll *) nth_roll_first;

/* A line that nobody has, now the caller's; NULL: there is none. */
static struct nth_roll *take_unused(void) {
  for (struct nth_roll *l = nth_load_acq(&nth_roll_first); l; l = l->next) { /* R */
    uint32_t uses = nth_load_rlx(&l->uses);
    if (!(uses & 1) && nth_cas_acq(&l->uses, &uses, uses + 1)) /* R */
      return l;
  }
  return 0;
}

static struct nth_roll *add_line(void) {
  struct nth_roll *l = nth_heap_alloc(sizeof *l);
  if (!l)
    return 0;
  nth_store_rlx(&l->uses, 1);
  l->next = nth_load_rlx(&nth_roll_first);
  while (!nth_cas_rel(&nth_roll_first, &l->next, l)) {} /* R */
  return l;
}

/* The member's line; NULL: without memory for one debuggers do not see the member. */
static struct nth_roll *line_of(struct nth_member *m) {
  if (!m->line)
    m->line = take_unused();
  if (!m->line)
    m->line = add_line();
  return m->line;
}

static void sign(struct nth_roll *l, struct nth_member *m, uint32_t thread, uintptr_t pthread) {
  nth_store_rlx(&l->thread, thread);
  nth_store_rlx(&l->pthread, pthread);
  nth_store_rlx(&l->member, m);
}

static void sign_here(struct nth_roll *l, struct nth_member *m) {
  sign(l, m, (uint32_t)nth_os_tid(), (uintptr_t)pthread_self());
}

void nth_roll_expect(struct nth_member *m) {
  struct nth_roll *l = line_of(m);
  if (l)
    sign(l, m, 0, 0);
}

void nth_roll_enter(struct nth_member *m) {
  struct nth_roll *l = line_of(m);
  if (l)
    sign_here(l, m);
}

void nth_roll_leave(struct nth_member *m) {
  struct nth_roll *l = m->line;
  if (!l)
    return;
  m->line = 0;
  nth_store_rlx(&l->member, NULL);
  nth_store_rel(&l->uses, nth_load_rlx(&l->uses) + 1); /* R */
}

NTH_IN_CHILD void nth_roll_forked(struct nth_member *m) {
  for (struct nth_roll *l = nth_load_rlx(&nth_roll_first); l; l = l->next) {
    uint32_t uses = nth_load_rlx(&l->uses);
    if (m && l == m->line) {
      sign_here(l, m);
    } else if (uses & 1) {
      nth_store_rlx(&l->member, NULL);
      nth_store_rel(&l->uses, uses + 1); /* R */
    }
  }
}
