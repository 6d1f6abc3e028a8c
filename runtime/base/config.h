/* config.h - the runtime's tunables: what each counts, in which unit, and why it has this value
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Some stand with their one user: sched/wait/config_gaps.h, sched/share/share.h, tasks/task_pack.h.
 * Times are nanoseconds unless the name says otherwise. docs/design/ holds the measurements.
 * "More" and "less" say what changes with a larger or a smaller value.
 */
#ifndef NTH_BASE_CONFIG_H
#define NTH_BASE_CONFIG_H

#include "runtime/base/config_more.h" /* the second half */

/* --- memory layout --- */

#define NTH_LINE 64 /* bytes of a cache line */
/* Bytes that keep two writers apart: two lines, since x86 prefetches lines in pairs. Less: two
 * writers take each other's lines away. */
#define NTH_APART 128
#define NTH_COUNT_LINES 64 /* for counts (count.h): beyond so many CPUs two share a line */

/* --- fork --- */

/* Slots of a work-descriptor array; a power of two. The join waits for each slave, so a slave is
 * never lapped. More: bystanders of a GWD are lapped less often. */
#define NTH_WD_SLOTS 4

/* --- waits: spinning --- */

/* Polls between two readings of the clock while a thread spins, about 1 us. More: the thread sees
 * the end of its budget later. Less: reading the clock, 25 ns, delays the end of the wait. */
#define NTH_SPIN_POLLS 64

/* The same where a member of a crowded team waits for all the others. One of them wants this CPU,
 * so the member yields early: with 64 polls, half of the CPU time of nested 2x4 regions was
 * polling. */
#define NTH_CROWDED_POLLS 2

/* Time for which a wait inside a region (barrier, join, lock ...) spins before it sleeps: twice
 * the site's recent wait, but at least MIN and at most CAP. A sleep costs the wake-up of an idle
 * CPU, 40 to 150 us on a virtual machine, and waits that are mostly short are now and then 100 us.
 * Less: each of those becomes a wake-up. More: a long wait burns more CPU time. libgomp spins for
 * 6 to 8 ms, which depends on the CPU, libiomp5 for 200 ms. */
#define NTH_SPIN_MIN_NS 5000000
#define NTH_SPIN_CAP_NS 10000000

/* The same between regions: the longest of the last gaps and a quarter more. libgomp spins as long
 * as CAP. With a CAP of 6 ms regions after random gaps of 5 ms took 1.7 times as long as there. */
#define NTH_DOCK_CAP_NS 8000000
#define NTH_DOCK_MIN_NS 1000000

/* Gaps between regions, from FROM to TO, that are slept through in part if they come regularly: a
 * timed sleep for 4/5 of the prediction, then a spin until 5/4 of it. So a periodic program finds
 * its workers awake for a quarter of the CPU time. From TO on the whole gap is slept through,
 * whether it is regular or not: a wake-up is small beside it. */
#define NTH_DOCK_NAP_FROM_NS 1500000
#define NTH_DOCK_NAP_TO_NS 10000000

/* Time after which a spinning thread offers its CPU to others, and from one offer to the next. A
 * yield costs 0.3 us when nobody wants the CPU. More: another thread on this CPU waits longer. */
#define NTH_YIELD_AFTER_NS 10000
#define NTH_YIELD_EVERY_NS 5000

/* OMP_WAIT_POLICY=active: the time for which a wait spins, 100 s: practically without end. */
#define NTH_SPIN_ACTIVE_NS 100000000000ull
/* One count of GOMP_SPINCOUNT as a time: a poll with its pause. */
#define NTH_SPINCOUNT_NS 16

/* OMP_WAIT_POLICY=passive: the longest time for which a wait polls, and the work since the last
 * wait without which it does not poll. About what a wake-up lasts, so that polling costs at most
 * as much. */
#define NTH_THRIFTY_NS 50000
/* After n such waits in a row that polled in vain, the next 2^n - 1 waits do not poll. This is the
 * largest n. More: a program whose waits become short again notices it later. */
