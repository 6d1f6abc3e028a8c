/* tree.h - the tree of memory domains in force: by hand, the machine's, or one domain
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The machine's tree is hwloc's to tell, which takes 3 to 5 ms and some hundred system
 *             calls: more than a small program's whole run. So nobody looks before the first need,
 *             and most processes never do.
 * First need  a root's team of more members than CPUs share a last-level cache, in a process that
 *             may use as many: a look at a few files of /sys says so, in 0.1 ms. Most machines have
 *             one such cache, so their programs never look. Any team if the environment describes a
 *             machine; a report. Only a program's own thread looks: it has a stack of the program's
 *             choice, and has called us from where it may call the loader. Never a processor, nor a
 *             fork()ed child: its parent may have had another thread in the loader or in hwloc. It
 *             goes on with what its parent knew.
 * One looks   who changes the state to LOOKING. Others with the same need wait for it, but for
 *             NTH_TREE_WAIT_NS only, and then go on with one domain: a thread that holds the
 *             loader's lock (in a constructor) and waits for one that wants it would wait for ever.
 * Use         NTH_DOMAINS at load: nth_tree_by_hand(); then nth_tree() anywhere, nth_tree_find()
 *             where a tree is wanted. A tree may come into force while teams are laid along the one
 *             before; each keeps the one it was laid along until it is laid again.
 * Invariants  I1  a tree that was in force is never changed or freed
 * Orders      A   the store that publishes a found tree -> nth_tree's load
 *             B   state: the store of KNOWN -> the load that finds it: the reason
 * Cost        nth_tree: a load. Slow paths only
 * Tested by   tests/unit/machines.c, hwloc.c, lit/topology
 */
#ifndef NTH_PLACE_TREE_H
#define NTH_PLACE_TREE_H

#include "runtime/place/domains.h"

/* The tree is written in NTH_DOMAINS; while the environment is read. */
void nth_tree_by_hand(void);

/* The tree in force. */
const struct nth_domains *nth_tree(void);

/* Members from which on a team looks, where these CPUs may be used. Elsewhere for unit tests
 * only. */
uint32_t nth_tree_need(const struct nth_cpuset *allowed);

/* Whether a team with so many members, those of teams nested in it counted, is a need. */
bool nth_tree_wanted(uint64_t members);

/* The same after a look at the machine, unless somebody has looked. */
const struct nth_domains *nth_tree_find(void);

/* Where the tree is from, or why it is one domain, and when programs look; as snprintf does. */
size_t nth_tree_why(char *text, size_t size);

/* The kinds of cores: which a processor is, the slowest 0; of a tree that was found. */
uint32_t nth_tree_speed(uint32_t processor);

/* Publishes the tree of a survey, which it takes over; for tests, too. False: no memory. */
bool nth_tree_publish(struct nth_survey *s, const char *why);

/* In a forked child. */
void nth_tree_forked(void);

#endif
