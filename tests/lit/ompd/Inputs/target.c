/* target.c - the watched program: two levels, tasks in a task, waits of each kind; writes facts
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   level 1, of 3    0 waits for a lock    1 opens level 2    2 holds the lock
 *   level 2, of 2    0 is in a final task in a task           1 waits at a barrier
 *
 * It stays there until a byte comes on standard input. Then the regions end, and it waits for one
 * more.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "facts.h"

static struct fact facts[THREADS];
static atomic_int noted, held, go;

/* in the region's function itself, where the debugger looks for it */
#define INLINE static inline __attribute__((always_inline)) void
static omp_lock_t lock;

static __attribute__((noinline)) void note(int who, void *frame) {
  struct fact *f = &facts[who];
  omp_sched_t kind;
  f->thread = (uint64_t)syscall(SYS_gettid);
  f->pthread = (uint64_t)pthread_self();
  f->level = omp_get_level();
  f->active_level = omp_get_active_level();
  for (int i = 0; i <= f->level; i++) {
    f->at[i].num = omp_get_ancestor_thread_num(i);
    f->at[i].size = omp_get_team_size(i);
  }
  f->max_threads = omp_get_max_threads();
  f->dynamic = omp_get_dynamic();
  f->max_active_levels = omp_get_max_active_levels();
  omp_get_schedule(&kind, &f->sched_chunk);
  f->sched_kind = (int)kind;
  f->thread_limit = omp_get_thread_limit();
  f->bind = (int)omp_get_proc_bind();
  f->procs = omp_get_num_procs();
  f->inside = (uint64_t)__builtin_return_address(0);
  f->frame = (uint64_t)frame;
  f->lock = (uint64_t)&lock;
  atomic_fetch_add(&noted, 1);
}

static void stay(void) {
  while (!atomic_load(&go))
    usleep(1000);
}

static void *plain(void *unused) {
  omp_set_num_threads(9);
  note(PLAIN, __builtin_frame_address(0));
  stay();
  return unused;
}

INLINE inner(void) {
#pragma omp barrier
  if (omp_get_thread_num() == 1) {
    note(BARRIER, __builtin_frame_address(0));
#pragma omp barrier
    return;
  }
#pragma omp task if (0)
  {
#pragma omp task if (0) final(1)
    {
      omp_set_num_threads(6);
      note(TASKS, __builtin_frame_address(0));
      stay();
    }
  }
#pragma omp barrier
}

INLINE outer(void) {
#pragma omp barrier
  switch (omp_get_thread_num()) {
  case 0:
    while (!atomic_load(&held))
      usleep(1000);
    note(LOCKED, __builtin_frame_address(0));
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    break;
  case 1: omp_set_num_threads(5);
#pragma omp parallel num_threads(2)
    inner();
    break;
  default:
    omp_set_lock(&lock);
    atomic_store(&held, 1);
    omp_set_schedule(omp_sched_static, 3);
    note(HOLDS, __builtin_frame_address(0));
    while (atomic_load(&noted) < THREADS)
      usleep(1000);
    if (write(STDOUT_FILENO, facts, sizeof facts) != sizeof facts)
      _exit(3);
    stay();
    omp_unset_lock(&lock);
  }
}

static void *reads(void *unused) {
  char byte;
  if (read(STDIN_FILENO, &byte, 1) != 1)
    _exit(4);
  atomic_store(&go, 1);
  return unused;
}

int main(void) {
  pthread_t other, reader;
  char byte;
  omp_init_lock(&lock);
  omp_set_dynamic(0);
  omp_set_max_active_levels(4);
  omp_set_schedule(omp_sched_guided, 7);
  pthread_create(&other, 0, plain, 0);
  pthread_create(&reader, 0, reads, 0);
#pragma omp parallel num_threads(3)
  outer();
  pthread_join(other, 0);
  pthread_join(reader, 0);
  if (write(STDOUT_FILENO, "e", 1) != 1)
    return 5;
  return read(STDIN_FILENO, &byte, 1) == 1 ? 0 : 6;
}
