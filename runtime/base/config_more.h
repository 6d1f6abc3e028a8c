/* config_more.h - the second half of config.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_BASE_CONFIG_MORE_H
#define NTH_BASE_CONFIG_MORE_H

#include <stdint.h>

/* --- threads that are held (nanogomp/tholder.h) --- */

/* Errands (created threads) that are made at once, 64 KiB; and how often, which limits those that
 * exist at a time to 2 million. More: nth_errand_of()'s table is longer. */
#define NTH_ERRAND_SEGMENT 512u
#define NTH_ERRAND_SEGMENTS 4096u
/* Created threads, running ones included, that are sure to get OS threads, so that
 * tholder_create() makes none for them. As many as there ever were OS threads at a time count as
 * sure, too. More: a burst of short threads needs fewer OS threads. Less: tholder_create() itself
 * meets a limit on threads sooner. */
#define NTH_HOLD_SURE 32u
/* All CPUs have a created thread. Time for which the next one waits until one of these ends or
 * waits; then it gets an OS thread beside them. More: created threads for which others wait, unseen
 * by the runtime, start later. Less: more OS threads than CPUs, each with a stack. */
#define NTH_HOLD_STUCK_NS 100000u
/* Created threads that last longer on the average leave their creator its CPU (held.c): they would
 * preempt it. More: a creator of long ones is preempted more often, and joins later. Less: shorter
 * ones wait until the creator joins or another one ends. */
#define NTH_HOLD_LONG_NS 500000u
/* Polls, about 10 us, of a held thread without an errand, and of a thread that joins a running one,
 * before they sleep. More: fewer system calls; more CPU time for nothing. */
#define NTH_HOLD_POLLS 1000
/* Yields of a thread that joins one whose OS thread ends with it, until that has begun. More: a new
 * thread on a busy CPU begins, and need not wake the joiner. */
#define NTH_HOLD_YIELDS 8
/* Where the system has refused an OS thread: time until a joiner tries again. */
#define NTH_HOLD_RETRY_NS 10000000u
/* Created threads start newest first. The oldest one is taken once in so many ns for each held
 * thread, so that none waits for ever. It stays unfinished while newer ones run: in a tree of
 * threads less would mean more OS threads, which wait for their children. */
#define NTH_HOLD_OLDEST_NS 1000000u
/* In a child of a process with threads: how often a walk over the loaded objects is tried before
 * the first one (objects.h), and how long each time. More: children whose C library cannot make a
 * walk wait longer, once. Less: on a loaded machine it may be given up in vain. */
#define NTH_WALK_TRIES 3u
#define NTH_WALK_NS 30000000u
/* Time after which an idle held thread ends: at least FACTOR times what it costs to make one, so
 * that new ones cost at most 0.1 % of the time; at most MOST. In between it follows the gaps in
 * which threads were missed. */
#define NTH_HOLD_IDLE_FACTOR 1000u
#define NTH_HOLD_IDLE_MOST_NS 10000000000u
/* What it costs to make an OS thread, ns, as long as that has not been measured. */
#define NTH_HOLD_COST_NS 20000u
/* A wake-up whose call lasts so long is slow: then a thread without an errand polls longer, and up
 * to QUEUE errands for each thread that runs or looks are left to these. More: more idle threads
 * come, mostly too late. Less: the call of a virtual machine, 15 us, counts as slow. The known
 * time follows the median of the calls by STEPs, up to MOST. After errands were left in vain, the
 * next UNTIMED wake-ups are not timed, and each time twice as many. */
#define NTH_HOLD_SLOW_WAKE_NS 40000u
#define NTH_HOLD_SLOW_QUEUE 64u
#define NTH_HOLD_SLOW_POLLS 30000
#define NTH_HOLD_UNTIMED 1024u
#define NTH_HOLD_WAKE_STEP_NS 2000u
#define NTH_HOLD_WAKE_MOST_NS 100000u
/* An idle thread that polls for the next root has lost its CPU if 64 polls took so many ns. Each
 * idle time with that counts 2, each one without takes off 1. At SHARED the thread moves to another
 * CPU, every MOVE_NS at most. Less: threads move that the kernel is about to part. More: a root
 * takes 45 us, not 12, for longer. */
