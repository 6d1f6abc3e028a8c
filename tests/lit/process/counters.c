/* counters.c - nth_counters(): how many regions, tasks and switches there were */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks exact numbers of regions by form, of deferred tasks and of batched ones, from two roots;
// that a child of fork() begins at 0; that no number ever falls; that NTH_VERBOSE=2 prints the same
// numbers at the end, and nothing when the process ends by _exit().
// nanogomp-only: libgomp has no such function.
// REQUIRES: nanogomp
// UNSUPPORTED: emulated
// RUN: %omp_build %s -o %t -I%S/../../../abi/include
// RUN: %omp_run %t
// RUN: env NTH_FORK=gwd %omp_run %t
// RUN: env NTH_VERBOSE=2 %omp_run %t end 2>&1 | %FileCheck %s
// RUN: env NTH_VERBOSE=2 %omp_run %t leave 2> %t.left
// RUN: not grep 'what the library did' %t.left
// CHECK: what the library did
// CHECK-NEXT: {{^}}nanogomp:   regions {{ +}}4  regions of more than one member{{$}}
// CHECK-NEXT: {{^}}nanogomp:   regions_one {{ +}}3  regions of one member{{$}}
// CHECK-NEXT: {{^}}nanogomp:   regions_changed
// CHECK-NOT: steals {{ +}}0
#include "children.h"

#include <dlfcn.h>
#include <nanogomp/counters.h>
#include <pthread.h>

enum { ROOM = 64, TASKS = 20 };
typedef size_t read_fn(struct nth_counter *, size_t, size_t);
static read_fn *read_all;
static struct nth_counter before[ROOM], now[ROOM];
static size_t counters;

static void note(void) { CHECK_EQ(read_all(before, ROOM, sizeof *before), counters); }

static uint64_t value(const struct nth_counter *all, const char *name) {
  for (size_t i = 0; i < counters; i++)
    if (strcmp(all[i].name, name) == 0)
      return all[i].value;
  fprintf(stderr, "no counter %s\n", name);
  CHECK(false);
  return 0;
}

/* How many more since note(). */
static uint64_t more(const char *name) {
  CHECK_EQ(read_all(now, ROOM, sizeof *now), counters);
  for (size_t i = 0; i < counters; i++)
    CHECK(now[i].value >= before[i].value);
  return value(now, name) - value(before, name);
}

static void open_regions(int number, int size) {
  for (int i = 0; i < number; i++) {
#pragma omp parallel num_threads(size)
    CHECK_EQ(omp_get_num_threads(), size);
  }
}

static void *root(void *number) {
  open_regions(*(int *)number, 2);
  return 0;
}

static void check_regions(void) {
  note();
  open_regions(30, 2);
  CHECK_EQ(more("regions"), 30);
  CHECK(more("regions_changed") >= 1 && more("regions_changed") <= 30);
  open_regions(7, 1);
  CHECK_EQ(more("regions_one"), 7);
  CHECK_EQ(more("regions_nested"), 0);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  open_regions(5, 2);
  CHECK_EQ(more("regions_nested"), 10);
  CHECK_EQ(more("regions"), 41);
  const char *fork = getenv("NTH_FORK");
  CHECK_EQ(more("regions_gwd") > 0, fork && strcmp(fork, "gwd") == 0);
}

/* Regions of one between larger ones do not change the team. Of a worker that is idle for long the
 * master takes note, which counts as a change. */
static void check_turns(void) {
  enum { TURNS = 50 };
  open_regions(1, 2);
  open_regions(1, 1);
  note();
  for (int i = 0; i < TURNS; i++) {
    open_regions(1, 2);
    open_regions(1, 1);
  }
  CHECK_EQ(more("regions"), TURNS);
  CHECK_EQ(more("regions_one"), TURNS);
  CHECK(more("regions_changed") < TURNS / 2);
}

static void check_roots(void) {
  pthread_t thread[2];
  int number[2] = {10, 20};
  note();
  for (int i = 0; i < 2; i++)
    CHECK_EQ(pthread_create(&thread[i], 0, root, &number[i]), 0);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(pthread_join(thread[i], 0), 0);
  CHECK_EQ(more("regions"), 30);
  CHECK(more("threads") >= 1);
}

/* Too few tasks at a time for one of them to run at once. */
static void check_tasks(void) {
  int done = 0;
  note();
  for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int t = 0; t < TASKS; t++) {
#pragma omp task shared(done)
      {
#pragma omp atomic
        done++;
      }
    }
  }
  CHECK_EQ(done, 5 * TASKS);
  CHECK_EQ(more("tasks"), done);
  CHECK(more("stolen") >= more("steals"));
  CHECK(value(now, "offered") >= value(now, "longest"));
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(TASKS)
  for (int t = 0; t < TASKS; t++) {
#pragma omp atomic
    done++;
  }
  CHECK_EQ(more("tasks"), done);
}

static void check_fork(void) {
  note();
  pid_t child = fork();
  if (child == 0) {
    child_limit(30);
    for (size_t i = 0; i < counters; i++)
      before[i].value = 0;
    CHECK_EQ(more("regions"), 0);
    CHECK_EQ(more("tasks"), 0);
    CHECK_EQ(more("sleeps"), 0);
    open_regions(3, 2);
    CHECK_EQ(more("regions"), 3);
    CHECK_EQ(more("regions_one"), 0);
    _exit(0);
  }
  expect_child(child, 0);
  CHECK_EQ(more("regions"), 0);
}

/* A header of a later version has a longer struct. */
static void check_sizes(void) {
  struct {
    struct nth_counter known;
    uint64_t later;
  } longer[ROOM];
  memset(longer, 1, sizeof longer);
  CHECK_EQ(read_all(0, 0, sizeof *now), counters);
  CHECK_EQ(read_all(now, ROOM, sizeof *now - 1), 0);
  CHECK_EQ(read_all((struct nth_counter *)longer, 2, sizeof *longer), counters);
  CHECK(longer[1].known.name == now[1].name || strcmp(longer[1].known.name, now[1].name) == 0);
  CHECK_EQ(longer[1].later, 0);
  CHECK_EQ(longer[2].later, 0x0101010101010101);
}

int main(int argc, char **argv) {
  *(void **)&read_all = dlsym(RTLD_DEFAULT, "nth_counters");
  CHECK(read_all);
  counters = read_all(now, ROOM, sizeof *now);
  CHECK(counters >= 20 && counters < ROOM);
  if (argc > 1) {
    open_regions(4, 2);
    open_regions(3, 1);
    if (strcmp(argv[1], "leave") == 0)
      _exit(0);
    return 0;
  }
  check_regions();
  check_turns();
  check_roots();
  check_tasks();
  check_fork();
  check_sizes();
  return 0;
}
