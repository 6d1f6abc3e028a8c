/* blend_tasks.h - jobs of blend.c whose children are tasks: clauses, loops of tasks, events */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef BLEND_TASKS_H
#define BLEND_TASKS_H

#include "blend.h"
#include "blend_post.h"

static void serially(struct job j, uint32_t many, uint32_t draw) {
  (void)draw;
  for (uint32_t k = 0; k < many; k++)
    body(child(j, k));
}

static void loosely(struct job j, uint32_t many, uint32_t draw) {
  for (uint32_t k = 0; k < many; k++) {
    struct job c = child(j, k);
    switch ((draw + k) % 7) {
    case 0:
#pragma omp task firstprivate(c)
      body(c);
      break;
    case 1:
#pragma omp task firstprivate(c) if (k % 2)
      body(c);
      break;
    case 2:
#pragma omp task firstprivate(c) final(c.depth < 2) mergeable
      body(c);
      break;
    case 3:
#pragma omp task firstprivate(c) untied priority(urgent(draw % 7))
      body(c);
      break;
    case 4:
#pragma omp task firstprivate(c) if (0) untied
      body(c);
      break;
    case 5:
#pragma omp task firstprivate(c) untied
    {
      for (uint32_t n = draw % 40; n > 0; n--) {
#pragma omp taskyield
      }
      body(c);
    } break;
    default:
#pragma omp task firstprivate(c) priority(urgent(k))
      body(c);
    }
  }
  if (draw / 64 % 2) {
#pragma omp taskwait
  }
}

static void grouped(struct job j, uint32_t many, uint32_t draw) {
  long before = 0, in = 0;
#pragma omp taskgroup
  {
    for (uint32_t k = 0; k < many; k++) {
      struct job c = child(j, k);
      before++;
#pragma omp task firstprivate(c) shared(in) untied
      {
        body(c);
#pragma omp atomic
        in++;
      }
      if (draw % 3 == 0) {
#pragma omp taskyield
      }
    }
    if (draw / 3 % 2) {
#pragma omp taskwait
    }
  }
  CHECK_SUM(in, before);
}

/* Tasks without a wait, then one that waits for them all: the same task may suspend. */
static void in_rows(struct job j, uint32_t many, uint32_t draw) {
#pragma omp taskgroup
#pragma omp task firstprivate(j, many, draw) untied
  {
    serially(j, many / 2, draw);
    for (uint32_t k = many / 2; k < many; k++) {
      struct job c = child(j, k);
#pragma omp task firstprivate(c)
      body(c);
      for (uint32_t n = draw % 50; n > 0; n--) {
#pragma omp taskyield
      }
    }
#pragma omp taskwait
  }
}

static void loops_of_tasks(struct job j, uint32_t many, uint32_t draw) {
  int n = (int)many, grain = 1 + (int)(draw / 8 % 3), last = -1;
  switch (draw % 8) {
  case 0:
#pragma omp taskloop firstprivate(j)
    for (int k = 0; k < n; k++)
      body(child(j, (uint32_t)k));
    break;
  case 1:
#pragma omp taskloop firstprivate(j) grainsize(grain) untied
    for (unsigned long long k = many; k > 0; k--)
      body(child(j, (uint32_t)k - 1));
    break;
  case 2:
#pragma omp taskloop firstprivate(j) num_tasks(grain) priority(urgent(3)) lastprivate(last)
    for (long k = 0; k < n; k++) {
      last = (int)k;
      body(child(j, (uint32_t)k));
    }
    CHECK_SUM(last, n - 1);
    break;
  case 3:
#pragma omp taskloop firstprivate(j) nogroup grainsize(strict : grain)
    for (int k = n - 1; k >= 0; k--)
      body(child(j, (uint32_t)k));
    break;
  case 4:
#pragma omp taskloop firstprivate(j) collapse(2)
    for (int k = 0; k < n; k++)
      for (unsigned i = 0; i < 3; i++) {
        if (i == 1)
          body(child(j, (uint32_t)k));
      }
    break;
  case 5:
#pragma omp taskloop firstprivate(j) if (draw / 32 % 2) mergeable final(j.depth == 1)
    for (unsigned k = 0; k < many; k++)
      body(child(j, k));
    break;
  case 6:
#pragma omp taskloop simd num_tasks(5) if (1)
    for (int k = 0; k < 100; k++)
      add(j.team, k % 2 ? 1 : -1);
    serially(j, many, draw);
    break;
  default:
#pragma omp taskgroup
#pragma omp taskloop firstprivate(j) nogroup
    for (unsigned k = 0; k < many; k++)
      body(child(j, k));
  }
}

