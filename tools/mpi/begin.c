/* begin.c - whether calls are suspended: MPI_Init and its kin, MPI_Finalize, fork
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/mpi/tasks.h"

struct nth_mpi_core nth_mpi_core;
_Atomic(bool) nth_mpi_on;

void nth_mpi_say(const char *text) {
  char line[300];
  int n = snprintf(line, sizeof line, "nanogomp: %s\n", text);
  if (n > 0)
    (void)!write(2, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

/* One rank speaks for all. */
static void say_once(const char *text) {
  int rank = 0;
  (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    nth_mpi_say(text);
}

/* --- the OpenMP library --- */

/* The library may have come with a module of Python's, which keeps its names to itself. */
static void *find(void *library, const char *name) {
  void *f = dlsym(RTLD_DEFAULT, name);
  return f || !library ? f : dlsym(library, name);
}

bool nth_mpi_find_core(void) {
  struct nth_mpi_core *c = &nth_mpi_core;
  void *library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  *(void **)&c->here = find(library, "nth_suspend_here");
  *(void **)&c->begin = find(library, "nth_suspend_begin");
  *(void **)&c->wait = find(library, "nth_suspend_wait");
  *(void **)&c->over = find(library, "nth_suspend_over");
  *(void **)&c->always = find(library, "nth_suspend_always");
  *(void **)&c->poll = find(library, "nth_suspend_poll");
  *(void **)&c->level = find(library, "omp_get_level");
  *(void **)&c->fulfill = find(library, "omp_fulfill_event");
  return c->here && c->begin && c->wait && c->over && c->always && c->poll && c->level &&
         c->fulfill;
}

/* --- begin and end --- */

/* MPI is not for the child of a fork. */
static void forked(void) { nth_store_rlx(&nth_mpi_on, false); }

void nth_mpi_begin(void) {
  int provided = MPI_THREAD_SINGLE;
  if (nth_load_rlx(&nth_mpi_on) || PMPI_Query_thread(&provided) != MPI_SUCCESS)
    return;
  if (provided < MPI_THREAD_MULTIPLE) {
    say_once("MPI calls in tasks block their threads: MPI was not initialized with "
             "MPI_THREAD_MULTIPLE");
    return;
  }
  if (!nth_mpi_find_core()) {
    say_once("MPI calls in tasks block their threads: the program's OpenMP library is not "
             "nanogomp's; start it by `nanogomp run --mpi-tasks`");
    return;
  }
  (void)pthread_atfork(NULL, NULL, forked);
  nth_mpi_core.always();
  nth_mpi_core.poll(nth_mpi_poll);
  nth_store_rel(&nth_mpi_on, true); /* O */
}

void nth_mpi_end(void) {
  if (!nth_load_rlx(&nth_mpi_on))
    return;
  uint32_t left = nth_mpi_pending();
  nth_store_rlx(&nth_mpi_on, false);
  if (left == 0)
    return;
  char line[200];
  snprintf(line, sizeof line,
           "MPI_Finalize was called while %u MPI calls of tasks or bound requests were pending; "
           "they end without their messages",
           left);
  nth_mpi_say(line);
  nth_mpi_drop();
}

NTH_MPI_EXPORT int MPI_Init(int *argc, char ***argv) {
  int error = PMPI_Init(argc, argv);
  if (error == MPI_SUCCESS)
    nth_mpi_begin();
  return error;
}

NTH_MPI_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int error = PMPI_Init_thread(argc, argv, required, provided);
  if (error == MPI_SUCCESS)
    nth_mpi_begin();
  return error;
}

NTH_MPI_EXPORT int MPI_Finalize(void) {
  nth_mpi_end();
  return PMPI_Finalize();
}