#define NTH_HOLD_SHARED_NS 8000u
#define NTH_HOLD_SHARED 6u
#define NTH_HOLD_MOVE_NS 2000000u
/* Idle times in a row after which no thread was missed, until that time is halved. */
#define NTH_HOLD_UNMISSED 16u
/* How often the thread that has been idle for longest looks whether only held threads are left in
 * the process: then they end, and with them the process. */
#define NTH_HOLD_ALONE_NS 50000000u
/* The most OS threads that are made ahead of need, where each created thread ends its own. More: a
 * larger burst finds them ready, each with a stack. */
#define NTH_HOLD_AHEAD 16u
/* A joiner runs the created thread itself (sched/hold/carried.h) if the usual stack has so many
 * bytes: NTH_REST_BYTES of it are lost. */
#define NTH_CARRIED_LEAST (16u * NTH_REST_BYTES)
/* Idle threads at which it looks for one that is asleep. */
#define NTH_CARRIED_TRIES 4
/* A join comes at once if it comes so many ns after the creation; more than a creator without other
 * work takes. After ROW such joins a sentry makes creators' wake-ups superfluous. */
#define NTH_CARRIED_AT_ONCE_NS 3000u
#define NTH_CARRIED_ROW 8u
/* The sentry's looks. More: a created thread that is not joined at once, after such ones, starts
 * later. Less: more wake-ups of the sentry, 3 us each. */
#define NTH_CARRIED_LOOK_NS 50000u
/* After so many looks in a row without a carried errand there is no sentry any more. */
#define NTH_CARRIED_LOOKS 8u
/* Keys of thread-specific data that a thread may have from its birth on. */
#define NTH_HOLD_BORN 4

/* --- suspended tasks --- */

/* So many suspended tasks of a member are many. In a wait for all tasks the member then goes on
 * with suspended ones, and begins a new one in every so many-th search only. And the first yield of
 * a task is skipped. More: more stacks, whose memory is new each time. Less: where tasks that yield
 * wait for one that has not begun, it begins later. */
#define NTH_BERTHS_MANY 64u
/* While many are suspended, a task that waits for a lock keeps its stack for a sleep of NS for each
 * SHARE of them, unless a suspended one can go on. Longer: where the lock's owner waits for a task
 * that has not begun, that one begins later. Shorter: while the owner sleeps or is preempted, more
 * stacks. */
#define NTH_LOCK_STAY_SHARE 16u
#define NTH_LOCK_STAY_NS 250000u
/* Tasks in a member's list up to which it puts off those that it makes under a lock. */
#define NTH_QUEUED_AHEAD 4096u
/* How many dependences a wait under a lock follows from a task, to see whether something that is
 * waited for depends on that task. More: a longer look at each such task. Less: a task begins that
 * may want the lock. */
#define NTH_SOUGHT_EDGES 64u
/* Turns that suspended tasks with locks have before their member opens a region: some ms, or 100
 * where each of them has to look for other tasks. What such a task waits for may run on another
 * thread and take long. So after these turns there are more, for NS ns; each time in vain halves
 * that. After a turn in which nothing goes on the member sleeps for NAP ns. More turns or NS: a
 * region that does not need the lock begins later. Less: a region that needs it may begin before
 * the lock is free, and the program hangs. More NAP: a task whose wait is over goes on later. Less:
 * more CPU time for turns in vain. */
#define NTH_BEFORE_REGION 20000u
#define NTH_BEFORE_REGION_NS 2000000000u
#define NTH_BEFORE_REGION_NAP 50000u

/* So many yields of a tied task in a row are a loop that waits for something. One within that time
 * of the one before, ns, counts as 16. More: such a loop has more vain turns before it runs tasks
 * itself. Less: a program that yields with a mutex locked may get a task above it that wants the
 * mutex. */
