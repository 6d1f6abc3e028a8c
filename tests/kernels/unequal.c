/* unequal.c - image pairs of unequal sizes are matched: loops whose iterations differ by 100 times
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Structure   that of image matching in SPEC OMP: a loop over independent items whose cost differs
 *             by far, so that its schedule decides. The program and its data are ours.
 * Work        the second image of a pair is the first one, shifted and with noise. For each shift
 *             of up to 3 pixels along x and y the products of the pixels above each other are added
 *             up; the largest sum tells the shift. The largest image has 100 times the pixels of
 *             the smallest one, and most images are small.
 * OpenMP      schedule(runtime): dynamic, guided and static in turn, set by omp_set_schedule(), or
 *             the one that --schedule names.
 * Levels      outer: pairs; inner: the rows of a pair, where it is large, with a reduction of the
 *             array of sums; an if clause keeps small pairs on one thread. One level: pairs only.
 * Check       whole numbers: the sums of every eighth pair (all, with --small) are those of a
 *             serial loop by the definition; every pair has the planted shift.
 */
#include "levels.h"
#include "schedule.h"

enum { REACH = 3, SIDE = 2 * REACH + 1, SHIFTS = SIDE * SIDE };
enum { RATIO = 10, LARGE = 3 };     /* of edges: largest to smallest; to that of large ones */
enum { BRIGHT = 100, NOISE = 20 };  /* of pixels, either way */
enum { SMALLEST = 12, STRIDE = 8 }; /* pixels along an edge; pairs from one check to the next */

struct pair {
  long edge;
  int8_t *first, *second;
  int shift; /* the planted one */
};

struct result {
  int64_t sum[SHIFTS];
  int shift;
};

struct album {
  long count, largest; /* pairs; the largest edge */
  struct pair *pair;
  struct result *result;
};

static const struct {
  const char *name;
  omp_sched_t kind;
} SCHEDULE[] = {
    {"dynamic", omp_sched_dynamic}, {"guided", omp_sched_guided}, {"static", omp_sched_static}};
enum { SCHEDULES = sizeof SCHEDULE / sizeof *SCHEDULE };

/* ---- a pair ---- */

/* Adds the products of one row of the first image to the sums of all shifts. */
static void row_correlate(const struct pair *p, long row, int64_t sum[SHIFTS]) {
  const int8_t *a = p->first + row * p->edge;
  for (int shift = 0; shift < SHIFTS; shift++) {
    const int8_t *b = p->second + (row + shift / SIDE - REACH) * p->edge + shift % SIDE - REACH;
    int here = 0;
    for (long i = REACH; i < p->edge - REACH; i++) {
      here += a[i] * b[i];
    }
    sum[shift] += here;
  }
}

static void result_store(struct result *r, const int64_t sum[SHIFTS]) {
  r->shift = 0;
  for (int shift = 0; shift < SHIFTS; shift++) {
    r->sum[shift] = sum[shift];
    r->shift = sum[shift] > sum[r->shift] ? shift : r->shift;
  }
}

static void pair_flat(const struct pair *p, struct result *r) {
  int64_t sum[SHIFTS] = {0};
  for (long row = REACH; row < p->edge - REACH; row++) {
    row_correlate(p, row, sum);
  }
  result_store(r, sum);
}

static void pair_nested(const struct pair *p, struct result *r, bool large, int threads) {
  int64_t sum[SHIFTS] = {0};
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(threads) if (large)
  for (long row = REACH; row < p->edge - REACH; row++) {
    row_correlate(p, row, sum);
  }
  result_store(r, sum);
}

static void match_all(const struct album *a, struct lv_split split) {
  if (split.outer == 0) {
#pragma omp parallel for schedule(runtime)
    for (long i = 0; i < a->count; i++) {
      pair_flat(&a->pair[i], &a->result[i]);
    }
  } else {
#pragma omp parallel for schedule(runtime) num_threads(split.outer)
    for (long i = 0; i < a->count; i++) {
      bool large = a->pair[i].edge * LARGE >= a->largest;
      pair_nested(&a->pair[i], &a->result[i], large, split.inner);
    }
  }
}

/* ---- start ---- */

/* From -most to most. */
static int8_t pixel_noise(uint64_t number, int most) {
  return (int8_t)((int)(kern_hash(number) % (uint64_t)(2 * most + 1)) - most);
}

static void pair_init(struct pair *p, long edge, uint64_t number) {
  p->edge = edge;
  p->first = kern_alloc((size_t)(edge * edge), 1);
  p->second = kern_alloc((size_t)(edge * edge), 1);
  p->shift = (int)(kern_hash(number) % SHIFTS);
  for (long at = 0; at < edge * edge; at++) {
    p->first[at] = pixel_noise((number << 32) + (uint64_t)at, BRIGHT);
  }
  for (long at = 0; at < edge * edge; at++) {
    long row = at / edge - (p->shift / SIDE - REACH),
         column = at % edge - (p->shift % SIDE - REACH);
    uint64_t word = (number << 32) + (UINT64_C(1) << 31) + (uint64_t)at;
    if (row >= 0 && row < edge && column >= 0 && column < edge) {
      p->second[at] = (int8_t)(p->first[row * edge + column] + pixel_noise(word, NOISE));
    } else {
      p->second[at] = pixel_noise(word, BRIGHT);
    }
  }
}

