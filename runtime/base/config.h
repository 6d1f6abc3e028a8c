/* config.h - every tunable of the runtime, with its reason
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Times are nanoseconds unless the name says otherwise. docs/design.md holds the measurements.
 */
#ifndef NTH_BASE_CONFIG_H
#define NTH_BASE_CONFIG_H

/* Distance that keeps two writers apart: two lines, since x86 prefetches lines in pairs. */
#define NTH_LINE 64
#define NTH_APART 128

/* Slots of a work-descriptor array. A power of two. A participant is never lapped, because the
 * join waits for it; more slots only make the lapping of bystanders (GWD) rarer. */
#define NTH_WD_SLOTS 4

/* Polls between two readings of the clock while spinning: about 1 us. */
#define NTH_SPIN_POLLS 64

/* The same where a member of a crowded team waits for all the others: one of them wants the CPU. */
#define NTH_CROWDED_POLLS 2

/* Spinning inside a region (barrier, join, lock ...): twice the site's recent wait, between these.
 * A sleep costs the wake-up of an idle CPU, 40-150 us on a virtual machine, and waits that are mostly
 * short are now and then 100 us: a low bound turns each of those into a wake-up. libgomp spins for
 * about 6 ms, libiomp5 for 200. */
#define NTH_SPIN_MIN_NS 5000000
#define NTH_SPIN_CAP_NS 10000000

/* Spinning between regions (docked): twice the predicted gap up to the cap. What libgomp burns
 * after a program's last region is about 6 ms; we stay below that. */
#define NTH_DOCK_CAP_NS 6000000
#define NTH_DOCK_MIN_NS 1000000
/* Gaps between these two that come regularly are slept through in part: a timed sleep for 4/5 of the
 * prediction, then a spin until 5/4 of it, so that a periodic program finds its processors awake
 * and pays a quarter of the CPU time for it. Longer gaps are slept through: a wake-up is small
 * beside them. */
#define NTH_DOCK_NAP_FROM_NS 1500000
#define NTH_DOCK_NAP_TO_NS 10000000

/* A docked processor first looks whether it is needed after so long, then after twice that time each time,
 * until it has doubled so often (holder.h). Its thread goes at the second look at the earliest: a new
 * one costs 60 us, an idle one its stack. */
#define NTH_IDLE_NS 500000000ull
#define NTH_IDLE_DOUBLINGS 13u
/* A nested team's processors get numbers of a flat region below this one though others between are not there yet: a
 * pointer each. Beyond it they get the next ones. */
#define NTH_GROUP_GAP 4096u
/* The first look of a nano-thread member, for which its OS thread has to be woken: some 50 us. */
#define NTH_IDLE_NANO_NS 1200000000ull

/* From here on a spinner offers its CPU now and then: a yield costs 0.3 us when nobody wants it. */
#define NTH_YIELD_AFTER_NS 10000
#define NTH_YIELD_EVERY_NS 5000

/* Two polls further apart than this: somebody else had the CPU in between. */
#define NTH_GAP_NS 500000
/* A competitor has the CPU for one in so many parts of the time between two gaps, or more, which are so
 * far apart. */
#define NTH_CONTENDED_PART 4
#define NTH_CONTENDED_NS 5000000
/* How long a processor that saw a competitor does not spin at all, first and at most; up to twice that, see
 * stop_spinning(). Each time in a row so many times as long as the last one; in a row: so soon after it. A try
 * beside a competitor costs all members one or two slices of the kernel's, 4 to 8 ms. */
#define NTH_PENALTY_NS 10000000
#define NTH_PENALTY_CAP_NS 640000000
#define NTH_PENALTY_TIMES 4
#define NTH_TRIAL_NS 100000000

/* Two waiters of ours on one CPU: a held thread moves away, at most so often. CPUs are told apart
 * modulo NTH_TENANTS. */
#define NTH_MOVE_EVERY_NS 10000000ull
#define NTH_TENANTS 1024u

/* Yields of an oversubscribed waiter before it sleeps (a switch by yield costs a tenth of one by
 * futex). */
#define NTH_YIELDS_OVER 64
/* A yield that took longer has let a stranger run, or a member with much to do: the slices of kernels are 3
 * ms and more. For a while there are no yields then, first and at most for so long: each try costs slices. */
