/* domains.h - the tree of memory domains: which processors are near each other, who looks where first
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         What two processors share, a cache or a memory bank, makes it cheap to pass a task or its
 *             descriptor from one to the other. "Efficient Runtime Thread Management for the
 *             Nano-Threads Programming Model", section 3.2: pools and ready queues are a tree like the
 *             machine. Here is the tree, and the order in which a member visits it, as arithmetic; the
 *             queues are in omp/task_domain.h, the pools in mem/pool.h.
 * Tree        One node by default: a machine without domains. NTH_DOMAINS=2x4 makes a root with two
 *             domains of four processors, 4x2x2 one with four domains that have two of two: an override
 *             by hand, and for tests of large machines on small ones.
 * Members     Member i of a team of n is at processor i, and where there are fewer processors at
 *             i * processors / n. So the members in a domain are a block of numbers, and neighbours in
 *             number share one. This holds for each team by itself: a nested one is laid from the first
 *             processor, too, as nothing is known of where its threads run.
 * Route       Members: those of the own leaf, then those of the next domain around, and so on outward;
 *             in each circle the start is another one for each member, so that thieves spread. Nodes:
 *             the own path from leaf to root, then the others outward. As all are blocks of numbers a
 *             route is a few spans.
 * Use         nth_domains_parse() at load; nth_route_make() when a team is made
 * Invariants  I1  nodes are numbered in preorder: the subtree of k is [k, end), its first child k + 1, the
 *                 next one that one's end. So the nodes that have members are the first ones
 *             I2  a node's processors are the sum of its children's, in order; leaves are numbered in order
 *             I3  a route has each other member once, each node that has members once; the first `path`
 *                 spans of nodes are one node each, from leaf to root
 * Orders      The tree is written by the load-time constructor only. A route is its owner's (slot.h).
 * Cost        route: a division and some steps a level; 100 bytes
 * Tested by   tests/unit/domains.c, lit/env/own.c
 */
#ifndef NTH_PLACE_DOMAINS_H
#define NTH_PLACE_DOMAINS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/config.h"

struct nth_domain {
  uint16_t parent;       /* number of the node around; of the root: 0, itself */
  uint16_t end;          /* I1 */
  uint16_t depth;        /* of the root: 0 */
  uint16_t leaf;         /* number among the leaves, of a leaf; else of its first one */
  uint32_t first, count; /* processors: [first, first + count) */
};

struct nth_domains {
  uint32_t count;  /* nodes, at most NTH_DOMAINS_MOST */
  uint32_t leaves; /* of these */
  struct nth_domain node[NTH_DOMAINS_MOST];
};

/* The machine's. */
extern struct nth_domains nth_domains;

/* A[xB[xC...]]: so many domains in a domain, at last so many processors in one. At most
 * NTH_DOMAIN_LEVELS numbers. False: it is not that, or too many; the tree stays. *at: up to where it was
 * understood. */
bool nth_domains_parse(struct nth_domains *d, const char **at);

/* The text of which it was made, of the tree by default 1. */
#define NTH_DOMAINS_TEXT 64
void nth_domains_text(const struct nth_domains *d, char text[NTH_DOMAINS_TEXT]);

/* The leaf node at which member i of n is. */
uint32_t nth_domains_leaf(const struct nth_domains *d, uint32_t i, uint32_t n);
/* The nodes that have members in a team of n: the first so many. */
uint32_t nth_domains_used(const struct nth_domains *d, uint32_t n);

/* --- routes --- */

struct nth_span {
  uint16_t begin, end; /* not empty */
};

enum {
  NTH_ROUTE_MEMBERS = 2 + 3 * (NTH_DOMAIN_LEVELS - 1),
  NTH_ROUTE_NODES = NTH_DOMAIN_LEVELS + 2 * (NTH_DOMAIN_LEVELS - 1)
};

/* All zero: nobody else, no node. */
struct nth_route {
  uint8_t members, nodes; /* spans */
  uint8_t path;           /* spans of nodes from leaf to root; I3 */
  struct nth_span member[NTH_ROUTE_MEMBERS];
  struct nth_span node[NTH_ROUTE_NODES];
};

void nth_route_make(struct nth_route *r, const struct nth_domains *d, uint32_t i, uint32_t n);

/* I1, I2 */
bool nth_domains_valid(const struct nth_domains *d);
/* I3 */
bool nth_route_valid(const struct nth_route *r, const struct nth_domains *d, uint32_t i, uint32_t n);

#endif
