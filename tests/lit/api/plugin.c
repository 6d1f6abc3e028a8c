/* plugin.c - the GOMP_PLUGIN_ functions that device plugins bind to */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks each of the thirteen, found at its version node: memory is never NULL (the program ends
// when there is none), lines on stderr, GOMP_DEBUG and GOMP_OPENACC_DIM, no OpenACC state, and what
// ends the program. A shared object linked with them loads.
// RUN: %omp_build %S/Inputs/device_plugin.c -o %t.so -shared -fPIC
// RUN: %omp_build %s -o %t -ldl
// RUN: %omp_run %t %t.so
// RUN: env GOMP_DEBUG=2 GOMP_OPENACC_DIM=3:4:5 %omp_run %t %t.so debug
// REQUIRES: base
#define _GNU_SOURCE
#include "outcome.h"
#include <dlfcn.h>

static bool in_debug; /* the second run */

/* A function at a node, as a type that the caller names. */
static void *find(const char *name, const char *node) {
  void *address = dlvsym(RTLD_DEFAULT, name, node);
  if (!address)
    fprintf(stderr, "no %s@%s\n", name, node);
  CHECK(address != NULL);
  return address;
}

#define FIND(pointer, name, node)                                                                  \
  do {                                                                                             \
    void *found = find(name, node);                                                                \
    memcpy(&pointer, &found, sizeof pointer);                                                      \
  } while (0)

static void *(*plugin_malloc)(size_t), *(*malloc_cleared)(size_t),
    *(*plugin_realloc)(void *, size_t);
static void (*debug)(int, const char *, ...), (*error)(const char *, ...),
    (*fatal)(const char *, ...);
static void *(*acc_thread)(void), *(*goacc_thread)(void);
static int (*acc_default_dim)(unsigned);
static void (*async_unmap_vars)(void *, int), (*target_task_completion)(void *);
static void (*profiling_dispatch)(void *, void *, void *);
static void (*target_rev)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, int, void *);

static void find_all(void) {
  FIND(plugin_malloc, "GOMP_PLUGIN_malloc", "GOMP_PLUGIN_1.0");
  FIND(malloc_cleared, "GOMP_PLUGIN_malloc_cleared", "GOMP_PLUGIN_1.0");
  FIND(plugin_realloc, "GOMP_PLUGIN_realloc", "GOMP_PLUGIN_1.0");
  FIND(debug, "GOMP_PLUGIN_debug", "GOMP_PLUGIN_1.0");
  FIND(error, "GOMP_PLUGIN_error", "GOMP_PLUGIN_1.0");
  FIND(fatal, "GOMP_PLUGIN_fatal", "GOMP_PLUGIN_1.0");
  FIND(acc_thread, "GOMP_PLUGIN_acc_thread", "GOMP_PLUGIN_1.0");
  FIND(async_unmap_vars, "GOMP_PLUGIN_async_unmap_vars", "GOMP_PLUGIN_1.0");
  FIND(target_task_completion, "GOMP_PLUGIN_target_task_completion", "GOMP_PLUGIN_1.1");
  FIND(acc_default_dim, "GOMP_PLUGIN_acc_default_dim", "GOMP_PLUGIN_1.2");
  FIND(goacc_thread, "GOMP_PLUGIN_goacc_thread", "GOMP_PLUGIN_1.3");
  FIND(profiling_dispatch, "GOMP_PLUGIN_goacc_profiling_dispatch", "GOMP_PLUGIN_1.3");
}

/* --- bodies that run in a child --- */

#if CHECK_SLOWER == 1 /* a sanitizer ends the program itself */
enum { HUGE_SIZE = -100 };

static void malloc_too_much(void) { plugin_malloc((size_t)HUGE_SIZE); }

static void cleared_too_much(void) { malloc_cleared((size_t)HUGE_SIZE); }

static void realloc_too_much(void) { plugin_realloc(NULL, (size_t)HUGE_SIZE); }
#endif

