/* machines.c - teams on machines that are not here: trees, groups, places, routes, pools, barriers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A machine is a survey written down: how many there are of each kind, each in the one before. A
 * CPU's number is its position, or with `spread` CPU numbers alternate between packages, as many
 * systems count them.
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "runtime/mem/heap.h"
#include "runtime/omp/queue/task_domain.h"
#include "runtime/omp/team/lay.h"
#include "runtime/omp/team/team.h"
#include "runtime/place/domains/tree.h"
#include "runtime/sched/threads/holder.h"

enum { MOST = 512 };

/* --- machines --- */

struct machine {
  uint32_t packages, numas, l3s, l2s, cores, threads;
  bool spread;
};

static void survey(struct nth_survey *s, const struct machine *m) {
  uint32_t count[NTH_SHARES] = {m->packages, 1, m->numas, m->l3s, m->l2s, m->cores},
           all = m->threads;
  for (uint32_t k = 0; k < NTH_SHARES; k++)
    all *= count[k];
  unit_check(nth_survey_make(s, all));
  uint32_t each = all / m->packages, size = all;
  for (uint32_t p = 0; p < all; p++)
    s->cpu[p] = m->spread ? p % each * m->packages + p / each : p;
  for (uint32_t k = 0; k < NTH_SHARES; k++) {
    size /= count[k];
    for (uint32_t p = 0; p < all && k != NTH_SHARE_DIE; p++)
      s->shared[k][p] = p / size;
  }
}

static struct nth_domains tree;

static void is_tree(const struct machine *m, const char *wanted) {
  struct nth_survey s;
  char text[NTH_DOMAINS_TEXT];
  survey(&s, m);
  nth_domains_make(&tree, &s);
  nth_survey_free(&s);
  unit_check(nth_domains_valid(&tree));
  nth_domains_text(&tree, text);
  if (strcmp(text, wanted))
    fprintf(stderr, "%s in place of %s\n", text, wanted);
  unit_check(!strcmp(text, wanted));
}

static const struct machine flat = {1, 1, 1, 1, 4, 1, false}, two = {2, 1, 1, 1, 16, 1, false},
                            four = {2, 2, 1, 1, 8, 2, false}, big = {2, 4, 2, 1, 8, 2, false},
                            turns = {2, 1, 1, 1, 16, 1, true};

/* Four fast cores with two threads each beside two clusters of four slow ones. */
static void hybrid(struct nth_survey *s) {
  unit_check(nth_survey_make(s, 16));
  for (uint32_t p = 0; p < 16; p++) {
    s->cpu[p] = p;
    s->speed[p] = p < 8;
    s->shared[NTH_SHARE_PACKAGE][p] = s->shared[NTH_SHARE_NUMA][p] = s->shared[NTH_SHARE_L3][p] = 0;
    s->shared[NTH_SHARE_L2][p] = p < 8 ? p / 2 : 2 + p / 4;
    s->shared[NTH_SHARE_CORE][p] = p < 8 ? p / 2 : p - 4;
  }
}

/* CPUs that a cpuset has left over: the table without the others. */
static void keep(struct nth_survey *s, uint64_t cpus) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < s->count; p++) {
    if (!(cpus >> s->cpu[p] & 1))
      continue;
    s->cpu[n] = s->cpu[p];
    for (uint32_t k = 0; k < NTH_SHARES; k++)
      s->shared[k][n] = s->shared[k][p];
    n++;
  }
  s->count = n;
}

