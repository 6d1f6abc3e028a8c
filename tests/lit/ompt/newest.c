/* newest.c - OMPT: what gcc 17 tells with -fopenmp-ompt, called by name */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the events of static loops, distribute, masked and scope, their numbers and that begin and
// end alternate; a loop's end without its begin, which has no event; and the kinds of barriers.
// nanogomp-only: libgomp knows no tools
// REQUIRES: nanogomp
// UNSUPPORTED: tool
// RUN: %omp_build %s -o %t -I%ompt -ldl -rdynamic
// RUN: %omp_run %t
#include <dlfcn.h>
#include <omp-tools.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "Inputs/linked.h"

static char heard[1000];

/* The events are those of one thread. */
#define HEAR(...) snprintf(heard + strlen(heard), sizeof heard - strlen(heard), __VA_ARGS__)

static void work(ompt_work_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                 ompt_data_t *task, uint64_t count, const void *ra) {
  CHECK(parallel && task && ra);
  HEAR(" work%d%c%d", kind, at == ompt_scope_begin ? '(' : ')', (int)count);
}

static void masked(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                   const void *ra) {
  CHECK(parallel && task && ra);
  HEAR(" masked%c", at == ompt_scope_begin ? '(' : ')');
}

static void dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                     ompt_data_t instance) {
  CHECK(parallel && task);
  const ompt_dispatch_chunk_t *chunk = instance.ptr;
  HEAR(" chunk%d:%d+%d", kind, (int)chunk->start, (int)chunk->iterations);
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                        ompt_data_t *task, const void *ra) {
  (void)parallel;
  CHECK(task && ra);
  if (at == ompt_scope_begin)
    HEAR(" barrier%d", kind);
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_work, (ompt_callback_t)work);
  CHECK_EQ(set(ompt_callback_masked, (ompt_callback_t)masked), ompt_set_sometimes);
  set(ompt_callback_dispatch, (ompt_callback_t)dispatch);
  set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
  return 1;
}

static void *find(const char *name) {
  void *f = dlsym(RTLD_DEFAULT, name);
  if (!f)
    check_fail(__FILE__, __LINE__, name);
  return f;
}
typedef _Complex int (*begin)(unsigned long long);
typedef void (*chunk)(unsigned long long, unsigned long long);
typedef void (*of_none)(void);
typedef void (*of_kind)(int);
#define CALL(type, name, ...) ((type)find(name))(__VA_ARGS__)

static void loop(const char *kind, unsigned long long trips) {
  char name[100];
  snprintf(name, sizeof name, "GOMP_%s_static_worksharing_start", kind);
  (void)CALL(begin, name, trips);
  snprintf(name, sizeof name, "GOMP_%s_static_worksharing_dispatch", kind);
  CALL(chunk, name, 3, 4);
  snprintf(name, sizeof name, "GOMP_%s_static_worksharing_end", kind);
  CALL(of_none, name);
  CALL(of_none, name);
}

int main(void) {
  loop("loop", 10);
  loop("distribute", 20);
  if (CALL(bool (*)(int), "GOMP_has_masked_thread_num_with_end", 0))
    CALL(of_none, "GOMP_masked_end");
  CHECK(!CALL(bool (*)(int), "GOMP_has_masked_thread_num_with_end", 1));
  CALL(void (*)(uintptr_t *), "GOMP_scope_start_with_end", 0);
  CALL(of_none, "GOMP_scope_end");
  CHECK(CALL(bool (*)(void), "GOMP_single_start_with_end"));
  CALL(of_none, "GOMP_single_end");
  for (int i = 0; i < 3; i++)
    CALL(of_kind, "GOMP_barrier_ext", i);
  CHECK_STREQ(heard, " work10(10 chunk3:3+4 work10)10 work6(20 chunk5:3+4 work6)20 masked( masked)"
                     " work8(1 work8)1 work3(1 work3)1 barrier4 barrier8 barrier3");
  return 0;
}
