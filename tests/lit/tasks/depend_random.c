/* depend_random.c - random graphs of dependences against a serial oracle */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each task knows from the order of creation what must have finished before it starts and what must
// not have started when it ends, for each object it accesses; with nested graphs, undeferred
// tasks, waits for dependences and events that another pthread fulfils. Arguments: seeds, 1: with
// inoutset and omp_all_memory (libgomp 12 does not know them) and events (libgomp 12 starts
// successors of a detached task before its event is fulfilled).
// RUN: %omp_build %s -o %t && %omp_run %t 40 %own
// RUN: %omp_run --under 60 taskset -c 0 %t 10 %own
// RUN: env OMP_WAIT_POLICY=active %omp_run %t 5 %own
#include <pthread.h>

#include "check.h"

void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned,
               void **, int, void *);
void GOMP_taskwait_depend(void **);
enum { DEPEND = 8, DETACH = 0x2000 };

enum { OBJECTS = 12, ACCESSES = 5, TASKS = 300, DEPTH = 3 };
enum { OUT, MUTEX, IN, SET, KINDS };

/* Accesses to an object, in the order of creation, fall into groups; members of one may run
 * together (mutexinoutset: in any order). */
struct object {
  int kind, groups;   /* of the latest group; how many there are: the creator's */
  _Atomic(int) alone; /* mutexinoutset: inside */
  long value;         /* plain: out and mutexinoutset add to it, others read it */
  _Atomic(int) members[TASKS + 1], started[TASKS + 2], finished[TASKS + 1];
};

struct graph {
  struct object object[OBJECTS];
  uint64_t random;
  int objects, depth;
  bool sets;
};

struct access {
  struct object *object;
  int kind, group;
};

struct work {
  void *event; /* first: the runtime writes the handle here */
  struct graph *graph;
  int accesses;
  struct access access[OBJECTS];
  _Atomic(int) *parts; /* of a detached task: body, event */
  uint64_t random;
};

/* --- the pthread that fulfils events --- */

static struct late {
  omp_event_handle_t event;
  struct work work;
} late[1024];
static unsigned late_in, late_out;
static bool late_end;
static pthread_mutex_t late_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t late_some = PTHREAD_COND_INITIALIZER;

static void mark_finished(const struct work *w) {
  for (int i = 0; i < w->accesses; i++)
    w->access[i].object->finished[w->access[i].group]++;
}

static void part_ends(const struct work *w) {
  if (!w->parts) {
    mark_finished(w);
  } else if (--*w->parts == 0) {
    free((void *)w->parts);
    mark_finished(w);
  }
}

static void fulfil(struct late *l) {
  part_ends(&l->work);
  omp_fulfill_event(l->event);
}

static void *fulfiller(void *unused) {
  for (;;) {
    pthread_mutex_lock(&late_lock);
    while (late_in == late_out && !late_end)
      pthread_cond_wait(&late_some, &late_lock);
    bool none = late_in == late_out;
    struct late l = late[late_out % 1024];
    late_out += !none;
    pthread_mutex_unlock(&late_lock);
    if (none)
      return unused;
    fulfil(&l);
  }
}

static bool hand_over(const struct late *l) {
  pthread_mutex_lock(&late_lock);
  bool room = late_in - late_out < 1024;
  if (room)
    late[late_in++ % 1024] = *l;
  pthread_cond_signal(&late_some);
  pthread_mutex_unlock(&late_lock);
  return room;
}

/* --- tasks --- */

static void expect_before(const struct access *a) {
  if (a->group > 0)
    CHECK_EQ(a->object->finished[a->group - 1], a->object->members[a->group - 1]);
}

static void make_graph(uint64_t seed, int depth, bool sets, int tasks);

static void body(void *data) {
  struct work *w = data;
  uint64_t random = w->random;
  for (int i = 0; i < w->accesses; i++) {
    expect_before(&w->access[i]);
    w->access[i].object->started[w->access[i].group]++;
  }
  for (int i = 0; i < w->accesses; i++) {
    struct object *o = w->access[i].object;
    if (w->access[i].kind == MUTEX)
      CHECK_EQ(++o->alone, 1);
    if (w->access[i].kind == OUT || w->access[i].kind == MUTEX)
      o->value++;
    else
      CHECK(*(volatile long *)&o->value >= 0);
  }
  check_busy(check_random(&random) % 500);
  if (w->graph->depth < DEPTH && check_random(&random) % 40 == 0)
    make_graph(random, w->graph->depth + 1, w->graph->sets, 30);
  if (check_random(&random) % 64 == 0)
    check_sleep_ms(0);
  for (int i = 0; i < w->accesses; i++) {
    CHECK_EQ(w->access[i].object->started[w->access[i].group + 1], 0);
    if (w->access[i].kind == MUTEX)
      CHECK_EQ(--w->access[i].object->alone, 0);
  }
  if (w->parts) {
    struct late l = {(omp_event_handle_t)(uintptr_t)w->event, *w};
    if (check_random(&random) % 4 == 0 || !hand_over(&l))
      fulfil(&l);
  }
  part_ends(w);
}

