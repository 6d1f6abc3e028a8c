/* roll.c - the list of all members: lines are used again, and a fork's child keeps its own only
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/omp/member/member.h"
#include "runtime/omp/member/roll.h"
#include "unit.h"

enum { MANY = 40 };
static struct nth_member members[MANY];

static uint32_t count(bool used) {
  uint32_t n = 0;
  for (struct nth_roll *l = nth_load_rlx(&nth_roll_first); l; l = l->next)
    n += (nth_load_rlx(&l->uses) & 1) == used;
  return n;
}

static void enter_all(void) {
  for (int i = 0; i < MANY; i++) {
    nth_roll_enter(&members[i]);
    struct nth_roll *l = members[i].line;
    unit_check(l && nth_load_rlx(&l->member) == &members[i]);
    unit_check(nth_load_rlx(&l->thread) == (uint32_t)syscall(SYS_gettid));
    unit_check(nth_load_rlx(&l->pthread) == (uintptr_t)pthread_self());
  }
}

static void *in_thread(void *unused) {
  nth_roll_enter(&members[MANY - 1]);
  unit_check(nth_load_rlx(&members[MANY - 1].line->thread) == (uint32_t)syscall(SYS_gettid));
  return unused;
}

/* A member that is made for another thread has a line before that thread runs. */
static void expect(struct nth_member *m) {
  nth_roll_leave(m);
  nth_roll_expect(m);
  struct nth_roll *l = m->line;
  unit_check(l && nth_load_rlx(&l->member) == m && nth_load_rlx(&l->uses) % 2 == 1);
  unit_check(nth_load_rlx(&l->thread) == 0 && nth_load_rlx(&l->pthread) == 0);
  uint32_t uses = nth_load_rlx(&l->uses);
  nth_roll_enter(m);
  unit_check(m->line == l && nth_load_rlx(&l->uses) == uses && nth_load_rlx(&l->thread) != 0);
}

int main(void) {
  pthread_t thread;
  enter_all();
  unit_check(count(true) == MANY && count(false) == 0);
  struct nth_roll *line = members[3].line;
  uint32_t uses = nth_load_rlx(&line->uses);
  nth_roll_leave(&members[3]);
  nth_roll_leave(&members[3]); /* it has no line any longer */
  unit_check(count(true) == MANY - 1 && !members[3].line && !nth_load_rlx(&line->member));
  nth_roll_enter(&members[3]);
  unit_check(members[3].line == line && nth_load_rlx(&line->uses) == uses + 2);
  nth_roll_enter(&members[3]); /* again, in another OS thread perhaps: the same line and use */
  unit_check(members[3].line == line && nth_load_rlx(&line->uses) == uses + 2);
  expect(&members[7]);
  nth_roll_leave(&members[MANY - 1]);
  unit_check(pthread_create(&thread, 0, in_thread, 0) == 0 && pthread_join(thread, 0) == 0);
  nth_roll_forked(&members[5]); /* as in the child, where only member 5's thread is */
  unit_check(count(true) == 1 && count(false) == MANY - 1);
  unit_check(nth_load_rlx(&members[5].line->member) == &members[5]);
  nth_roll_forked(0);
  unit_check(count(true) == 0 && count(false) == MANY);
  return 0;
}
