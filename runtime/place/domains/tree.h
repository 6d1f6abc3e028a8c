/* tree.h - the tree of memory domains in force: by hand, the machine's, or one domain
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         hwloc knows the machine's tree, but takes 3 to 5 ms and some hundred system calls to
 *             tell it: more than a small program's whole run. So no thread asks before the first
 *             need, and most processes never ask.
 * First need  A root's team needs the tree if it has more members than CPUs share a last-level
 *             cache, in a process that may use as many CPUs as the team has members. A few files of
 *             /sys tell how many share a cache, in 0.1 ms. Most machines have one such cache, so
 *             their programs never ask. If the environment describes a machine any team needs the
 *             tree; so does a report.
 * Who asks    Only one of the program's own threads needs the tree, never a worker or processor.
 *             While it is the process's only thread it asks hwloc itself. Else it starts a thread
 *             that asks (sysfile.h). A forked child does not ask, since another thread of its
 *             parent may have been in the loader or in hwloc: the child keeps what its parent knew.
 * One asks    The thread that changes the state to LOOKING asks. It and other threads with the same
 *             need wait for the answer, but only for NTH_TREE_WAIT_NS; then they go on with one
 *             domain, and nobody waits any more. A longer wait might never end: the waiting thread
 *             may be in a constructor of a library that the program opens, and so hold the loader's
 *             lock, which the thread that asks wants. The answer counts from the next layout on.
 * Use         NTH_DOMAINS at load: nth_tree_by_hand(); then nth_tree() anywhere, nth_tree_find()
 *             where a tree is needed. A new tree may come into force while teams are laid along the
 *             old one; each team keeps its tree until it is laid again.
 * Invariants  I1  a tree that was in force is never changed or freed
 * Orders      A   the store that publishes a found tree -> nth_tree's load
 *             B   state: the store of KNOWN -> the load that reads it: publishes the reason
 * Cost        nth_tree: one load. The rest is for slow paths
 * Tested by   tests/unit/machines.c, hwloc.c, lit/topology
 */
#ifndef NTH_PLACE_TREE_H
#define NTH_PLACE_TREE_H

#include "runtime/place/domains/domains.h"

/* While the environment is read: NTH_DOMAINS describes the tree. */
void nth_tree_by_hand(void);

/* The tree in force. */
const struct nth_domains *nth_tree(void);

/* The smallest team that needs the machine's tree, where the process may use these CPUs. Outside
 * tree.c only unit tests call it. */
uint32_t nth_tree_need(const struct nth_cpuset *allowed);

/* Whether a team of this many members, those of nested teams included, needs the machine's tree,
 * and this tree is not known yet. */
bool nth_tree_wanted(uint64_t members);

/* Asks hwloc unless a thread has asked before; then the tree in force. */
const struct nth_domains *nth_tree_find(void);

/* Writes where the tree is from, or why it is one domain, and when programs ask, as snprintf
 * does. */
size_t nth_tree_why(char *text, size_t size);

/* The kind of core at a position of a found tree, the slowest 0; 0 of any other tree. */
uint32_t nth_tree_speed(uint32_t position);

/* Publishes the tree of a survey, and takes the survey over. Tests call it too. False: no
 * memory. */
bool nth_tree_publish(struct nth_survey *s, const char *why);

/* In the child of a fork(): hwloc is not asked from now on. */
void nth_tree_forked(void);

#endif