#define NTH_YIELDS_IN_ROW 256u
#define NTH_YIELDS_NEAR_NS 1000u
#define NTH_YIELDS_NEAR 16u

/* A wait that begins no task, or certain ones only, finds no suspended task that can go on. EACH:
 * how often that happens before the wait searches for a task that a suspended one waits for. TURNS:
 * so many turns of tasks that yield count as once. SLEPT: a sleep that ends with nothing to do
 * counts as so many times. More EACH and TURNS, less SLEPT: the program stands still for longer
 * where nobody else runs that task. The other way: a look at all queues of the team more often. */
#define NTH_AWAITED_EACH 2u
#define NTH_AWAITED_SLEPT 8u
#define NTH_AWAITED_TURNS 4u
/* How often such a search refuses a tied task, since a suspended one may expect that no other
 * begins on its thread. More: the program stands still for longer where only the refused task
 * helps. Less: that task begins, and may change threadprivate variables, though another would have
 * helped. */
#define NTH_AWAITED_REFUSALS 16u

/* --- threads that serve the whole process --- */

/* Once main may have ended, such a thread looks whether any other is left, each GONE_LOOK ns. One
 * that rests doubles that time with each look, up to GONE_MOST. STALL_LOOK: the longest time
 * from one look for a stall to the next. Less: more wake-ups. More: a process whose main has called
 * pthread_exit() ends later. */
#define NTH_GONE_LOOK_NS 100000000u
#define NTH_GONE_MOST_NS 10000000000u
#define NTH_STALL_LOOK_NS 1000000000u

/* --- taskloops --- */

/* A taskloop without grainsize and num_tasks (omp/taskloop/price.h) that takes less is tried as one
 * task too, every AGAIN. More: a loop that two members do sooner is run by one for longer at the
 * trial. Less: loops stay shared whose data then move between caches. */
#define NTH_PRICE_SHORT_NS UINT64_C(50000)
#define NTH_PRICE_AGAIN_NS UINT64_C(20000000)
/* Tasks of the others, of so much work; a task of a batch costs some 20 ns. More: uneven iterations
 * keep one member busy for longer. */
#define NTH_PRICE_PART_NS UINT64_C(10000)
/* At most so many tasks for each member. More: tasks' own arguments are copied more often. */
#define NTH_PRICE_PARTS 16u
/* A region under dyn-var (omp/team/region_price.h) is tried with another number of members after so
 * many short ones in a row, NTH_PRICE_SHORT_NS; each long one that had fewer members than asked
 * doubles the number, up to the second. Less: a long region after short ones of the same construct
 * runs on too few members more often. */
#define NTH_PRICE_CALM 64u
#define NTH_PRICE_CALM_MOST 4096u
/* Regions of a trial with each of the two sizes. The first of each is not counted: a team changes,
 * and perhaps somebody wakes up. */
#define NTH_PRICE_TRIAL 8u
/* A trial in vain doubles the time to the next, from AGAIN up to this. */
#define NTH_PRICE_AGAIN_MOST_NS UINT64_C(1280000000)
/* A longer time of a loop counts as so much, so that products do not overflow. */
#define NTH_PRICE_MOST_NS UINT64_C(1000000000)

/* --- work-sharing loops --- */

/* Doacross loops (doacross.h): chunks whose positions are kept at once, in all and for each
 * member, the larger of the two. Less: a member waits for the slowest one more often. */
#define NTH_DOACROSS_UNITS 64u
#define NTH_DOACROSS_UNITS_EACH 16u

/* With NTH_RANGES=on: chunks a member has on average from which on a nonmonotonic loop gives each
 * member a range of its own. With fewer, one common counter is cheaper than a line each. */
#define NTH_RANGES_FROM 4u

/* Places of loops that a member remembers (struct/loop_site.h). */
#define NTH_LOOP_SITES 8u
/* A loop is short if an even share of it takes so many microseconds at most. Each claim of its
 * counter costs 0.1 us and more. More: the last member comes later to the loop's end. */
