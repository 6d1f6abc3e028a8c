/* domains.c - trees of memory domains from text, where members lie, in which order they look
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"
#include "tests/unit/whole.h"

#include <string.h>

static struct nth_domains tree;

static void make(const char *text) {
  char again[NTH_DOMAINS_TEXT];
  unit_check(nth_domains_parse(&tree, &text) && *text == 0);
  unit_check(nth_domains_valid(&tree));
  nth_domains_text(&tree, again);
  unit_check(strlen(again) > 0);
}

static uint32_t leaf_of(uint32_t i, uint32_t n) {
  struct nth_layout l = whole_layout(&tree, n);
  return nth_layout_leaf(&l, i);
}

static uint32_t nodes_used(uint32_t n) {
  struct nth_layout l = whole_layout(&tree, n);
  return nth_layout_nodes(&l);
}

/* The leaf, counted from 0, of each member, a digit each. */
static void leaves_are(uint32_t n, const char *wanted) {
  for (uint32_t i = 0; i < n; i++)
    unit_check(tree.node[leaf_of(i, n)].leaf == (uint32_t)(wanted[i] - '0'));
  unit_check(wanted[n] == 0);
}

static void lay(struct nth_route *r, uint32_t i, uint32_t n) {
  struct nth_layout l = whole_layout(&tree, n);
  struct nth_stretch all = {&tree, 0, tree.node[0].count, false};
  nth_route_lay(r, &l, i, 0);
  unit_check(nth_route_valid(r, &l, i));
  unit_check(leaf_of(i, n) == nth_domains_leaf_at(&tree, nth_stretch_position(&all, i, n)));
}

/* Whom member i of n looks at, one after the other: "12,0"; spans of nodes likewise. */
static void add_spans(char *text, const struct nth_span *list, uint32_t from, uint32_t to) {
  *text = 0;
  for (uint32_t s = from; s < to; s++)
    for (uint32_t i = list[s].begin; i < list[s].end; i++)
      sprintf(text + strlen(text), "%s%u", *text ? " " : "", i);
}

static void route_is(uint32_t i, uint32_t n, const char *members, const char *path,
                     const char *others) {
  struct nth_route r;
  char text[500];
  lay(&r, i, n);
  add_spans(text, r.member, 0, r.members);
  unit_check(!strcmp(text, members));
  add_spans(text, r.node, 0, r.path);
  unit_check(!strcmp(text, path));
  add_spans(text, r.node, r.path, r.nodes);
  unit_check(!strcmp(text, others));
}

/* --- text --- */

static void texts(void) {
  static const char *const good[] = {"1", "4", "2x4", "4x2x2", "1x1x1x1x3", "126x1", "64x4096"};
  char again[NTH_DOMAINS_TEXT];
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    make(good[i]);
    nth_domains_text(&tree, again);
    unit_check(!strcmp(again, good[i]));
  }
  make(" 2 X 4 ");
  unit_check(tree.count == 3 && tree.leaves == 2 && tree.node[2].first == 4);
}

static void bad_texts(void) {
  static const char *const bad[][2] = {{"", ""},
                                       {"x", "x"},
                                       {"0", "0"},
                                       {"2x", ""},
                                       {"2x0", "0"},
                                       {"2x4x", ""},
                                       {"2x-4", "-4"},
                                       {"2y4", "2y4"},
                                       {"2x4 4", "4 4"},
                                       {"4097", "4097"},
                                       {"2x4097", "4097"},
                                       {"2,4", "2,4"},
                                       {"1x1x1x1x1x1", "1"},
                                       {"128x1", "128x1"},
                                       {"4096x4096x4096x4096x4096", "4096x4096x4096x4096x4096"}};
  make("2x2");
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const char *at = bad[i][0];
    unit_check(!nth_domains_parse(&tree, &at));
    unit_check(!strcmp(at, bad[i][1]));
    unit_check(tree.count == 3); /* as it was */
  }
}

static void by_default(void) {
  char text[NTH_DOMAINS_TEXT];
  unit_check(nth_domains_valid(&nth_domains_one) && nth_domains_one.count == 1);
  nth_domains_text(&nth_domains_one, text);
  unit_check(!strcmp(text, "1"));
}

