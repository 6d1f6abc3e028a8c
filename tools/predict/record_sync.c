/* record_sync.c - barriers, single, critical sections and ordered parts
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Not recorded: locks (omp_set_lock and so on), whose time counts as work.
 */
#include "record.h"

REC_ENTRY void GOMP_barrier(void) {
  REC_REAL(void(void), GOMP_barrier);
  rec_note(REC_BARRIER_ENTER, 0, 0, 0);
  real();
  rec_note_after(REC_BARRIER_LEAVE, 0, 0, 0);
}

REC_ENTRY bool GOMP_barrier_cancel(void) {
  REC_REAL(bool(void), GOMP_barrier_cancel);
  rec_note(REC_BARRIER_ENTER, 0, 0, 0);
  bool cancelled = real();
  rec_note_after(REC_BARRIER_LEAVE, 0, 0, 0);
  return cancelled;
}

REC_ENTRY bool GOMP_single_start(void) {
  REC_REAL(bool(void), GOMP_single_start);
  rec_note(REC_SINGLE_ENTER, 0, 0, 0);
  bool mine = real();
  rec_note_after(REC_SINGLE_LEAVE, mine, 0, 0);
  return mine;
}

REC_ENTRY void *GOMP_single_copy_start(void) {
  REC_REAL(void *(void), GOMP_single_copy_start);
  rec_note(REC_SINGLE_ENTER, 0, 0, 0);
  void *data = real();
  rec_note_after(REC_SINGLE_LEAVE, !data, 0, 0);
  return data;
}

/* The block's end; the others wait for it. */
REC_ENTRY void GOMP_single_copy_end(void *data) {
  REC_REAL(void(void *), GOMP_single_copy_end);
  rec_note(REC_BARRIER_ENTER, 0, 0, 0);
  real(data);
  rec_note_after(REC_BARRIER_LEAVE, 0, 0, 0);
}

/* --- exclusion: the address stands for the lock --- */

static char unnamed, atomic_lock, ordered;

static uint32_t kind_of(const void *lock) { return lock == &ordered; }

static void enter(const void *lock) {
  rec_note(REC_CRITICAL_ENTER, kind_of(lock), (uint64_t)(uintptr_t)lock, 0);
}

static void entered(const void *lock) {
  rec_note_after(REC_CRITICAL_LEAVE, kind_of(lock), (uint64_t)(uintptr_t)lock, 0);
}

static void release(const void *lock) {
  rec_note(REC_RELEASE_ENTER, 0, (uint64_t)(uintptr_t)lock, 0);
}

static void released(const void *lock) {
  rec_note_after(REC_RELEASE_LEAVE, 0, (uint64_t)(uintptr_t)lock, 0);
}

#define TAKE(name, lock)                                                                           \
  REC_ENTRY void name(void) {                                                                      \
    REC_REAL(void(void), name);                                                                    \
    enter(&(lock));                                                                                \
    real();                                                                                        \
    entered(&(lock));                                                                              \
  }
#define GIVE(name, lock)                                                                           \
  REC_ENTRY void name(void) {                                                                      \
    REC_REAL(void(void), name);                                                                    \
    release(&(lock));                                                                              \
    real();                                                                                        \
    released(&(lock));                                                                             \
  }
TAKE(GOMP_critical_start, unnamed)
GIVE(GOMP_critical_end, unnamed)
TAKE(GOMP_atomic_start, atomic_lock)
GIVE(GOMP_atomic_end, atomic_lock)
TAKE(GOMP_ordered_start, ordered)
GIVE(GOMP_ordered_end, ordered)

REC_ENTRY void GOMP_critical_name_start(void **name) {
  REC_REAL(void(void **), GOMP_critical_name_start);
  enter(name);
  real(name);
  entered(name);
}

REC_ENTRY void GOMP_critical_name_end(void **name) {
  REC_REAL(void(void **), GOMP_critical_name_end);
  release(name);
  real(name);
  released(name);
}
