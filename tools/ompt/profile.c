/* profile.c - the tool's start and end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tools/ompt/profile.h"

#include "runtime/base/atomic.h"
#include "tools/ompt/ticks.h"

struct prof prof = {.lock = PTHREAD_MUTEX_INITIALIZER};
bool ticks_steady;

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ticks_choose();
  if (!lookup("ompt_set_callback") || !prof_store_begin() || !prof_site_begin())
    return 0;
  prof_papi_begin();
  prof_store_zero();
  prof_process_begin();
  if (!prof_events_register(lookup))
    prof_say("the library does not tell all events; some constructs will be missing");
  return 1;
}

static void finalize(ompt_data_t *data) {
  (void)data;
  if (nth_load_rlx(&prof.forked))
    return; /* no region since the fork */
  prof_process_end();
  pthread_mutex_lock(&prof.lock);
  prof_store_pair();
  pthread_mutex_unlock(&prof.lock);
  uint64_t end = prof.head->ticks_now;
  prof_papi_end();
  pthread_mutex_lock(&prof.lock);
  prof_store_maps();
  prof.head->ticks_end = end;
  pthread_mutex_unlock(&prof.lock);
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  (void)omp_version, (void)runtime_version;
  return &result;
}
