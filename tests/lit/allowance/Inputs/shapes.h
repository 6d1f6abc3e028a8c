/* shapes.h - regions that go on while another thread changes the allowance */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef SHAPES_H
#define SHAPES_H

#include "../../request/Inputs/inside.h"

enum { SHAPES_PIECES = 100, SHAPES_TURNS = 20000 };
static int members;

/* One region: its loops go on until the changer is ready. */
static void one_region(void) {
#pragma omp parallel num_threads(members)
  for (int over = 0; !over;) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < SHAPES_PIECES; i++)
      inside_work(SHAPES_TURNS);
#pragma omp single copyprivate(over)
    over = inside_ends();
  }
}

static void many_regions(void) {
  while (!inside_ends())
#pragma omp parallel for schedule(static) num_threads(members)
    for (int i = 0; i < members; i++)
      inside_work(SHAPES_TURNS);
}

/* Each shape in turn, beside a changer that begins after prepare(). */
static void run_shapes(void (*prepare)(void), void *(*changer)(void *)) {
  static void (*const shapes[])(void) = {one_region, many_regions};
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    inside_over = 0;
    prepare();
    CHECK_EQ(pthread_create(&thread, NULL, changer, NULL), 0);
    shapes[i]();
    CHECK_EQ(pthread_join(thread, NULL), 0);
  }
}

#endif