/* --- members --- */

static void blocks(void) {
  make("2x2");
  leaves_are(1, "0");
  leaves_are(3, "001");
  leaves_are(4, "0011");
  leaves_are(5, "00011");
  leaves_are(7, "0000111");
  make("2x4");
  leaves_are(5, "00001");
  leaves_are(9, "000001111");
  make("4x2x2");
  leaves_are(5, "00112");
  leaves_are(16, "0011223344556677");
  unit_check(nodes_used(5) == 6 && nodes_used(16) == 13);
  make("3");
  leaves_are(7, "0000000");
}

static void routes(void) {
  make("1");
  route_is(0, 1, "", "0", "");
  route_is(1, 4, "2 3 0", "0", "");
  route_is(3, 4, "0 1 2", "0", "");
  make("2x2"); /* nodes: 0 (1 2) */
  route_is(0, 4, "1 2 3", "1 0", "2");
  route_is(1, 4, "0 3 2", "1 0", "2");
  route_is(2, 4, "3 0 1", "2 0", "1");
  route_is(3, 4, "2 1 0", "2 0", "1");
  route_is(1, 3, "0 2", "1 0", "2");
  route_is(2, 3, "0 1", "2 0", "1");
  route_is(0, 2, "1", "1 0", "");
  make("2x4");
  route_is(1, 5, "2 3 0 4", "1 0", "2");
  route_is(4, 5, "0 1 2 3", "2 0", "1");
  route_is(2, 8, "3 0 1 6 7 4 5", "1 0", "2");
  make("4x2x2"); /* nodes: 0 (1 (2 3) 4 (5 6) 7 (8 9) 10 (11 12)) */
  route_is(5, 16, "4 7 6 11 12 13 14 15 0 1 2 3 8 9 10", "5 4 0", "6 7 8 9 10 11 12 1 2 3");
  route_is(4, 5, "0 1 2 3", "5 4 0", "1 2 3");
  route_is(0, 5, "1 2 3 4", "2 1 0", "3 4 5");
}

/* Everybody once, whatever does not fit; nearer ones never after farther ones; the first outside
 * the leaf is not the same one for all. */
static uint32_t distance(uint32_t a, uint32_t b) {
  uint32_t up = 0;
  while (b < a || b >= tree.node[a].end) {
    a = tree.node[a].parent;
    up++;
  }
  return up;
}

static void all_sizes(void) {
  static const char *const trees[] = {"1", "8", "2x2", "2x4", "4x2x2", "3x1x5", "7x2", "2x2x2x2x2"};
  for (size_t t = 0; t < sizeof trees / sizeof trees[0]; t++) {
    make(trees[t]);
    for (uint32_t n = 1; n <= 70; n++) {
      for (uint32_t i = 0; i < n; i++) {
        struct nth_route r;
        uint32_t leaf = leaf_of(i, n), last = 0;
        unit_check(i == 0 || leaf_of(i - 1, n) <= leaf);
        lay(&r, i, n);
        for (uint32_t s = 0; s < r.members; s++) {
          uint32_t far = distance(leaf, leaf_of(r.member[s].begin, n));
          unit_check(far >= last);
          last = far;
        }
        for (uint32_t s = r.path; s < r.nodes; s++)
          unit_check(r.node[s].begin > 0); /* the root is on each path */
      }
    }
  }
}

static void spread(void) {
  uint32_t first[4] = {0};
  make("2x4");
  for (uint32_t i = 0; i < 4; i++) {
    struct nth_route r;
    lay(&r, i, 8);
    uint32_t s = 0;
    while (r.member[s].begin < 4)
      s++;
    first[r.member[s].begin - 4]++;
  }
  unit_check(first[0] == 1 && first[1] == 1 && first[2] == 1 && first[3] == 1);
}

int main(void) {
  unit_begin();
  unit_run(texts);
  unit_run(bad_texts);
  unit_run(by_default);
  unit_run(blocks);
  unit_run(routes);
  unit_run(all_sizes);
  unit_run(spread);
  return 0;
}