#define NTH_SLOW_YIELD_NS 2000000
#define NTH_NO_YIELD_NS 40000000
#define NTH_NO_YIELD_CAP_NS 2560000000
/* Regions after an oversubscribed one during which its team still waits as if it were: programs
 * that alternate sizes have members asleep or on their way all the time. */
#define NTH_CROWD_REGIONS 8

/* OMP_WAIT_POLICY=active: as good as for ever. */
#define NTH_SPIN_ACTIVE_NS 100000000000ull
/* One count of GOMP_SPINCOUNT in nanoseconds (a poll with its pause). */
#define NTH_SPINCOUNT_NS 16

/* OMP_WAIT_POLICY=passive: about what a wake-up lasts; the longest time for which a wait polls, after as much work
 * at least. Polls in vain, n times in a row, leave out 2^n - 1 further waits; n at most. */
#define NTH_THRIFTY_NS 50000
#define NTH_VAIN_MOST 6

/* How often a sleeper looks again that cannot be sure to be woken (progress.h). */
#define NTH_UNSURE_NS 1000000

/* Nano-thread members (carry.h). The stack that an OS thread at rest keeps above the identity that
 * others may be running: its frames, and those of a signal or a debugger's call. */
#define NTH_REST_BYTES 65536u
#define NTH_VALGRIND_STEP 2097152u
/* The signal stack of an OS thread that runs members (overflow.h), beside what the kernel writes there; and how
 * far below a stack a fault counts as its overflow. */
#define NTH_OVERFLOW_BYTES 65536u
#define NTH_OVERFLOW_REACH 65536u
/* So many polls between two looks at other carriers' queues, about 1/2 us: a member that is taken away from its CPU
 * costs the lines of its stack. */
#define NTH_STEAL_POLLS 32u
/* Of so many identities that a carrier takes from its queue it looks at the clock for one: for those that
 * wait for a time. A power of two. */
#define NTH_CLOCK_TURNS 32u
/* Members are ready, and other carriers asleep, for so long: one is woken. About what waking one costs. */
#define NTH_BACKLOG_NS 30000u

/* How long a carrier spins that waits for work in a team larger than the machine; before that so many polls, some 10 us, in
 * which it does not say so. */
#define NTH_DOCKED_SPIN_NS 20000u
#define NTH_DOCK_POLLS 512u
/* A master that runs its members' bodies itself, since that was faster than to wake their OS threads, sees what a wake-up
 * costs by now at one of so many regions, if the bodies take longer than that together. */
#define NTH_ALONE_NS 5000u
#define NTH_ALONE_TIMES 16u

/* Looks for signal handlers (handlers.h), a dozen system calls each, 1 to 4 us: looks of roots before regions that
 * follow a gap, while there is no look of the watchdog; how many of them one of its looks adds, 0.3 % of the time; and
 * signals out of the usual ones that it asks for each time, so that it comes round in 40 to 80 ms. */
#define NTH_HANDLERS_LOOKS 16u
#define NTH_HANDLERS_REFILL 4u
#define NTH_HANDLERS_OTHERS 4

/* Looks of the watchdog (watchdog.h) at ready members that are late; the longest time between two while such
 * are run in time, and while all members wait; OS threads that it goes through to find one at rest; in a row so many
 * looks at a carrier that had lost its CPU. It stays awake where it was armed again within the period. */
#define NTH_WATCH_NS 1500000ull
#define NTH_WATCH_READY_NS 4000000ull
#define NTH_WATCH_MOST_NS 8000000ull
#define NTH_WATCH_STEPS 1000
#define NTH_WATCH_LOST 30u
#define NTH_WATCH_PERIOD_NS 100000000ull
/* After it had to help, members wait on their own OS threads for so long, twice as long each time in a row. */
#define NTH_APART_NS 20000000ull
#define NTH_WATCH_STRIKES 7u
#define NTH_WATCH_APART 3u

/* Doacross loops: positions of so many chunks are kept at once, at least and a member; see
 * doacross.h. */
#define NTH_DOACROSS_UNITS 64u
#define NTH_DOACROSS_UNITS_EACH 16u

/* How often, and for how long each time, a member sleeps and looks again that was woken for tasks and gets
 * none, before another one may be called. */
