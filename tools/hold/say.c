/* say.c - the library's begin, and what it says at the end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NTH_VERBOSE: a line on stderr at the process's end tells how many threads were held, and why
 * others were not.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/objects.h"
#include "runtime/mem/heap.h"
#include "runtime/watch/valgrind.h"
#include "tools/hold/hold.h"

static const char *const reasons[HOLD_REASONS] = {
    [HOLD_ATTRIBUTES] = "their attributes ask for more than a stack",
    [HOLD_CREATOR] = "CPUs, scheduling or name of their creator differ",
    [HOLD_IMPORTS] = "the program imports functions that change rights or act on threads by number",
    [HOLD_CALLED] = "the program has made a call that changes what a thread is",
    [HOLD_MAIN_OVER] = "the main thread had ended",
    [HOLD_MEMORY] = "memory is limited",
    [HOLD_TOOL] = "valgrind runs the program",
    [HOLD_NO_ROOM] = "the system refused more",
    [HOLD_FORKED] = "the process was forked while its parent had other threads",
};
static const char *const ends[HOLD_ENDS] = {
    [HOLD_END_EXIT] = "pthread_exit or cancellation",
    [HOLD_END_DATA] = "thread-specific data or changed settings",
    [HOLD_END_DESTRUCTOR] = "destructors of thread_local objects",
    [HOLD_END_SPOILT] = "another thread had cancelled or changed it",
    [HOLD_END_SIGNAL] = "a pending signal",
    [HOLD_END_NEVER] = "threads were no longer held",
    [HOLD_END_LATE] = "joined late or never",
};

static pthread_key_t main_key;
static bool is_verbose;

/* The main thread ends before the process: idle OS threads must not keep the process. */
static void main_ends(void *arg) {
  (void)arg;
  hold_never(HOLD_MAIN_OVER);
  (void)hold_shed();
}

/* The one thread of the child is its main thread. */
static void child_begins(void) {
  nth_heap_forked();
  nth_objects_forked(false); /* pthread_create() is its own */
  hold_forked();
  if (!nth_objects_can_walk())
    hold_never(HOLD_FORKED);
  hold_mine = NULL;
  (void)pthread_setspecific(main_key, &main_key);
}

__attribute__((constructor)) static void begin(void) {
  const char *verbose = getenv("NTH_VERBOSE");
  is_verbose = verbose && *verbose && strcmp(verbose, "0") != 0;
  (void)hold_real();
  if (nth_valgrind())
    hold_never(HOLD_TOOL);
  if (pthread_key_create(&main_key, main_ends) != 0 ||
      pthread_setspecific(main_key, &main_key) != 0 ||
      pthread_atfork(nth_objects_fork, NULL, child_begins) != 0)
    hold_never(HOLD_NO_ROOM);
}

struct text {
  char bytes[2048];
  size_t used;
};

static void add(struct text *t, uint64_t n, const char *what, const char *begin) {
  int more = n == 0 ? 0
                    : snprintf(t->bytes + t->used, sizeof t->bytes - t->used, "%s%llu: %s", begin,
                               (unsigned long long)n, what);
  t->used += more > 0 ? (size_t)more : 0;
}

__attribute__((destructor)) static void end(void) {
  uint64_t created = nth_load_rlx(&hold_pool.created), real = 0;
  if (!is_verbose || created == 0)
    return;
  for (int i = 0; i < HOLD_REASONS; i++)
    real += nth_load_rlx(&hold_pool.real[i]);
  struct text t = {.used = 0};
  t.used =
      (size_t)snprintf(t.bytes, sizeof t.bytes,
                       "nanogomp: held threads: %llu of %llu created threads ran on %llu held "
                       "OS threads, %llu on their own",
                       (unsigned long long)(created - real), (unsigned long long)created,
                       (unsigned long long)nth_load_rlx(&hold_pool.made), (unsigned long long)real);
  for (int i = 0; i < HOLD_REASONS; i++)
    add(&t, nth_load_rlx(&hold_pool.real[i]), reasons[i], "; own, ");
  for (int i = 0; i < HOLD_ENDS; i++)
    add(&t, nth_load_rlx(&hold_pool.ends[i]), ends[i], "; held but ended, ");
  t.bytes[t.used++] = '\n';
  if (write(STDERR_FILENO, t.bytes, t.used) < 0)
    return; /* stderr is closed */
}