#define NTH_LOOP_SHORT_US 1u
/* Short samples in a row which show that a place's loops are short, and so many short loops come to
 * one sample then; an odd number. Less of the first: an uneven loop after short ones is shared
 * unevenly more often. More of the second: it is noticed later. */
#define NTH_LOOP_SHORT_TRUST 256u
#define NTH_LOOP_SHORT_LOOKS 7u
/* Chunks of its own range that a sample has; a member has more than NTH_RANGES_FROM. */
#define NTH_LOOP_SAMPLE 3u
/* Loops between two samples at a place whose loops are not short: up to this, each time 4 times as
 * many. */
#define NTH_LOOP_SHORT_CALM_MOST 4096u

/* Chunks that a member claims at once at most (claim.h): from its own range, from the counter that
 * all share, in a loop with ordered regions. A claim from the own range costs as much as 30 empty
 * iterations, one from a counter in dispute as much as 300. More: where chunks become long without
 * a warning, one member has so many of them. */
#define NTH_CLAIM_OWN 80u
#define NTH_CLAIM_SHARED 80u
#define NTH_CLAIM_ORDERED 16u
/* Chunks that a member without trust claims at once at most, and the short claims of as many since
 * the last long one which bring it trust. Less of the second: in a loop of empty bodies with a few
 * long ones among them, one member gets all of these. */
#define NTH_CLAIM_FEW 16u
#define NTH_CLAIM_TRUST 1024u
/* Claims of NTH_CLAIM_FEW or more from the own range that one look measures together: 2^2. A look
 * costs as much as such a claim. More: a member claims several long chunks more often in turn. */
#define NTH_CLAIM_LOOKS_APART 2u
/* How long a claim of several may take, in microseconds. More: the last member comes later to the
 * loop's end. Less: chunks of 100 ns are claimed one by one. */
#define NTH_CLAIM_US 1u
/* A claim that takes so many times as long was of chunks that are short no longer. */
#define NTH_CLAIM_LONG 8u
/* Claims of one chunk between two looks at the time; each long claim multiplies them by 16, up to
 * this number. More: chunks that become short again are claimed one by one for longer. */
#define NTH_CLAIM_CALM 8u
#define NTH_CLAIM_CALM_MOST 65536u
/* A claim has 1/8 of what is left at most: 1 / 2^3. Less: the last claims are longer. */
#define NTH_CLAIM_PART 3u
/* Ordered regions: a chunk outside of them may take 1/16 us, about half of what it costs to hand
 * over the turn and the data of the region. */
#define NTH_CLAIM_TURN_PART 16u

/* So many chunks of a member with one ordered region an iteration, and no other one with more: then
 * chunks pass their turns after that region (ordered.c). More: what follows the regions overlaps
 * later. Less: an iteration with several regions is more likely to come too late to be in order. */
#define NTH_ORDERED_PLAIN 16u

/* --- an allowance that changes while regions run --- */

/* Time from one look at the mask to the next, by waits. More: CPUs that are given back are used
 * later. Less: more system calls, of 0.2 us each. */
#define NTH_ALLOWED_LOOK_NS 1000000u
/* A wait that ends or sleeps soon looks at its first tick only if such a look is due for this time:
 * a look costs 2 us after a sleep. More: programs whose waits are all short notice later that their
 * mask has changed. Less: a region after a gap costs as much more. */
#define NTH_ALLOWED_FIRST_NS 10000000u
/* Time after the allowance has grown in which waiters that share a CPU move apart at once. The
 * kernel takes as long as several of its ticks. More: they also move where the kernel has put
 * them together for another reason. */
#define NTH_ALLOWED_GREW_NS 50000000u
/* The looker's interval (sched/adapt/follow.h), the same for the quota, and for how long it looks
 * on while one OS thread runs alone. A look at the quota takes some 20 us. The intervals are less
 * than 10 ms, in which the allowance is to be followed. More of the third: fewer wake-ups of the
 * looker in programs with serial parts; more looks in idle ones. */
