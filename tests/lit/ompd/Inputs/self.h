/* self.h - OMPD over a second run of the test's own program
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The watched run has one argument. It writes its facts to standard output and stays until it is
 * killed.
 */
#ifndef SELF_H
#define SELF_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

/* Stops the watched run when it has written its facts and its threads have come to their places. */
static inline ompd_address_space_handle_t *watch(struct _ompd_aspace_cont *c, const char *program,
                                                 void *facts, size_t size) {
  ompd_address_space_handle_t *s;
  int pipes[2], status;
  CHECK(pipe(pipes) == 0);
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(pipes[1], STDOUT_FILENO);
    execl(program, program, "watched", (char *)0);
    _exit(127);
  }
  CHECK(read(pipes[0], facts, size) == (ssize_t)size);
  usleep(100000);
  CHECK(kill(pid, SIGSTOP) == 0 && waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
  const char ***locations = dlsym(RTLD_DEFAULT, "ompd_dll_locations");
  CHECK(locations);
  void *library = dlopen((*locations)[0], RTLD_NOW);
  CHECK(library);
  load_functions(library);
  OK(o.initialize(201811, &callbacks));
  process_open(c, pid);
  OK(o.process_initialize(c, &s));
  return s;
}

static inline ompd_thread_handle_t *thread(ompd_address_space_handle_t *s, uint64_t pthread) {
  ompd_thread_handle_t *t;
  OK(o.get_thread_handle(s, OMPD_THREAD_ID_PTHREAD, 8, &pthread, &t));
  return t;
}

static inline uint64_t pthread_of(ompd_thread_handle_t *t) {
  uint64_t id = 0;
  OK(o.get_thread_id(t, OMPD_THREAD_ID_PTHREAD, 8, &id));
  return id;
}

/* The pthread of a region's thread num. */
static inline uint64_t member(ompd_parallel_handle_t *r, int num) {
  ompd_thread_handle_t *t;
  OK(o.get_thread_in_parallel(r, num, &t));
  return pthread_of(t);
}

static inline int64_t icv(ompd_address_space_handle_t *s, ompd_parallel_handle_t *r,
                          const char *wanted) {
  ompd_icv_id_t id = ompd_icv_undefined;
  ompd_scope_t scope;
  ompd_word_t value = -77;
  const char *name = "";
  for (int more = 1; more && strcmp(name, wanted) != 0;)
    OK(o.enumerate_icvs(s, id, &id, &name, &scope, &more));
  OK(o.get_icv_from_scope(r, ompd_scope_parallel, id, &value));
  return value;
}

#endif