#define NTH_VAIN_MOST 6

/* --- waits: competitors for the CPU --- */

/* Time between two polls of one thread from which on the thread takes it that something else had
 * the CPU in between. Less: interrupts count too. */
#define NTH_GAP_NS 500000
/* After a gap the thread looks how much CPU time others have taken since its last look. It has a
 * competitor if that is more than one PART-th. Looks, some system calls, are NS apart at least. */
#define NTH_CONTENDED_PART 4
#define NTH_CONTENDED_NS 5000000
/* Beside a competitor sleeps pay if more than one PART-th of the thread's own CPU time goes into
 * polls, or more than COST in each wait: about a sleep with its wake-up. Less: two programs with
 * rounds of 5 us sleep in each. More: slices are spun away that the awaited thread could use. */
#define NTH_WASTED_PART 4
#define NTH_SLEEP_COST_NS 50000u

/* Penalty: how long such a waiter does not spin at all. The first penalty, and the longest; it may
 * last up to twice that, since it ends at a multiple of its length (stop_spinning()). A try costs
 * all members one or two of the kernel's slices, 4 to 8 ms. Less: more such tries. More: spinning
 * resumes later when the competitor has gone. */
#define NTH_PENALTY_NS 10000000
#define NTH_PENALTY_CAP_NS 640000000
/* By how much each penalty in a row is longer than the one before; and the time after a penalty in
 * which the next one counts as being in a row with it. */
#define NTH_PENALTY_TIMES 4
#define NTH_TRIAL_NS 100000000

/* When two waiters of ours share a CPU though there are CPUs enough, the one that is no root moves
 * away, each NS at most. Less: threads that the kernel is about to part move as well. */
#define NTH_MOVE_EVERY_NS 10000000ull
/* Entries of the table in which waiters note their CPU; its number modulo this is its entry. */
#define NTH_TENANTS 1024u

/* Yields of a waiter in a crowded team before it sleeps. A switch by yield costs a tenth of one by
 * futex. More: a team whose other members have much to do yields in vain. */
#define NTH_YIELDS_OVER 64
/* A yield that lasts longer than this has let a stranger run, or a member with much to do: kernels
 * give slices of 3 ms and more. */
#define NTH_SLOW_YIELD_NS 2000000
/* After such a yield: how long the waiter does not yield, at first, and at most when that doubles
 * each time in a row. Each try costs slices. */
#define NTH_NO_YIELD_NS 40000000
#define NTH_NO_YIELD_CAP_NS 2560000000
/* Regions after a crowded one in which the team still waits as if it were crowded. A program that
 * alternates sizes has members asleep or on their way all the time. */
#define NTH_CROWD_REGIONS 8

/* Time after which a sleeper looks again for itself where it cannot be sure to be woken
 * (progress.h). Less: more wake-ups for nothing. More: a missed wake-up costs more. */
#define NTH_UNSURE_NS 1000000

/* --- idle workers --- */

/* Time after which a docked worker first looks whether it is still needed. Each further look comes
 * after twice the time of the one before, until it has doubled DOUBLINGS times (holder.h). The OS
 * thread ends at the second look at the earliest. A new thread costs 60 us, an idle one its stack.
 * Less: threads end that the next region needs. */
#define NTH_IDLE_NS 500000000ull
#define NTH_IDLE_DOUBLINGS 13u
/* The first look for a nano-thread member. It comes later, since the member's OS thread has to be
 * woken for it, which takes some 50 us. */
#define NTH_IDLE_NANO_NS 1200000000ull
/* Up to this number a nested team's workers get the numbers that a flat region would give them,
 * even if workers with lower numbers do not exist yet. Each gap costs a pointer. Beyond it they get
 * the next free numbers. */
#define NTH_GROUP_GAP 4096u

/* --- nano-thread members --- */

/* Bytes of its stack that an OS thread at rest keeps for itself, above the identity that others
 * may be running: for its own frames, and those of a signal or a debugger's call. Less: such
 * frames overwrite the member's. Under valgrind it is VALGRIND_STEP, from which valgrind sees that
 * the stack is another. */
