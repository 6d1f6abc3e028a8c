/* structures.c - where the runtime's shared structures lie
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/process/structures.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/team/team.h"
#include "runtime/sched/threads/worker.h"

static char *file;     /* its name; NULL: not wanted. w: at load */
static int out, wrong; /* wrong: why a part was not written; 0: all were */

static void part(const void *at, size_t bytes, const char *name) {
  if (at && bytes > 0 && !wrong &&
      dprintf(out, "%#lx %zu %s\n", (unsigned long)(uintptr_t)at, bytes, name) < 0)
    wrong = errno;
}

/* The part of an object from one field up to another one. */
#define PART(object, type, from, to, name)                                                         \
  part((const char *)(object) + offsetof(type, from), offsetof(type, to) - offsetof(type, from),   \
       name)
#define FIELD(object, field, name) part(&(object)->field, sizeof(object)->field, name)

static void heap_part(const void *at, size_t bytes) { part(at, bytes, "other objects"); }

static void put_slot(const struct nth_slot *s) {
  part(s, sizeof *s, "member's slot");
  FIELD(s, barrier, "barrier, a member's flags");
  FIELD(s, djs, "distributed join (DJS)");
  FIELD(s, queue, "ready tasks, list");
  FIELD(s, queue.deque, "ready tasks, deque");
  FIELD(s, tasks, "counts of tasks");
  FIELD(s, implicit, "implicit task");
}

static void put_worker(const struct nth_worker *p) {
  part(p, sizeof *p, "worker");
  FIELD(p, lwd, "work descriptors (LWD)");
  FIELD(p, dock, "worker's dock");
  FIELD(p, waiter, "worker's waits");
  part(p->identity, sizeof(struct nth_member), "member");
  if (p->identity)
    put_slot(&((const struct nth_member *)p->identity)->solo);
}

static void put_team(const struct nth_team *t) {
  part(t, sizeof *t, "team");
  PART(t, struct nth_team, size, saved, "team, what all read");
  PART(t, struct nth_team, saved, shares, "team, the master's own");
  FIELD(t, shares, "work shares");
  FIELD(t, barrier, "barrier, the team's");
  PART(t, struct nth_team, tasked, help, "team, state of constructs");
  FIELD(t, help, "sleepers that want tasks");
  part(t->group.gwd, sizeof *t->group.gwd, "work descriptors (GWD)");
  part(t->crew.pjv, t->crew.capacity * sizeof *t->crew.pjv, "descriptors given (PJV)");
  for (uint32_t i = 0; t->slot && i < t->crew.capacity; i++)
    if (t->slot[i])
      put_slot(t->slot[i]);
  for (uint32_t i = 1; t->group.proc && i < t->group.size; i++)
    if (t->group.proc[i])
      put_worker(t->group.proc[i]);
  if (t->group.master)
    put_worker(t->group.master);
}

void nth_structures_begin(void) {
  const char *name = secure_getenv("NTH_STRUCTURES");
  file = name && *name ? nth_heap_copy(name) : 0;
}

void nth_structures_write(void) {
  if (!file)
    return;
  out = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (out < 0) {
    nth_msg("NTH_STRUCTURES: %s cannot be written (%s)", file, strerror(errno));
    return;
  }
  nth_heap_each(heap_part);
  for (const struct nth_team *t = nth_team_known(); t; t = t->known)
    put_team(t);
  close(out);
  if (wrong)
    nth_msg("NTH_STRUCTURES: %s is not complete (%s)", file, strerror(wrong));
}