#define NTH_FOLLOW_NS 4000000u
#define NTH_FOLLOW_QUOTA_NS 7500000u
#define NTH_FOLLOW_REST_NS 100000000u
/* The quota's files cannot be read: time from one search for their folders to the next, which takes
 * 0.1 ms. More: the quota of a group to which the process was moved is followed later. Less: more
 * than the 0.2 % of a CPU where a sandbox refuses the files for good. */
#define NTH_FOLLOW_LOST_NS 50000000u
/* The interval doubles up to this while the process uses less than an eighth of a CPU. */
#define NTH_FOLLOW_IDLE_NS 128000000u
/* For so long after a change, which others may follow soon, the looker looks that often. More of
 * the first: it uses some 0.3 % of a CPU for longer. More of the second: of 20 ms with two CPUs the
 * second one is used later. */
#define NTH_FOLLOW_SOON_NS 200000000u
#define NTH_FOLLOW_SOON_LOOK_NS 1000000u
/* After this time of an idle process it sleeps until a member does something. Less: in programs
 * with a region now and then it is woken more often. More: 8 wake-ups for each second of it. */
#define NTH_FOLLOW_UNUSED_NS 1000000000u
/* Carriers that a family has room for at least, since its CPUs may become more; 8 bytes each. */
#define NTH_FAMILY_ROOM 64u

/* --- with a tool --- */

/* Time for which the end of a process waits at most until the next one of the threads that rest or
 * leave has told its end, and time between two looks. More: a process ends later if a leaving
 * thread waits for something in its destructors. Less: on a busy machine a tool misses ends. */
#define NTH_TOLD_LEAVE_NS 1000000000u
#define NTH_TOLD_LOOK_NS 1000000u

/* --- large pages, with NTH_HUGE_PAGES=on (huge.h) --- */

/* Bytes of a large page where the others have 4 KiB. Smaller memory is not worth the question. */
#define NTH_HUGE_PAGE 2097152u
/* Bytes of a chunk of the heap then. More: a process with few tasks has more memory that it does
 * not use, on the last large page. Less: there are more chunks with their two system calls. */
#define NTH_HEAP_CHUNK_HUGE 8388608u

/* --- brief tasks (brief.h) --- */

/* Functions whose scores are known in a process; a power of two. 8 bytes each. */
#define NTH_BRIEFS 128u
/* A task is brief that takes less than NS. More: programs hang whose tasks wait for each other.
 * Less: longer ones are handed over one by one, for some 100 ns each. */
#define NTH_BRIEF_NS 2000u
/* The score of a function: the time of its brief tasks, in units of 2^UNIT ns and rounded up, to at
 * most MOST; each other one costs LONG. From FROM on the function counts as brief. MOST is 4 ms:
 * after so much time the kernel's clock interrupts a task, which is long then. */
#define NTH_BRIEF_UNIT 6
#define NTH_BRIEF_MOST 65535u
#define NTH_BRIEF_FROM 24576u
#define NTH_BRIEF_LONG 24576u

/* --- members --- */

/* Held OS threads serve the first REGIONS regions of a root that are larger than the machine, once
 * AFTER roots in a row have had no more of them. REGIONS is below 256. To make nano-threads costs
 * about as much as OS threads cost in so many regions. A root with more regions pays for both. */
#define NTH_YOUNG_REGIONS 24
#define NTH_YOUNG_AFTER 2

/* LOOKS at a carrier that switches, has ready members, and leaves half of its CPU unused, while a
 * CPU is idle, after which the watchdog helps. Less: regions between sleeps of the program might
 * look like that. SPARE is as many looks while other processes have all CPUs, at which it had less
 * than one part in HARDLY of a CPU. Less: it may only have waited for its turn. */
#define NTH_WATCH_LOOKS 6u
#define NTH_WATCH_SPARE 18u
#define NTH_WATCH_HARDLY 8u

#endif
