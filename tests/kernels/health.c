/* health.c - patients in a hierarchy of hospitals: the same tree of tasks in each step, over lists
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Model       a tree of villages with CHILDREN each, --size levels. People fall ill with a chance;
 *             their village's hospital examines whom it has staff for and then treats them or,
 *             with a chance, refers them to the hospital above. Who is cured goes home at once,
 *             also from far above.
 * Tasks       in each step one for each village below a village; a taskwait, then the village's
 *             own step. So a village may write to all that lie under it, as they are done.
 * Cut-off     villages with up to N levels under and with them are serial.
 * Random      each village draws from a generator of its own: the outcome depends on no order but
 *             that of a village after its children.
 * Check       each list of each village, person by person, against a simulation that goes through
 *             the villages from the last to the first; nobody is lost, no staff is lost.
 */
#include "kernel.h"

enum {
  CHILDREN = 4,
  PEOPLE = 40,
  STAFF = 2,
  MAX_LEVELS = 12
}; /* of a village; staff times level */
enum { EXAMINE_STEPS = 3, TREAT_STEPS = 10 };
static const double ILL = 0.005,
                    REFERRED = 0.2; /* chances, of a healthy and of an examined person */

struct village;

struct person {
  struct person *next;
  struct village *home;
  long steps_left; /* of the examination or treatment */
  long visits;     /* examinations so far */
};

struct list {
  struct person *first;
  struct person **end; /* where the next one will be linked */
};

enum { AT_HOME, WAITING, EXAMINED, TREATED, GOING_UP, LISTS };

struct village {
  struct village *child; /* the first of CHILDREN that follow each other; NULL: none */
  long level;            /* 1: without children */
  long free_staff;
  bool top; /* has nowhere to refer to */
  uint64_t random;
  struct list list[LISTS];
};

struct country {
  long villages;
  struct village *village; /* level by level, the top first */
  struct person *person;   /* PEOPLE for each village */
};

static void list_clear(struct list *l) {
  l->first = NULL;
  l->end = &l->first;
}

static void list_add(struct list *l, struct person *p) {
  p->next = NULL;
  *l->end = p;
  l->end = &p->next;
}

/* Empties the list; returns its first person, to whom the others are linked. */
static struct person *list_take(struct list *l) {
  struct person *first = l->first;
  list_clear(l);
  return first;
}

static bool chance(struct village *v, double of) {
  v->random = kern_lcg_next(v->random);
  return kern_lcg_real(v->random) < of;
}

/* ---- a village's step ---- */

static void accept_referred(struct village *v) {
  for (long c = 0; v->child && c < CHILDREN; c++) {
    struct person *next, *p = list_take(&v->child[c].list[GOING_UP]);
    for (; p; p = next) {
      next = p->next;
      list_add(&v->list[WAITING], p);
    }
  }
}

/* One step for all who are treated; who is cured goes home. */
static void treat(struct village *v) {
  struct person *next, *p = list_take(&v->list[TREATED]);
  for (; p; p = next) {
    next = p->next;
    if (--p->steps_left > 0) {
      list_add(&v->list[TREATED], p);
    } else {
      v->free_staff++;
      list_add(&p->home->list[AT_HOME], p);
    }
  }
}

static void examine(struct village *v) {
  struct person *next, *p = list_take(&v->list[EXAMINED]);
  for (; p; p = next) {
    next = p->next;
    if (--p->steps_left > 0) {
      list_add(&v->list[EXAMINED], p);
    } else if (!v->top && chance(v, REFERRED)) {
      v->free_staff++;
      list_add(&v->list[GOING_UP], p);
    } else {
      p->steps_left = TREAT_STEPS;
      list_add(&v->list[TREATED], p);
    }
  }
}

static void call_in(struct village *v) {
  struct person *next, *p = list_take(&v->list[WAITING]);
  for (; p; p = next) {
    next = p->next;
    if (v->free_staff == 0) {
      list_add(&v->list[WAITING], p);
    } else {
      v->free_staff--;
      p->steps_left = EXAMINE_STEPS;
      p->visits++;
      list_add(&v->list[EXAMINED], p);
    }
  }
}

static void fall_ill(struct village *v) {
  struct person *next, *p = list_take(&v->list[AT_HOME]);
  for (; p; p = next) {
    next = p->next;
    list_add(&v->list[chance(v, ILL) ? WAITING : AT_HOME], p);
  }
}

static void village_step(struct village *v) {
  accept_referred(v);
  treat(v);
  examine(v);
  call_in(v);
  fall_ill(v);
}

/* ---- a step of a village and all under it ---- */

static void step_serial(struct village *v) {
  for (long c = 0; v->child && c < CHILDREN; c++) {
    step_serial(&v->child[c]);
  }
  village_step(v);
}