/* Fills in the group of an access; note: the access is one of a task. */
static void join_group(struct access *a, bool note) {
  bool joins = a->object->groups > 0 && a->object->kind == a->kind && a->kind != OUT;
  a->group = a->object->groups - joins;
  if (note) {
    a->object->groups = a->group + 1;
    a->object->kind = a->kind;
    a->object->members[a->group]++;
  }
}

/* omp_all_memory: as if all objects were in an out clause. */
static void choose_all(struct graph *g, struct work *w, void **depend, bool note) {
  w->graph = g;
  w->accesses = g->objects;
  for (int i = 0; i < g->objects; i++) {
    w->access[i] = (struct access){&g->object[i], OUT, 0};
    join_group(&w->access[i], note);
  }
  memset(depend, 0, 6 * sizeof *depend); /* the sixth: the address */
  depend[1] = depend[2 + OUT] = (void *)(uintptr_t)1;
}

/* Chooses other objects and kinds, notes them; makes the array. */
static void choose(struct graph *g, struct work *w, void **depend, uintptr_t (*objects)[2],
                   bool note) {
  int kinds = g->sets ? KINDS : KINDS - 1;
  if (g->sets && check_random(&g->random) % 24 == 0) {
    choose_all(g, w, depend, note);
    return;
  }
  w->graph = g;
  w->accesses = 1 + (int)(check_random(&g->random) % ACCESSES);
  if (w->accesses > g->objects)
    w->accesses = g->objects;
  uint32_t from = check_random(&g->random), n[KINDS] = {0};
  for (int i = 0; i < w->accesses; i++) {
    struct access *a = &w->access[i];
    a->object = &g->object[(from + (uint32_t)i * 5) % (uint32_t)g->objects];
    for (int j = 0; j < i; j++) {
      if (w->access[j].object == a->object) {
        w->accesses = i;
        break;
      }
    }
    if (i >= w->accesses)
      break;
    a->kind = (int)(check_random(&g->random) % (uint32_t)kinds);
    join_group(a, note);
    n[a->kind]++;
  }
  depend[0] = 0;
  depend[1] = (void *)(uintptr_t)w->accesses;
  for (int k = OUT; k <= IN; k++)
    depend[2 + k] = (void *)(uintptr_t)n[k];
  int at = 5;
  for (int k = OUT; k < KINDS; k++) {
    for (int i = 0; i < w->accesses; i++) {
      if (w->access[i].kind != k)
        continue;
      objects[i][0] = (uintptr_t)w->access[i].object;
      objects[i][1] = 5;
      depend[at++] = k == SET ? (void *)objects[i] : (void *)w->access[i].object;
    }
  }
}

static void make_task(struct graph *g, bool undeferred, bool detached) {
  struct work w = {0};
  void *depend[5 + ACCESSES], *event = 0;
  uintptr_t objects[ACCESSES][2];
  choose(g, &w, depend, objects, true);
  w.random = check_random(&g->random);
  if (detached) {
    w.parts = malloc(sizeof *w.parts);
    *w.parts = 2;
  }
  GOMP_task(body, &w, 0, sizeof w, _Alignof(struct work), !undeferred,
            DEPEND | (detached ? DETACH : 0), depend, 0, &event);
  if (undeferred) {
    for (int i = 0; i < w.accesses; i++)
      CHECK(w.access[i].object->finished[w.access[i].group] > 0);
  }
}

static void wait_for_some(struct graph *g) {
  struct work w;
  void *depend[5 + ACCESSES];
  uintptr_t objects[ACCESSES][2];
  choose(g, &w, depend, objects, false);
  GOMP_taskwait_depend(depend);
  for (int i = 0; i < w.accesses; i++)
    expect_before(&w.access[i]);
}

static void make_graph(uint64_t seed, int depth, bool sets, int tasks) {
  struct graph *g = calloc(1, sizeof *g);
  g->random = seed;
  g->depth = depth;
  g->sets = sets;
  g->objects = 1 + (int)(check_random(&g->random) % OBJECTS);
  for (int i = 0; i < tasks; i++) {
    uint32_t what = check_random(&g->random) % 100;
    if (what < 3)
      wait_for_some(g);
    else
      make_task(g, what < 6, g->sets && what >= 90);
    if (what == 99) {
#pragma omp taskwait
    }
  }
#pragma omp taskwait
  for (int i = 0; i < g->objects; i++) {
    struct object *o = &g->object[i];
    for (int j = 0; j < o->groups; j++) {
      CHECK_EQ(o->finished[j], o->members[j]);
      CHECK_EQ(o->started[j], o->members[j]);
    }
  }
  free(g);
}

int main(int argc, char **argv) {
  int seeds = argc > 1 ? atoi(argv[1]) : 10;
  bool sets = argc > 2 && atoi(argv[2]);
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, 0, fulfiller, 0), 0);
  for (int seed = 0; seed < seeds; seed++) {
#pragma omp parallel
    {
#pragma omp single nowait
      make_graph((uint64_t)seed, 0, sets, TASKS);
#pragma omp masked
#pragma omp task
      make_graph((uint64_t)seed + 1000000, 0, sets, TASKS / 2);
    }
  }
  pthread_mutex_lock(&late_lock);
  late_end = true;
  pthread_cond_signal(&late_some);
  pthread_mutex_unlock(&late_lock);
  pthread_join(thread, 0);
  return 0;
}
