/* walker.h - a thread that is in dl_iterate_phdr(), with the loader's lock, until a flag is set */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Include <link.h> after _GNU_SOURCE, and check.h, before this file.
#ifndef WALKER_H
#define WALKER_H

static int inside, forked; /* it is in there; it may leave */

static int stays(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)info, (void)size, (void)unused;
  __atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
  CHECK_WAIT_UNTIL(__atomic_load_n(&forked, __ATOMIC_ACQUIRE));
  return 1;
}

static void *walks(void *unused) {
  dl_iterate_phdr(stays, NULL);
  return unused;
}

/* Begins the walk; it has the lock when the call returns. */
static inline pthread_t walker_begin(void) {
  pthread_t walker;
  inside = forked = 0;
  CHECK_EQ(pthread_create(&walker, NULL, walks, NULL), 0);
  CHECK_WAIT_UNTIL(__atomic_load_n(&inside, __ATOMIC_ACQUIRE));
  return walker;
}

static inline void walker_end(pthread_t walker) {
  __atomic_store_n(&forked, 1, __ATOMIC_RELEASE);
  CHECK_EQ(pthread_join(walker, NULL), 0);
}

#endif
