/* is.c - NAS IS: ranks of small whole numbers, by counting
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel      as specified in the NAS report RNR-94-007. A key is the mean of four numbers of the
 *             NAS generator, seed 314159265, times the number of values. Before iteration i of ten,
 *             key i becomes i and key i + 10 becomes the number of values minus i. An iteration
 *             finds the rank of each value, which is the number of smaller keys.
 * OpenMP      one region around all iterations. Each member counts its part of the keys in a table
 *             of its own. Then it adds up all tables for its part of the values. A prefix sum over
 *             the parts makes ranks of the counts. An iteration has four barriers.
 * Check       in each iteration the ranks of five keys are the published ones of the class. At the
 *             end each key is put at its rank; this fills every place once, in ascending order.
 */
#include "kernel.h"

#include <inttypes.h>

enum { ITERATIONS = 10, PROBES = 5, CHANGED = 2 * ITERATIONS + 1, BLOCK = 1 << 12 };

static const uint64_t SEED = 314159265;

/* The published ranks (NAS Parallel Benchmarks, IS verification). In iteration i the first `rising`
 * of them are larger by i - rise_from, the others smaller by i - fall_from. */
struct sort_class {
  char letter;
  int log2_keys, log2_values;
  int rising;
  long rise_from, fall_from, probe[PROBES], rank[PROBES];
};

static const struct sort_class classes[] = {
    {.letter = 'S',
     .log2_keys = 16,
     .log2_values = 11,
     .rising = 3,
     .rise_from = 0,
     .fall_from = 0,
     .probe = {48427, 17148, 23627, 62548, 4431},
     .rank = {0, 18, 346, 64917, 65463}},
    {.letter = 'W',
     .log2_keys = 20,
     .log2_values = 16,
     .rising = 2,
     .rise_from = 2,
     .fall_from = 0,
     .probe = {357773, 934767, 875723, 898999, 404505},
     .rank = {1249, 11698, 1039987, 1043896, 1048018}},
    {.letter = 'A',
     .log2_keys = 23,
     .log2_values = 19,
     .rising = 3,
     .rise_from = 1,
     .fall_from = 1,
     .probe = {2112377, 662041, 5336171, 3642833, 4250760},
     .rank = {104, 17523, 123928, 8288932, 8388264}},
};

struct member {
  _Alignas(128) int32_t *count; /* a table of its keys: how many have this value */
  int32_t total;                /* of the keys of all members: how many have a value of its part */
};

struct sorter {
  const struct sort_class *class;
  long keys, values;
  int threads;
  int32_t *key;
  int32_t *rank; /* by value */
  struct member *member;
  int32_t found[ITERATIONS + 1][PROBES]; /* ranks of the probes, by iteration */
};

/* ---- called by every member of the team ---- */

/* The memory of each part of keys and tables is first written by the member that uses it. */
static void team_init(const struct sorter *s) {
  int32_t *count = s->member[omp_get_thread_num()].count;
  memset(count, 0, (size_t)s->values * sizeof *count);
#pragma omp for schedule(static) nowait
  for (long value = 0; value < s->values; value++) {
    s->rank[value] = -1;
  }
  int shift = 46 + 2 - s->class->log2_values; /* four numbers of 46 bits, a quarter of their sum */
#pragma omp for schedule(static)
  for (long first = 0; first < s->keys; first += BLOCK) {
    uint64_t state = kern_lcg_jump(SEED, 4 * (uint64_t)first);
    for (long i = first; i < first + BLOCK; i++) {
      uint64_t sum = 0;
      for (int draw = 0; draw < 4; draw++) {
        state = kern_lcg_next(state);
        sum += state;
      }
      s->key[i] = (int32_t)(sum >> shift);
    }
  }
}

/* Each member's table of its part of the keys. */
static void team_count(const struct sorter *s) {
  int32_t *count = s->member[omp_get_thread_num()].count;
  memset(count, 0, (size_t)s->values * sizeof *count);
#pragma omp for schedule(static)
  for (long i = 0; i < s->keys; i++) {
    count[s->key[i]]++;
  }
}

/* Ranks from the tables. A member's part is the same in both static loops, and parts are in the
 * order of the members. */
static void team_prefix(const struct sorter *s) {
  int me = omp_get_thread_num(), size = omp_get_num_threads();
  int32_t total = 0, before = 0;
#pragma omp for schedule(static) nowait
  for (long value = 0; value < s->values; value++) {
    s->rank[value] = total;
    for (int other = 0; other < size; other++) {
      total += s->member[other].count[value];
    }
  }
  s->member[me].total = total;
#pragma omp barrier
  for (int other = 0; other < me; other++) {
    before += s->member[other].total;
  }
#pragma omp for schedule(static)
  for (long value = 0; value < s->values; value++) {
    s->rank[value] += before;
  }
}

