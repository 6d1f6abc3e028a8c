/* luggage.h - errno and C++ exceptions, kept for a flow of control while it is off its OS thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Some of what compilers and the C library keep in an OS thread's TLS belongs to the
 *             flow of control that runs there: errno, and C++'s caught and uncaught exceptions.
 *             Others that use the thread in between (sched/nano/stack.h) must neither find these
 *             nor leave theirs.
 * Use         pack() before the stack is left, unpack() after the return to it; what runs in
 *             between starts without exceptions
 * C++         The C++ library is looked for by name: weakly, when this library is loaded, and once
 *             more by nth_luggage_begin(), since a program may call the loader
 */
#ifndef NTH_SCHED_LUGGAGE_H
#define NTH_SCHED_LUGGAGE_H

/* The C++ ABI's "__cxa_eh_globals". */
struct nth_exceptions {
  void *caught;
  unsigned uncaught;
};

struct nth_luggage {
  int error;
  struct nth_exceptions exceptions;
};

void nth_luggage_begin(void);

void nth_luggage_pack(struct nth_luggage *l);
void nth_luggage_unpack(const struct nth_luggage *l);

#endif