#define NTH_REST_BYTES 65536u
#define NTH_VALGRIND_STEP 2097152u
/* Bytes of the signal stack of an OS thread that runs members (overflow.h), beside what the kernel
 * writes there; and how far below a stack, in bytes, a fault counts as that stack's overflow. */
#define NTH_OVERFLOW_BYTES 65536u
#define NTH_OVERFLOW_REACH 65536u
/* Polls between two looks of a carrier at other carriers' queues, about 1/2 us. Less: members are
 * taken away from their CPUs more often, and each time the lines of their stacks have to follow. */
#define NTH_STEAL_POLLS 32u
/* Identities that a carrier takes from its queue from one look at the clock to the next, for those
 * that wait for a time; a power of two. More: such a wait ends later. */
#define NTH_CLOCK_TURNS 32u
/* Time for which members have to be ready, and other carriers asleep, before one of these is
 * woken. About what waking one costs. */
#define NTH_BACKLOG_NS 30000u

/* Time for which a carrier spins that waits for work in a team larger than the machine. Before it
 * says that it is docked, or comes back to its last region, it polls POLLS times, some 10 us. */
#define NTH_DOCKED_SPIN_NS 20000u
#define NTH_DOCK_POLLS 512u
/* A master that runs its members' bodies itself, because that was faster than waking their OS
 * threads, lets them be woken at one of TIMES regions, to learn what that costs by now. It does so
 * only if the bodies take more than NS together. Less TIMES: more regions pay for the wake-ups. */
#define NTH_ALONE_NS 5000u
#define NTH_ALONE_TIMES 16u

/* Looks for signal handlers (handlers.h); each is a dozen system calls, 1 to 4 us. LOOKS: how many
 * the roots may make before regions that follow a gap, until the watchdog's next look. REFILL: how
 * many a look of the watchdog adds to these, 0.3 % of the time. OTHERS: how many of the unusual
 * signals each look asks for, so that all have been asked for in 40 to 80 ms. */
#define NTH_HANDLERS_LOOKS 16u
#define NTH_HANDLERS_REFILL 4u
#define NTH_HANDLERS_OTHERS 4

/* Watchdog (watchdog.h): time between two looks at ready members while some are late; the longest
 * time while ready ones are run in time; and the longest while all wait. A look takes some 15 us
 * from the thread that has that CPU. More: a member that nobody runs waits longer for help. */
#define NTH_WATCH_NS 1500000ull
#define NTH_WATCH_READY_NS 4000000ull
#define NTH_WATCH_MOST_NS 8000000ull
/* OS threads that the watchdog looks at, one after the other, to find one at rest for a member. */
#define NTH_WATCH_STEPS 1000
/* Looks in a row for which late members are not their carrier's fault: others had its CPU. */
#define NTH_WATCH_LOST 30u
/* If the watchdog is armed again within this time after it had nothing to watch, it stays awake
 * longer the next time: each arming costs a wake-up. */
#define NTH_WATCH_PERIOD_NS 100000000ull
/* After the watchdog has had to help: for how long it remembers that, doubled each time in a row;
 * how often it doubles at most; from which time in a row on members wait on their own OS threads;
 * and within which time after that the row goes on with one more look that finds members late. */
#define NTH_APART_NS 20000000ull
#define NTH_WATCH_STRIKES 7u
#define NTH_WATCH_APART 3u
#define NTH_WATCH_AGAIN_NS 100000000ull

/* --- barriers --- */

/* Members from which on a barrier is a tree, and members that meet at a node of that tree. */
#define NTH_TREE_FROM 8
#define NTH_TREE_RADIX 4

/* Polls in a barrier's second phase between two looks at all members' counts of tasks. A power of
 * two, and NTH_SPIN_POLLS is a multiple of it. Less: the looks take lines away from members at
 * work. */
#define NTH_LEFT_POLLS 16u

/* --- looking for tasks --- */

