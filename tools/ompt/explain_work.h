/* explain_work.h - how long a member works between its waits, and how long it sleeps in its work
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A loaded machine takes CPUs away, so work is CPU time, not time by the clock. What
 *             is neither work nor waiting for a CPU is sleep: files, pipes, locks of the program's
 *             own. Members that wait for one that sleeps are a finding of its own
 * Use         between exp_work_begins() and exp_work_ends() the task works. exp_pause_begins() and
 *             exp_pause_ends() are for what may be nested: waits, regions inside
 * How         To ask the kernel for the CPU time takes as long as a short region. So a member asks
 *             at most each FRESH_US, and its short work counts as it lasts: a thread that loses its
 *             CPU does so for longer. Long work counts as the CPU time since the last look, less
 *             the short work since then, and never more than it lasted. What the thread used for
 *             waits since that look is counted with it, which is less than FRESH_US
 * Sleep       is looked for in long work that used ASLEEP_US less than it lasted: what is left,
 *             without the time in which the thread was ready but had no CPU
 *             (/proc/thread-self/schedstat), and without waits for OpenMP's locks. Where there
 *             is no such file, nothing counts as sleep
 * Cost        ticks at each event; a system call at long work and each FRESH_US; three more where
 *             there may be sleep
 */
#ifndef NTH_OMPT_EXPLAIN_WORK_H
#define NTH_OMPT_EXPLAIN_WORK_H

#include "tools/ompt/explain_file.h"

/* The calling OS thread. Thread-local variables are a nano-thread member's own, so the kernel is
 * asked. */
uint64_t exp_os_thread(void);

/* The rate of the ticks is known: exp_file_begin() has been called. */
void exp_work_choose(void);
/* Whether two members began on one OS thread: they may be nano-threads. */
bool exp_is_carried(void);
void exp_set_carried(void);

/* at: ticks. Work that has not begun does not end. */
void exp_work_begins(struct exp_me *m, struct exp_task *t, uint64_t at);
void exp_work_ends(struct exp_me *m, struct exp_task *t, uint64_t at);
/* t NULL: nothing. */
void exp_pause_begins(struct exp_me *m, struct exp_task *t, uint64_t at);
void exp_pause_ends(struct exp_me *m, struct exp_task *t, uint64_t at);

#endif