static void reductions_of_tasks(struct job j, uint32_t many, uint32_t draw) {
  long a = 5, b = 1;
  int n = 30 + (int)(draw / 8 % 30);
  if (!own && omp_get_level() == 0) { /* libgomp 12 frees what it has not allocated */
    serially(j, many, draw);
    return;
  }
  switch (draw % 3) {
  case 0:
#pragma omp taskgroup task_reduction(+ : a) task_reduction(* : b)
  {
    for (uint32_t k = 0; k < many; k++) {
#pragma omp task in_reduction(+ : a) in_reduction(* : b) firstprivate(j)
      {
        a += k + 1;
        body(child(j, k));
        b *= 2;
      }
    }
#pragma omp taskloop in_reduction(+ : a)
    for (int i = 0; i < n; i++)
      a += i;
  }
    CHECK_SUM(b, 1L << many);
    break;
  case 1:
#pragma omp taskloop reduction(+ : a) grainsize(4) firstprivate(j)
    for (int i = 0; i < n; i++) {
      a += i;
      if (i < (int)many) {
        a += i + 1;
        body(child(j, (uint32_t)i));
      }
    }
    break;
  default:
#pragma omp taskgroup task_reduction(+ : a)
  {
#pragma omp task in_reduction(+ : a) firstprivate(j) untied
    {
      serially(j, many, draw);
      a += many * (many + 1) / 2;
#pragma omp taskgroup
#pragma omp taskloop in_reduction(+ : a) nogroup num_tasks(3)
      for (int i = n - 1; i >= 0; i--)
        a += i;
    }
  }
  }
  CHECK_SUM(a, 5 + many * (many + 1) / 2 + n * (n - 1) / 2);
}

/* --- events --- */

static void event_of_task(struct job c, uint32_t draw, int *flag) {
  omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(c, draw) firstprivate(flag)
  {
    if (draw % 2) {
      __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
      omp_fulfill_event(event);
    }
    body(c);
    if (draw % 2 == 0) {
      __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
      omp_fulfill_event(event);
    }
  }
}

/* The maker fulfils the event, or another task, or a thread of no team. */
static void event_of_other(struct job c, uint32_t draw, int *flag) {
  omp_event_handle_t event;
  if (draw % 2) {
#pragma omp task detach(event) firstprivate(c) untied
    body(c);
  } else {
#pragma omp task detach(event) firstprivate(c) depend(inout : *flag)
    body(c);
#pragma omp task depend(in : *flag) firstprivate(flag)
    CHECK_SUM(now(flag), 1); /* not before the event */
  }
  switch (draw / 2 % 3) {
  case 0:
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    omp_fulfill_event(event);
    break;
  case 1:
#pragma omp task firstprivate(event, draw) firstprivate(flag) untied
  {
    for (uint32_t n = draw / 8 % 20; n > 0; n--) {
#pragma omp taskyield
    }
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    omp_fulfill_event(event);
  } break;
  default: post(event, flag);
  }
}

static void events(struct job j, uint32_t many, uint32_t draw) {
  int flags[4] = {0};
  bool others = own && !omp_in_final(); /* libgomp 12 may not put such tasks off: then it waits */
  if (draw % 2 || !others) {
    for (uint32_t k = 0; k < many; k++) {
      if (others && (draw >> k) % 3)
        event_of_other(child(j, k), draw >> k, &flags[k]);
      else
        event_of_task(child(j, k), draw >> k, &flags[k]);
    }
#pragma omp taskwait
  } else {
#pragma omp taskgroup
    for (uint32_t k = 0; k < many; k++)
      event_of_other(child(j, k), draw >> k, &flags[k]);
  }
  for (uint32_t k = 0; k < many; k++)
    CHECK_SUM(now(&flags[k]), 1);
}

#endif
