/* place_parse.c - the grammars of OMP_PLACES and GOMP_CPU_AFFINITY
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Grammar     places := name [ '(' count ')' ] | item { ',' item }
 *             item   := '!' place | place [ ':' length [ ':' stride ] ]
 *             place  := '{' res { ',' res } '}' | number
 *             res    := '!' number | number [ ':' length [ ':' stride ] ]
 */
#include "runtime/place/places/place_parse.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/env.h"
#include "runtime/mem/heap.h"

#define LENGTH_END 65536u /* lengths of places and numbers of GOMP_CPU_AFFINITY are below this */

struct parser {
  const char *at;
  struct nth_place_result *result;
  struct nth_places *list;
  uint32_t capacity;
};

static bool fail(struct parser *p, enum nth_place_fault fault) {
  p->result->fault = fault;
  return false;
}

/* --- the list under construction --- */

/* Room for one more place; its words are zero. */
static uint64_t *append(struct parser *p) {
  struct nth_places *list = p->list;
  if (list->count >= NTH_MAX_PLACES) {
    fail(p, NTH_PLACE_TOO_MANY);
    return 0;
  }
  if (list->count == p->capacity) {
    uint32_t capacity = p->capacity * 2;
    size_t set = list->words * sizeof list->bits[0];
    list = nth_heap_take(sizeof *list + capacity * set);
    if (!list) {
      fail(p, NTH_PLACE_NO_MEMORY);
      return 0;
    }
    memcpy(list, p->list, sizeof *list + p->capacity * set);
    nth_heap_free(p->list);
    p->list = list;
    p->capacity = capacity;
  }
  uint64_t *set = list->bits + (size_t)list->count++ * list->words;
  memset(set, 0, list->words * sizeof *set);
  return set;
}

static bool open_list(struct parser *p, uint32_t words) {
  p->capacity = 16;
  p->list = nth_heap_take(sizeof *p->list + (size_t)p->capacity * words * sizeof p->list->bits[0]);
  if (!p->list)
    return fail(p, NTH_PLACE_NO_MEMORY);
  p->list->count = 0;
  p->list->words = words;
  return true;
}

static void remove_at(struct nth_places *list, uint32_t i) {
  uint64_t *set = list->bits + (size_t)i * list->words;
  memmove(set, set + list->words, (size_t)(list->count - 1 - i) * list->words * sizeof *set);
  list->count--;
}

/* Removes the last place from the list, and the first place that is equal to it. */
static bool remove_equal(struct parser *p) {
  struct nth_places *list = p->list;
  uint32_t last = --list->count;
  for (uint32_t i = 0; i < last; i++)
    if (!memcmp(nth_places_set(list, i), nth_places_set(list, last), list->words * 8)) {
      remove_at(list, i);
      return true;
    }
  return fail(p, NTH_PLACE_NO_SUCH_PLACE);
}

/* --- a place --- */

/* Adds count CPUs to a place, from first on. */
static bool add_cpus(struct parser *p, uint64_t *set, uint64_t first, uint64_t count,
                     int64_t stride) {
  uint64_t limit = (uint64_t)p->list->words * 64, cpu = first;
  if (stride == 0)
    count = 1;
  for (uint64_t i = 0; i < count; i++, cpu += (uint64_t)stride) {
    p->result->cpu = cpu;
    if (cpu >= limit && i > 0 && stride < 0) {
      p->result->cpu = cpu - (uint64_t)stride;
      p->result->stride = stride;
      return fail(p, NTH_PLACE_SHIFT_OUT_OF_RANGE);
    }
    if (cpu >= limit)
      return fail(p, NTH_PLACE_OUT_OF_RANGE);
    nth_cpus_add(set, cpu);
  }
  return true;
}

static bool remove_cpu(struct parser *p, uint64_t *set, uint64_t cpu) {
  p->result->cpu = cpu;
  if (!nth_cpus_has(set, p->list->words, cpu))
    return fail(p, NTH_PLACE_NOT_IN_SET);
  set[cpu / 64] &= ~(UINT64_C(1) << (cpu % 64));
  return true;
}

