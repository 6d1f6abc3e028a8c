/* wait.c - the list of suspended calls and bound requests, and the poll that asks MPI for them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stdlib.h>
#include <time.h>

#include "tools/mpi/tasks.h"

/* Waits that the poller has not seen yet, the latest first. w: who suspends; the poller; W */
static _Atomic(struct nth_mpi_wait *) fresh;
static _Atomic(uint32_t) count; /* I2 */
static _Atomic(uint32_t) lock;  /* 1: somebody polls; L */
/* The others; under the lock. Polls go on where the last one has stopped. */
static struct nth_mpi_wait *first, **stopped = &first;
static _Atomic(uint64_t) polled_at; /* when the last poll began, ns; w: pollers; r: a hint */
static _Atomic(uintptr_t) poller;   /* the thread that sleeps for short times; w, r: a hint */

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- whether a wait is over --- */

/* MPI's own calls complete the request afterwards. An error shows there, too. */
static bool is_complete(MPI_Request request) {
  int flag = 1;
  if (request != MPI_REQUEST_NULL)
    (void)PMPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

static bool is_over(struct nth_mpi_wait *w, uint32_t *asked) {
  int flag = 1;
  if (w->kind == NTH_MPI_PROBE) {
    ++*asked;
    return PMPI_Iprobe(w->source, w->tag, w->comm, &flag, MPI_STATUS_IGNORE) || flag;
  }
  if (w->kind == NTH_MPI_ANY) {
    for (int i = 0; i < w->count; i++, ++*asked)
      if (is_complete(w->request[i]))
        return true;
    return false;
  }
  for (; w->done < w->count; w->done++, ++*asked)
    if (!is_complete(w->request[w->done])) {
      ++*asked;
      return false;
    }
  return true;
}

/* --- the list --- */

void nth_mpi_add(struct nth_mpi_wait *w) {
  bool only = nth_add_rlx(&count, 1) == 0;
  struct nth_mpi_wait *head = nth_load_rlx(&fresh);
  do
    w->next = head;
  while (!nth_cas_rel(&fresh, &head, w)); /* W */
  if (only)
    nth_mpi_core.poll(nth_mpi_poll); /* members may sleep, and the caller may block in MPI next */
}

/* Under the lock: what is new goes to the front. */
static void take_fresh(void) {
  if (!nth_load_rlx(&fresh))
    return;
  struct nth_mpi_wait *w = nth_xchg_acq(&fresh, NULL); /* W */
  while (w) {
    struct nth_mpi_wait *next = w->next;
    w->next = first;
    if (stopped == &first)
      stopped = &w->next;
    first = w;
    w = next;
  }
}

/* w is in no list any longer. */
static void end(struct nth_mpi_wait *w, bool with_mpi) {
  nth_sub_rlx(&count, 1);
  if (w->kind != NTH_MPI_BOUND) {
    nth_mpi_core.over(&w->suspension);
    return;
  }
  void *event = w->event;
  int done;
  if (with_mpi)
    (void)PMPI_Testall(w->count, w->request, &done, w->statuses);
  free(w);
  nth_mpi_core.fulfill(event);
}

/* Takes waits that are over out of the list, from *from to `to`, and adds them to *over. */
static struct nth_mpi_wait **ask(struct nth_mpi_wait **from, uint32_t *asked,
                                 struct nth_mpi_wait **over) {
  while (*from && *asked < NTH_MPI_ASKED_MOST) {
    struct nth_mpi_wait *w = *from;
    if (!is_over(w, asked)) {
      from = &w->next;
      continue;
    }
    *from = w->next;
    w->next = *over;
    *over = w;
  }
  return from;
}

/* One poll. The waits that are over are told when the lock is free: an event's task may end there,
 * and what that makes ready may poll. */
static void poll_once(void) {
  uint32_t unlocked = 0, asked = 0;
  struct nth_mpi_wait *over = NULL;
  if (nth_load_rlx(&lock) || !nth_cas_acqrel(&lock, &unlocked, 1)) /* L */
    return;
  take_fresh();
  stopped = ask(stopped, &asked, &over);
  if (!*stopped)
    stopped = &first;
  nth_store_rel(&lock, 0); /* L */
  while (over) {
    struct nth_mpi_wait *next = over->next;
    end(over, true);
    over = next;
  }
}

uint64_t nth_mpi_poll(int sleeps) {
  if (nth_load_rlx(&count) == 0 || !nth_load_rlx(&nth_mpi_on))
    return 0;
  uint64_t now = now_ns(), last = nth_load_rlx(&polled_at);
  if (now - last >= NTH_MPI_EVERY_NS || sleeps) {
    nth_store_rlx(&polled_at, now);
    poll_once();
  }
  if (!sleeps)
    return 0;
  uintptr_t me = (uintptr_t)__builtin_thread_pointer();
  if (nth_load_rlx(&poller) != me && now - last < 4 * NTH_MPI_NAP_NS)
    return NTH_MPI_OTHERS_NAP_NS;
  nth_store_rlx(&poller, me);
  return nth_load_rlx(&count) ? NTH_MPI_NAP_NS : 0;
}

uint32_t nth_mpi_pending(void) { return nth_load_rlx(&count); }

void nth_mpi_drop(void) {
  uint32_t unlocked = 0;
  while (!nth_cas_acqrel(&lock, &unlocked, 1)) /* L */
    unlocked = 0;
  take_fresh();
  struct nth_mpi_wait *w = first;
  first = NULL;
  stopped = &first;
  nth_store_rel(&lock, 0); /* L */
  while (w) {
    struct nth_mpi_wait *next = w->next;
    end(w, false);
    w = next;
  }
}

/* --- suspended calls --- */

void nth_mpi_suspend(struct nth_mpi_wait *w) {
  uint32_t asked = 0;
  if (is_over(w, &asked) || !nth_mpi_core.begin(&w->suspension))
    return;
  nth_mpi_add(w);
  nth_mpi_core.wait(&w->suspension);
}

void nth_mpi_suspend_all(int requests, MPI_Request request[]) {
  struct nth_mpi_wait w = {.kind = NTH_MPI_ALL, .count = requests, .request = request};
  nth_mpi_suspend(&w);
}

void nth_mpi_suspend_probe(int source, int tag, MPI_Comm comm) {
  struct nth_mpi_wait w = {.kind = NTH_MPI_PROBE, .source = source, .tag = tag, .comm = comm};
  nth_mpi_suspend(&w);
}

/* A request that is complete, or not active, before the caller's test finds none that is over, is
 * not active. */
struct nth_mpi_wait *nth_mpi_any_begin(int requests, const MPI_Request request[]) {
  if (requests <= 0)
    return NULL;
  struct nth_mpi_wait *w = malloc(sizeof *w + (size_t)requests * sizeof *request);
  if (!w)
    return NULL;
  *w = (struct nth_mpi_wait){.kind = NTH_MPI_ANY, .request = (MPI_Request *)(w + 1)};
  for (int i = 0; i < requests; i++)
    if (!is_complete(request[i]))
      w->request[w->count++] = request[i];
  return w;
}

void nth_mpi_any_wait(struct nth_mpi_wait *w) {
  if (w && w->count > 0)
    nth_mpi_suspend(w);
}

void nth_mpi_any_end(struct nth_mpi_wait *w) { free(w); }

int nth_mpi_await(MPI_Request *request, MPI_Status *status) {
  if (nth_load_rlx(&nth_mpi_on))
    nth_mpi_suspend_all(1, request);
  return PMPI_Wait(request, status);
}