#define NTH_SEARCH_NAPS 8
#define NTH_SEARCH_NAP_NS 100000

/* Polls of a barrier's second phase between two looks at all members' counts of tasks. A power of two,
 * and NTH_SPIN_POLLS a multiple of it. */
#define NTH_LEFT_POLLS 16u

/* Polls of a wait between two looks for tasks that others keep to themselves, or that lie in the middle
 * of a list; about 4 us. */
#define NTH_DEEP_POLLS 256u
/* Then twice as many each time, up to so many; about 64 us. A power of two. And where such looks have found
 * something by force alone, the first one comes after 2, 4, 8, 16 times as many, too: with tasks that are
 * shorter than the interruption of their maker. */
#define NTH_DEEP_POLLS_MOST 4096u
#define NTH_PATIENCE_MOST 4
/* The same for whole deques; about 1/4 ms. A multiple of it. */
#define NTH_ALL_POLLS 16384u

/* Ancestors that a thief looks at before it takes a task. */
#define NTH_LATE_STEPS 64u

/* Tasks that a thief takes at once at most. */
#define NTH_STEAL_MOST 8u

/* Ready tasks of a member from which on it runs new ones itself instead of queueing them: enough to keep
 * everybody busy, few enough for the cache. libgomp's number (there all tasks of the team count), so programs
 * know it. Of tasks with a priority: unfinished children of one task, a member of the team. */
#define NTH_TASKS_AHEAD 64u
/* Unfinished children of one task, a member of the team, with dependences, few of which are ready. */
#define NTH_DEPENDS_AHEAD 256u
/* Ready tasks from before the current one, for each member of the team, from which on it runs new ones at
 * once. */
#define NTH_TASKS_NESTED 1u
/* Of these so many one within the other, and unfinished children of one that is deeper. */
#define NTH_NESTED_MOST 64u
#define NTH_NESTED_AHEAD 1024u

/* How many less they are, at most, when it goes on making tasks, if each task that it ran has made the next
 * one ready: few, for as long nobody makes any. */
#define NTH_AHEAD_LESS 8u

/* Finished tasks of one parent that a thread counts together, while one of them hands over to the next:
 * each count takes the parent's line away from a thread that is making more of them. */
#define NTH_OWED_MOST 16u

/* Slots of a table of dependences up to which an implicit task keeps it for the next region, where it gets
 * smaller if it is not needed: 192 KiB, room for what a team of two has at NTH_DEPENDS_AHEAD with some objects
 * a task. */
#define NTH_DEPEND_KEPT 4096u

/* Table of dependences (depend_table.h): slots and list nodes inside the table object, which then takes
 * no further memory for a task whose children name up to 12 objects. Slots: a power of two; the table
 * grows when 3/4 of them are in use. With more of either, the object outgrows its pool class of 1 KiB. */
#define NTH_DEPEND_SLOTS_OWN 16u
#define NTH_DEPEND_NODES_OWN 10u
/* List nodes in each block that a table takes when its own are used up: 16 bytes each, so that a block
 * fills its pool class of 1 KiB. Fewer: more blocks to take and to give back. */
#define NTH_DEPEND_NODES_MORE 63u
/* Children listed for one object at which finished ones are first looked for. Lower: short lists are
 * walked more often; higher: finished tasks keep their memory longer. */
#define NTH_DEPEND_SWEEP_FROM 16u
/* Slots ahead of a sweep whose tasks' lines are fetched meanwhile: enough to cover the latency of memory
 * with the work on the slots in between. Without it, a sweep waits for one line a slot. */
#define NTH_DEPEND_SWEEP_AHEAD 8
/* Slots from which on a table that was emptied without a sweep is swept early once, when 1/8 of them are
 * in use: so a large table whose entries were mostly finished does not stay large. Below that size, going
 * over the whole table costs less than to find out. */
#define NTH_DEPEND_SWEEP_EARLY 256u

/* Edges in a task with dependences, and in each block beyond: nearly all tasks have few predecessors, and a
 * block is 496 bytes. */
#define NTH_EDGES_OWN 4u
#define NTH_EDGES_MORE 30u

/* Successors whose lines are fetched while a task runs. */
#define NTH_EDGES_FETCHED 2

