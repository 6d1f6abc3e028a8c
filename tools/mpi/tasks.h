/* tasks.h - libnanogomp-mpi.so: blocking calls of MPI suspend the task that makes them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A task that blocks in MPI keeps its thread from the tasks that other ranks wait for:
 *             such programs are slow, or hang. Here the call posts its non-blocking twin, suspends
 *             the task (nanogomp/suspend.h), and the thread goes on with ready tasks
 * Use         preloaded by `nanogomp run --mpi-tasks`, or linked before MPI. The functions stand
 *             before MPI's and call its PMPI_ names. After MPI_Init_thread has given
 *             MPI_THREAD_MULTIPLE, calls are suspended where a task can be; anywhere else each call
 *             is exactly MPI's, but for collectives (mpi.def)
 * Waits       wait.c: struct nth_mpi_wait is in the list of pending waits while its task is
 *             suspended. Members that look for tasks, or are about to sleep, call poll() there,
 *             which asks MPI for each wait and ends those that are over. It changes no request: the
 *             resumed call itself completes its own, so errors and statuses are as MPI gives them
 * Fortran     Open MPI's Fortran functions call PMPI_ names. So the names that Fortran programs
 *             call are interposed too: mpi_recv_ with its spellings, and ompi_recv_f, which the
 *             module mpi_f08 calls. They call pmpi_irecv_, which knows Fortran's constants
 *             and handlers
 * Invariants  I1  a wait is in at most one list; only the holder of the poll's lock takes waits out
 *             I2  count = waits that are in the lists, or about to be
 *             I3  nobody reads a wait after its end was told
 * Orders      W   fresh: push's release -> the poller's acquire: the wait's fields
 *             O   nth_mpi_on -> calls that may suspend: nth_mpi_core's functions are known
 *             L   polls: the lock of the list; release -> acquire
 * Cost        a call that is suspended: the twin, two steps between stacks, one question to MPI
 *             each NTH_MPI_EVERY_NS while a member looks for tasks
 * Tested by   tests/mpi/test_tasks.py
 */
#ifndef NTH_MPI_TASKS_H
#define NTH_MPI_TASKS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/include/nanogomp/suspend.h"
#include "runtime/base/atomic.h"

#define NTH_MPI_EXPORT __attribute__((visibility("default")))

/* Time between two questions to MPI while members look for tasks. Less: MPI's locks are held for
 * most of the time. More: a message waits longer for its task. */
#define NTH_MPI_EVERY_NS 2000
/* How long the member that asks sleeps in between; and others, which take over when it has found a
 * task. Less: a waiting rank uses more CPU time, here some 5 %. More: a message waits longer. */
#define NTH_MPI_NAP_NS 50000
#define NTH_MPI_OTHERS_NAP_NS 1000000
/* Requests for which one poll asks, at most. */
#define NTH_MPI_ASKED_MOST 64u

enum nth_mpi_kind {
  NTH_MPI_ALL,   /* all requests */
  NTH_MPI_ANY,   /* one of them */
  NTH_MPI_PROBE, /* a message that could be received */
  NTH_MPI_BOUND  /* all requests, for an event */
};

struct nth_mpi_wait {
  struct nth_mpi_wait *next;
  enum nth_mpi_kind kind;
  int count, done; /* requests; the first `done` are complete */
  MPI_Request *request;
  int source, tag; /* of a probe */
  MPI_Comm comm;
  struct nth_suspension suspension;
  MPI_Status *statuses; /* of bound requests; */
  void *event;          /* omp_event_handle_t */
};

/* Functions of the OpenMP library; NULL: it is not nanogomp's. w: nth_mpi_begin() */
struct nth_mpi_core {
  int (*here)(void);
  int (*begin)(struct nth_suspension *s);
  void (*wait)(struct nth_suspension *s);
  void (*over)(struct nth_suspension *s);
  void (*always)(void);
  void (*poll)(uint64_t (*poll)(int sleeps));
  int (*level)(void);
  void (*fulfill)(void *event);
};
extern struct nth_mpi_core nth_mpi_core;

/* Whether calls are suspended. w: nth_mpi_begin(), nth_mpi_end(), the child of a fork; r: all; O */
extern _Atomic(bool) nth_mpi_on;

/* Whether the calling task could be suspended here. */
static inline bool nth_mpi_here(void) {
  return nth_load_acq(&nth_mpi_on) && nth_mpi_core.here(); /* O */
}
/* Whether a collective call uses its twin here. */
static inline bool nth_mpi_collective(void) {
  return nth_load_acq(&nth_mpi_on) && nth_mpi_core.level() > 0; /* O */
}

/* MPI_Init has returned; MPI_Finalize is about to be called. */
void nth_mpi_begin(void);
void nth_mpi_end(void);
/* Finds the functions of the OpenMP library. False: some are missing. */
bool nth_mpi_find_core(void);
void nth_mpi_say(const char *text);

/* Suspends the caller until w is over; returns at once where it cannot be suspended, or if w is
 * over already. */
void nth_mpi_suspend(struct nth_mpi_wait *w);
void nth_mpi_suspend_all(int count, MPI_Request request[]);
/* Suspends until a message can be received. */
void nth_mpi_suspend_probe(int source, int tag, MPI_Comm comm);
/* For calls that wait for one of several requests. begin: notes which ones are active; the caller
 * then tests the requests. If none is over, wait: suspends until an active one is. request: MPI's
 * handles, NULL: no memory, or nothing to suspend. */
struct nth_mpi_wait *nth_mpi_any_begin(int count, const MPI_Request request[]);
void nth_mpi_any_wait(struct nth_mpi_wait *w);
void nth_mpi_any_end(struct nth_mpi_wait *w);

/* Puts w into the list. It stays there until it is over. */
void nth_mpi_add(struct nth_mpi_wait *w);
uint64_t nth_mpi_poll(int sleeps);
/* How many waits are pending; ends them all, without MPI. */
uint32_t nth_mpi_pending(void);
void nth_mpi_drop(void);

/* Waits for the request of a twin. */
int nth_mpi_await(MPI_Request *request, MPI_Status *status);

/* --- Fortran --- */

/* The same for a handle of Fortran's. status: NULL, none is wanted. */
void nth_mpi_f_await(MPI_Fint *request, void *status, MPI_Fint *ierror);

/* MPI's Fortran function of that name, kept in *known; NULL: the process has none. */
typedef void nth_mpi_f_call(void);
nth_mpi_f_call *nth_mpi_f_find(_Atomic(nth_mpi_f_call *) *known, const char *name);

/* The names under which programs call nth_mpi_f_NAME: compilers' spellings, and the module
 * mpi_f08's. */
#define NTH_MPI_ALIAS(low, name)                                                                   \
  extern __typeof__(nth_mpi_f_##low) name                                                          \
      __attribute__((alias("nth_mpi_f_" #low), visibility("default")));
#define NTH_MPI_FORTRAN(low, upper)                                                                \
  NTH_MPI_ALIAS(low, mpi_##low)                                                                    \
  NTH_MPI_ALIAS(low, mpi_##low##_)                                                                 \
  NTH_MPI_ALIAS(low, mpi_##low##__)                                                                \
  NTH_MPI_ALIAS(low, MPI_##upper)                                                                  \
  NTH_MPI_ALIAS(low, ompi_##low##_f)

#endif
