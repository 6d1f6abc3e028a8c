/* route.h - where a team's members are in the tree of domains, and whom each of them visits first
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A thief looks near itself first, and a task that is for a domain lies in that
 *             domain's queue. Both want the members of a domain as a few spans of numbers, with no
 *             search in a region.
 * Group       A team has a group: consecutive processors of the tree. A root's team has all of
 *             them. Where regions may be nested in it, it splits them evenly among its members, at
 *             the borders of leaves where these are small beside a part; a nested team has its
 *             master's part, and so on inward. Where they may not (or were not to), a nested team
 *             takes the smallest domain around its master that has a processor for each member.
 * Members     Member i of n is at the group's processor i, and where there are fewer processors at
 *             i * processors / n: those in a domain are a block of numbers. Members that are bound
 *             to places are where their places are, in any order of numbers; they are sorted by
 *             leaf, and a route is translated from positions in that order to numbers, which may
 *             take more spans.
 * Route       Members: those of the own leaf, then those of the next domain around, and so on
 *             outward; in each circle the start is another one for each member, so that thieves
 *             spread. Nodes: the own path from leaf to root, then the others outward. Nodes are
 *             counted without those that have no members.
 * Use         nth_layout_blocks() or nth_layout_places(), then nth_route_lay() for each member
 * Invariants  I1  a route has each other member once, each node that has members once; the first
 *                 `path` spans of nodes are one node each, from leaf to root
 *             I2  node k has the members at positions [from[k], from[end of k])
 * Orders      a layout is its maker's; a route is its owner's (slot.h)
 * Cost        layout: a step a node, or a member; route: some steps a level, or a member; 260 bytes
 * Tested by   tests/unit/domains.c, machines.c
 */
#ifndef NTH_PLACE_ROUTE_H
#define NTH_PLACE_ROUTE_H

#include "runtime/place/domains.h"

struct nth_span {
  uint32_t begin, end; /* not empty */
};

enum {
  NTH_ROUTE_MEMBERS = 2 + 3 * (NTH_DOMAIN_LEVELS - 1),
  NTH_ROUTE_NODES = NTH_DOMAIN_LEVELS + 2 * (NTH_DOMAIN_LEVELS - 1)
};

/* All zero: nobody else, no node. */
struct nth_route {
  const struct nth_span *member; /* `own`, or memory of the team's */
  uint32_t members;              /* spans */
  uint8_t nodes;                 /* spans */
  uint8_t path;                  /* spans of nodes from leaf to root; I1 */
  struct nth_span own[NTH_ROUTE_MEMBERS];
  struct nth_span node[NTH_ROUTE_NODES];
};

/* Visits the nodes of spans [from, to) of a route, as k. */
#define NTH_ROUTE_NODES(r, from, to, k)                                                            \
  for (uint32_t s_ = (from), end_ = (to); s_ < end_; s_++)                                         \
    for (uint32_t k = (r)->node[s_].begin; k < (r)->node[s_].end; k++)

/* Visits the other members, the nearest first, as i. */
#define NTH_ROUTE_MEMBERS(r, i)                                                                    \
  for (uint32_t s_ = 0; s_ < (r)->members; s_++)                                                   \
    for (uint32_t i = (r)->member[s_].begin; i < (r)->member[s_].end; i++)

/* --- groups --- */

struct nth_part {
  const struct nth_domains *tree;
  uint32_t first, count; /* processors */
  bool split;            /* each member has a part of its own */
};

/* The group of a team of n that member i of `of`, a team of `members`, is the master of. */
struct nth_part nth_part_of(const struct nth_part *of, uint32_t i, uint32_t members, uint32_t n);

/* The processor at which member i of n is. */
uint32_t nth_part_processor(const struct nth_part *p, uint32_t i, uint32_t n);

/* --- layouts --- */

struct nth_layout {
  const struct nth_domains *tree;
  uint32_t members;
  uint32_t *order;                     /* [members]: the member at a position; NULL: its number */
  uint32_t *position;                  /* [members]: the other way round */
  uint32_t from[NTH_DOMAINS_MOST + 1]; /* I2 */
  uint32_t used[NTH_DOMAINS_MOST + 1]; /* nodes before this one that have members */
};

void nth_layout_blocks(struct nth_layout *l, const struct nth_part *p, uint32_t n);

/* leaf[i]: the node of member i. order and position have room for n. */
void nth_layout_places(struct nth_layout *l, const struct nth_domains *tree, const uint32_t *leaf,
                       uint32_t n, uint32_t *order, uint32_t *position);

/* Nodes that have members. */
static inline uint32_t nth_layout_nodes(const struct nth_layout *l) {
  return l->used[l->tree->count];
}

/* The leaf node of member i. Elsewhere for unit tests only. */
uint32_t nth_layout_leaf(const struct nth_layout *l, uint32_t i);

/* Members that the first group of a tree barrier should have, so that groups do not cross
 * domains. */
uint32_t nth_layout_radix(const struct nth_layout *l);

/* --- routes --- */

/* Returns the spans that members need: where there are more than NTH_ROUTE_MEMBERS they go to room,
 * if it is not NULL; else the route is not made. */
uint32_t nth_route_lay(struct nth_route *r, const struct nth_layout *l, uint32_t i,
                       struct nth_span *room);

/* The lowest level below `most` at which both paths have the same node; else `most`. */
static inline uint32_t nth_route_common(const struct nth_route *a, const struct nth_route *b,
                                        uint32_t most) {
  for (uint32_t i = 0; i < most && i < a->path; i++)
    for (uint32_t k = 0; k < b->path; k++)
      if (a->node[i].begin == b->node[k].begin)
        return i;
  return most;
}

/* I1 */
bool nth_route_valid(const struct nth_route *r, const struct nth_layout *l, uint32_t i);

#endif
