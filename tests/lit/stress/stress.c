/* stress.c - random constructs in regions of random sizes from 8 root threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks, for the time given (default 5 s), regions of 1 to 9 members, some nested, that run the
// same random series of loops, singles, sections, tasks, locks, barriers and reductions; each
// construct's result is verified at once. The seed is printed; a second argument repeats it.
// RUN: %omp_build %s -o %t && %omp_run %t %stress_seconds
#include "constructs.h"
#include <pthread.h>

enum { ROOTS = 8, MOST = 9 };

static double end;
static long regions;

static void region(uint64_t seed, int depth) {
  struct team team = {0};
  uint64_t shared_state = seed;
  team.size = 1 + (int)(check_random(&shared_state) % (depth ? 3 : MOST));
  omp_init_lock(&team.lock);
  long members = 0;
#pragma omp parallel num_threads(team.size) reduction(+ : members)
  {
    uint64_t state = shared_state; /* every member draws the same series */
    uint64_t own = seed + (uint64_t)omp_get_thread_num();
    CHECK_EQ(omp_get_num_threads(), team.size);
    members++;
    for (uint32_t k = check_random(&state) % 12; k > 0; k--) {
      uint32_t what = check_random(&state) % 8, draw = check_random(&state);
      if (check_random(&own) % 16 == 0)
        check_busy(check_random(&own) % 20000);
      if (what < 3)
        loop(&team, draw);
      else if (what == 3)
        tasks(&team, draw);
      else if (what < 7)
        small_constructs(&team, draw);
      else if (depth == 0)
        region(seed + draw + (uint64_t)omp_get_thread_num(), 1);
    }
  }
  CHECK_EQ(members, team.size);
  omp_destroy_lock(&team.lock);
}

static void *root(void *argument) {
  uint64_t state = *(uint64_t *)argument;
  omp_set_max_active_levels(2);
  while (check_seconds() < end) {
    uint64_t seed = state;
    check_random(&state);
    region(seed, 0);
#pragma omp atomic
    regions++;
    if (check_random(&seed) % 64 == 0)
      check_sleep_ms(check_random(&seed) % 20);
  }
  return NULL;
}

int main(int argc, char **argv) {
  uint64_t seed = (uint64_t)time(NULL) << 16 | (uint64_t)getpid();
  if (argc > 2)
    seed = strtoull(argv[2], NULL, 0);
  uint64_t seeds[ROOTS];
  pthread_t threads[ROOTS];
  printf("seed %" PRIu64 "\n", seed);
  fflush(stdout);
  end = check_seconds() + (argc > 1 ? atof(argv[1]) : 5);
  for (int r = 0; r < ROOTS; r++) {
    seeds[r] = seed + 1000003u * (uint64_t)r;
    CHECK_EQ(pthread_create(&threads[r], NULL, root, &seeds[r]), 0);
  }
  for (int r = 0; r < ROOTS; r++)
    pthread_join(threads[r], NULL);
  printf("%ld regions\n", regions);
  CHECK(regions > 0);
  return 0;
}
