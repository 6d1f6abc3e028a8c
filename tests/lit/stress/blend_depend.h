/* blend_depend.h - jobs of blend.c whose children are tasks with dependences */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef BLEND_DEPEND_H
#define BLEND_DEPEND_H

#include "blend.h"

enum { OBJECTS = 3, GCC_INOUT = 3, GCC_INOUTSET = 5 };

/* What tasks that depend on it see and count. */
struct object {
  int readers, writers, inners, version; /* inners: of an inoutset */
  /* as drawn, by the maker */
  int last, low, high; /* kind of the last access; versions at its begin and its end */
};

enum { IN, OUT, INOUT, MUTEX, SET, KINDS };

struct access {
  struct object *object;
  int kind, low, high;
};

/* The access of the task made next. */
static struct access access_of(struct object *o, int kind) {
  if (kind < MUTEX || kind != o->last)
    o->low = o->high;
  o->high += kind == IN ? 0 : 1;
  o->last = kind;
  return (struct access){o, kind, o->low, kind == IN ? o->low : -1};
}

static void enter(struct access a) {
  struct object *o = a.object;
  int others;
  CHECK_THAT(now(&o->version) >= a.low);
  if (a.kind == IN) {
    __atomic_fetch_add(&o->readers, 1, __ATOMIC_SEQ_CST);
    CHECK_SUM(now(&o->version), a.low);
    others = now(&o->writers) + now(&o->inners);
  } else if (a.kind == SET) {
    __atomic_fetch_add(&o->inners, 1, __ATOMIC_SEQ_CST);
    others = now(&o->writers) + now(&o->readers);
  } else {
    if (a.kind != MUTEX)
      CHECK_SUM(now(&o->version), a.low);
    others =
        __atomic_fetch_add(&o->writers, 1, __ATOMIC_SEQ_CST) + now(&o->readers) + now(&o->inners);
  }
  CHECK_SUM(others, 0);
}

static void leave(struct access a) {
  struct object *o = a.object;
  int *count = a.kind == IN ? &o->readers : a.kind == SET ? &o->inners : &o->writers;
  if (a.kind != IN)
    __atomic_fetch_add(&o->version, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_sub(count, 1, __ATOMIC_SEQ_CST);
}

static void between(struct access a, struct access b, struct job c) {
  enter(a);
  enter(b);
  body(c);
  leave(b);
  leave(a);
}

/* As later compilers pass them; address NULL: omp_all_memory. */
static omp_depend_t object_of(void *address, uintptr_t kind) {
  void *words[2] = {address, (void *)kind};
  omp_depend_t object;
  memcpy(&object, words, sizeof object);
  return object;
}

static void one_access(struct object *o, int at, int kind, struct job c, bool deferred) {
  struct object *other = &o[(at + 1) % OBJECTS];
  struct access a = access_of(&o[at], kind), b = access_of(other, IN);
  __attribute__((unused)) omp_depend_t any;
  switch (kind) {
  case IN:
#pragma omp task depend(in : o[at], other[0]) firstprivate(a, b, c) if (deferred)
    between(a, b, c);
    break;
  case OUT:
#pragma omp task depend(out : o[at]) depend(in : other[0]) firstprivate(a, b, c) untied
    between(a, b, c);
    break;
  case MUTEX:
#pragma omp task depend(mutexinoutset : o[at]) depend(in : other[0]) firstprivate(a, b, c)
    between(a, b, c);
    break;
  case SET: any = object_of(&o[at], GCC_INOUTSET);
#pragma omp task depend(depobj : any) depend(in : other[0]) priority(urgent(2))
    between(a, b, c);
    break;
  default: {
#pragma omp depobj(any) depend(inout : o[at])
#pragma omp task depend(depobj : any) depend(in : other[0]) firstprivate(a, b, c) if (deferred)
    between(a, b, c);
#pragma omp depobj(any) destroy
  }
  }
}

/* A task on omp_all_memory: after all before it. */
static void all_accesses(struct object *o, struct job c) {
  __attribute__((unused)) omp_depend_t all = object_of(NULL, GCC_INOUT);
  struct access a[OBJECTS];
  for (int i = 0; i < OBJECTS; i++)
    a[i] = access_of(&o[i], INOUT);
#pragma omp task depend(depobj : all) firstprivate(a, c)
  {
    for (int i = 0; i < OBJECTS; i++)
      enter(a[i]);
    body(c);
    for (int i = 0; i < OBJECTS; i++)
      leave(a[i]);
  }
}

static void graph(struct job j, uint32_t many, uint32_t draw) {
  struct object o[OBJECTS] = {0};
  uint64_t draws = draw;
  uint32_t tasks = many + draw % 5; /* those without a child of the job have one that adds 0 */
  add(j.team, (long)many - (long)tasks);
  for (uint32_t k = 0; k < tasks; k++) {
    struct job c = child(j, k);
    int at = (int)(check_random(&draws) % OBJECTS);
    int kind = (int)(check_random(&draws) % (own ? KINDS : SET));
    c.depth = k < many ? c.depth : 0;
    if (own && check_random(&draws) % 8 == 0)
      all_accesses(o, c);
    else
      one_access(o, at, kind, c, check_random(&draws) % 4 != 0);
    if (check_random(&draws) % 6 == 0) {
#pragma omp taskwait depend(inout : o[0])
      CHECK_SUM(now(&o[0].version), o[0].high);
      access_of(&o[0], INOUT);
      __atomic_fetch_add(&o[0].version, 1, __ATOMIC_SEQ_CST);
    }
  }
#pragma omp taskwait
  for (int i = 0; i < OBJECTS; i++)
    CHECK_SUM(o[i].version, o[i].high);
}

/* One after another, also undeferred ones. */
static void chain(struct job j, uint32_t many, uint32_t draw) {
  uint32_t at = 0;
#pragma omp taskgroup
  for (uint32_t k = 0; k < many; k++) {
    struct job c = child(j, k);
    if (draw >> k & 1) {
#pragma omp task depend(inout : at) shared(at) firstprivate(c, k) untied
      {
        CHECK_SUM(at, k);
        body(c);
        at++;
      }
    } else {
#pragma omp task depend(inout : at) shared(at) firstprivate(c, k) if (draw >> k & 4)
      {
        CHECK_SUM(at, k);
        body(c);
        at++;
      }
    }
  }
  CHECK_SUM(at, many);
}

#endif
