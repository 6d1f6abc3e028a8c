/* nth_api.c - the NthLib interface: nano-threads and batches of threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Not part of a specification: section 4.1 of "Introducing Batches of Threads". The public header
 * says what each function does.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>

#include "abi/export.h"
#include "abi/include/nanogomp/nth.h"

#include "runtime/nth/across.h"
#include "runtime/nth/machine.h"
#include "runtime/nth/nano.h"
#include "runtime/nth/nano_loop.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/types/icv.h"

static_assert(NTH_ARGS_MAX == NTH_DESC_ARGS && NTH_WORDS_MAX == NTH_DESC_WORDS,
              "the public limits are the descriptor's");

/* Returns d, or sets errno and returns NULL. */
static struct nth_desc *result(int error, struct nth_desc *d) {
  if (nth_likely(error == 0))
    return d;
  errno = error;
  return 0;
}

/* --- processors --- */

NTH_EXPORT int nth_init(int processors) { return nth_machine_start(processors); }

NTH_EXPORT int nth_exit(void) { return nth_machine_stop(); }

NTH_EXPORT int nth_processors(void) {
  return nth_load_acq(&nth_machine.running) ? (int)nth_machine.processors : 0; /* machine:M */
}

NTH_EXPORT int nth_processor(void) {
  const struct nth_runner *r = nth_runner_self;
  return r && r->processor ? (int)r->processor->number : -1;
}

NTH_EXPORT int nth_request(int processors) { return nth_away_request(processors); }

NTH_EXPORT int nth_requested(void) {
  uint32_t n = nth_load_rlx(&nth_request_now->asked);
  return n < INT_MAX ? (int)n : INT_MAX;
}

NTH_EXPORT int nth_running(void) {
  return (int)nth_load_acq(&nth_request_now->running); /* request:A */
}

NTH_EXPORT int nth_levels(int which) {
  bool there = (unsigned)which < (unsigned)nth_processors();
  return there ? nth_machine.processor[which]->route.path : 0;
}

NTH_EXPORT int nth_domain_processors(int which, int level) {
  bool there = (unsigned)level < (unsigned)nth_levels(which);
  const struct nth_route *r = there ? &nth_machine.processor[which]->route : 0;
  return r ? (int)nth_machine_domain(r->node[level].begin)->processors : 0;
}

/* --- nano-threads --- */

NTH_EXPORT struct nth_desc *nth_self(void) {
  int error;
  struct nth_runner *r = nth_runner_get(&error);
  return r ? r->current : result(error, 0);
}

NTH_EXPORT struct nth_desc *nth_create(void (*nth_func)(), int ndep, int nsucc, int narg, ...) {
  va_list list;
  struct nth_desc *d = 0;
  va_start(list, narg);
  struct nth_form form = {(void (*)(void))nth_func, ndep, nsucc, narg, 0, &list};
  int error = nsucc < 0 ? EINVAL : nth_nano_create(&form, &d);
  va_end(list);
  return result(error, d);
}

NTH_EXPORT struct nth_desc *nth_create_ls(void (*nth_func)(), int ndep, struct nth_desc *succ,
                                          int narg, ...) {
  va_list list;
  struct nth_desc *d = 0;
  va_start(list, narg);
  struct nth_form form = {(void (*)(void))nth_func, ndep, -1, narg, succ, &list};
  int error = nth_nano_create(&form, &d);
  va_end(list);
  return result(error, d);
}

NTH_EXPORT int nth_depadd(struct nth_desc *nth, long n) {
  return nth_nano_depend((struct nth_node *)nth, n);
}

NTH_EXPORT int nth_to_lrq(int which, struct nth_desc *nth) {
  return nth_nano_put(which, nth, nth, false);
}

NTH_EXPORT int nth_to_lrq_end(int which, struct nth_desc *nth) {
  return nth_nano_put(which, nth, nth, true);
}

NTH_EXPORT int nth_to_grq(struct nth_desc *nth) { return nth_nano_aim(0, -1, nth, nth, false); }

NTH_EXPORT int nth_to_grq_end(struct nth_desc *nth) { return nth_nano_aim(0, -1, nth, nth, true); }

NTH_EXPORT int nth_to_domain(int which, int level, struct nth_desc *nth) {
  return level < 0 ? EINVAL : nth_nano_aim(which, level, nth, nth, false);
}

NTH_EXPORT int nth_to_domain_end(int which, int level, struct nth_desc *nth) {
  return level < 0 ? EINVAL : nth_nano_aim(which, level, nth, nth, true);
}

NTH_EXPORT int nth_block(void) { return nth_nano_block(); }

/* --- batches --- */

NTH_EXPORT struct nth_desc *nth_batch_get_desc(struct nth_desc **last_nth, long num_of_nths) {
  struct nth_desc *first = 0;
  int error = last_nth ? nth_nano_batch(num_of_nths, &first, last_nth) : EINVAL;
  return result(error, first);
}

