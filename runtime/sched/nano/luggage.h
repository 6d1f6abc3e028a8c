/* luggage.h - what a flow of control takes along when it leaves an OS thread for a while
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Of what compilers and the C library keep in an OS thread's TLS some belongs to the
 *             flow of control that runs there: errno, and C++'s caught and uncaught exceptions.
 *             Others that use the thread meanwhile (sched/nano/stack.h) must not find it, nor leave
 *             theirs.
 * Use         pack() before the stack is left, unpack() behind; what runs in between starts without
 *             exceptions
 * C++         its library is looked for by name: weakly, when this library is loaded, and once more
 *             by nth_luggage_begin(), where a program may call the loader
 */
#ifndef NTH_SCHED_LUGGAGE_H
#define NTH_SCHED_LUGGAGE_H

/* As the C++ ABI has it ("__cxa_eh_globals"). */
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
