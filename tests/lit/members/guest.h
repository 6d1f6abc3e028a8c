/* guest.h - a member that does something while another one is on main's OS thread */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef GUEST_H
#define GUEST_H

#include "check.h"
#include <sys/syscall.h>
#include <unistd.h>

enum { MEMBERS = 16, POLLS = 300 };

/* Regions after which members are nano-threads, where that is the rule. */
static inline void make_members(void) {
  omp_set_dynamic(0);
  for (int i = 0; i < 50; i++) {
#pragma omp parallel num_threads(MEMBERS)
    {
#pragma omp barrier
    }
  }
}

/* Member 1 calls play() while the others but main are busy, as soon as one of them is on main's OS
   thread, or none comes there for a while. */
static inline void beside_guest(void (*play)(const char *), const char *how) {
  static int over, mains_guest;
#pragma omp parallel num_threads(MEMBERS)
  {
    int me = omp_get_thread_num();
    if (me == 1) {
      for (int i = 0; i < POLLS && !__atomic_load_n(&mains_guest, __ATOMIC_RELAXED); i++)
        check_sleep_ms(1);
      play(how);
      __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    } else if (me != 0) {
      if (syscall(SYS_gettid) == getpid())
        __atomic_store_n(&mains_guest, 1, __ATOMIC_RELAXED);
      while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
        check_busy(1000);
    }
  }
}

#endif