static void trees(void) {
  is_tree(&flat, "4");
  is_tree(&two, "2x16");
  is_tree(&four, "2x2x8x2");
  unit_check(tree.leaves == 32 && tree.count == 39);
  unit_check(tree.node[1].shares == 1u << NTH_SHARE_PACKAGE && tree.node[1].number == 0);
  unit_check(tree.node[2].shares ==
             (1u << NTH_SHARE_NUMA | 1u << NTH_SHARE_L3 | 1u << NTH_SHARE_L2));
  is_tree(&big, "2x4x2x16"); /* 147 nodes with the cores */
  unit_check(tree.node[0].count == 256);
  struct machine deep = {2, 2, 2, 2, 2, 2, false};
  is_tree(&deep, "2x2x2x2x4"); /* five levels */
  struct machine narrow = {1, 1, 1, 1, 8, 2, false};
  is_tree(&narrow, "8x2");
  struct machine lone = {8, 1, 1, 1, 1, 1, false}; /* as many virtual machines: a CPU a package */
  is_tree(&lone, "8");
}

static void uneven(void) {
  struct nth_survey s;
  char text[NTH_DOMAINS_TEXT];
  hybrid(&s);
  nth_domains_make(&tree, &s);
  nth_domains_text(&tree, text);
  unit_check(nth_domains_valid(&tree) && !strcmp(text, "(4x2+2x4)"));
  nth_survey_free(&s);
  survey(&s, &two); /* a package cut to one CPU */
  keep(&s, 0x1ffff);
  nth_domains_make(&tree, &s);
  nth_domains_text(&tree, text);
  unit_check(nth_domains_valid(&tree) && !strcmp(text, "(16+1)"));
  nth_survey_free(&s);
  survey(&s, &two); /* one package only: one domain */
  keep(&s, 0xff00);
  nth_domains_make(&tree, &s);
  nth_domains_text(&tree, text);
  unit_check(nth_domains_valid(&tree) && !strcmp(text, "8"));
  nth_survey_free(&s);
  survey(&s, &two);
  keep(&s, 1); /* taskset to one CPU */
  nth_domains_make(&tree, &s);
  unit_check(nth_domains_valid(&tree) && tree.count == 1 && tree.node[0].count == 1);
  nth_survey_free(&s);
}

/* --- groups --- */

static struct nth_stretch whole(bool split) {
  return (struct nth_stretch){&tree, 0, tree.node[0].count, split};
}

static void stretch_is(const struct nth_stretch *of, uint32_t i, uint32_t members, uint32_t n,
                       uint32_t first, uint32_t count) {
  struct nth_stretch p = nth_stretch_of(of, i, members, n);
  unit_check(p.first == first && p.count == count);
}

static void groups(void) {
  is_tree(&two, "2x16");
  struct nth_stretch all = whole(true);
  for (uint32_t i = 0; i < 4; i++) /* OMP_NUM_THREADS=4,8 */
    stretch_is(&all, i, 4, 8, i * 8, 8);
  stretch_is(&all, 0, 3, 8, 0, 10);
  stretch_is(&all, 1, 3, 8, 10, 11);
  stretch_is(&all, 5, 64, 2, 2, 1); /* more members than CPUs */
  stretch_is(&all, 0, 1, 8, 0, 32); /* a team of one hands on what it has */
  struct nth_stretch inner = nth_stretch_of(&all, 3, 4, 8);
  inner.split = true;
  stretch_is(&inner, 1, 2, 4, 28, 4); /* OMP_NUM_THREADS=4,2,4 */
  unit_check(nth_stretch_position(&inner, 0, 2) == 24 && nth_stretch_position(&inner, 1, 2) == 28);
  is_tree(&four, "2x2x8x2"); /* no core is shared by two groups */
  all = whole(true);
  stretch_is(&all, 0, 3, 8, 0, 20);
  stretch_is(&all, 1, 3, 8, 20, 22);
  stretch_is(&all, 2, 3, 8, 42, 22);
}

/* Nobody was to nest regions in a team, so its stretch is not split; a nested team is laid around
 * its master. */
static void around_the_master(void) {
  is_tree(&four, "2x2x8x2");
  struct nth_stretch all = whole(false);
  stretch_is(&all, 35, 64, 2, 34, 2);   /* its core */
  stretch_is(&all, 35, 64, 3, 32, 16);  /* its memory node */
  stretch_is(&all, 35, 64, 17, 32, 32); /* its package */
  stretch_is(&all, 35, 64, 64, 0, 64);
  stretch_is(&all, 35, 64, 65, 0, 64);
}