static void team_sort(struct sorter *s) {
  for (int i = 1; i <= ITERATIONS; i++) {
#pragma omp single
    {
      s->key[i] = i;
      s->key[i + ITERATIONS] = (int32_t)s->values - i;
    }
    team_count(s);
    team_prefix(s);
#pragma omp single nowait
    for (int probe = 0; probe < PROBES; probe++) {
      s->found[i][probe] = s->rank[s->key[s->class->probe[probe]]];
    }
  }
}

/* ---- the rest is serial ---- */

static void sorter_init(const struct kernel *k, struct sorter *s, const struct sort_class *class) {
  s->class = class;
  s->keys = 1L << class->log2_keys;
  s->values = 1L << class->log2_values;
  s->threads = kern_threads();
  s->key = kern_alloc((size_t)s->keys, sizeof *s->key);
  s->rank = kern_alloc((size_t)s->values, sizeof *s->rank);
  s->member = aligned_alloc(128, (size_t)s->threads * sizeof *s->member);
  kern_require(k, s->member != NULL, "no memory");
  for (int member = 0; member < s->threads; member++) {
    s->member[member].count = aligned_alloc(128, (size_t)s->values * sizeof(int32_t));
    kern_require(k, s->member[member].count != NULL, "no memory");
  }
}

static bool verify_published(const struct sorter *s) {
  const struct sort_class *c = s->class;
  bool ok = true;
  for (int i = 1; i <= ITERATIONS; i++) {
    for (int probe = 0; probe < PROBES; probe++) {
      long change = probe < c->rising ? i - c->rise_from : c->fall_from - i;
      long published = c->rank[probe] + change;
      ok &= kern_check(s->found[i][probe] == published,
                       "iteration %d: key %ld has rank %d, published %ld", i, c->probe[probe],
                       s->found[i][probe], published);
    }
  }
  return ok;
}

/* Equal keys take the places from their rank on. */
static bool verify_order(const struct sorter *s, int32_t *next, int32_t *sorted) {
  long outside = 0, gaps = 0, falling = 0;
  memcpy(next, s->rank, (size_t)s->values * sizeof *next);
  memset(sorted, 0xff, (size_t)s->keys * sizeof *sorted);
  for (long i = 0; i < s->keys; i++) {
    int32_t place = next[s->key[i]]++;
    if (place < 0 || place >= s->keys) {
      outside++;
    } else {
      sorted[place] = s->key[i];
    }
  }
  for (long place = 0; place < s->keys; place++) {
    gaps += sorted[place] < 0;
    falling += place > 0 && sorted[place] < sorted[place - 1];
  }
  return kern_check(outside + gaps + falling == 0,
                    "%ld keys have no place, %ld places no key, %ld keys are below the one before",
                    outside, gaps, falling);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "is",
      .what = "NAS IS, integer sort by counting",
      .size_means = "class: S, W or A",
      .classes = "SWA",
      .full = {'W', ITERATIONS},
      .brief = {'S', ITERATIONS},
  };
  kern_parse(&k, NULL, argc, argv);
  const struct sort_class *class = classes;
  while (class->letter != k.size) {
    class++;
  }
  static struct sorter s; /* static: what is still there at the end is no leak */
  sorter_init(&k, &s, class);
  int32_t *next = kern_alloc((size_t)s.values, sizeof *next);
  int32_t *sorted = kern_alloc((size_t)s.keys, sizeof *sorted);
#pragma omp parallel num_threads(s.threads)
  team_init(&s);
  int32_t first[CHANGED];
  memcpy(first, s.key, sizeof first);

  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    memcpy(s.key, first, sizeof first);
    memset(s.found, 0xff, sizeof s.found);
    double start = kern_now();
#pragma omp parallel num_threads(s.threads)
    team_sort(&s);
    best = kern_time(&k, best, kern_now() - start);
    ok &= verify_published(&s);
    ok &= verify_order(&s, next, sorted);
  }
  free(next);
  free(sorted);
  uint64_t sum = 0;
  for (long value = 0; value < s.values; value++) {
    sum += (uint64_t)(value + 1) * (uint64_t)s.rank[value];
  }
  char size[64];
  snprintf(size, sizeof size, "%c:2^%dx%d", class->letter, class->log2_keys, ITERATIONS);
  return kern_report("is", size, best, ok, "%" PRIu64, sum);
}