/* Parts of a batch (task_batch.h) from which on its runner calls for help once in so many, though it has seen
 * no mark; before, after 1, 3, 7 ... parts. Some 60 instructions, a millisecond of parts of 1 us. */
#define NTH_BATCH_LOOKS 1024u

/* Slots of a member's deque of ready tasks. A power of two. With more tasks than that a member runs the
 * next one at once, which costs nothing but the choice. 2 KiB. */
#define NTH_DEQUE_SLOTS 256u

/* Single items that a deque's owner keeps from hungry thieves at most, after they took none of the earlier
 * ones: a thief then waits for the second, or takes it by force after NTH_DEEP_POLLS. */
#define NTH_DEQUE_KEEPS 63u

/* Untied tasks (task_berth.h). Functions that a member knows, a power of two: a line of eight each. Tasks of
 * a new function that start on a stack of their own before it counts as one that does not wait; by how many each wait
 * makes that longer, and at most: a function of which more than one task in 5 waits keeps to such stacks. */
#define NTH_HABITS 64u
#define NTH_HABIT_TRIALS 4u
#define NTH_HABIT_WAITED 4u
#define NTH_HABIT_MOST 16u
/* Untied tasks whose functions do not wait for others' work, one in the other's wait, on one stack. */
#define NTH_UNTIED_NESTED 16u
/* Of so many turns of tasks that yield one comes behind a look at what others keep to themselves. */
#define NTH_BERTH_LOOKS 64u
/* Looks at a lock before an untied task leaves its stack for it, about 3 us: a switch and back is 0.1 us, but the
 * lock is mostly held for less. And looks of another one before those that are suspended go on meanwhile. */
#define NTH_LOCK_LOOKS 8u
/* Lists of those that are suspended for locks, by the lock's address. A power of two. */
#define NTH_LOCK_LISTS 64u

/* Bytes of arguments that an undeferred task copies to the stack at most: recursion may be deep, and a
 * copy of an array may be larger than a thread's stack. */
#define NTH_COPY_ON_STACK 512u

/* Slaves that the maker of a task looks at, whether one is docked: two loads each, of lines that do not
 * change while it is not. */
#define NTH_HELP_LOOKS 8u

/* Members from which a barrier is a tree, and children of a tree node. */
#define NTH_TREE_FROM 8
#define NTH_TREE_RADIX 4

/* Chunks a member from which a nonmonotonic loop gets own ranges: below, one counter is cheaper than
 * a line a member. */
#define NTH_RANGES_FROM 4u

/* The largest team that is ever tried; OMP_NUM_THREADS beyond it is clamped, with a word. No machine has so many
 * threads; before that the system refuses them, and the team has those there are. */
#define NTH_MAX_TEAM 1048576
/* Processors for nano-threads of nanogomp/nth.h, and numbers in NTH_DOMAINS: the size of a table. */
#define NTH_MAX_PROCESSORS 4096

/* After the system refused a thread nobody asks for another for so long. */
#define NTH_REFUSED_NS 1000000000ull

/* The tree of memory domains (place/domains.h): levels, root and leaves included, as many as machine,
 * package, memory bank, cache and core; nodes in all. */
#define NTH_DOMAIN_LEVELS 5
#define NTH_DOMAINS_MOST 128u
/* A root's team, those nested in it counted, of no more members than this never has the machine's topology
 * looked up, which takes 3 to 5 ms once. Four members are at most two pairs, and have each looked at all
 * others within a few hundred ns. */
#define NTH_TREE_SMALL 4u
/* How long a root waits while another one looks. */
#define NTH_TREE_WAIT_NS 50000000
/* Spans in the routes of a team whose members are bound in no order: 8 MiB. Beyond, it is laid as if they
 * were not bound. */
#define NTH_ROUTE_SPANS_MOST 0x100000u
/* Parts of a domain's ready queue, each with a lock: how many members put tasks there side by side. One
 * byte each in a word. */
#define NTH_READY_PARTS 8u