/* A member that was woken for tasks and gets none looks again NAPS times, each time after a sleep
 * of NAP_NS, before another member may be called. Less: where tasks are made one by one and run by
 * their maker, somebody is woken for each of them. */
#define NTH_SEARCH_NAPS 8
#define NTH_SEARCH_NAP_NS 100000

/* Polls of a wait between two deep looks, about 4 us. A deep look is for tasks that others keep
 * to themselves, or that lie in the middle of a list. Less: the looks disturb the maker of the
 * tasks. */
#define NTH_DEEP_POLLS 256u
/* The most polls between two deep looks, about 64 us; the number doubles with each look. A power
 * of two. */
#define NTH_DEEP_POLLS_MOST 4096u
/* Where deep looks have found something only by force, the first one of a wait comes later as well:
 * after 2, 4, 8, 16 times NTH_DEEP_POLLS. This is how often it doubles. It helps where tasks are
 * shorter than the interruption of their maker. */
#define NTH_PATIENCE_MOST 4
/* Polls from one look through whole deques to the next, about 1/4 ms; a multiple of
 * NTH_DEEP_POLLS_MOST. */
#define NTH_ALL_POLLS 16384u

/* Ancestors of a task that a thief goes through before it takes the task, to see whether the task
 * descends from the one that it waits in. More: the thief reads a line of each. */
#define NTH_LATE_STEPS 64u

/* Tasks of a list that are looked at, to find one that may be started: the list may be long, and
 * its lock is held. */
#define NTH_LIST_LOOKS 8

/* Tasks that a thief takes at once at most. More: a thief may hold what others could run. */
#define NTH_STEAL_MOST 8u

/* --- how far a member goes ahead in making tasks --- */

/* Ready brief tasks (brief.h) of a member from which on it runs new ones itself: all are busy, and
 * the cache has an end. Of other tasks a member may have so many for each member of its team, but
 * READY_MOST at most. Less: programs hang whose maker holds a mutex that the task wants. libgomp's
 * number is the same, for each thread. With a priority: unfinished children of a task, for each
 * member. PACKS: of packs (task_pack.h), 8 to 16 tasks each. */
#define NTH_TASKS_AHEAD 64u
#define NTH_PACKS_AHEAD 32u
#define NTH_READY_MOST 192u
/* The same for tasks with dependences, since few of those are ready: unfinished children of one
 * task, for each member of the team. */
#define NTH_DEPENDS_AHEAD 256u
/* Tasks that a member runs at once, one inside the other, at most: each takes some of the stack. A
 * task that is nested deeper queues its children, until AHEAD of them are unfinished. */
#define NTH_NESTED_MOST 64u
#define NTH_NESTED_AHEAD 1024u
/* If each task that a maker ran has made the next one ready: by how much, at most, the number of
 * unfinished tasks must fall before the maker stops running tasks and makes new ones. More: for
 * longer nobody makes tasks. */
#define NTH_AHEAD_LESS 8u
/* Finished tasks of one parent that a thread counts together while one of them hands over to the
 * next. Each count takes the parent's line away from a thread that is making more of them. */
#define NTH_OWED_MOST 16u

/* --- dependences --- */

/* Slots of a dependence table up to which an implicit task keeps it for the next region, where it
 * shrinks if it is not needed: 192 KiB, room for what a team of two has at NTH_DEPENDS_AHEAD with
 * some objects a task. More: an idle team keeps more memory. */
#define NTH_DEPEND_KEPT 4096u

/* Dependence table (depend_table.h): slots and list nodes inside the table object, which then
 * takes no further memory for a task whose children name up to 12 objects, with up to 10 nodes.
 * Slots: a power of two; the table grows when 3/4 of them are in use. With more of either, the
 * object outgrows its pool class of 1 KiB. */
#define NTH_DEPEND_SLOTS_OWN 16u
#define NTH_DEPEND_NODES_OWN 10u
/* List nodes in each block that a table takes when its own are used up: 16 bytes each, so that a
 * block fills its pool class of 1 KiB. Less: more blocks to take and to give back. */
