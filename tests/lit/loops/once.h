/* once.h - included once per type: every schedule, both directions, exactly once */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The includer defines TYPE, NAME(x) and TIMES; once_all(first, step, trips) runs the loop
// first, first+step, ... with every schedule and chunk and checks that each iteration ran once.
#define ONCE_MOST 1200

static unsigned char NAME(ran)[ONCE_MOST];

static void NAME(mark)(TYPE i, TYPE first, TYPE step, bool up) {
  TYPE k = up ? (TYPE)(i - first) / step : (TYPE)(first - i) / (TYPE)-step;
  CHECK((uint64_t)k < ONCE_MOST);
  CHECK(i == (TYPE)(first + k * step));
  /* Not atomic: a second visit by another member is caught by the count or by TSan. */
  NAME(ran)[k]++;
}

static void NAME(done)(int trips, const char *schedule, long chunk) {
  for (int k = 0; k < ONCE_MOST; k++)
    if (NAME(ran)[k] != (k < trips)) {
      fprintf(stderr, "iteration %d of %d ran %d times: %s, %ld\n", k, trips, NAME(ran)[k],
              schedule, chunk);
      CHECK(NAME(ran)[k] == (k < trips));
    }
  memset(NAME(ran), 0, sizeof NAME(ran));
}

#define ONCE_PRAGMA(text) _Pragma(#text)
/* One loop per direction: the compiler must know the direction from the source. */
#define ONCE(clause, label, chunk)                                                                 \
  do {                                                                                             \
    if (up)                                                                                        \
      ONCE_PRAGMA(omp for clause)                                                                  \
      for (TYPE i = first; i < bound; i += up_step)                                                \
        NAME(mark)(i, first, step, up);                                                            \
    else                                                                                           \
      ONCE_PRAGMA(omp for clause)                                                                  \
      for (TYPE i = first; i > bound; i -= down_step)                                              \
        NAME(mark)(i, first, step, up);                                                            \
    ONCE_PRAGMA(omp single)                                                                        \
    NAME(done)(trips, label, chunk);                                                               \
  } while (0)

static void NAME(once_all)(TYPE first, TYPE step, bool up, int trips) {
  TYPE bound = (TYPE)(first + step * (TYPE)trips);
  TYPE up_step = step, down_step = (TYPE)-step;
  static const long chunks[] = {1, 2, 7, 64, 100000};
  CHECK_OPAQUE(bound);
#pragma omp parallel
  {
    ONCE(schedule(static), "static", 0);
    ONCE(schedule(auto), "auto", 0);
    ONCE(schedule(dynamic), "dynamic", 0);
    ONCE(schedule(guided), "guided", 0);
    ONCE(schedule(runtime), "runtime", 0);
    for (unsigned c = 0; c < sizeof chunks / sizeof *chunks; c++) {
      long chunk = chunks[c];
      ONCE(schedule(static, chunk), "static", chunk);
      ONCE(schedule(dynamic, chunk), "dynamic", chunk);
      ONCE(schedule(guided, chunk), "guided", chunk);
      ONCE(schedule(monotonic : dynamic, chunk), "monotonic dynamic", chunk);
      ONCE(schedule(nonmonotonic : dynamic, chunk), "nonmonotonic dynamic", chunk);
      ONCE(schedule(monotonic : guided, chunk), "monotonic guided", chunk);
      ONCE(schedule(nonmonotonic : guided, chunk), "nonmonotonic guided", chunk);
    }
  }
}
