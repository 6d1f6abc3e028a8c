/* roles.c - OMPD: threads of a team that run target regions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All threads but the last one of a region run a target region, thread 1 a region in it. Each of
// them works, in an initial task of its own, and is in the outer region as well.
// nanogomp-only: libgomp has no OMPD
// REQUIRES: base
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t -I%ompt -ldl
// RUN: env NTH_MEMBERS=os %omp_run %t
// RUN: env OMP_DEBUG=enabled NTH_MEMBERS=os %omp_run %t
#include "Inputs/self.h"

enum { OUTER = 4, LAST = OUTER - 1 };

static struct {
  uint64_t outer[OUTER], inner; /* pthreads; inner: the slave of the region in a target region */
} facts;

static void stay(void) {
  for (;;)
    sleep(100);
}

static void watched(void) {
  static int come;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(OUTER)
  {
    int num = omp_get_thread_num();
    facts.outer[num] = (uint64_t)pthread_self();
    if (num < LAST) {
#pragma omp target map(tofrom : come)
      {
#pragma omp parallel num_threads(num == 1 ? 2 : 1) if (num == 1)
        {
          if (omp_get_thread_num() == 1)
            facts.inner = (uint64_t)pthread_self();
#pragma omp barrier
          if (num == 1) {
#pragma omp atomic
            come++;
            stay();
          }
        }
#pragma omp atomic
        come++;
        stay();
      }
    }
    for (int n = 0; n < OUTER;) {
      usleep(1000);
#pragma omp atomic read
      n = come;
    }
    CHECK(write(STDOUT_FILENO, &facts, sizeof facts) == sizeof facts);
    stay();
  }
}

/* The region is the outer one, and the one around it the initial thread's. */
static void check_outer(ompd_address_space_handle_t *s, ompd_parallel_handle_t *r) {
  ompd_parallel_handle_t *whole;
  CHECK_EQ(icv(s, r, "levels-var"), 1);
  for (int i = 0; i < OUTER; i++)
    CHECK_EQ(member(r, i), facts.outer[i]);
  OK(o.get_enclosing_parallel_handle(r, &whole));
  CHECK_EQ(icv(s, whole, "levels-var"), 0);
  CHECK_EQ(member(whole, 0), facts.outer[0]);
  CHECK_EQ(o.get_enclosing_parallel_handle(whole, &r), ompd_rc_unavailable);
}

int main(int argc, char **argv) {
  struct _ompd_aspace_cont c;
  ompd_parallel_handle_t *r, *whole;
  ompd_task_handle_t *task, *first;
  ompd_word_t state;
  int order;
  if (argc > 1)
    watched();
  ompd_address_space_handle_t *s = watch(&c, argv[0], &facts, sizeof facts);
  for (int i = 0; i < LAST; i++) {
    ompd_thread_handle_t *t = thread(s, facts.outer[i]);
    OK(o.get_state(t, &state, 0));
    CHECK_EQ(state, i == 1 ? ompt_state_work_parallel : ompt_state_work_serial);
    OK(o.get_curr_parallel_handle(t, &r));
    CHECK_EQ(icv(s, r, "levels-var"), i == 1);
    CHECK_EQ(member(r, 0), facts.outer[i]);
    if (i == 1) {
      CHECK_EQ(member(r, 1), facts.inner);
      OK(o.get_enclosing_parallel_handle(r, &whole));
      CHECK_EQ(icv(s, whole, "levels-var"), 0);
      CHECK_EQ(member(whole, 0), facts.outer[1]);
    } else {
      OK(o.get_curr_task_handle(t, &task));
      OK(o.get_task_in_parallel(r, 0, &first));
      OK(o.task_handle_compare(task, first, &order));
      CHECK_EQ(order, 0);
    }
  }
  OK(o.get_curr_parallel_handle(thread(s, facts.outer[LAST]), &r));
  check_outer(s, r);
  return 0;
}
