/* tree.c - the tree of memory domains in force: by hand, the machine's, or one domain
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/domains/tree.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "runtime/arch/section.h"
#include "runtime/base/atomic.h"
#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/place/cpus/sysfile.h"
#include "runtime/place/places/allowed.h"
#include "runtime/place/places/topology.h"

struct found {
  struct nth_domains tree;
  struct nth_survey survey; /* owns tree.cpu */
  uint32_t *position;
  struct found *older; /* I1; only tests publish several trees */
};

/* LATE: a thread looks, and nobody waits for it any more. */
enum { UNKNOWN, LOOKING, LATE, KNOWN };

static struct {
  bool by_hand;                  /* w: load time; r: all */
  _Atomic(uint32_t) state;       /* futex word; w: the asking thread, waiting ones, the child of a
                                  * fork; r: all */
  _Atomic(struct found *) found; /* w: the asking thread; r: all; A */
  _Atomic(uint32_t) told;        /* w, r: roots and reports; 0: not known */
  _Atomic(uint32_t) need;        /* w, r: roots and reports; 0: not known */
  char why[256];                 /* w: the asking thread, before KNOWN; B */
  bool forked;                   /* nobody had asked before the fork, nor will; w: its child; B */
} tree;

void nth_tree_by_hand(void) { tree.by_hand = true; }

const struct nth_domains *nth_tree(void) {
  if (tree.by_hand)
    return &nth_domains;
  const struct found *f = nth_load_acq(&tree.found); /* A */
  return f ? &f->tree : &nth_domains_one;
}

/* --- look --- */

/* Makes the table from CPU numbers to positions. */
static bool invert(struct found *f) {
  const struct nth_survey *s = &f->survey;
  uint32_t cpus = 0;
  for (uint32_t p = 0; p < s->count; p++)
    cpus = s->cpu[p] >= cpus ? s->cpu[p] + 1 : cpus;
  if (!(f->position = nth_heap_take(cpus * sizeof *f->position)))
    return false;
  memset(f->position, 0xff, cpus * sizeof *f->position);
  for (uint32_t p = 0; p < s->count; p++)
    f->position[s->cpu[p]] = p;
  f->tree.cpu = s->cpu;
  f->tree.position = f->position;
  f->tree.cpus = cpus;
  return true;
}

bool nth_tree_publish(struct nth_survey *s, const char *why) {
  struct found *f = nth_heap_take(sizeof *f);
  if (!f)
    return false;
  nth_domains_make(&f->tree, s);
  f->survey = *s;
  if (!invert(f)) {
    nth_heap_free(f);
    return false;
  }
  f->older = nth_load_rlx(&tree.found);
  snprintf(tree.why, sizeof tree.why, "%s", why);
  nth_store_rel(&tree.found, f); /* A */
  return true;
}

static void say(bool good, const char *why) {
  char text[NTH_DOMAINS_TEXT];
  if (good) {
    nth_domains_text(nth_tree(), text);
    nth_msg_verbose("memory domains: %s (%s)", text, why);
    return;
  }
  snprintf(tree.why, sizeof tree.why, "one domain: %s", why);
  if (nth_hwloc_told()) /* the user has described a machine */
    nth_msg("%s; one memory domain is used", why);
  else
    nth_msg_verbose("memory domains: the topology is not known (%s); one domain is used", why);
}

static void look(void) {
  struct nth_cpuset allowed = {0, 0};
  struct nth_survey survey;
  char why[200];
  bool known = nth_allowed_set(&allowed);
  bool good = nth_hwloc_survey(&survey, known ? &allowed : 0, why, sizeof why);
  if (good && !nth_tree_publish(&survey, why)) {
    nth_survey_free(&survey);
    good = false;
    snprintf(why, sizeof why, "there is no memory for the tree");
  }
  if (known)
    nth_cpuset_free(&allowed);
  say(good, why);
  nth_store_rel(&tree.state, KNOWN); /* B */
  nth_futex_wake(&tree.state, INT_MAX);
}

