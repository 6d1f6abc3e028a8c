/* match.c - a neural network finds objects in an image: private weights, a critical section
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Structure   that of SPEC OMP's art: a network of adaptive resonance is trained, then scans an
 *             image; the windows are shared out dynamically, each thread has a network of its own,
 *             and a critical section keeps the best match of each object. The program and its
 *             data are ours.
 * Network     fuzzy ART (Carpenter, Grossberg and Rosen 1991) in whole numbers. An input I has each
 *             pixel p and its complement 255 - p. Category j has weights w_j; its score is the sum
 *             of min(I, w_j), its choice value the score / (1 + the sum of w_j). The category with
 *             the largest choice value is reset if its score is below the vigilance, then the next
 *             one is tried. To learn is w_j = min(I, w_j).
 * OpenMP      the network is threadprivate; only the master's one learns, and copyin gives it to
 *             the others before each scan. schedule(dynamic, 16) over windows; counts by
 *             reductions; each window passes the critical section.
 * Hunt        each object is planted three times, each time with noise of its own. A scan finds
 *             the best one of each object; the master learns it and removes it from the image; the
 *             next scan finds the second.
 * Check       the weights of a category are a box in the space of pixels, and a score is the size
 *             of the box less the distance to it. So the planted distances give places and scores
 *             of all matches in all scans, exactly, and the planted objects are the only windows
 *             that resonate. With --small all windows are also scanned serially, by such boxes.
 */
#include "kernel.h"

enum { EDGE = 16, PIXELS = EDGE * EDGE, INPUTS = 2 * PIXELS }; /* of a window */
enum { OBJECTS = 8, PLANTS = 3, EXAMPLES = 5, WHITE = 255 };
enum { SLOT = EDGE + 4 };       /* along an edge of the square in which a plant is */
enum { SPREAD = 8, NOISE = 8 }; /* of the examples' pixels, of the plants' */
static const long VIGILANCE = 85L * WHITE * PIXELS / 100; /* a window of noise has about 70 % */

/* Of one thread. */
struct net {
  int categories;
  long size[OBJECTS]; /* sums of the weights */
  uint8_t weight[OBJECTS][INPUTS];
  long score[OBJECTS]; /* of the window at hand */
  bool reset[OBJECTS];
};

static struct net net;
#pragma omp threadprivate(net)

struct image {
  long edge, across; /* across: windows along the edge */
  uint8_t *at;
};

struct match {
  long score, place; /* place: number of the window */
};

struct found {
  struct match best[OBJECTS];
  long chosen[OBJECTS]; /* windows whose largest choice value is the object's */
  long resonant, resets;
};

/* What is known of an object without the network: the box of what was learnt. */
struct object {
  uint8_t low[PIXELS], high[PIXELS];
  long size;
  long place[PLANTS], distance[PLANTS];
  bool removed[PLANTS];
};

struct scene {
  struct image image;
  struct object object[OBJECTS];
};

/* ---- the network ---- */

static void input_of(const uint8_t *pixel, long line, uint8_t input[INPUTS]) {
  for (long row = 0; row < EDGE; row++) {
    for (long column = 0; column < EDGE; column++) {
      uint8_t here = pixel[row * line + column];
      input[row * EDGE + column] = here;
      input[PIXELS + row * EDGE + column] = (uint8_t)(WHITE - here);
    }
  }
}

static long net_score(const uint8_t input[INPUTS], const uint8_t weight[INPUTS]) {
  int sum = 0;
  for (int i = 0; i < INPUTS; i++) {
    sum += input[i] < weight[i] ? input[i] : weight[i];
  }
  return sum;
}

/* Whether a choice value is larger than another one; the same for a network and for boxes. */
static bool choice_larger(long score, long size, long other_score, long other_size) {
  return score * (1 + other_size) > other_score * (1 + size);
}

/* The category, of those not reset, with the largest choice value; -1 if all are. */
static int net_choice(const struct net *n) {
  int best = -1;
  for (int j = 0; j < n->categories; j++) {
    if (!n->reset[j] &&
        (best < 0 || choice_larger(n->score[j], n->size[j], n->score[best], n->size[best]))) {
      best = j;
    }
  }
  return best;
}

/* The category that resonates with the input, or -1. *first: the one with the largest choice
 * value; *resets: how many were reset. */
