/* lay_text.c - the tree of memory domains, and the groups that follow from the settings, as text
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "runtime/mem/heap.h"
#include "runtime/omp/team/lay.h"
#include "runtime/omp/team/team.h"
#include "runtime/omp/types/icv.h"
#include "runtime/place/domains/tree.h"
#include "runtime/place/places/allowed.h"
#include "runtime/place/places/places.h"

enum { SHOWN = 512 }; /* the most groups of a level, or seats, that are shown */

static void range(struct nth_text *t, uint32_t first, uint32_t count) {
  nth_text_unsigned(t, first);
  if (count > 1) {
    nth_text_add(t, "-");
    nth_text_unsigned(t, first + count - 1);
  }
}

/* --- the tree --- */

static void names(struct nth_text *t, const struct nth_domains *d, uint32_t k) {
  const struct nth_domain *node = &d->node[k];
  const char *between = "";
  if (k == 0 || node->shares == 0) {
    nth_text_add(t, k == 0 ? "machine" : "domain");
    between = "+";
  }
  for (uint32_t s = 0; s < NTH_SHARES; s++)
    if (node->shares >> s & 1) {
      nth_text_add(t, between);
      nth_text_add(t, nth_share_names[s]);
      between = "+";
    }
  nth_text_add(t, ":");
  nth_text_unsigned(t, node->number);
}

/* The node's CPUs; "-": they are not known. */
static void cpus(struct nth_text *t, const struct nth_domains *d, uint32_t k) {
  const struct nth_domain *node = &d->node[k];
  struct nth_cpuset set;
  if (!d->cpu || !nth_cpuset_make(&set, d->cpus / 64 + 1)) {
    nth_text_add(t, "-");
    return;
  }
  for (uint32_t p = node->first; p < node->first + node->count; p++)
    nth_cpus_add(set.word, d->cpu[p]);
  nth_cpus_text(t, set.word, set.words, false);
  nth_cpuset_free(&set);
}

static void tree_lines(struct nth_text *t, const struct nth_domains *d) {
  for (uint32_t k = 0; k < d->count; k++) {
    nth_text_add(t, "domain: ");
    nth_text_unsigned(t, k);
    nth_text_add(t, " ");
    nth_text_unsigned(t, d->node[k].parent);
    nth_text_add(t, " ");
    names(t, d, k);
    nth_text_add(t, " ");
    range(t, d->node[k].first, d->node[k].count);
    nth_text_add(t, " ");
    cpus(t, d, k);
    nth_text_add(t, "\n");
  }
}

/* A line "cores: 0 8-15" for each kind of cores, if there are several kinds. */
static void core_lines(struct nth_text *t, const struct nth_domains *d) {
  uint32_t all = d->node[0].count, most = 0;
  for (uint32_t p = 0; p < all; p++)
    most = nth_tree_speed(p) > most ? nth_tree_speed(p) : most;
  for (uint32_t speed = 0; most > 0 && speed <= most; speed++) {
    nth_text_add(t, "cores: ");
    nth_text_unsigned(t, speed);
    for (uint32_t p = 0, n; p < all; p += n) {
      for (n = 1; p + n < all && nth_tree_speed(p + n) == nth_tree_speed(p);)
        n++;
      if (nth_tree_speed(p) != speed)
        continue;
      nth_text_add(t, " ");
      range(t, p, n);
    }
    nth_text_add(t, "\n");
  }
}

/* --- groups --- */

/* The groups of a level, as "groups: 2 8 0-15 16-31": level, members of each, and their
 * processors. */
static void level_line(struct nth_text *t, uint32_t level, uint32_t n,
                       const struct nth_stretch *stretch, uint32_t teams, uint32_t all) {
  nth_text_add(t, "groups: ");
  nth_text_unsigned(t, level);
  nth_text_add(t, " ");
  nth_text_unsigned(t, n);
  for (uint32_t i = 0; i < teams; i++) {
    nth_text_add(t, " ");
    range(t, stretch[i].first, stretch[i].count);
  }
  nth_text_add(t, all > teams ? " ...\n" : "\n");
}

static uint32_t size_at(uint32_t level, const struct nth_icv *icv) {
  uint32_t n = level == 1                           ? icv->nthreads
               : level <= nth_env.nthreads_list_len ? nth_env.nthreads_list[level - 1]
                                                    : 1;
  n = n ? n : nth_allowed_all();
  return n < NTH_MAX_TEAM ? n : NTH_MAX_TEAM;
}

static void group_lines(struct nth_text *t, const struct nth_icv *icv) {
  struct nth_stretch *block = nth_heap_take(2 * SHOWN * sizeof *block), *now = block, *next;
  uint32_t teams = 1, levels = nth_env.nthreads_list_len > 1 ? nth_env.nthreads_list_len : 1;
  uint64_t all = 1;
  if (!block)
    return;
  next = now + SHOWN;
  now[0] = nth_lay_all();
  levels = levels < icv->max_active_levels ? levels : icv->max_active_levels;
  for (uint32_t level = 1; level <= levels; level++) {
    uint32_t n = size_at(level, icv), inner = size_at(level + 1, icv), made = 0;
    for (uint32_t i = 0; i < teams; i++)
      now[i].split = n > 1 && level < icv->max_active_levels;
    level_line(t, level, n, now, teams, all > SHOWN ? SHOWN + 1 : (uint32_t)all);
    for (uint32_t i = 0; i < teams; i++)
      for (uint32_t m = 0; m < n && made < SHOWN; m++)
        next[made++] = nth_stretch_of(&now[i], m, n, inner);
    struct nth_stretch *swap = now;
    now = next;
    next = swap;
    teams = made;
    all = all > SHOWN ? all : all * n;
  }
  nth_heap_free(block);
}

/* The places of the members of a root's team, if they are bound, as "seats: 0 1 2". */
static void seat_line(struct nth_text *t, const struct nth_icv *icv) {
  const struct nth_places *p = nth_places_get();
  uint32_t n = size_at(1, icv);
  if (!p || p->count == 0 || icv->bind == NTH_BIND_FALSE)
    return;
  struct nth_assignment a = {nth_seat(0, 0, p->count), n, icv->bind};
  nth_text_add(t, "seats:");
  for (uint32_t i = 0; i < n && i < SHOWN; i++) {
    nth_text_add(t, " ");
    nth_text_unsigned(t, nth_seat_place(nth_assign(&a, i)));
  }
  nth_text_add(t, n > SHOWN ? " ...\n" : "\n");
}

void nth_lay_text(struct nth_text *t) {
  char text[NTH_DOMAINS_TEXT];
  const struct nth_domains *d = nth_tree_find();
  nth_domains_text(d, text);
  nth_text_add(t, "domains: ");
  nth_text_add(t, text);
  nth_tree_why(text, sizeof text);
  nth_text_add(t, "\ndomains_from: ");
  nth_text_add(t, text);
  nth_text_add(t, "\n");
  tree_lines(t, d);
  core_lines(t, d);
  group_lines(t, nth_icv_read());
  seat_line(t, nth_icv_read());
}
