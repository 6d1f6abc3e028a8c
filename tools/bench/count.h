/* count.h - counts events of the whole process for nthbench-fork: PAPI's, and the kernel's own.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads     A runtime makes its threads when it likes. Counters are opened before the first
 *             region and inherited, so that each thread made later counts in them, docked ones too.
 * One         PAPI's event is one at a time. Inherited counters are not opened as a group: several
 *             of them the kernel would measure in turn, which tells nothing about some
 *             milliseconds.
 * PAPI        Without it at build time each of its events is refused, with that reason.
 */
#ifndef NTHBENCH_COUNT_H
#define NTHBENCH_COUNT_H

#include <stdbool.h>
#include <stddef.h>

#define COUNT_WHY 160 /* bytes of a reason */

/* Whether the kernel gives this process counters of the CPU; else why not. */
bool count_hardware(char why[COUNT_WHY]);

/* Version of PAPI, or NULL and why there is none. */
const char *count_papi(char why[COUNT_WHY]);

/* Adds and starts the event: what PAPI lists need not exist. Stays open until the process ends. */
bool count_open(const char *name, char why[COUNT_WHY]);

/* Ends counting, so that the next event can be tried. */
void count_close(void);

/* The event's count so far. */
long long count_read(void);

/* The kernel's software events, of perf. */
struct count_soft {
  const char *name;
  int file; /* -1: refused */
};
#define COUNT_SOFTS 4
extern struct count_soft count_softs[COUNT_SOFTS];

/* Opens all of them; false and why when the system refuses them. */
bool count_open_soft(char why[COUNT_WHY]);

/* -1 where it was refused. */
long long count_read_soft(int which);

#endif
