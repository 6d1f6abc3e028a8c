/* block.c - nth_block(): a nano-thread waits for its predecessors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/nth/block.h"

#include <dlfcn.h>
#include <errno.h>

#include "runtime/omp/context.h"
#include "runtime/omp/forked.h"

/* --- what a nano-thread takes along --- */

/* As the C++ ABI has it ("__cxa_eh_globals"). */
struct exceptions {
  void *caught;
  unsigned uncaught;
};

/* The C++ library's, if the program has one. */
static struct exceptions *(*exceptions_here)(void);

void nth_block_begin(void) {
  exceptions_here = (struct exceptions * (*)(void)) dlsym(RTLD_DEFAULT, "__cxa_get_globals");
}

struct luggage {
  int error;
  struct exceptions exceptions;
};

static void pack(struct luggage *l) {
  l->error = errno;
  if (exceptions_here) {
    struct exceptions *here = exceptions_here();
    l->exceptions = *here;
    *here = (struct exceptions){0, 0};
  }
}

static void unpack(const struct luggage *l) {
  if (exceptions_here)
    *exceptions_here() = l->exceptions;
  errno = l->error;
}

/* --- OpenMP --- */

void nth_kthread_at_rest(struct nth_kthread *k) {
  k->at_rest = k->member->now.slot;
  k->at_rest_in = k->member->context;
}

static bool is_at_rest(const struct nth_kthread *k) {
  const struct nth_member *m = k->member;
  return m->now.slot == k->at_rest && m->context == k->at_rest_in &&
         m->now.task == &m->now.slot->implicit;
}

/* --- block --- */

static void leave(struct nth_kthread *k, struct nth_desc *d) {
  struct luggage luggage;
  pack(&luggage);
  nth_kthread_leave(k);
  k->runner.current = d;
  unpack(&luggage);
}

/* Processor 0's thread, wherever in OpenMP it is. */
static void leave_main(struct nth_kthread *k, struct nth_desc *d) {
  struct nth_member *m = k->member;
  if (!m->now.team && !m->context && m->now.task == &m->solo.implicit) {
    nth_kthread_at_rest(k);
    leave(k, d);
    return;
  }
  struct nth_context context;
  nth_context_enter(m, &context, m->now.icv, 0);
  nth_kthread_at_rest(k);
  leave(k, d);
  nth_context_leave(m, &context);
}

int nth_kthread_block(struct nth_kthread *k) {
  struct nth_desc *d = k->runner.current;
  bool is_main = d == &k->main;
  if (!is_main && !is_at_rest(k))
    return EPERM;
  if (!nth_kthread_prepare(k))
    return ENOMEM;
  d->home = k;
  d->stack = k->stack;
  int error = nth_deps_block(&d->deps); /* deps:A */
  if (error)
    return error == EALREADY ? 0 : error;
  if (is_main)
    leave_main(k, d);
  else
    leave(k, d);
  if (nth_unlikely(k->generation != nth_fork_generation))
    return ECHILD;
  nth_deps_set(&d->deps, NTH_RUNS, 0);
  return 0;
}
