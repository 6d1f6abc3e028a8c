/* init.c - loading of the library: reads the environment, and does little else
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <dlfcn.h>

#include "runtime/base/msg.h"
#include "runtime/base/os.h"
#include "runtime/mem/huge.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/process/counters.h"
#include "runtime/omp/process/ended.h"
#include "runtime/omp/process/forked.h"
#include "runtime/omp/process/structures.h"
#include "runtime/omp/queue/task_queue.h"
#include "runtime/omp/team/team_make.h"
#include "runtime/omp/told/told.h"
#include "runtime/omp/types/icv.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/hold/lend.h"
#include "runtime/sched/nano/stack.h"
#include "runtime/sched/wait/wait.h"

/* Says which library serves a program's GOMP_ calls, as the loader sees it. */
static void say_who_serves(void) {
  Dl_info us, them;
  void *f = dlsym(RTLD_DEFAULT, "GOMP_parallel");
  if (!f || !dladdr(f, &them) || !dladdr((void *)nth_env_load, &us))
    return;
  if (us.dli_fbase == them.dli_fbase)
    nth_msg_verbose("serving GOMP_ calls from %s", us.dli_fname);
  else
    nth_msg_verbose("loaded from %s, but GOMP_ calls are served by %s", us.dli_fname,
                    them.dli_fname);
}

/* Runs before the library's other constructors. Without a number their order is the linker's
 * choice, which differs when it optimizes. */
__attribute__((constructor(1000))) static void load(void) {
  nth_os_begin();
  nth_env_load();
  nth_huge_pages = nth_env.huge_pages;
  nth_store_rlx(&nth_task_find_asks, nth_env.max_task_priority > 0);
  if (nth_env.pool_policy != NTH_POOL_HIER) /* zero, here and below, leaves the page alone */
    nth_member_no_pool.policy = nth_env.pool_policy;
  if (nth_env.stacksize != 0)
    nth_stack_bytes = nth_env.stacksize;
  if (nth_env.wait_policy != NTH_POLICY_UNSET || nth_env.spincount_given)
    nth_wait_configure(nth_env.wait_policy, nth_env.spincount_given, nth_env.spincount);
  nth_allowed_begin();
  nth_member_end_hook = nth_ended_member;
  nth_lend_hooks = (struct nth_lend_hooks){nth_ended_early, nth_team_at_work, nth_team_in_region};
  nth_members_begin();
  nth_forked_watch();
  if (nth_verbose)
    say_who_serves();
  nth_told_begin();
  nth_sde_begin();
  nth_structures_begin();
}

/* NTH_VERBOSE: says what the library was used for. Joins and frees nothing. */
__attribute__((destructor)) static void tell(void) {
  nth_structures_write();
  if (!nth_verbose)
    return;
  uint32_t held, made;
  struct nth_counts now;
  nth_holder_count(&held, &made);
  nth_counters_read(&now);
  nth_msg("%llu parallel regions of more than one member; %llu threads made, %u held at the end",
          (unsigned long long)now.value[NTH_COUNTER_regions],
          (unsigned long long)now.value[NTH_COUNTER_threads], held);
  if (nth_env.counters)
    nth_counters_tell();
}