static void all_stretches(void) {
  static const struct machine *const machines[] = {&flat, &two, &four, &big};
  static const char *const texts[] = {"4", "2x16", "2x2x8x2", "2x4x2x16"};
  for (int k = 0; k < 4; k++) {
    is_tree(machines[k], texts[k]);
    struct nth_stretch all = whole(true);
    for (uint32_t members = 1; members <= 300; members++) {
      uint32_t end = 0, cpus = all.count;
      for (uint32_t i = 0; i < members; i++) {
        struct nth_stretch p = nth_stretch_of(&all, i, members, 3);
        unit_check(p.count >= 1 && p.first + p.count <= cpus);
        unit_check(members > cpus ? p.first + p.count >= end : p.first == end);
        unit_check(nth_stretch_position(&all, i, members) == p.first);
        end = p.first + p.count;
      }
      unit_check(end == cpus);
    }
  }
}

/* --- layouts and routes --- */

static struct nth_layout layout;
static struct nth_span room[MOST];

static void route_text(uint32_t i, char *text, size_t size) {
  struct nth_route r;
  size_t at = 0;
  nth_route_lay(&r, &layout, i, room);
  unit_check(nth_route_valid(&r, &layout, i));
  *text = 0;
  for (uint32_t s = 0; s < r.members && at < size; s++)
    at += (size_t)snprintf(text + at, size - at, "%s%u-%u", s ? " " : "", r.member[s].begin,
                           r.member[s].end - 1);
}

static void route_is(uint32_t i, const char *wanted) {
  char text[2000];
  route_text(i, text, sizeof text);
  if (strcmp(text, wanted))
    fprintf(stderr, "member %u: %s in place of %s\n", i, text, wanted);
  unit_check(!strcmp(text, wanted));
}

static void steal_order(void) {
  is_tree(&two, "2x16");
  struct nth_stretch all = whole(false);
  nth_layout_blocks(&layout, &all, 32);
  unit_check(nth_layout_nodes(&layout) == 3);
  route_is(0, "1-15 16-31");
  route_is(5, "6-15 0-4 21-31 16-20");
  route_is(31, "16-30 15-15 0-14");
  is_tree(&four, "2x2x8x2");
  all = whole(false);
  nth_layout_blocks(&layout, &all, 64);
  /* the sibling, the rest of the memory node, of the package, of the machine */
  route_is(0, "1-1 2-15 16-31 32-63");
  route_is(33, "32-32 41-47 34-40 49-63 48-48 1-31 0-0");
  struct nth_stretch stretch = nth_stretch_of(&(struct nth_stretch){&tree, 0, 64, true}, 2, 4, 16);
  nth_layout_blocks(&layout, &stretch, 16); /* a nested team in the third memory node */
  unit_check(nth_layout_nodes(&layout) == 11 && nth_layout_leaf(&layout, 0) == 22);
  route_is(0, "1-1 2-15");
}

static void pools(void) {
  is_tree(&two, "2x16");
  unit_check(nth_domains_pool(&tree, 1) == 0 && nth_domains_pool(&tree, 2) == 1);
  is_tree(&four, "2x2x8x2"); /* 32 cores are more than there are pools: memory nodes have them */
  for (uint32_t p = 0; p < 64; p++)
    unit_check(nth_domains_pool(&tree, nth_domains_leaf_at(&tree, p)) == p / 16);
  is_tree(&big, "2x4x2x16");
  for (uint32_t p = 0; p < 256; p++)
    unit_check(nth_domains_pool(&tree, nth_domains_leaf_at(&tree, p)) == p / 16);
  struct nth_survey s;
  hybrid(&s);
  nth_domains_make(&tree, &s);
  nth_survey_free(&s);
  for (uint32_t p = 0; p < 16; p++)
    unit_check(nth_domains_pool(&tree, nth_domains_leaf_at(&tree, p)) ==
               (p < 8 ? p / 2 : 2 + p / 4));
}