static void step_tasks(struct village *v, long cutoff) {
  if (v->level <= cutoff) {
    step_serial(v);
    return;
  }
  for (long c = 0; v->child && c < CHILDREN; c++) {
#pragma omp task
    step_tasks(&v->child[c], cutoff);
  }
#pragma omp taskwait
  village_step(v);
}

/* ---- the rest is serial ---- */

static struct country country_new(long levels) {
  struct country all = {0};
  for (long level = 0, width = 1; level < levels; level++, width *= CHILDREN) {
    all.villages += width;
  }
  all.village = kern_alloc((size_t)all.villages, sizeof *all.village);
  all.person = kern_alloc((size_t)(all.villages * PEOPLE), sizeof *all.person);
  return all;
}

static void country_start(struct country *all, long levels) {
  long level = levels, left = 1, width = 1; /* villages left of this level, of `width` */
  for (long i = 0; i < all->villages; i++) {
    struct village *v = &all->village[i];
    *v = (struct village){.child = level > 1 ? &all->village[i * CHILDREN + 1] : NULL,
                          .level = level,
                          .free_staff = level * STAFF,
                          .top = i == 0,
                          .random = (kern_hash((uint64_t)i) & KERN_LCG_MASK) | 1};
    for (int l = 0; l < LISTS; l++) {
      list_clear(&v->list[l]);
    }
    for (long p = i * PEOPLE; p < (i + 1) * PEOPLE; p++) {
      all->person[p] = (struct person){.home = v};
      list_add(&v->list[AT_HOME], &all->person[p]);
    }
    if (--left == 0) {
      level--;
      left = width *= CHILDREN;
    }
  }
}

/* A number for all that is in a list and its order. */
static uint64_t list_digest(const struct country *all, const struct list *l) {
  uint64_t sum = 0;
  for (const struct person *p = l->first; p; p = p->next) {
    sum = kern_hash(sum + (uint64_t)(p - all->person));
    sum = kern_hash(sum + (uint64_t)p->steps_left) + (uint64_t)p->visits;
  }
  return sum;
}

static long list_length(const struct list *l) {
  long length = 0;
  for (const struct person *p = l->first; p; p = p->next) {
    length++;
  }
  return length;
}

static bool verify(const struct country *all, const struct country *expected, uint64_t *value) {
  long people = 0, staff = 0, wrong = 0;
  *value = 0;
  for (long i = 0; i < all->villages; i++) {
    const struct village *v = &all->village[i], *e = &expected->village[i];
    wrong += v->random != e->random || v->free_staff != e->free_staff;
    staff += v->free_staff + list_length(&v->list[EXAMINED]) + list_length(&v->list[TREATED]) !=
             v->level * STAFF;
    for (int l = 0; l < LISTS; l++) {
      uint64_t digest = list_digest(all, &v->list[l]);
      people += list_length(&v->list[l]);
      wrong += digest != list_digest(expected, &e->list[l]);
      *value = kern_hash(*value + digest);
    }
  }
  bool ok = kern_check(people == all->villages * PEOPLE, "%ld people of %ld", people,
                       all->villages * PEOPLE);
  ok &= kern_check(staff == 0, "%ld hospitals with lost staff", staff);
  return ok & kern_check(wrong == 0, "%ld lists or villages differ from the serial ones", wrong);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "health",
      .what = "patients in a hierarchy of hospitals, a task a village and step",
      .size_means = "levels of villages, 1 to 12",
      .iters_means = "steps",
      .full = {7, 3000},
      .brief = {5, 50},
  };
  long cutoff = 0;
  bool serial = false;
  const struct kern_option extra[] = {
      {"cutoff", "N: the lowest N levels are serial; 0: a task each village (0)", &cutoff, NULL},
      KERN_SERIAL(&serial),
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.size <= MAX_LEVELS && k.iters >= 1, "1 to 12 levels");

  struct country all = country_new(k.size), expected = country_new(k.size);
  country_start(&expected, k.size);
  for (long step = 0; step < k.iters; step++) {
    for (long i = expected.villages; i-- > 0;) {
      village_step(&expected.village[i]);
    }
  }
  kern_warm(serial);
  bool ok = true;
  double best = INFINITY;
  uint64_t value = 0;
  for (long rep = 0; rep < k.reps; rep++) {
    country_start(&all, k.size);
    double start = kern_now();
    if (serial) {
      for (long step = 0; step < k.iters; step++) {
        step_serial(all.village);
      }
    } else {
#pragma omp parallel
#pragma omp single
      for (long step = 0; step < k.iters; step++) {
        step_tasks(all.village, cutoff);
      }
    }
    best = fmin(best, kern_now() - start);
    ok &= verify(&all, &expected, &value);
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld/%ld", k.size, k.iters, cutoff);
  return kern_report(serial ? "health-serial" : "health", size, best, ok, "%016lx", value);
}