/* The first pair is the largest and the last one the smallest; the logarithms of the others' edges
 * are squares of random numbers. */
static void album_init(struct album *a, long count, long largest) {
  a->count = count;
  a->largest = largest;
  a->pair = kern_alloc((size_t)count, sizeof *a->pair);
  a->result = kern_alloc((size_t)count, sizeof *a->result);
  for (long i = 0; i < count; i++) {
    double chance = kern_lcg_real(kern_hash(~(uint64_t)i) & KERN_LCG_MASK);
    chance = i == count - 1 ? 0 : chance;
    double edge = (double)(largest / RATIO) * pow(RATIO, chance * chance);
    pair_init(&a->pair[i], i == 0 ? largest : lround(edge), (uint64_t)i);
  }
}

/* ---- checks ---- */

/* The sum of one shift by its definition, pixel by pixel. */
static int64_t sum_apart(const struct pair *p, int dy, int dx) {
  int64_t sum = 0;
  for (long x = REACH; x < p->edge - REACH; x++) {
    for (long y = REACH; y < p->edge - REACH; y++) {
      sum += (int64_t)p->first[y * p->edge + x] * p->second[(y + dy) * p->edge + x + dx];
    }
  }
  return sum;
}

static bool expect(const struct album *a, int64_t *expected, long stride) {
  for (long i = 0; i < a->count; i += stride) {
    for (int shift = 0; shift < SHIFTS; shift++) {
      expected[i * SHIFTS + shift] =
          sum_apart(&a->pair[i], shift / SIDE - REACH, shift % SIDE - REACH);
    }
  }
  return kern_check(a->pair[0].edge >= RATIO * a->pair[a->count - 1].edge,
                    "the largest edge is %ld, the smallest one %ld", a->pair[0].edge,
                    a->pair[a->count - 1].edge);
}

static bool verify(const struct album *a, const int64_t *expected, long stride) {
  long wrong = 0, lost = 0;
  for (long i = 0; i < a->count; i++) {
    if (i % stride == 0) {
      wrong += memcmp(a->result[i].sum, expected + i * SHIFTS, sizeof a->result[i].sum) != 0;
    }
    lost += a->result[i].shift != a->pair[i].shift;
  }
  return kern_check(wrong == 0 && lost == 0, "%ld pairs have wrong sums, %ld another shift", wrong,
                    lost);
}

/* One word of all sums. */
static uint64_t album_word(const struct album *a) {
  uint64_t word = 0;
  for (long i = 0; i < a->count; i++) {
    for (int shift = 0; shift < SHIFTS; shift++) {
      word = kern_hash(word + (uint64_t)a->result[i].sum[shift]);
    }
  }
  return word;
}

/* The schedule is set. */
static int run(const struct kernel *k, const struct album *a, const int64_t *expected,
               struct lv_split split, const char *schedule) {
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k->reps; rep++) {
    memset(a->result, 0xff, (size_t)a->count * sizeof *a->result);
    double start = kern_now();
    match_all(a, split);
    best = fmin(best, kern_now() - start);
    ok &= verify(a, expected, k->small ? 1 : STRIDE);
  }
  char name[64], label[34], size[64];
  snprintf(label, sizeof label, "unequal-%.25s", schedule);
  snprintf(size, sizeof size, "%ldx%ld", a->largest, a->count);
  return kern_report(lv_name(name, label, split), size, best, ok, "%016llx",
                     (unsigned long long)album_word(a));
}

int main(int argc, char **argv) {
  const char *given = schedule_take(&argc, argv);
  struct kernel k = {
      .name = "unequal",
      .what = "image pairs of unequal sizes, by schedule(runtime)",
      .size_means = "pixels along an edge of the largest image, 120 to 20000",
      .iters_means = "image pairs, 2 or more",
      .full = {500, 600},
      .brief = {120, 12},
  };
  bool only[SCHEDULES] = {false};
  struct lv_options levels = {0};
  const struct kern_option extra[] = {
      LV_OPTIONS(levels),
      {"dynamic", "schedule dynamic (default: each one in turn)", NULL, &only[0]},
      {"guided", "schedule guided", NULL, &only[1]},
      {"static", "schedule static", NULL, &only[2]},
      SCHEDULE_HELP,
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= RATIO * SMALLEST && k.size <= 20000, "the size is 120 to 20000");
  kern_require(&k, k.iters >= 2 && k.iters <= 1000000, "2 pairs or more, a million at most");
  bool all = !only[0] && !only[1] && !only[2];
  struct lv_split plan[LV_MOST];
  int count = lv_plan(&k, &levels, 4, plan), status = KERN_OK;

  static struct album a; /* static: what is still there at the end is no leak */
  static int64_t *expected;
  album_init(&a, k.iters, k.size);
  expected = kern_alloc((size_t)(a.count * SHIFTS), sizeof *expected);
  status |= expect(&a, expected, k.small ? 1 : STRIDE) ? KERN_OK : KERN_WRONG;
  for (int i = 0; i < count; i++) {
    if (given) {
      status |= run(&k, &a, expected, plan[i], given);
    }
    for (int schedule = 0; !given && schedule < SCHEDULES; schedule++) {
      if (all || only[schedule]) {
        omp_set_schedule(SCHEDULE[schedule].kind, 0); /* chunks of the usual size */
        status |= run(&k, &a, expected, plan[i], SCHEDULE[schedule].name);
      }
    }
  }
  return status;
}
