/* domains.h - the tree of memory domains: processors near each other, and who looks where first
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         What two processors share, a cache or a memory bank, makes it cheap to pass a task or
 *             its descriptor from one to the other. "Efficient Runtime Thread Management for the
 *             Nano-Threads Programming Model", section 3.2: pools and ready queues are a tree like
 *             the machine. Here is the tree; the queues are in task_domain.h, the pools in
 *             mem/pool.h.
 * Tree        What NTH_DOMAINS says by hand: 2x4 makes a root with two domains of four processors,
 *             4x2x2 one with four domains that have two of two; also for tests of large machines on
 *             small ones. Else what hwloc found (tree.h), made of a survey; else one node: a
 *             machine without domains.
 * Members     Where a team's members are in the tree, and whom each visits first: route.h
 * Use         nth_domains_parse() at load; nth_domains_make() with a survey; nth_tree() for the one
 *             in force
 * Invariants  I1  nodes are numbered in preorder: the subtree of k is [k, end), its first child k +
 *                 1, the next one that one's end. So the nodes that have members are the first ones
 *             I2  a node's processors are the sum of its children's, in order; leaves are numbered
 *                 in order
 *             I3  cpu[p] is the CPU of processor p and processor[cpu[p]] == p; both NULL: nobody
 *                 knows
 * Orders      nth_domains is written by the load-time constructor only; a found tree never after it
 *             is published (tree:A)
 * Tested by   tests/unit/domains.c, machines.c, lit/env/own.c
 */
#ifndef NTH_PLACE_DOMAINS_H
#define NTH_PLACE_DOMAINS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/config.h"
#include "runtime/place/survey.h"

struct nth_domain {
  uint16_t parent;       /* number of the node around; of the root: 0, itself */
  uint16_t end;          /* I1 */
  uint16_t depth;        /* of the root: 0 */
  uint16_t leaf;         /* number among the leaves, of a leaf; else of its first one */
  uint16_t number;       /* of the object that it is, among its kind */
  uint8_t shares;        /* what it is: bits of enum nth_share; 0: by hand, or the machine */
  uint32_t first, count; /* processors: [first, first + count) */
};

struct nth_domains {
  uint32_t count;  /* nodes, at most NTH_DOMAINS_MOST */
  uint32_t leaves; /* of these */
  struct nth_domain node[NTH_DOMAINS_MOST];
  const uint32_t *cpu;       /* I3 */
  const uint32_t *processor; /* [cpus]; UINT32_MAX: not in the tree */
  uint32_t cpus;
};

/* By hand, or one domain. */
extern struct nth_domains nth_domains;

/* The machine's without its CPUs (I3). */
void nth_domains_make(struct nth_domains *d, const struct nth_survey *s);

/* A[xB[xC...]]: so many domains in a domain, at last so many processors in one. At most
 * NTH_DOMAIN_LEVELS numbers. False: it is not that, or too many; the tree stays. *at: up to where
 * it was understood. */
bool nth_domains_parse(struct nth_domains *d, const char **at);

/* The text of which it was made; of the tree by default 1. Domains that differ stand in
 * parentheses, with equal ones counted: (8x2+2x4). */
#define NTH_DOMAINS_TEXT 256
void nth_domains_text(const struct nth_domains *d, char text[NTH_DOMAINS_TEXT]);

/* The leaf node that has this processor. */
uint32_t nth_domains_leaf_at(const struct nth_domains *d, uint32_t processor);
/* The number, below NTH_POOL_DOMAINS, of the pool of descriptors that serves a leaf: that of the
 * finest level which has no more nodes. */
uint32_t nth_domains_pool(const struct nth_domains *d, uint32_t leaf);

/* I1, I2 */
bool nth_domains_valid(const struct nth_domains *d);

#endif
