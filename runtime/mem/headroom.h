/* headroom.h - mappings held back while many threads are made
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A process may have some 65,000 mappings (vm.max_map_count), and a thread's stack
 *             takes two. A program that asks for more threads gets fewer. But it could not go on:
 *             once the last mapping is taken, the next allocation of its own fails
 * Use         nth_headroom_hold() before many threads are made, nth_headroom_free() after that,
 *             whether the system refused one or not
 * Cost        130 system calls, and none for up to NTH_HEADROOM_THREADS
 * Tested by   tests/lit/parallel/mappings_run_out.c
 */
#ifndef NTH_MEM_HEADROOM_H
#define NTH_MEM_HEADROOM_H

#include <stdbool.h>

enum { NTH_HEADROOM_MAPS = 256, NTH_HEADROOM_THREADS = 1024 /* "many" */ };

struct nth_headroom {
  char *at; /* NULL: none is held */
};

/* False: the system has none left; nothing is held. */
bool nth_headroom_hold(struct nth_headroom *h);
void nth_headroom_free(struct nth_headroom *h);

#endif