#define NTH_DEPEND_NODES_MORE 63u
/* Children listed for one object at which finished ones are first looked for. Less: short lists
 * are walked more often. More: finished tasks keep their memory longer. */
#define NTH_DEPEND_SWEEP_FROM 16u
/* How many slots ahead of a sweep the tasks' lines are fetched: enough for the work on the slots
 * between to cover the latency of memory. Without it a sweep waits for one line a slot. */
#define NTH_DEPEND_SWEEP_AHEAD 8
/* Slots from which on a table that was emptied without a sweep is swept early once, when 1/8 of
 * them are in use: so a large table whose entries were mostly finished does not stay large. Below
 * that size, going over the whole table costs less than to find out. */
#define NTH_DEPEND_SWEEP_EARLY 256u

/* Edges inside a task with dependences, and in each block beyond. Nearly all tasks have few
 * predecessors; a block is 496 bytes. */
#define NTH_EDGES_OWN 4u
#define NTH_EDGES_MORE 30u
/* Successors whose lines are fetched while a task runs. */
#define NTH_EDGES_FETCHED 2

/* Exclusions (mutexinoutset) inside a task's record of them; with more it takes another piece of
 * memory. */
#define NTH_EXCLUSIONS_OWN 16

/* --- task batches, packs, deques --- */

/* Unfinished children from which on new ones may go into packs. Less: recursions pay for packs. */
#define NTH_PACK_FROM 4u
#define NTH_PACK_MOST 16u /* parts at most. More: a thief may hold what others could run */
/* Parts of a task batch (task_batch.h) from one call for help of its runner to the next, where it
 * has seen no mark; the first calls come after 1, 3, 7 ... parts. A call is some 60 instructions;
 * with parts of 1 us there is one a millisecond. More: a member that docked unseen is missed for
 * longer. */
#define NTH_BATCH_LOOKS 1024u

/* Slots of a member's deque of ready tasks, 2 KiB; a power of two. When it is full, a member runs
 * the next task at once. More: each process touches more pages. */
#define NTH_DEQUE_SLOTS 256u
/* KEEPS: single items in a row, at most, that an owner keeps from hungry thieves after it has
 * published others in vain, each for up to 1 us. One less than a power of two. VAIN: the time from
 * such an item to a wait for it, about what it costs the owner if another takes the item. */
#define NTH_DEQUE_KEEPS 1023u
#define NTH_DEQUE_VAIN_NS 1000u
/* Bytes of arguments that an undeferred task copies to the stack at most. Recursion may be deep,
 * and a copy of an array may be larger than a thread's stack. */
#define NTH_COPY_ON_STACK 512u
/* Slaves that the maker of a task looks at, to find one that is docked. A look is two loads from
 * lines that do not change while the slave is not docked. */
#define NTH_HELP_LOOKS 8u

/* --- untied tasks (task_berth.h) --- */

/* Functions whose habit of waiting a member knows; a power of two. 8 bytes each. */
#define NTH_HABITS 64u
/* The score of a function, in tasks that start on a stack of their own before it counts as one
 * that does not wait: TRIALS for a new function, WAITED more for each wait, MOST at most. So a
 * function of which more than one task in 5 waits keeps to such stacks. */
#define NTH_HABIT_TRIALS 4u
#define NTH_HABIT_WAITED 4u
#define NTH_HABIT_MOST 16u
/* Untied tasks that run on one stack at most, each started in the wait of the one before, where
 * their functions do not wait for others' work. */
#define NTH_UNTIED_NESTED 16u
/* Turns of tasks that yield, between two looks at what other members keep to themselves. */
#define NTH_BERTH_LOOKS 64u
/* Looks at a lock, about 3 us, before an untied task leaves its stack for it. A switch and back is
 * 0.1 us, but the lock is mostly held for less than the looks take. A task that keeps its stack
 * looks as often before it lets suspended tasks go on. A nano-thread does before it leaves its OS
 * thread: 13 ns a critical construct of 16 threads on 2 CPUs, with 4 looks 24, without 39. */