static void radix_is(uint32_t n, uint32_t wanted) {
  struct nth_stretch all = whole(false);
  nth_layout_blocks(&layout, &all, n);
  unit_check(nth_layout_radix(&layout) == wanted);
}

/* Groups of a tree barrier: 4, then 16; 8, then 32; no group of a level with members of two leaves
 * but where it has whole leaves. */
static void barrier_groups(void) {
  is_tree(&flat, "4");
  radix_is(3, NTH_TREE_RADIX);
  is_tree(&two, "2x16");
  radix_is(16, NTH_TREE_RADIX);
  radix_is(32, 4);
  radix_is(24, 4);
  is_tree(&four, "2x2x8x2");
  radix_is(64, 2);
  struct machine six = {2, 1, 1, 1, 6, 1, false}, eight = {2, 1, 1, 1, 8, 1, false},
                 eleven = {2, 1, 1, 1, 11, 1, false}, ten = {2, 1, 1, 1, 10, 1, false};
  is_tree(&six, "2x6");
  radix_is(12, 6);
  radix_is(9, 6);
  is_tree(&eight, "2x8");
  radix_is(16, 8);
  is_tree(&ten, "2x10");
  radix_is(20, 5);
  is_tree(&eleven, "2x11");
  radix_is(22, NTH_TREE_RADIX);
  struct nth_survey s;
  hybrid(&s);
  nth_domains_make(&tree, &s);
  nth_survey_free(&s);
  radix_is(16, NTH_TREE_RADIX); /* leaves of two and of four */
  radix_is(8, 2);
}

/* --- bound members --- */

static struct nth_team team;
static struct nth_slot slot[MOST], *slots[MOST];
static struct nth_places *places;

/* Lays n members on places of `each` CPUs, numbered as CPUs are. */
static void bind(uint32_t n, uint32_t each, uint32_t policy) {
  const struct nth_domains *d = nth_tree();
  uint32_t cpus = d->node[0].count;
  uint32_t words = (cpus + 63) / 64, count = cpus / each;
  nth_heap_free(places);
  unit_check((places = nth_heap_alloc(sizeof *places + count * words * sizeof places->bits[0])) !=
             0);
  places->count = count;
  places->words = words;
  for (uint32_t c = 0; c < cpus; c++)
    nth_cpus_add(places->bits + c / each * words, c);
  struct nth_seating s = {places, {nth_seat(0, 0, count), n, policy}};
  struct nth_stretch stretch = {d, 0, cpus, false};
  team.slot = slots;
  team.size = team.crew.capacity = n;
  for (uint32_t i = 0; i < n; i++)
    slots[i] = &slot[i];
  nth_lay_team(&team, &stretch, n, &s);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t seen = 1; /* I1 of route.h, and the queue is its leaf's */
    const struct nth_route *r = &slot[i].route;
    for (uint32_t k = 0; k < r->members; k++)
      seen += (uint32_t)(r->member[k].end - r->member[k].begin);
    unit_check(seen == n && &slot[i].queue.domain->ready == team.ready.node[r->node[0].begin]);
  }
}

static void publish(const struct machine *m) {
  struct nth_survey s;
  survey(&s, m);
  unit_check(nth_tree_publish(&s, "a test"));
}

/* Whom i visits, until the first one of another leaf. */
static uint32_t near(uint32_t i) {
  const struct nth_route *r = &slot[i].route;
  uint32_t n = 0;
  for (uint32_t s = 0; s < r->members; s++)
    for (uint32_t m = r->member[s].begin; m < r->member[s].end; m++) {
      if (slot[m].queue.domain != slot[i].queue.domain)
        return n;
      n++;
    }
  return n;
}