NTH_EXPORT int nth_batch_create(struct nth_desc *nth, void (*nth_func)(), int ndep, int nsucc,
                                int narg, ...) {
  va_list list;
  va_start(list, narg);
  struct nth_form form = {(void (*)(void))nth_func, ndep, nsucc, narg, 0, &list};
  int error = nsucc < 0 ? EINVAL : nth_nano_create_in(nth, &form);
  va_end(list);
  return error;
}

NTH_EXPORT int nth_batch_create_ls(struct nth_desc *nth, void (*nth_func)(), int ndep,
                                   struct nth_desc *succ, int narg, ...) {
  va_list list;
  va_start(list, narg);
  struct nth_form form = {(void (*)(void))nth_func, ndep, -1, narg, succ, &list};
  int error = nth_nano_create_in(nth, &form);
  va_end(list);
  return error;
}

NTH_EXPORT struct nth_desc *nth_batch_get_next(struct nth_desc *nth) {
  struct nth_desc *next;
  int error = nth_nano_next(nth, &next);
  return result(error, next);
}

NTH_EXPORT int nth_batch_to_lrq(int which, struct nth_desc *first_nth, struct nth_desc *last_nth) {
  return nth_nano_put(which, first_nth, last_nth, false);
}

NTH_EXPORT int nth_batch_to_lrq_end(int which, struct nth_desc *first_nth,
                                    struct nth_desc *last_nth) {
  return nth_nano_put(which, first_nth, last_nth, true);
}

NTH_EXPORT int nth_batch_to_grq(struct nth_desc *first_nth, struct nth_desc *last_nth) {
  return nth_nano_aim(0, -1, first_nth, last_nth, false);
}

NTH_EXPORT int nth_batch_to_grq_end(struct nth_desc *first_nth, struct nth_desc *last_nth) {
  return nth_nano_aim(0, -1, first_nth, last_nth, true);
}

NTH_EXPORT int nth_batch_to_domain(int which, int level, struct nth_desc *first_nth,
                                   struct nth_desc *last_nth) {
  return level < 0 ? EINVAL : nth_nano_aim(which, level, first_nth, last_nth, false);
}

NTH_EXPORT int nth_batch_to_domain_end(int which, int level, struct nth_desc *first_nth,
                                       struct nth_desc *last_nth) {
  return level < 0 ? EINVAL : nth_nano_aim(which, level, first_nth, last_nth, true);
}

/* --- loops --- */

static_assert((int)NTH_RUNTIME == NTH_SCHED_RUNTIME && (int)NTH_STATIC == NTH_SCHED_STATIC &&
                  (int)NTH_DYNAMIC == NTH_SCHED_DYNAMIC && (int)NTH_GUIDED == NTH_SCHED_GUIDED &&
                  (int)NTH_AUTO == NTH_SCHED_AUTO && (int)NTH_TRAPEZOID == NTH_SCHED_TRAPEZOID &&
                  (int)NTH_AFFINITY == NTH_SCHED_AFFINITY && (int)NTH_GSS == NTH_SCHED_GSS,
              "the public schedules are OMP_SCHEDULE's");

NTH_EXPORT int nth_loop_run(long begin, long end, int schedule, long chunk,
                            void (*body)(long from, long to, void *data), void *data) {
  struct nth_nano_loop form = {begin, end, (uint32_t)schedule, chunk, body, data};
  return nth_nano_loop(&form);
}

/* --- with tasks of OpenMP --- */

static_assert((int)NTH_IN == NTH_DEPEND_IN && (int)NTH_OUT == NTH_DEPEND_OUT &&
                  (int)NTH_INOUT == NTH_DEPEND_INOUT &&
                  (int)NTH_MUTEXINOUTSET == NTH_DEPEND_MUTEX &&
                  (int)NTH_INOUTSET == NTH_DEPEND_INOUTSET,
              "the public kinds are the compiler's");

/* A task's handle is its event's node. A nano-thread's handle is the node with which it begins. */
NTH_EXPORT struct nth_desc *nth_task_of(unsigned long event) {
  struct nth_node *node = 0;
  int error = nth_across_of((void *)event, &node);
  return result(error, (struct nth_desc *)node);
}

NTH_EXPORT struct nth_desc *nth_task(long n) {
  struct nth_node *node = 0;
  int error = nth_across_make(n, &node);
  return result(error, (struct nth_desc *)node);
}

NTH_EXPORT int nth_depend(struct nth_desc *nth, int n, void *const address[], const int kind[]) {
  return nth_across_depend(nth, n, address, kind);
}

/* --- measurements --- */

NTH_EXPORT int nth_measure(int on) {
  nth_store_rlx(&nth_machine.measuring, on != 0);
  return 0;
}

NTH_EXPORT unsigned long nth_found(void) {
  const struct nth_runner *r = nth_runner_self;
  return r && r->processor && nth_load_rlx(&nth_machine.measuring) ? r->processor->found : 0;
}