static int net_search(struct net *n, const uint8_t input[INPUTS], int *first, long *resets) {
  for (int j = 0; j < n->categories; j++) {
    n->score[j] = net_score(input, n->weight[j]);
    n->reset[j] = false;
  }
  int j = *first = net_choice(n);
  while (j >= 0 && n->score[j] < VIGILANCE) {
    n->reset[j] = true;
    ++*resets;
    j = net_choice(n);
  }
  return j;
}

static void net_learn(struct net *n, int j, const uint8_t input[INPUTS]) {
  n->size[j] = 0;
  for (int i = 0; i < INPUTS; i++) {
    n->weight[j][i] = input[i] < n->weight[j][i] ? input[i] : n->weight[j][i];
    n->size[j] += n->weight[j][i];
  }
}

/* An example of the training: a category that resonates learns it, else a new one. */
static bool net_train(struct net *n, const uint8_t *pixel) {
  uint8_t input[INPUTS];
  long resets = 0;
  int first;
  input_of(pixel, EDGE, input);
  int j = net_search(n, input, &first, &resets);
  if (j < 0) {
    if (n->categories == OBJECTS) {
      return false;
    }
    j = n->categories++;
    memset(n->weight[j], WHITE, INPUTS);
  }
  net_learn(n, j, input);
  return true;
}

/* ---- the scan ---- */

static const uint8_t *window_at(const struct image *m, long place) {
  return m->at + place / m->across * m->edge + place % m->across;
}

/* What a window adds to the result. Of equal scores the first place is the best one, so that the
 * order of the windows has no effect. */
static void window_offer(struct found *f, int first, struct match candidate) {
  struct match *best = &f->best[first];
#pragma omp critical(match_found)
  {
    f->chosen[first]++;
    if (candidate.score > best->score ||
        (candidate.score == best->score && candidate.place < best->place)) {
      *best = candidate;
    }
  }
}

static void scan(const struct image *m, struct found *f) {
  long resonant = 0, resets = 0;
  for (int j = 0; j < OBJECTS; j++) {
    f->best[j] = (struct match){0, LONG_MAX};
    f->chosen[j] = 0;
  }
#pragma omp parallel copyin(net) reduction(+ : resonant, resets)
  {
#pragma omp for schedule(dynamic, 16)
    for (long place = 0; place < m->across * m->across; place++) {
      uint8_t input[INPUTS];
      int first;
      input_of(window_at(m, place), m->edge, input);
      resonant += net_search(&net, input, &first, &resets) >= 0;
      window_offer(f, first, (struct match){net.score[first], place});
    }
  }
  f->resonant = resonant;
  f->resets = resets;
}

/* ---- the image and its objects, without the network ---- */

/* Streams of numbers that depend on the hunt and on what they are for. */
static uint64_t draw(long hunt, int what, long number) {
  return kern_hash(kern_hash((uint64_t)hunt * 16 + (uint64_t)what) + (uint64_t)number);
}

enum { DRAW_GROUND, DRAW_MODEL, DRAW_EXAMPLE, DRAW_SLOT, DRAW_OFFSET, DRAW_PLANT, DRAW_NOISE };

static void example_make(long hunt, int j, int number, uint8_t pixel[PIXELS]) {
  for (long i = 0; i < PIXELS; i++) {
    long at = j * PIXELS + i, most = WHITE - 2 * (SPREAD + NOISE);
    long middle = SPREAD + NOISE + (long)(draw(hunt, DRAW_MODEL, at) % (uint64_t)most);
    uint64_t moved = draw(hunt, DRAW_EXAMPLE, at * EXAMPLES + number) % (2 * SPREAD + 1);
    pixel[i] = (uint8_t)(middle - SPREAD + (long)moved);
  }
}

static void object_learn(struct object *o, const uint8_t *pixel, long line) {
  o->size = (long)WHITE * PIXELS;
  for (long i = 0; i < PIXELS; i++) {
    uint8_t here = pixel[i / EDGE * line + i % EDGE];
    o->low[i] = here < o->low[i] ? here : o->low[i];
    o->high[i] = here > o->high[i] ? here : o->high[i];
    o->size -= o->high[i] - o->low[i];
  }
}

/* Plants an object at a place: within the box, but for some pixels of every third. */
static void object_plant(struct scene *s, long hunt, int j, int plant, long place) {
  struct object *o = &s->object[j];
  const struct image *m = &s->image;
  o->place[plant] = place;
  o->removed[plant] = false;
  o->distance[plant] = 0;
  for (long i = 0; i < PIXELS; i++) {
    long at = (j * PLANTS + plant) * PIXELS + i, width = o->high[i] - o->low[i] + 1;
    long here = o->low[i] + (long)(draw(hunt, DRAW_PLANT, at) % (uint64_t)width);
    uint64_t noise = draw(hunt, DRAW_NOISE, at);
    if (i % PLANTS == plant && noise % 4 == 0) {
      long away = 1 + (long)((noise >> 8) % NOISE);
      here = (noise >> 16) % 2 ? o->high[i] + away : o->low[i] - away;
      o->distance[plant] += away;
    }
    m->at[(place / m->across + i / EDGE) * m->edge + place % m->across + i % EDGE] = (uint8_t)here;
  }
}