#define NTH_LOCK_LOOKS 11u
/* Each so many waits for locks, a nano-thread first lets others of its OS thread run. Less: more
 * switches. More: ready members wait longer; with 64 and a lock held for 10 us they are late. */
#define NTH_LOCK_TURN 16u
/* Lists of the tasks that are suspended for locks, told apart by the lock's address; a power of
 * two. */
#define NTH_LOCK_LISTS 64u

/* --- limits --- */

/* Members of the largest team that is ever tried; a larger OMP_NUM_THREADS is clamped, with a
 * message. No machine has so many threads: the system refuses some of them first, and the team has
 * those that there are. */
#define NTH_MAX_TEAM 1048576
/* Processors of nanogomp/nth.h, and numbers in NTH_DOMAINS: the size of a table. */
#define NTH_MAX_PROCESSORS 4096
/* Time from one look at the CPUs that this process may use to the next. More: a changed mask or
 * quota is noticed later. Less: more reads of system files. */
#define NTH_ALLOWED_REFRESH_NS 1000000000u
/* Time for which nobody asks for a thread after the system has refused one. */
#define NTH_REFUSED_NS 1000000000ull

/* --- memory domains --- */

/* The tree of memory domains (domains.h): its levels, root and leaves included, as many as
 * machine, package, memory bank, cache and core; and its nodes in all. */
#define NTH_DOMAIN_LEVELS 5
#define NTH_DOMAINS_MOST 128u
/* Members of a root's team, those of teams nested in it counted, up to which the machine's
 * topology is not looked up: that takes 3 to 5 ms once. Four members are at most two pairs, and
 * have each looked at all others within a few hundred ns. */
#define NTH_TREE_SMALL 4u
/* Time for which a root waits while a thread looks the topology up. */
#define NTH_TREE_WAIT_NS 50000000
/* Spans in the routes of a team whose members are bound in no order, at most: 8 MiB. A team that
 * needs more is laid as if its members were not bound. */
#define NTH_ROUTE_SPANS_MOST 0x100000u
/* Parts of a domain's ready queue, each with a lock: as many members can put tasks there at the
 * same time. The queue counts each part in one byte of a word. */
#define NTH_READY_PARTS 8u

/* --- memory of the runtime (heap.h) --- */

/* Bytes of a chunk that the heap takes from the system. A team of 16 with its tasks fits, and it
 * stays below the 2 MiB for which the kernel would take a huge page. */
#define NTH_HEAP_CHUNK 1048576u
/* Bytes of the first chunk, in the library's own data. A team of four fits. Less: most processes
 * map a chunk as well. */
#define NTH_HEAP_FIRST 65536u
/* Bytes beyond which a block has a mapping of its own, and beyond which such a mapping goes back
 * to the system when it is freed. */
#define NTH_HEAP_OWN 131072u
#define NTH_HEAP_KEPT 4194304u
/* Units of 128 bytes up to which a block has just the size that was asked for. Larger ones are
 * rounded, so that a freed one fits again. */
#define NTH_HEAP_EXACT 64u
/* Time for which the heap waits for memory without which the program cannot go on, since other
 * threads may free some. */
#define NTH_HEAP_WAIT_NS 1000000000ull

/* --- pools of descriptors (pool.h) --- */

/* Bytes of the size classes, multiples of NTH_LINE. A task with few arguments is in the first, one
 * with dependences in the next ones; above the last, the C library's work is small beside the copy
 * of the arguments. */
#define NTH_POOL_SIZES 192, 256, 384, 512, 1024, 2048
/* Bytes of a nano-thread's descriptor: two lines. */
#define NTH_POOL_NANO_SIZE 128
/* Descriptors that go from one level to another at once: two lines of pointers. A lock whose line
 * another CPU had last costs 100 ns. With 8 at once, as in "Introducing Batches of Threads", empty
 * nano-threads that one processor makes and another runs take 1.1 times as long; with 32 they take
 * 0.95 times as long, and a thread has twice the memory. */
