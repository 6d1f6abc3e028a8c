/* quiet.h - a file that may not grow is a trouble of the tool's, no signal for the program
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why   A write beyond RLIMIT_FSIZE sends SIGXFSZ, which would end the program that is watched
 * Use   between quiet_begin() and quiet_end() such a call of this thread only fails, with EFBIG
 */
#ifndef NTH_OMPT_QUIET_H
#define NTH_OMPT_QUIET_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

struct quiet {
  sigset_t signal, old;
};

static inline void quiet_begin(struct quiet *q) {
  sigemptyset(&q->signal);
  sigaddset(&q->signal, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &q->signal, &q->old);
}

/* A signal that has come meanwhile is taken, unless the program has it blocked, too. */
static inline void quiet_end(const struct quiet *q) {
  if (!sigismember(&q->old, SIGXFSZ))
    sigtimedwait(&q->signal, 0, &(struct timespec){0});
  pthread_sigmask(SIG_SETMASK, &q->old, 0);
}

/* Reserves a part of the file, so that stores into it cannot fail; 0, or what is wrong. */
static inline int quiet_reserve(int fd, uint64_t at, uint64_t bytes) {
  struct quiet q;
  int error;
  quiet_begin(&q);
  do
    error = posix_fallocate(fd, (off_t)at, (off_t)bytes);
  while (error == EINTR);
  quiet_end(&q);
  return error;
}

#endif