/* Memory of the runtime's own (mem/heap.h). A chunk: a team of 16 with its tasks fits, and it stays below the
 * 2 MiB for which the kernel would take a huge page. Blocks beyond NTH_HEAP_OWN bytes have their own mapping, those
 * beyond NTH_HEAP_KEPT go back to the system when they are freed. Units of 128 bytes: up to NTH_HEAP_EXACT of them
 * blocks have just the size that was asked for. */
#define NTH_HEAP_CHUNK 1048576u
#define NTH_HEAP_OWN 131072u
#define NTH_HEAP_KEPT 4194304u
#define NTH_HEAP_EXACT 64u
/* How long it waits for memory without which the program cannot go on: other threads may free some. */
#define NTH_HEAP_WAIT_NS 1000000000ull

/* Pools of descriptors (mem/pool.h). Sizes of their classes, multiples of NTH_LINE: a task with few
 * arguments is in the first, one with dependences in the next ones; above the last the C library's
 * work is small beside the copy of the arguments. */
#define NTH_POOL_SIZES 192, 256, 384, 512, 1024, 2048
/* A nano-thread's descriptor, two lines. */
#define NTH_POOL_NANO_SIZE 128
/* Descriptors that go from one level to another at once: two lines of pointers. A lock whose line another CPU had
 * last costs 100 ns. With 8 at once, as in "Introducing Batches of Threads", empty nano-threads that one processor
 * makes and another runs take 1.1 times as long; with 32 0.95 times, and a thread has twice the memory. */
#define NTH_POOL_BATCH 16u
/* A thread keeps two batches of a class at most. With one, a thread that takes and gives in turns at
 * the edge would go to the next level each time. */
#define NTH_POOL_KEPT (2 * NTH_POOL_BATCH)
/* Descriptors of a class that a domain keeps before it sends them to the central pool: what eight
 * members have at NTH_TASKS_AHEAD each; a page of pointers. */
#define NTH_POOL_DOMAIN 512u
/* Nano-threads' descriptors: a program makes some thousand before it waits; a megabyte. */
#define NTH_POOL_DOMAIN_NANO 8192u
/* Domains with pools of their own; numbers beyond share them. */
#define NTH_POOL_DOMAINS 16u
/* Bytes that are asked from the system at once for a class. */
#define NTH_POOL_SLAB 65536u
/* Looks at a shared level's lock before sleeping on it, about 2 us: it is held for two or three misses,
 * and a sleep with its wake-up costs some hundred of them. */
#define NTH_POOL_LOOKS 50

/* Stacks beside those of threads (stack.h), in all: each is two of the 65530 maps that Linux gives a process.
 * With a limit on the address space they take one part in so many of it. Under the address sanitizer, which looks
 * through all of a stack, one has so many bytes at most. */
#define NTH_STACKS_MOST 16384u
#define NTH_STACKS_PART 4u
#define NTH_STACK_ASAN 262144u
/* Free stacks that a domain and the central pool keep besides each thread's own, see NTH_POOL_KEPT; others are
 * unmapped. */
#define NTH_STACKS_COMMON 64u
/* How long a processor that finds nano-threads keeps its OS thread to itself while members of teams or other
 * processors are ready there, ns, and the most nano-threads from one look at the clock to the next. Shorter, it
 * would cost a switch of 50 ns and cold caches more often; longer, a master whose slaves have ended waits longer. */
#define NTH_TURN_NS 20000u
#define NTH_TURN_MOST 64u
/* Nano-threads that a processor takes out of a ready queue at once: a lock and a line of each in turn,
 * so that a lookup costs little beside the start. Others can steal them back. */
#define NTH_LRQ_TAKE 8u
/* Descriptors that a batch of threads takes from a pool at once, with their lines on the way: a lock a time. */
#define NTH_GATHER 32u
/* Places between a queued nano-thread and the one whose line is fetched when the first is taken. Taking and
 * starting one costs 20 ns, a line from memory 80 to 100. A power of two. */
#define NTH_AHEAD 4u

/* Bytes that the pool of an OpenMP allocator counts for a block besides its own (header and the C
 * library's), as libgomp does; alignments beyond 8 count in full. */
#define NTH_POOL_OVERHEAD 32u

/* Allocators that are tried one after the other for a block. */
#define NTH_FALLBACKS 64

/* Pages that a small pinned block is looked for in, before one more is pinned. */
#define NTH_PINNED_LOOK 8

#endif
