/* affinity_format.c - the current affinity format, and lines made by it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/env/affinity_format.h"

#include <pthread.h>

#include "runtime/base/atomic.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/env/display.h"
#include "runtime/omp/member/ancestors.h"
#include "runtime/omp/member/member.h"
#include "runtime/place/cpus/cpuset.h"

#define LINE_MAX_BYTES (1u << 20) /* longer lines are cut: a width may be any number */

static const char default_format[] = "level %L thread %i affinity %A";

/* All formats that were ever set (I1). To set one of them again costs no memory. */
struct format {
  struct format *next;
  char text[];
};
static _Atomic(struct format *) formats; /* w, r: nth_affinity_format_set, by CAS; B */
/* The current format; NULL: the environment's. w: nth_affinity_format_set, replace_environment; r:
 * all; A */
_Atomic(const char *) nth_affinity_format_now;

const char *nth_affinity_format_get(void) {
  const char *set = nth_load_acq(&nth_affinity_format_now); /* A */
  return set ? set : nth_env.affinity_format;
}

static struct format *find_format(const char *format, size_t length) {
  struct format *f = nth_load_acq(&formats); /* B */
  while (f && (strlen(f->text) != length || memcmp(f->text, format, length) != 0))
    f = f->next;
  return f;
}

bool nth_affinity_format_set(const char *format, size_t length) {
  length = strnlen(format, length);
  struct format *f = find_format(format, length);
  if (!f) {
    f = nth_heap_take(sizeof *f + length + 1);
    if (!f)
      return false;
    memcpy(f->text, format, length);
    f->text[length] = 0;
    f->next = nth_load_rlx(&formats);
    while (!nth_cas_acqrel(&formats, &f->next, f)) { /* B */
    }
  }
  nth_store_rel(&nth_affinity_format_now, f->text); /* A */
  return true;
}

/* The calling thread's numbers for a format. */
static struct nth_affinity_facts facts_here(void) {
  struct nth_affinity_facts f = {.num_threads = 1, .ancestor = -1};
  const struct nth_member *m = nth_self;
  f.team_num = nth_member_league(nth_self).num;
  f.num_teams = nth_member_league(nth_self).teams;
  if (m) {
    int num, size;
    f.level = m->now.level;
    f.thread_num = m->now.thread_num;
    f.num_threads = m->now.team_size;
    if (m->now.level > 0 && nth_member_ancestor((int)m->now.level - 1, &num, &size))
      f.ancestor = num;
  }
  return f;
}

/* The environment's format is bad: says so once, and replaces it by the default. */
static void replace_environment(const struct nth_affinity_error *error) {
  const char *none = 0;
  if (!nth_cas_rel(&nth_affinity_format_now, &none, default_format)) /* A */
    return;
  nth_msg_libgomp("%s", error->text);
  nth_msg("OMP_AFFINITY_FORMAT cannot be used; \"%s\" is", default_format);
}

static size_t expand(char *buffer, size_t size, const char *format, size_t length,
                     struct nth_affinity_error *error) {
  struct nth_text t = {buffer, size, 0};
  struct nth_affinity_facts facts = facts_here();
  bool good = nth_affinity_expand(&t, format, length, &facts, error);
  nth_text_end(&t);
  if (!good)
    return NTH_AFFINITY_BAD;
  return t.length < NTH_AFFINITY_BAD ? t.length : NTH_AFFINITY_BAD - 1;
}

size_t nth_affinity_line(char *buffer, size_t size, const char *format, size_t length,
                         struct nth_affinity_error *error) {
  if (format && length > 0)
    return expand(buffer, size, format, length, error);
  bool from_environment = nth_load_acq(&nth_affinity_format_now) == 0; /* A */
  format = nth_affinity_format_get();
  size_t n = expand(buffer, size, format, strlen(format), error);
  if (n != NTH_AFFINITY_BAD || !from_environment)
    return n;
  replace_environment(error);
  format = nth_affinity_format_get();
  return expand(buffer, size, format, strlen(format), error);
}

bool nth_affinity_show(const char *format, size_t length, struct nth_affinity_error *error) {
  char small[512];
  size_t n = nth_affinity_line(small, sizeof small - 1, format, length, error);
  if (n == NTH_AFFINITY_BAD)
    return false;
  size_t size = n < LINE_MAX_BYTES ? n + 2 : LINE_MAX_BYTES;
  char *line = small, *large = n + 1 >= sizeof small ? nth_heap_take(size) : 0;
  if (large) {
    nth_affinity_line(large, size - 1, format, length, error);
    line = large;
  }
  memcpy(line + strlen(line), "\n", 2);
  nth_msg_raw(line);
  nth_heap_free(large);
  return true;
}

/* --- OMP_DISPLAY_AFFINITY --- */

/* 1 + the key of a thread-specific value; 0: there is no key yet. A thread's value is a hash of the
 * mask that it has shown last. */
static _Atomic(uintptr_t) shown_key;

static bool get_key(pthread_key_t *key) {
  uintptr_t have = nth_load_rlx(&shown_key), none = 0;
  if (have == 0) {
    if (pthread_key_create(key, 0) != 0)
      return false;
    if (nth_cas_rlx(&shown_key, &none, (uintptr_t)*key + 1))
      return true;
    pthread_key_delete(*key);
    have = none;
  }
  *key = (pthread_key_t)(have - 1);
  return true;
}

/* A hash of the calling thread's mask; never 0. */
static uintptr_t affinity_hash(void) {
  struct nth_cpuset set;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  if (nth_cpuset_affinity(&set, 0)) {
    for (uint32_t w = 0; w < set.words; w++)
      hash = (hash ^ set.word[w]) * UINT64_C(0x100000001b3);
    nth_cpuset_free(&set);
  }
  return (uintptr_t)hash | 1;
}

void nth_display_affinity(bool always) {
  pthread_key_t key;
  struct nth_affinity_error error;
  if (!get_key(&key))
    return;
  void *now = (void *)affinity_hash();
  if (!always && pthread_getspecific(key) == now)
    return;
  pthread_setspecific(key, now);
  if (!nth_affinity_show(0, 0, &error)) {
    nth_msg_libgomp("%s", error.text);
    nth_msg("the format set by omp_set_affinity_format cannot be used; \"%s\" is", default_format);
    nth_affinity_format_set(default_format, sizeof default_format - 1);
    nth_affinity_show(0, 0, &error);
  }
}