static void say_error(void) { error("%s %d", "text", 4711); }

static void say_long_error(void) {
  char text[3001];
  memset(text, 'y', 3000);
  text[3000] = 0;
  error("<%s>", text);
}

static void handler(void) { fprintf(stderr, "handler\n"); }

static void say_fatal(void) {
  atexit(handler);
  fatal("%s %d", "text", 4711);
}

static void say_debug(void) {
  debug(0, "%s %d;", "text", 4711);
  debug(-1, "more\n");
}

static void bad_dimension(void) { acc_default_dim(3); }

static void unmap(void) { async_unmap_vars(NULL, 0); }

static void reverse(void) { target_rev(0x1234, 0, 0, 0, 0, 7, NULL); }

static void complete(void) { target_task_completion(NULL); }

/* --- tests --- */

static void memory(void) {
  for (size_t size = 0; size < 5000; size = 2 * size + 1) {
    unsigned char *a = plugin_malloc(size), *b = malloc_cleared(size);
    CHECK(a != NULL && b != NULL);
    memset(a, 1, size);
    for (size_t i = 0; i < size; i++)
      CHECK_EQ(b[i], 0);
    a = plugin_realloc(a, 2 * size + 1);
    CHECK(a != NULL && (size == 0 || a[size - 1] == 1));
    free(a);
    free(b);
  }
  free(plugin_realloc(NULL, 10));
#if CHECK_SLOWER == 1
  const char *line = "\nlibgomp: Out of memory allocating 18446744073709551516 bytes\n";
  CHECK_OUTCOME(malloc_too_much, 1, line);
  CHECK_OUTCOME(cleared_too_much, 1, line);
  CHECK_OUTCOME(realloc_too_much, 1, line);
#endif
}

static void messages(void) {
  static struct outcome o;
  CHECK_OUTCOME(say_error, 77, "\nlibgomp: text 4711\n");
  CHECK_OUTCOME(say_fatal, 1, "\nlibgomp: text 4711\nhandler\n");
  CHECK_OUTCOME(say_debug, 77, in_debug ? "text 4711;more\n" : "");
  outcome_of(&o, say_long_error);
  CHECK_EQ(o.length, strlen("\nlibgomp: ") + 3000 + strlen("<>\n"));
}

static void acc(void) {
  int event[64] = {1};
  CHECK(acc_thread() == NULL);
  CHECK(goacc_thread() == NULL);
  for (unsigned i = 0; i < 3; i++)
    CHECK_EQ(acc_default_dim(i), in_debug ? 3 + (int)i : 0);
  CHECK_OUTCOME(bad_dimension, 1, "\nlibgomp: invalid dimension argument: 3\n");
  CHECK_OUTCOME(unmap, 1, "\nlibgomp: invalid plugin function\n");
  if (!in_debug) /* no callback is registered */
    profiling_dispatch(event, event, event);
}

/* libgomp 12 has no GOMP_PLUGIN_target_rev and crashes on a task that does not exist. */
static void devices(void) {
  if (!dlsym(RTLD_DEFAULT, "nth_report"))
    return;
  FIND(target_rev, "GOMP_PLUGIN_target_rev", "GOMP_PLUGIN_1.4");
  CHECK_OUTCOME(reverse, 1, NULL);
  CHECK_OUTCOME(complete, 77, NULL);
}

static void shared_object(const char *name) {
  void *plugin = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!plugin)
    fprintf(stderr, "%s\n", dlerror());
  CHECK(plugin != NULL);
  int (*work)(void);
  void *found = dlsym(plugin, "device_plugin_work");
  memcpy(&work, &found, sizeof work);
  CHECK(work != NULL);
  CHECK_EQ(work(), 45);
}

int main(int argc, char **argv) {
  CHECK(argc > 1);
  in_debug = argc > 2;
  find_all();
  memory();
  messages();
  acc();
  devices();
  shared_object(argv[1]);
  return 0;
}
