/* share.h - this program's part of the processors that it shares with other programs of the user
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Programs, or MPI ranks, on the same CPUs each take all of them; then the kernel cuts
 *             their time, in the middle of regions and with locks held. With NTH_SHARE=auto or a
 *             name each one takes its part, and has what others leave idle.
 * How         From the first member on a thread looks at the table (table.h) every
 *             NTH_SHARE_TICK_NS. It says how many processors the program has used since its last
 *             look, reads what the others want, works out its own number (deal.h), and asks the
 *             program for it as anybody outside does: by a request (sched/adapt/request.h). So the
 *             answer is the request's: OS threads rest or go on at safe points, and no path of the
 *             program is another one
 * What it     A program that has used less than a tenth of a processor in two looks is idle, and
 * wants       wants none. One that has used three quarters of its part wants all. Another one
 *             wants what it used, rounded up. That is measured, so a program that sleeps, reads,
 *             waits for a message, or runs serial code lends what it leaves
 * Back        Its own part is always left to it: it works out its number as if it wanted all. So it
 *             begins with its part at once. The others hear of it at its next look, which rings the
 *             bell, and go back at their next safe points
 * Program's   nth_request() of the program itself, and `nanogomp share PID N`, bound the number
 * Trust       No value of the table is believed further than table.h says, and the table's memory
 *             cannot be taken away (segment.h). If somebody rings all the time, the thread looks
 *             once in NTH_SHARE_LEAST_NS. If somebody removes the table, it goes to the one that
 *             takes its place; where there is none sharing ends, with a message
 * Invariants  I1  pid changes only while there is no thread, segment too, or by the thread under
 *                 the lock. At the end of the process another thread reads it under the lock
 *             I2  the slot is the thread's, or NTH_TABLE_NONE; at the end of the process another
 *                 thread may read it
 * Cost        without NTH_SHARE: nothing. With it: a thread with 200 looks a second of 2 us, 20 in
 *             an idle program, more where others ring; permits are counted (sched/adapt/permit.h)
 * Tested by   tests/unit/share, tests/tool/test_share_table.py, tests/tool/test_share_hostile.py
 */
#ifndef NTH_SCHED_SHARE_SHARE_H
#define NTH_SCHED_SHARE_SHARE_H

#include <stdbool.h>

/* How often a program that shares processors looks at the table. Two looks without use make it
 * idle. Beside one that sleeps for 50 ms of every 100 ms, in dynamic loops on 2 CPUs, both together
 * do 90 % of the machine's work; with 10 ms 79 %. Less: more wake-ups of a thread, and a program
 * that waits for a CPU seems idle. More: what others leave idle, or want back, is noticed later. */
#define NTH_SHARE_TICK_NS 5000000u
/* The same once it has been idle for NTH_SHARE_IDLE_NS. More: it is late to say that it is back. */
#define NTH_SHARE_IDLE_TICK_NS 50000000u
#define NTH_SHARE_IDLE_NS 1000000000u
/* There are so many ns at least between two looks, even if the bell rings. Less: who rings all the
 * time costs the program CPU time, 2 us a look. More: a program that is called back is late. */
#define NTH_SHARE_LEAST_NS 1000000u
/* How often it asks whether the table was removed. Less: more system calls, of 1 us. More: programs
 * that began before and after a removal do not know each other for longer. */
#define NTH_SHARE_THERE_NS 1000000000u
/* A program that has not looked for so long does not count. Less: on a busy machine one that is
 * late loses its processors for a moment. More: those of a killed one are free later. */
#define NTH_SHARE_SILENT_NS 60000000u
/* After such a silence its slot is free. Less: one that was stopped needs another slot. */
#define NTH_SHARE_GONE_NS 10000000000u
/* Whether NTH_SHARE's value is the name of a table: auto, or letters, digits, '.', '_' and '-'. */
bool nth_share_is_name(const char *text);
/* Opens the table of a good name. Returns why that is impossible, or NULL. When the library is
 * loaded. */
const char *nth_share_load(const char *name);
/* There is a member, and permits are counted: requests are listened to. */
void nth_share_listen(void);
/* The same where locks are held: only the thread is started. */
void nth_share_start(void);
/* In a forked child, after nth_permits_forked(). It gets a slot of its own with its first
 * worker. */
void nth_share_forked(void);

#endif