/* Each plant in a slot of its own, anywhere within it. */
static void scene_plant(struct scene *s, long hunt) {
  long slots = s->image.edge / SLOT, count = slots * slots;
  long *slot = kern_alloc((size_t)count, sizeof *slot);
  for (long i = 0; i < count; i++) {
    long other = (long)(draw(hunt, DRAW_SLOT, i) % (uint64_t)(i + 1));
    slot[i] = slot[other]; /* Fisher and Yates */
    slot[other] = i;
  }
  for (int i = 0; i < OBJECTS * PLANTS; i++) {
    uint64_t offset = draw(hunt, DRAW_OFFSET, i);
    long row = slot[i] / slots * SLOT + (long)(offset % (SLOT - EDGE + 1));
    long column = slot[i] % slots * SLOT + (long)((offset >> 8) % (SLOT - EDGE + 1));
    object_plant(s, hunt, i / PLANTS, i % PLANTS, row * s->image.across + column);
  }
  free(slot);
}

/* Image, objects and the master's network of one hunt. */
static bool scene_make(struct scene *s, long hunt) {
  const struct image *m = &s->image;
  bool ok = true;
  memset(&net, 0, sizeof net);
  for (long i = 0; i < m->edge * m->edge; i++) {
    m->at[i] = (uint8_t)draw(hunt, DRAW_GROUND, i);
  }
  for (int j = 0; j < OBJECTS; j++) {
    memset(s->object[j].low, WHITE, PIXELS);
    memset(s->object[j].high, 0, PIXELS);
  }
  for (int i = 0; i < EXAMPLES * OBJECTS; i++) {
    uint8_t pixel[PIXELS];
    example_make(hunt, i % OBJECTS, i / OBJECTS, pixel);
    object_learn(&s->object[i % OBJECTS], pixel, EDGE);
    ok &= kern_check(net_train(&net, pixel), "training needs more than %d categories", OBJECTS);
  }
  for (int j = 0; j < OBJECTS; j++) {
    ok &= kern_check(net.size[j] == s->object[j].size, "object %d: size %ld, expected %ld", j,
                     net.size[j], s->object[j].size);
  }
  scene_plant(s, hunt);
  return ok;
}

/* Learns what a scan should have found, and removes it. */
static void scene_advance(struct scene *s, long hunt, const int best[OBJECTS]) {
  const struct image *m = &s->image;
  for (int j = 0; j < OBJECTS; j++) {
    struct object *o = &s->object[j];
    long place = o->place[best[j]];
    uint8_t input[INPUTS];
    input_of(window_at(m, place), m->edge, input);
    net_learn(&net, j, input);
    object_learn(o, window_at(m, place), m->edge);
    o->removed[best[j]] = true;
    for (long i = 0; i < PIXELS; i++) {
      long at = (place / m->across + i / EDGE) * m->edge + place % m->across + i % EDGE;
      m->at[at] = (uint8_t)draw(hunt, DRAW_GROUND, at);
    }
  }
}

/* ---- checks ---- */

/* The plant of the object that is nearest to its box; of equally near ones the first. */
static int object_best(const struct object *o) {
  int best = -1;
  for (int p = 0; p < PLANTS; p++) {
    if (!o->removed[p] && (best < 0 || o->distance[p] < o->distance[best] ||
                           (o->distance[p] == o->distance[best] && o->place[p] < o->place[best]))) {
      best = p;
    }
  }
  return best;
}

/* Size of the box less the distance to it. */
static long object_score(const struct object *o, const uint8_t *pixel, long line) {
  long score = o->size;
  for (long i = 0; i < PIXELS; i++) {
    long here = pixel[i / EDGE * line + i % EDGE];
    score -= here < o->low[i] ? o->low[i] - here : here > o->high[i] ? here - o->high[i] : 0;
  }
  return score;
}

