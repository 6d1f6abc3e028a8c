/* once.h - included once per type: every schedule, both directions, exactly once */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The includer defines TYPE and NAME(x); once_all(first, step, up, trips) runs the loop first,
// first+step, ... with every schedule and chunk, all nowait, and checks that each iteration of each
// ran once. Every loop counts in a row of its own, as members may be in different loops.
#define ONCE_MOST 1200
#define ONCE_LOOPS 40

static unsigned char NAME(ran)[ONCE_LOOPS][ONCE_MOST];
static const char *NAME(label)[ONCE_LOOPS];

static void NAME(mark)(int loop, TYPE i, TYPE first, TYPE step, bool up) {
  TYPE k = up ? (TYPE)(i - first) / step : (TYPE)(first - i) / (TYPE)-step;
  CHECK((uint64_t)k < ONCE_MOST);
  CHECK(i == (TYPE)(first + k * step));
  /* Not atomic: a second visit by another member is caught by the count or by TSan. */
  NAME(ran)[loop][k]++;
}

static void NAME(expect)(int loops, int trips) {
  for (int loop = 0; loop < loops; loop++)
    for (int k = 0; k < ONCE_MOST; k++)
      if (NAME(ran)[loop][k] != (k < trips)) {
        fprintf(stderr, "iteration %d of %d of loop %d ran %d times: %s\n", k, trips, loop,
                NAME(ran)[loop][k], NAME(label)[loop]);
        CHECK(NAME(ran)[loop][k] == (k < trips));
      }
  memset(NAME(ran), 0, sizeof NAME(ran));
}

#define ONCE_PRAGMA(text) _Pragma(#text)
/* One loop per direction: the compiler must know the direction from the source. */
#define ONCE(clause)                                                                               \
  do {                                                                                             \
    if (up)                                                                                        \
      ONCE_PRAGMA(omp for clause nowait)                                                           \
    for (TYPE i = first; i < bound; i += up_step)                                                  \
      NAME(mark)(loop, i, first, step, up);                                                        \
    else                                                                                           \
      ONCE_PRAGMA(omp for clause nowait)                                                           \
      for (TYPE i = first; i > bound; i -= down_step)                                              \
        NAME(mark)(loop, i, first, step, up);                                                      \
    if (omp_get_thread_num() == 0)                                                                 \
      NAME(label)[loop] = #clause;                                                                 \
    loop++;                                                                                        \
  } while (0)

static void NAME(once_all)(TYPE first, TYPE step, bool up, int trips) {
  TYPE bound = (TYPE)(first + step * (TYPE)trips);
  TYPE up_step = step, down_step = (TYPE)-step;
  static const long chunks[] = {1, 7, 64, 100000};
  int loops = 0;
  CHECK_OPAQUE(bound);
#pragma omp parallel
  {
    int loop = 0;
    ONCE(schedule(static));
    ONCE(schedule(auto));
    ONCE(schedule(dynamic));
    ONCE(schedule(guided));
    ONCE(schedule(runtime));
    for (unsigned c = 0; c < sizeof chunks / sizeof *chunks; c++) {
      long chunk = chunks[c];
      ONCE(schedule(static, chunk));
      ONCE(schedule(dynamic, chunk));
      ONCE(schedule(guided, chunk));
      ONCE(schedule(monotonic : dynamic, chunk));
      ONCE(schedule(nonmonotonic : dynamic, chunk));
      ONCE(schedule(monotonic : guided, chunk));
      ONCE(schedule(nonmonotonic : guided, chunk));
    }
#pragma omp masked
    loops = loop;
  }
  CHECK(loops > 30 && loops <= ONCE_LOOPS);
  NAME(expect)(loops, trips);
}
