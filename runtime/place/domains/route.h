/* route.h - where a team's members are in the tree of domains, and which others each visits first
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A thief looks near itself first, and a task that is for a domain lies in that
 *             domain's queue. Both need the members of a domain as a few spans of numbers, so that
 *             a region does no search.
 * Stretch     A team has a stretch of the tree: CPUs at consecutive positions. A root's team has
 *             the whole tree. If regions may be nested in the team, its stretch is split evenly
 *             among its members, and a nested team has the share of its master, and so on inward. A
 *             border moves to the border of a leaf where the leaf is small beside a share. If
 *             nesting was not announced, a nested team takes the smallest domain around its master
 *             that has a CPU for each member.
 * Members     Member i of n is at position i of the stretch, or at i * CPUs / n if it has fewer
 *             CPUs than members; so the members in a domain are a block of numbers. Members that
 *             are bound to places are where their places are, in any order of numbers. They are
 *             sorted by leaf, and a member's number in that order is its index. A route is then
 *             translated from indexes to numbers, which may take more spans.
 * Route       Members: first those of the own leaf, then those of the next domain around, and so on
 *             outward. In each circle members start at different points, so that thieves spread.
 *             Nodes: the own path from leaf to root, then the other nodes outward. Nodes without
 *             members are not counted.
 * Use         nth_layout_blocks() or nth_layout_places(), then nth_route_lay() for each member
 * Invariants  I1  a route has each other member once, each node that has members once; the first
 *                 `path` spans of nodes are one node each, from leaf to root
 *             I2  node k has the members at indexes [from[k], from[end of k])
 * Orders      only its maker uses a layout; only its owner uses a route (slot.h)
 * Cost        layout: a step for each node, or for each member if they are bound; route: some steps
 *             for each level, or each member; 232 bytes
 * Tested by   tests/unit/domains.c, machines.c
 */
#ifndef NTH_PLACE_ROUTE_H
#define NTH_PLACE_ROUTE_H

#include "runtime/place/domains/domains.h"

struct nth_span {
  uint32_t begin, end; /* not empty */
};

enum {
  NTH_ROUTE_MEMBERS = 2 + 3 * (NTH_DOMAIN_LEVELS - 1),
  NTH_ROUTE_NODES = NTH_DOMAIN_LEVELS + 2 * (NTH_DOMAIN_LEVELS - 1)
};

/* All zero: no other member, no node. */
struct nth_route {
  const struct nth_span *member; /* `own`, or the team's memory */
  uint32_t members;              /* spans */
  uint8_t nodes;                 /* spans */
  uint8_t path;                  /* spans of nodes from leaf to root; I1 */
  struct nth_span own[NTH_ROUTE_MEMBERS];
  struct nth_span node[NTH_ROUTE_NODES];
};

/* Visits the nodes of spans [from, to) of a route, as k. These are two loops: a break leaves the
 * inner one only. */
#define NTH_ROUTE_EACH_NODE(r, from, to, k)                                                        \
  for (uint32_t s_ = (from), end_ = (to); s_ < end_; s_++)                                         \
    for (uint32_t k = (r)->node[s_].begin; k < (r)->node[s_].end; k++)

/* Visits the other members, the nearest first, as i; two loops, too. */
#define NTH_ROUTE_EACH_MEMBER(r, i)                                                                \
  for (uint32_t s_ = 0; s_ < (r)->members; s_++)                                                   \
    for (uint32_t i = (r)->member[s_].begin; i < (r)->member[s_].end; i++)

/* --- stretches --- */

struct nth_stretch {
  const struct nth_domains *tree;
  uint32_t first, count; /* positions */
  bool split;            /* each member has a share of its own */
};

/* The stretch of a nested team of n members. Its master is member i of a team of `members`, whose
 * stretch is `of`. */
struct nth_stretch nth_stretch_of(const struct nth_stretch *of, uint32_t i, uint32_t members,
                                  uint32_t n);

/* The position at which member i of n is. */
uint32_t nth_stretch_position(const struct nth_stretch *p, uint32_t i, uint32_t n);

/* --- layouts --- */

struct nth_layout {
  const struct nth_domains *tree;
  uint32_t members;
  uint32_t *order;                     /* [members]: the member at an index; NULL: its number is the
                                        * index */
  uint32_t *index;                     /* [members]: a member's index; NULL as order is */
  uint32_t from[NTH_DOMAINS_MOST + 1]; /* I2 */
  uint32_t used[NTH_DOMAINS_MOST + 1]; /* nodes before this one that have members */
};

/* The layout of n members that are not bound. */
void nth_layout_blocks(struct nth_layout *l, const struct nth_stretch *p, uint32_t n);

/* The layout of n bound members. leaf[i]: the leaf node of member i. order and index have room for
 * n numbers. */
void nth_layout_places(struct nth_layout *l, const struct nth_domains *tree, const uint32_t *leaf,
                       uint32_t n, uint32_t *order, uint32_t *index);

/* The number of nodes that have members. */
static inline uint32_t nth_layout_nodes(const struct nth_layout *l) {
  return l->used[l->tree->count];
}

/* The leaf node of member i. Outside route.c only unit tests call it. */
uint32_t nth_layout_leaf(const struct nth_layout *l, uint32_t i);

/* How many members the first groups of a tree barrier should have, so that no group has members of
 * two domains. */
uint32_t nth_layout_radix(const struct nth_layout *l);

/* --- routes --- */

/* Makes member i's route. Returns how many spans its members need. If these are more than
 * NTH_ROUTE_MEMBERS they go to room; with room NULL the route is then not made. */
uint32_t nth_route_lay(struct nth_route *r, const struct nth_layout *l, uint32_t i,
                       struct nth_span *room);

/* The level, from the leaf up, at which a's path first has a node of b's path; at most `most`. */
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