/* All windows, by the objects' boxes. */
static bool scan_apart(const struct scene *s, const struct found *f) {
  long chosen[OBJECTS] = {0}, resonant = 0, resets = 0;
  for (long place = 0; place < s->image.across * s->image.across; place++) {
    long score[OBJECTS], refused = 0;
    int first = 0, accepted = -1;
    for (int j = 0; j < OBJECTS; j++) {
      const struct object *o = s->object;
      score[j] = object_score(&o[j], window_at(&s->image, place), s->image.edge);
      first = choice_larger(score[j], o[j].size, score[first], o[first].size) ? j : first;
      if (score[j] >= VIGILANCE &&
          (accepted < 0 || choice_larger(score[j], o[j].size, score[accepted], o[accepted].size))) {
        accepted = j;
      }
    }
    for (int j = 0; j < OBJECTS; j++) { /* those that are chosen before it */
      const struct object *o = s->object;
      refused +=
          accepted < 0 || choice_larger(score[j], o[j].size, score[accepted], o[accepted].size);
    }
    chosen[first]++;
    resonant += accepted >= 0;
    resets += refused;
  }
  return kern_check(memcmp(chosen, f->chosen, sizeof chosen) == 0 && resonant == f->resonant &&
                        resets == f->resets,
                    "%ld windows resonate after %ld resets, by boxes %ld after %ld", f->resonant,
                    f->resets, resonant, resets);
}

static bool verify(const struct scene *s, const struct found *f, int number,
                   const int best[OBJECTS]) {
  long windows = s->image.across * s->image.across, there = OBJECTS * (PLANTS - number);
  bool ok = kern_check(f->resonant == there, "scan %d: %ld windows resonate, %ld objects are there",
                       number, f->resonant, there);
  for (int j = 0; j < OBJECTS; j++) {
    windows -= f->chosen[j];
  }
  ok &= kern_check(windows == 0, "scan %d: %ld windows are missing", number, windows);
  for (int j = 0; j < OBJECTS; j++) {
    const struct object *o = &s->object[j];
    long score = o->size - o->distance[best[j]], place = o->place[best[j]];
    ok &= kern_check(f->best[j].score == score && f->best[j].place == place,
                     "scan %d, object %d: score %ld at %ld, planted %ld at %ld", number, j,
                     f->best[j].score, f->best[j].place, score, place);
  }
  return ok;
}

/* One word of all that a scan found. */
static uint64_t found_word(const struct found *f, uint64_t word) {
  for (int j = 0; j < OBJECTS; j++) {
    word = kern_hash(word + (uint64_t)f->best[j].score);
    word = kern_hash(word + (uint64_t)f->best[j].place);
    word = kern_hash(word + (uint64_t)f->chosen[j]);
  }
  return kern_hash(word + (uint64_t)f->resets);
}

/* All scans of one hunt; returns their time. */
static double run_hunt(struct scene *s, long hunt, bool all, bool *ok, uint64_t *word) {
  double elapsed = 0;
  *ok &= scene_make(s, hunt);
  for (int number = 0; number < PLANTS; number++) {
    struct found f;
    int best[OBJECTS];
    for (int j = 0; j < OBJECTS; j++) {
      best[j] = object_best(&s->object[j]);
    }
    double start = kern_now();
    scan(&s->image, &f);
    elapsed += kern_now() - start;
    *ok &= verify(s, &f, number, best);
    *ok &= !all || scan_apart(s, &f);
    *word = found_word(&f, *word);
    scene_advance(s, hunt, best);
  }
  return elapsed;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "match",
      .what = "adaptive resonance, objects in an image",
      .size_means = "pixels along an edge of the image, 100 to 10000",
      .iters_means = "hunts of three scans",
      .full = {512, 4},
      .brief = {100, 1},
  };
  kern_parse(&k, NULL, argc, argv);
  kern_require(&k, k.size >= 5 * SLOT && k.size <= 10000, "the size is 100 to 10000");
  static struct scene s; /* static: what is still there at the end is no leak */
  s.image = (struct image){k.size, k.size - EDGE + 1, NULL};
  s.image.at = kern_alloc((size_t)(k.size * k.size), 1);

  kern_threads();
  bool ok = true;
  double best = INFINITY;
  uint64_t word = 0;
  for (long rep = 0; rep < k.reps; rep++) {
    double elapsed = 0;
    word = 0;
    for (long hunt = 0; hunt < k.iters; hunt++) {
      elapsed += run_hunt(&s, hunt, k.small, &ok, &word);
    }
    best = fmin(best, elapsed);
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ldx%ld", k.size, k.size, k.iters);
  return kern_report("match", size, best, ok, "%016llx", (unsigned long long)word);
}
