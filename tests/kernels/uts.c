/* uts.c - unbalanced tree search: nobody can tell beforehand how large a subtree is
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tree        a node is a word; child i of it is a hash of both. The root has --size children, any
 *             other node FANOUT with the chance --percent / 100 / FANOUT, else none: below 100 %
 *             the tree ends, with size / (1 - percent / 100) nodes on the average, and near 100 %
 *             most of them hang under few children of the root.
 * Tasks       one for each child, and a taskwait; the results are added up by atomics.
 * Cut-off     nodes deeper than N levels are searched serially.
 * Check       the number of nodes and the sum of their words (modulo 2^64) against a search
 *             without recursion, by a stack of nodes.
 */
#include "kernel.h"

enum { FANOUT = 4 };

struct tree {
  long root_children;
  uint64_t bound; /* a node whose word is less has children */
  long work;      /* more rounds of the hash for each node */
};

struct found {
  long nodes;
  uint64_t words; /* their sum */
};

static uint64_t child_of(const struct tree *t, uint64_t node, long i) {
  uint64_t word = kern_hash(node + (uint64_t)i);
  for (long round = 0; round < t->work; round++) {
    word = kern_hash(word);
  }
  return word;
}

static long children_of(const struct tree *t, uint64_t node, long depth) {
  if (depth == 0) {
    return t->root_children;
  }
  return node < t->bound ? FANOUT : 0;
}

static struct found search_serial(const struct tree *t, uint64_t node, long depth) {
  struct found all = {1, node};
  for (long i = 0; i < children_of(t, node, depth); i++) {
    struct found below = search_serial(t, child_of(t, node, i), depth + 1);
    all.nodes += below.nodes;
    all.words += below.words;
  }
  return all;
}

static struct found search_tasks(const struct tree *t, uint64_t node, long depth, long cutoff) {
  if (cutoff > 0 && depth >= cutoff) {
    return search_serial(t, node, depth);
  }
  struct found all = {1, node};
  for (long i = 0; i < children_of(t, node, depth); i++) {
#pragma omp task shared(all)
    {
      struct found below = search_tasks(t, child_of(t, node, i), depth + 1, cutoff);
#pragma omp atomic
      all.nodes += below.nodes;
#pragma omp atomic
      all.words += below.words;
    }
  }
#pragma omp taskwait
  return all;
}

/* The same tree in another order, by a stack of nodes that are still to be looked at. */
static struct found search_stack(const struct tree *t, uint64_t root) {
  long room = t->root_children + FANOUT, used = 0;
  uint64_t *stack = kern_alloc((size_t)room, sizeof *stack);
  struct found all = {1, root};
  for (long i = 0; i < t->root_children; i++) {
    stack[used++] = child_of(t, root, i);
  }
  while (used > 0) {
    uint64_t node = stack[--used];
    all.nodes++;
    all.words += node;
    if (used + FANOUT > room) {
      room *= 2;
      stack = realloc(stack, (size_t)room * sizeof *stack);
      if (!stack) {
        exit(KERN_USAGE);
      }
    }
    for (long i = 0; i < children_of(t, node, 1); i++) {
      stack[used++] = child_of(t, node, i);
    }
  }
  free(stack);
  return all;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "uts",
      .what = "search of an unbalanced tree, a task a node",
      .size_means = "children of the root",
      .iters_means = "rounds of the hash a node, beyond one",
      .full = {400000, 100},
      .brief = {1000, 20},
  };
  long cutoff = 0, percent = 95;
  bool serial = false;
  const struct kern_option extra[] = {
      {"cutoff", "N: nodes N levels below the root and deeper are serial; 0: none (0)", &cutoff,
       NULL},
      {"percent", "N: children of a node on the average, in hundredths; below 100 (95)", &percent,
       NULL},
      KERN_SERIAL(&serial),
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && percent < 100,
               "the root has children, other nodes less than one");

  struct tree t = {k.size, UINT64_MAX / 100 / FANOUT * (uint64_t)percent, k.iters};
  const uint64_t root = 271828183;
  struct found expected = search_stack(&t, root);
  kern_warm(serial);
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    struct found all = {0, 0};
    double start = kern_now();
    if (serial) {
      all = search_serial(&t, root, 0);
    } else {
#pragma omp parallel
#pragma omp single
      all = search_tasks(&t, root, 0, cutoff);
    }
    best = fmin(best, kern_now() - start);
    ok &= kern_check(all.nodes == expected.nodes && all.words == expected.words,
                     "%ld nodes, sum %016lx; by a stack %ld, %016lx", all.nodes, all.words,
                     expected.nodes, expected.words);
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld/%ld/%ld%%", k.size, k.iters, cutoff, percent);
  return kern_report(serial ? "uts-serial" : "uts", size, best, ok, "%ld:%016lx", expected.nodes,
                     expected.words);
}