/* [ ':' length [ ':' stride ] ] */
static bool parse_span(struct parser *p, uint64_t max, uint64_t *length, int64_t *stride) {
  *length = 1;
  *stride = 1;
  if (!nth_env_char(&p->at, ':'))
    return true;
  if (!nth_env_unsigned(&p->at, length, max) || *length == 0)
    return fail(p, NTH_PLACE_SYNTAX);
  if (nth_env_char(&p->at, ':') && !nth_env_signed(&p->at, stride))
    return fail(p, NTH_PLACE_SYNTAX);
  return true;
}

/* What a pass over the numbers of a place does. */
enum pass { ADD, REMOVE };

static bool parse_res(struct parser *p, uint64_t *set, enum pass pass, bool *excludes) {
  bool removes = nth_env_char(&p->at, '!');
  uint64_t cpu, length;
  int64_t stride;
  if (!nth_env_unsigned(&p->at, &cpu, UINT64_MAX))
    return fail(p, NTH_PLACE_SYNTAX);
  *excludes |= removes;
  if (removes)
    return pass == ADD || remove_cpu(p, set, cpu);
  return parse_span(p, UINT64_MAX, &length, &stride) &&
         (pass == REMOVE || add_cpus(p, set, cpu, length, stride));
}

/* res { ',' res } */
static bool parse_resources(struct parser *p, uint64_t *set, enum pass pass, bool *excludes) {
  do
    if (!parse_res(p, set, pass, excludes))
      return false;
  while (nth_env_char(&p->at, ','));
  return true;
}

static bool parse_place(struct parser *p, uint64_t *set) {
  if (!nth_env_char(&p->at, '{')) {
    uint64_t cpu;
    if (!nth_env_unsigned(&p->at, &cpu, UINT64_MAX))
      return fail(p, NTH_PLACE_SYNTAX);
    return add_cpus(p, set, cpu, 1, 1);
  }
  /* excluded CPUs are removed last, wherever they stand */
  const char *start = p->at;
  bool excludes = false, good = parse_resources(p, set, ADD, &excludes);
  if (good && excludes) {
    p->at = start;
    good = parse_resources(p, set, REMOVE, &excludes);
  }
  return good && (nth_env_char(&p->at, '}') || fail(p, NTH_PLACE_SYNTAX));
}

/* --- the list --- */

/* Adds from's CPUs to `to`, each moved by stride. */
static bool shift(struct parser *p, uint64_t *to, const uint64_t *from, int64_t stride) {
  uint32_t words = p->list->words;
  uint64_t limit = (uint64_t)words * 64;
  for (uint64_t cpu = nth_cpus_next(from, words, 0); cpu < limit;
       cpu = nth_cpus_next(from, words, cpu + 1)) {
    uint64_t moved = cpu + (uint64_t)stride;
    if (moved >= limit) {
      p->result->cpu = cpu;
      p->result->stride = stride;
      return fail(p, NTH_PLACE_SHIFT_OUT_OF_RANGE);
    }
    nth_cpus_add(to, moved);
  }
  return true;
}

static bool parse_item(struct parser *p) {
  bool removes = nth_env_char(&p->at, '!');
  uint64_t *set = append(p);
  if (!set || !parse_place(p, set))
    return false;
  if (removes)
    return *p->at == ':' ? fail(p, NTH_PLACE_SYNTAX) : remove_equal(p);
  uint64_t length;
  int64_t stride;
  if (!parse_span(p, LENGTH_END - 1, &length, &stride))
    return false;
  for (uint64_t i = 1; i < length; i++) {
    set = append(p);
    if (!set || !shift(p, set, set - p->list->words, stride))
      return false;
  }
  return true;
}

/* Keeps the usable CPUs of each place, and drops the places that have none. */
static bool keep_usable(struct parser *p, const struct nth_cpuset *usable) {
  struct nth_places *list = p->list;
  uint32_t kept = 0;
  p->result->written = list->count;
  if (list->count == 0)
    return fail(p, NTH_PLACE_ALL_REMOVED);
  for (uint32_t i = 0; i < list->count; i++) {
    uint64_t any = 0, *to = list->bits + (size_t)kept * list->words;
    const uint64_t *from = nth_places_set(list, i);
    for (uint32_t w = 0; w < list->words; w++)
      any |= to[w] = from[w] & usable->word[w];
    kept += any != 0;
  }
  list->count = kept;
  return kept > 0 || fail(p, NTH_PLACE_NONE_USABLE);
}