static void by_place(void) {
  publish(&two);
  bind(32, 1, NTH_BIND_CLOSE);
  unit_check(near(0) == 15 && slot[15].queue.domain == slot[0].queue.domain &&
             team.barrier_shape.leaf == 4);
  bind(4, 1, NTH_BIND_SPREAD); /* two on each package */
  unit_check(near(0) == 1 && slot[1].queue.domain == slot[0].queue.domain &&
             slot[2].queue.domain != slot[0].queue.domain && team.ready.nodes == 3);
  bind(4, 16, NTH_BIND_CLOSE); /* packages as places */
  unit_check(near(0) == 1 && near(3) == 1);
  bind(8, 32, NTH_BIND_CLOSE); /* one place: CPUs 0 to 7 of it */
  unit_check(near(0) == 7 && team.ready.nodes == 2);
  bind(64, 1, NTH_BIND_CLOSE); /* two on each CPU */
  unit_check(near(0) == 31);
  bind(5, 1, NTH_BIND_PRIMARY);
  unit_check(near(4) == 4);
}

/* CPUs alternate between packages: so do the members, and each package's are found all the same. */
static void in_turns(void) {
  publish(&turns);
  bind(32, 1, NTH_BIND_CLOSE);
  for (uint32_t i = 0; i < 32; i++) {
    unit_check(near(i) == 15 && slot[i].route.member != slot[i].route.own);
    unit_check((slot[i].queue.domain == slot[0].queue.domain) == (i % 2 == 0));
  }
  unit_check(team.barrier_shape.leaf == NTH_TREE_RADIX);
  bind(6, 1, NTH_BIND_CLOSE); /* few spans: no memory for them */
  unit_check(near(0) == 2 && slot[0].route.member == slot[0].route.own && !team.laid.spans);
  publish(&big);
  bind(256, 1, NTH_BIND_SPREAD);
  unit_check(near(100) == 15 && team.ready.nodes == 27);
}

/* What members of nested teams get, as the runtime asks for it. */
static void plans(void) {
  static struct nth_team outer;
  struct nth_icv icv = {.max_active_levels = 3};
  struct nth_member root = {.now = {.icv = &icv, .team_size = 1}, .is_root = true};
  publish(&four);
  struct nth_stretch stretch = nth_lay_plan(&root, 4);
  unit_check(stretch.tree == nth_tree() && stretch.first == 0 && stretch.count == 64 &&
             stretch.split);
  outer.laid.stretch = stretch;
  outer.size = 4;
  struct nth_member inner = {.now = {.icv = &icv,
                                     .team = &outer,
                                     .thread_num = 2,
                                     .team_size = 4,
                                     .level = 1,
                                     .active_level = 1}};
  stretch = nth_lay_plan(&inner, 8);
  unit_check(stretch.first == 32 && stretch.count == 16 && stretch.split);
  unit_check(nth_lay_pool(&stretch, 0, 0, 8) == 2 && nth_lay_pool(&stretch, 0, 7, 8) == 2);
  inner.now.active_level = 2; /* nothing may be nested in the next one */
  unit_check(!nth_lay_plan(&inner, 8).split && !nth_lay_plan(&inner, 1).split);
  outer.laid.stretch.split = false; /* limits were raised in the region: near the master */
  stretch = nth_lay_plan(&inner, 2);
  unit_check(stretch.first == 2 && stretch.count == 2);
  publish(&two); /* a tree that comes later is for teams laid later */
  unit_check(nth_lay_plan(&inner, 2).tree == outer.laid.stretch.tree);
  unit_check(nth_lay_plan(&root, 2).tree == nth_tree());
}

int main(void) {
  unit_begin();
  unit_run(trees);
  unit_run(uneven);
  unit_run(groups);
  unit_run(around_the_master);
  unit_run(all_stretches);
  unit_run(steal_order);
  unit_run(pools);
  unit_run(barrier_groups);
  unit_run(by_place);
  unit_run(in_turns);
  unit_run(plans);
  return 0;
}