const struct nth_domains *nth_tree_find(void) {
  uint32_t unknown = UNKNOWN, looking = LOOKING;
  if (tree.by_hand)
    return &nth_domains;
  uint64_t end = nth_clock_ns() + NTH_TREE_WAIT_NS, now;
  bool asks = nth_load_acq(&tree.state) == UNKNOWN;           /* B */
  if (asks && nth_cas_acqrel(&tree.state, &unknown, LOOKING)) /* B */
    nth_sysfile_begin(look);
  while (nth_load_acq(&tree.state) == LOOKING && (now = nth_clock_ns()) < end) /* B */
    nth_futex_wait(&tree.state, LOOKING, end - now);
  if (nth_load_rlx(&tree.state) == LOOKING)
    (void)nth_cas_rlx(&tree.state, &looking, LATE);
  return nth_tree();
}

/* Whether the environment describes a machine. The environment is searched once only, since this is
 * asked whenever a team changes its size. */
static bool told(void) {
  enum { YES = 1, NO };
  uint32_t known = nth_load_rlx(&tree.told);
  if (known == 0) {
    known = nth_hwloc_told() ? YES : NO;
    nth_store_rlx(&tree.told, known);
  }
  return known == YES;
}

uint32_t nth_tree_need(const struct nth_cpuset *allowed) {
  struct nth_cpuset cache;
  uint32_t most = NTH_TREE_SMALL, sharing = 0, words = allowed->words;
  if (words > 0 && nth_cpuset_make(&cache, words)) {
    uint64_t cpu = nth_cpus_next(allowed->word, words, 0);
    if (nth_topology_last_cache(cpu, cache.word, words))
      for (uint32_t w = 0; w < words; w++)
        sharing += (uint32_t)__builtin_popcountll(cache.word[w] & allowed->word[w]);
    nth_cpuset_free(&cache);
  }
  return 1 + (sharing > most ? sharing : most);
}

static void find_need(void *need) {
  struct nth_cpuset allowed = {0, 0};
  nth_allowed_set(&allowed);
  *(uint32_t *)need = nth_tree_need(&allowed);
  nth_cpuset_free(&allowed);
}

static uint32_t need_here(void) {
  uint32_t need = nth_load_rlx(&tree.need);
  if (need == 0) {
    nth_sysfile_apart(find_need, &need);
    nth_store_rlx(&tree.need, need);
  }
  return need;
}

bool nth_tree_wanted(uint64_t members) {
  if (tree.by_hand || members < 2 || nth_load_rlx(&tree.state) == KNOWN)
    return false;
  return told() || (members > NTH_TREE_SMALL && nth_allowed_all_soon() > NTH_TREE_SMALL &&
                    members >= need_here() && nth_allowed_all_soon() >= need_here());
}

/* --- reports --- */

size_t nth_tree_why(char *text, size_t size) {
  bool known = nth_load_acq(&tree.state) == KNOWN; /* B */
  const char *why = tree.by_hand  ? "NTH_DOMAINS"
                    : tree.forked ? "one domain: a child of fork() does not look"
                    : known       ? tree.why
                                  : "nobody has looked yet";
  if (tree.by_hand || told() || !nth_load_rlx(&tree.found))
    return (size_t)snprintf(text, size, "%s", why);
  uint32_t need = need_here();
  if (nth_allowed_all_soon() < need)
    return (size_t)snprintf(text, size, "%s; programs do not ask: these CPUs %s", why,
                            need > NTH_TREE_SMALL + 1 ? "share a cache" : "are few");
  return (size_t)snprintf(text, size, "%s; asked by teams of %u members and more", why, need);
}

uint32_t nth_tree_speed(uint32_t position) {
  const struct found *f = nth_load_acq(&tree.found); /* A */
  return f && !tree.by_hand && position < f->survey.count ? f->survey.speed[position] : 0;
}

NTH_IN_CHILD void nth_tree_forked(void) {
  if (nth_load_rlx(&tree.state) == KNOWN)
    return;
  tree.forked = true;
  nth_store_rel(&tree.state, KNOWN); /* B */
}
