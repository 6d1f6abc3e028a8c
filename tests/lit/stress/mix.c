/* mix.c - random programs of constructs, nested in each other, from a seed */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks, for the time given, programs drawn from a seed: sequences of parallel regions (three
// levels), loops of all schedules, sections, singles, critical and ordered regions, barriers,
// tasks, taskwaits and taskgroups, nested in each other as OpenMP allows. What a construct should
// add to the sum is reckoned serially while it is drawn; after each region the sums must agree.
// The seed of each failing program is in the message; `mix SECONDS SEED` begins with it again.
//
// 16 threads on what CPUs there are, on one CPU, and beside a process that takes CPU time:
// RUN: %omp_build %s -o %t
// RUN: env OMP_NUM_THREADS=16 %omp_run %t %mix_seconds
// RUN: %python %S/Inputs/one_cpu.py %omp_run %t %mix_seconds
// RUN: %omp_run %t %mix_seconds 0 busy
#include "check.h"
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

enum { LEVELS = 3, DEEPEST = 4 };

/* What the members of one region share. */
struct region {
  long sum, alone[2]; /* by atomic; under the unnamed critical construct and under `inner` */
  int next;           /* turn of an ordered loop */
};

static uint64_t program_seed;

static long share_of(uint64_t state, int depth);
static long region(uint64_t state, int level);
static long region_share(uint64_t state, int level);

#define CHECK_SUM(actual, expected)                                                                \
  do {                                                                                             \
    if ((actual) != (expected)) {                                                                  \
      fprintf(stderr, "program of seed %" PRIu64 "\n", program_seed);                              \
      CHECK_EQ(actual, expected);                                                                  \
    }                                                                                              \
  } while (0)

static void add(struct region *r, long n) {
#pragma omp atomic
  r->sum += n;
}

/* --- tasks in tasks --- */

static void tasks(struct region *r, uint64_t state, int depth) {
  uint32_t kind = check_random(&state) % 6, many = 1 + check_random(&state) % 5;
  add(r, 1);
  if (depth == 0)
    return;
  for (uint32_t k = 0; k < many; k++) {
    uint64_t seed = state + k * 7919;
    switch (kind) {
    case 0:
#pragma omp task firstprivate(seed)
      tasks(r, seed, depth - 1);
      break;
    case 1:
#pragma omp task firstprivate(seed) if (k % 2)
      tasks(r, seed, depth - 1);
#pragma omp taskyield
      break;
    case 2:
#pragma omp taskgroup
    {
#pragma omp task firstprivate(seed) untied
      tasks(r, seed, depth - 1);
    } break;
    case 3:
#pragma omp task firstprivate(seed) final(depth == 1) mergeable
      tasks(r, seed, depth - 1);
      break;
    case 4:
#pragma omp task firstprivate(seed)
    {
#pragma omp critical(inner)
      r->alone[1]++;
#pragma omp atomic
      r->sum--;
      tasks(r, seed, depth - 1);
    } break;
    default: tasks(r, seed, depth - 1);
    }
  }
  if (kind != 2 && check_random(&state) % 2) {
#pragma omp taskwait
  }
}

/* What tasks() of the same seed adds, reckoned without tasks. */
static long share_of(uint64_t state, int depth) {
  check_random(&state);
  uint32_t many = 1 + check_random(&state) % 5;
  long sum = 1;
  for (uint32_t k = 0; depth > 0 && k < many; k++)
    sum += share_of(state + k * 7919, depth - 1);
  return sum;
}

/* --- work-sharing constructs: every member calls them with the same draws --- */

static long loop(struct region *r, uint32_t draw) {
  int trips = (int)(draw % 97), chunk = 1 + (int)(draw / 97 % 5);
  switch (draw / 1000 % 8) {
  case 0:
#pragma omp for schedule(static) nowait
    for (int i = 0; i < trips; i++)
      add(r, 1);
    break;
  case 1:
#pragma omp for schedule(static, chunk)
    for (unsigned long long i = 0; i < (unsigned long long)trips; i++)
      add(r, 1);
    break;
  case 2:
#pragma omp for schedule(dynamic, chunk) nowait
    for (long i = trips; i > 0; i--)
      add(r, 1);
    break;
  case 3:
#pragma omp for schedule(monotonic : dynamic, chunk)
    for (short i = 0; i < trips; i++)
      add(r, 1);
    break;
  case 4:
#pragma omp for schedule(guided, chunk) nowait
    for (int i = 0; i < 3 * trips; i += 3)
      add(r, 1);
    break;
  case 5:
#pragma omp for schedule(runtime) collapse(2)
    for (int i = 0; i < trips; i++)
      for (int j = 0; j < 2; j++)
        add(r, 1);
    return 2 * trips;
  case 6:
#pragma omp for schedule(auto)
    for (int i = 0; i < trips; i++)
#pragma omp task firstprivate(i)
      add(r, i % 2 + 1);
    return trips + trips / 2;
  default:
#pragma omp for schedule(dynamic, chunk) ordered
    for (int i = 0; i < trips; i++) {
#pragma omp ordered
      CHECK_SUM(r->next++, i);
      add(r, 1);
    }
#pragma omp single
    r->next = 0;
  }
  return trips;
}

static long sections(struct region *r, uint32_t draw, int level) {
#pragma omp sections
  {
#pragma omp section
    add(r, 1);
#pragma omp section
    add(r, level < LEVELS ? region(draw, level) : 0);
#pragma omp section
#pragma omp critical(inner)
    r->alone[1] += 2;
  }
  return 3 + (level < LEVELS ? region_share(draw, level) : 0);
}

static long single(struct region *r, uint32_t draw) {
  long seen = 0;
  if (draw % 2) {
#pragma omp single copyprivate(seen)
    seen = (long)(draw % 1000);
    CHECK_SUM(seen, (long)(draw % 1000));
  } else {
#pragma omp single nowait
    tasks(r, draw, DEEPEST);
    return share_of(draw, DEEPEST);
  }
  return 0;
}

/* Each member on its own. */
static long everybody(struct region *r, uint32_t draw, int size) {
  switch (draw % 4) {
  case 0:
#pragma omp critical
    check_count_alone(&r->alone[0], (long)draw);
    return size;
  case 1: tasks(r, draw, 2); return size * share_of(draw, 2);
  case 2:
#pragma omp taskgroup
    tasks(r, draw, 2);
    return size * share_of(draw, 2);
  default: {
#pragma omp barrier
#pragma omp master
    add(r, 5);
  }
    return 5;
  }
}

/* --- regions --- */

static int size_of(uint64_t *state, int level) {
  int most = level == 0 ? omp_get_max_threads() : 3;
  return 1 + (int)(check_random(state) % (uint32_t)most);
}

/* What a region of the same seed returns. */
static long region_share(uint64_t state, int level) { return size_of(&state, level); }

/* Opens a region; returns its number of members, the same for the same seed. */
static long region(uint64_t state, int level) {
  struct region r = {0};
  long members = 0, expected = 0;
  uint64_t after = state;
  int size = size_of(&after, level);
#pragma omp parallel num_threads(size) reduction(+ : members)
  {
    uint64_t draws = after; /* every member draws the same */
    long mine = 0;
    members++;
    CHECK_SUM(omp_get_num_threads(), size);
    for (uint32_t k = check_random(&draws) % (level ? 4 : 9); k > 0; k--) {
      uint32_t what = check_random(&draws) % 10, draw = check_random(&draws);
      if (what < 4)
        mine += loop(&r, draw);
      else if (what < 6)
        mine += single(&r, draw);
      else if (what < 8)
        mine += everybody(&r, draw, size);
      else if (what == 8)
        mine += sections(&r, draw, level + 1);
      else if (level + 1 < LEVELS)
        CHECK_SUM(region(draw + (unsigned)omp_get_thread_num(), level + 1),
                  region_share(draw + (unsigned)omp_get_thread_num(), level + 1));
    }
    if (omp_get_thread_num() == 0)
      expected = mine;
  }
  CHECK_SUM(r.sum + r.alone[0] + r.alone[1], expected);
  CHECK_SUM(members, size);
  return members;
}

/* --- the program --- */

/* A process that takes CPU time until this one ends. */
static void start_busy(void) {
  pid_t parent = getpid();
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == parent)
      check_busy(1000000);
    _exit(0);
  }
}

int main(int argc, char **argv) {
  double end = check_seconds() + (argc > 1 ? atof(argv[1]) : 3);
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
  long programs = 0;
  if (argc > 3)
    start_busy();
  if (seed == 0)
    seed = (uint64_t)time(NULL) << 16 | (uint64_t)getpid();
  printf("seed %" PRIu64 "\n", seed);
  fflush(stdout);
  omp_set_max_active_levels(LEVELS);
  omp_set_dynamic(0);
  do {
    program_seed = seed + 1000003u * (uint64_t)programs;
    region(program_seed, 0);
    programs++;
  } while (check_seconds() < end);
  printf("%ld programs\n", programs);
  return 0;
}