static void finish(struct parser *p, bool good) {
  struct nth_place_result *r = p->result;
  r->kind = good ? NTH_PLACES_LIST : NTH_PLACES_NONE;
  r->places = good ? p->list : 0;
  if (!good)
    nth_heap_free(p->list);
}

/* name [ '(' count ')' ]; false: the text does not begin with a name. */
static bool parse_name(struct nth_place_result *r, const char *text) {
  static const char *const names[] = {"threads", "cores", "sockets", "ll_caches", "numa_domains"};
  int found = nth_env_choice(&text, names, sizeof names / sizeof names[0]);
  if (found < 0)
    return false;
  uint64_t limit = 0;
  bool good = true;
  if (nth_env_char(&text, '('))
    good = nth_env_unsigned(&text, &limit, INT64_MAX) && limit > 0 && nth_env_char(&text, ')');
  good = good && nth_env_end(&text);
  r->fault = good ? NTH_PLACE_OK : NTH_PLACE_SYNTAX;
  r->kind = good ? (enum nth_place_kind)(NTH_PLACES_THREADS + found) : NTH_PLACES_NONE;
  r->limit = limit < NTH_MAX_PLACES ? (uint32_t)limit : NTH_MAX_PLACES;
  return true;
}

void nth_place_parse(struct nth_place_result *r, const char *text,
                     const struct nth_cpuset *usable) {
  *r = (struct nth_place_result){.kind = NTH_PLACES_NONE};
  if (parse_name(r, text))
    return;
  struct parser p = {.at = text, .result = r};
  bool good = open_list(&p, usable->words);
  while (good && (good = parse_item(&p)) && !nth_env_end(&p.at))
    good = nth_env_char(&p.at, ',') || fail(&p, NTH_PLACE_SYNTAX);
  finish(&p, good && keep_usable(&p, usable));
}

/* --- GOMP_CPU_AFFINITY --- */

/* A number as C writes it, perhaps with a plus, with no blank before it. */
static bool parse_cpu(struct parser *p, uint64_t *value) {
  const char *digits = p->at + (*p->at == '+');
  if (*digits < '0' || *digits > '9')
    return fail(p, NTH_PLACE_SYNTAX);
  char *end;
  *value = strtoull(p->at, &end, 0);
  p->at = end;
  return *value < LENGTH_END || fail(p, NTH_PLACE_SYNTAX);
}

/* n | n-m | n-m:stride */
static bool parse_range(struct parser *p) {
  uint64_t first, last, stride = 1;
  if (!parse_cpu(p, &first))
    return false;
  last = first;
  if (*p->at == '-') {
    p->at++;
    if (!parse_cpu(p, &last) || last < first)
      return fail(p, NTH_PLACE_SYNTAX);
    if (*p->at == ':') {
      p->at++;
      if (!parse_cpu(p, &stride) || stride == 0)
        return fail(p, NTH_PLACE_SYNTAX);
    }
  }
  for (uint64_t cpu = first; cpu <= last && cpu < (uint64_t)p->list->words * 64; cpu += stride) {
    uint64_t *set = append(p);
    if (!set)
      return false;
    nth_cpus_add(set, cpu);
  }
  return true;
}

void nth_place_parse_cpus(struct nth_place_result *r, const char *text, uint32_t words) {
  *r = (struct nth_place_result){.kind = NTH_PLACES_NONE};
  struct parser p = {.at = text, .result = r};
  bool good = open_list(&p, words);
  while (nth_env_blank(*p.at))
    p.at++;
  for (;;) {
    good = good && parse_range(&p);
    bool blank = nth_env_blank(*p.at);
    if (!good || nth_env_end(&p.at))
      break;
    if (!nth_env_char(&p.at, ',') && !blank)
      good = fail(&p, NTH_PLACE_SYNTAX);
  }
  r->written = p.list ? p.list->count : 0;
  finish(&p, good && r->written > 0);
}
