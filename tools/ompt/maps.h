/* maps.h - the list of the process's mappings
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why   The process's file is empty once main has ended by pthread_exit(), though other threads go
 *       on. The calling thread's file has the same list. Kernels before 3.17 lack that one
 */
#ifndef NTH_OMPT_MAPS_H
#define NTH_OMPT_MAPS_H

#include <fcntl.h>

/* A number for the list; -1: there is none. */
static inline int maps_open(void) {
  int maps = open("/proc/thread-self/maps", O_RDONLY | O_CLOEXEC);
  return maps >= 0 ? maps : open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
}

#endif