#define NTH_POOL_HANDFUL 16u
/* The most descriptors of a class that a thread keeps. With room for one handful only, a thread
 * that takes and gives in turn could go to the next level each time. */
#define NTH_POOL_KEPT (2 * NTH_POOL_HANDFUL)
/* Descriptors of a class that a domain keeps before it sends them to the central pool: what eight
 * members have at NTH_TASKS_AHEAD each; a page of pointers. */
#define NTH_POOL_DOMAIN 512u
/* The same for nano-threads' descriptors. A program makes some thousand before it waits: a
 * megabyte. */
#define NTH_POOL_DOMAIN_NANO 8192u
/* Domains with a pool of their own; those with higher numbers share them. */
#define NTH_POOL_DOMAINS 16u
/* Bytes that are asked from the system at once for a class. */
#define NTH_POOL_SLAB 65536u
/* Looks of nth_mutex_lock_soon() at a lock of the runtime before the thread sleeps on it, about
 * 2 us. Such a lock is held for two or three misses; a sleep with its wake-up costs some hundred of
 * them. */
#define NTH_MUTEX_LOOKS 50

/* --- stacks (stack.h) --- */

/* Stacks beside those of threads, in all: each is two of a process's 65530 maps. */
#define NTH_STACKS_MOST 16384u
/* With a limit on the address space, these stacks together take one PART-th of it at most. */
#define NTH_STACKS_PART 4u
/* Free stacks that a domain, and the central pool, keep besides each thread's own (NTH_POOL_KEPT).
 * Others are unmapped. */
#define NTH_STACKS_COMMON 64u

/* --- nano-threads of nanogomp/nth.h --- */

/* Time for which a processor that finds nano-threads keeps its OS thread to itself while members
 * of teams or other processors are ready there. Less: a switch of 50 ns, and cold caches, more
 * often. More: a master whose slaves have ended waits longer. */
#define NTH_TURN_NS 20000u
/* The most nano-threads that it runs from one look at the clock to the next. */
#define NTH_TURN_MOST 64u

/* Time after which whoever is beyond the request looks again: a taken processor (nth/away.h), an OS
 * thread at rest, the listener, a carrier; and how long one may be stuck while permits are few.
 * Less: it runs beside nano-threads that last as long. More: who waits for it stands still. */
#define NTH_AWAY_LOOK_NS 100000000u
/* Polls before a patient processor (nth/patience.h) steals, about 0.5 us: more than a short
 * nano-thread lasts. More: a processor without work begins to steal later. */
#define NTH_PATIENT_POLLS 32u
/* Nano-threads that a processor takes out of a ready queue at once, under one lock, reading one
 * line of each. So a look into a queue costs little compared with the start. Others can steal them
 * back. */
#define NTH_LRQ_TAKE 8u
/* Descriptors that a batch takes from a pool at once, under one lock; their lines are then fetched
 * together. */
#define NTH_GATHER 32u
/* Places between a queued nano-thread and the one whose line is fetched when the first is taken.
 * Taking and starting one costs 20 ns, a line from memory 80 to 100. A power of two. */
#define NTH_AHEAD 4u

/* --- OpenMP's allocators (allocator.h) --- */

/* Bytes that the pool of an allocator counts for an allocation besides the program's own, for its
 * header and the C library's, as libgomp does. Alignments beyond 8 count in full. */
#define NTH_POOL_OVERHEAD 32u
/* Allocators that are tried one after the other for an allocation. */
#define NTH_FALLBACKS 64
/* Noted pointers of Fortran programs (noted.h): the log2 of the parts of their table, each with a
 * lock of its own; and the slots of a part when it gets its first pointer. */
#define NTH_NOTED_PARTS_LOG2 5
#define NTH_NOTED_FIRST 64
/* Pages in which room for a small pinned allocation is looked for before one more is pinned. */
#define NTH_PINNED_LOOK 8

#endif
