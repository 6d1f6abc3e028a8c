/* domains.h - the tree of memory domains: which CPUs share a cache or a memory bank
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Two CPUs that share a cache or a memory bank pass a task or its descriptor to each
 *             other cheaply. So pools and ready queues form a tree like the machine: "Efficient
 *             Runtime Thread Management for the Nano-Threads Programming Model", section 3.2. The
 *             tree is here, the queues are in task_domain.h, the pools in mem/pool.h.
 * Tree        NTH_DOMAINS may describe it by hand: 2x4 is a root with two domains of four CPUs,
 *             4x2x2 a root with four domains that have two domains of two CPUs each. Tests describe
 *             large machines that way on small ones. Without NTH_DOMAINS the tree is made of
 *             hwloc's survey (tree.h). Without that it is one node: a machine without domains.
 * Position    A CPU's number in the order of the tree. A domain is a range of positions. A tree by
 *             hand has positions, but no CPU numbers of the system.
 * Members     route.h has where a team's members are in the tree, and whom each visits first.
 * Use         nth_domains_parse() at load; nth_domains_make() with a survey; nth_tree() for the
 *             tree in force
 * Invariants  I1  nodes are numbered in preorder: the subtree of node k is [k, end), its first
 *                 child is k + 1, and each child's end is the next child
 *             I2  a node's CPUs are those of its children, in order; leaves are numbered in order
 *             I3  cpu[p] is the CPU at position p and position[cpu[p]] == p; both are NULL where
 *                 the system's CPU numbers are not known
 * Orders      only the load-time constructor writes nth_domains; no thread writes a found tree
 *             after it is published (tree:A)
 * Tested by   tests/unit/domains.c, machines.c, lit/env/own.c
 */
#ifndef NTH_PLACE_DOMAINS_H
#define NTH_PLACE_DOMAINS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/config.h"
#include "runtime/place/cpus/survey.h"

struct nth_domain {
  uint16_t parent;       /* number of the node around it; the root's is the root, 0 */
  uint16_t end;          /* I1 */
  uint16_t depth;        /* 0: the root */
  uint16_t leaf;         /* a leaf's number among the leaves; another node's: its first leaf's */
  uint16_t number;       /* of the object that the node is, among the objects of its kind */
  uint8_t shares;        /* what the node is: bits of enum nth_share; 0: by hand, or the machine */
  uint32_t first, count; /* positions: [first, first + count) */
};

struct nth_domains {
  uint32_t count;  /* nodes, at most NTH_DOMAINS_MOST */
  uint32_t leaves; /* nodes without children */
  struct nth_domain node[NTH_DOMAINS_MOST];
  const uint32_t *cpu;      /* I3 */
  const uint32_t *position; /* [cpus]; UINT32_MAX: not in the tree */
  uint32_t cpus;
};

/* The tree by hand; zero where there is none. */
extern struct nth_domains nth_domains;
/* The tree of a machine without domains. */
extern const struct nth_domains nth_domains_one;

/* Makes the machine's tree of a survey, without cpu and position (I3). */
void nth_domains_make(struct nth_domains *d, const struct nth_survey *s);

/* Parses A[xB[xC...]]: each number but the last counts the domains in the domain around, the last
 * one the CPUs in a leaf. At most NTH_DOMAIN_LEVELS numbers. False: another text, or too many
 * numbers or nodes; the tree stays as it was. *at: the end of what was understood. */
bool nth_domains_parse(struct nth_domains *d, const char **at);

/* The tree as text, in the grammar of NTH_DOMAINS; the default tree is 1. Children that differ
 * stand in parentheses, equal neighbours counted: (8x2+2x4). */
#define NTH_DOMAINS_TEXT 256
void nth_domains_text(const struct nth_domains *d, char text[NTH_DOMAINS_TEXT]);

/* The leaf node that has this position. */
uint32_t nth_domains_leaf_at(const struct nth_domains *d, uint32_t position);
/* The number of the descriptor pool that serves a leaf. The pools are the nodes of the finest level
 * that has at most NTH_POOL_DOMAINS of them. */
uint32_t nth_domains_pool(const struct nth_domains *d, uint32_t leaf);

/* I1, I2 */
bool nth_domains_valid(const struct nth_domains *d);

#endif
