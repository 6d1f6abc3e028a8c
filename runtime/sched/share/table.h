/* table.h - the table by which programs of one user divide the processors among themselves
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Several programs, or MPI ranks, run on the same CPUs. Each of them would take all.
 *             With a table each one knows who else is there and how much he uses, and takes its
 *             part of the processors. What a program leaves idle the others have meanwhile.
 * Place       A segment of one small page that all have (segment.h). A new one is all zeros, which
 *             is an empty table, so a process that is killed while it makes one leaves a good one.
 *             There is no lock and no server: each process writes its own slot, reads the others',
 *             and works out its own number (deal.h)
 * Use         nth_table_claim() -> {nth_table_beat() | nth_table_look()} ... -> nth_table_leave()
 * Death       A process that is killed leaves its slot. Others count only slots whose `beat` goes
 *             on, so they have its processors as soon as it has missed NTH_SHARE_SILENT_NS. The
 *             slot is free again when no process has its number, or after NTH_SHARE_GONE_NS of
 *             silence. A number that the system gives to another process thus means nothing. A
 *             process that was stopped for so long, and finds that its slot has another owner,
 *             claims another one
 * Trust       Any process of the user may write anything there. All values are looked at once, and
 *             bounded, before they are used; no value is an index, a size or an address. Wrong ones
 *             make the program use more or fewer processors, from 1 to all
 * Invariants  I1  a slot's owner is 0, or was written by a CAS of the process that it names. So no
 *                 two that obey the protocol have the same slot
 *             I2  only the owner writes the other fields of its slot, but for `most`. For a moment
 *                 a late owner may write to a slot that was taken from it: others then see a wrong
 *                 hint until the next beat
 * Orders      all fields but owner are hints that publish nothing
 *             T   owner: the release of who takes or frees the slot -> the acquire of who looks:
 *                 what the owner before it wrote is not seen after what the new one writes
 *             B   bell: the release of who rings -> the acquire of who takes a ticket before it
 *                 looks: it sees what the other one wants, or finds another bell and does not sleep
 * Cost        nothing on any path of the program: one thread looks (share.h)
 * Tested by   tests/model/table, tests/unit/share, tests/tool/test_share_table.py,
 *             tests/tool/test_share_hostile.py
 */
#ifndef NTH_SCHED_SHARE_TABLE_H
#define NTH_SCHED_SHARE_TABLE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"

#define NTH_TABLE_MAGIC UINT64_C(0x32307468656c6261) /* with the layout's version, 02 */
#ifndef NTH_MODEL
enum { NTH_TABLE_SLOTS = 63 };
#else
enum { NTH_TABLE_SLOTS = 2 };
#endif
enum { NTH_TABLE_NAME_WORDS = 6 };
enum { NTH_TABLE_NONE = -1, NTH_TABLE_PIDS = 1 << 22 };

/* tools/nanogomp_lib/share_table.py has the same offsets. */
struct nth_table_slot {
  _Atomic(uint64_t) owner;      /* its pid + a stamp << 32; 0: free; I1, T */
  _Atomic(uint32_t) beat;       /* another number each time that the owner looks */
  _Atomic(uint32_t) wants;      /* processors that it would use now; 0: it is idle */
  _Atomic(uint32_t) most;       /* no more than so many, 0: any; w: `nanogomp share` */
  _Atomic(uint32_t) has;        /* processors that it may use now */
  _Atomic(uint32_t) running;    /* its OS threads that run or may run, */
  _Atomic(uint32_t) processors; /* and how many there are (sched/adapt/request.h) */
  _Atomic(uint64_t) idle_since; /* CLOCK_MONOTONIC, ns; 0: it is not idle */
  uint64_t unused[3];
};

struct nth_table {
  _Atomic(uint64_t) magic; /* 0: nobody has opened it so far */
  _Atomic(uint32_t) bell;  /* changes when others should look; futex word between processes; B */
  uint32_t unused;
  _Atomic(uint64_t) name[NTH_TABLE_NAME_WORDS]; /* its first bytes, then zeros; w: who opens it */
  struct nth_table_slot slot[NTH_TABLE_SLOTS];
};

#ifndef NTH_MODEL
static_assert(sizeof(struct nth_table_slot) == 64 && sizeof(struct nth_table) == 4096 &&
                  offsetof(struct nth_table, bell) == 8 && offsetof(struct nth_table, name) == 16,
              "the layout, which share_table.py has too");
#endif

/* What a reader notes of a slot; its own memory. */
struct nth_table_seen {
  uint64_t owner;
  uint32_t beat;
  uint64_t at; /* when the beat was another one than before */
};

/* The process of an owner; 0: it can be no process. */
static inline uint32_t nth_table_pid(uint64_t owner) {
  uint32_t pid = (uint32_t)owner;
  return pid <= NTH_TABLE_PIDS ? pid : 0;
}

static inline uint64_t nth_table_owner(uint32_t pid, uint32_t stamp) {
  return pid | (uint64_t)stamp << 32;
}

/* Makes the table ready. False: it is of another version, or no table. */
static inline bool nth_table_begin(struct nth_table *t) {
  uint64_t magic = 0;
  return nth_cas_rlx(&t->magic, &magic, NTH_TABLE_MAGIC) || magic == NTH_TABLE_MAGIC;
}

/* Whether this is the table of that name, or of none so far. */
static inline bool nth_table_name(struct nth_table *t, const char *name) {
  for (int i = 0; i < NTH_TABLE_NAME_WORDS; i++) {
    uint64_t word = 0, none = 0;
    for (unsigned byte = 0; byte < sizeof word && *name; byte++, name++)
      word |= (uint64_t)(unsigned char)*name << 8 * byte;
    if (!nth_cas_rlx(&t->name[i], &none, word) && none != word)
      return false;
  }
  return true;
}

/* Frees a slot of a dead owner. False: somebody else was faster. */
static inline bool nth_table_free(struct nth_table *t, int slot, uint64_t dead) {
  nth_assert(slot >= 0 && slot < NTH_TABLE_SLOTS && dead != 0);
  return nth_cas_acqrel(&t->slot[slot].owner, &dead, 0); /* T */
}

/* The slots of an earlier program of this process, before an exec, or of an earlier process with
 * its number. */
static inline void nth_table_free_own(struct nth_table *t, uint32_t pid) {
  for (int i = 0; i < NTH_TABLE_SLOTS; i++) {
    uint64_t owner = nth_load_acq(&t->slot[i].owner); /* T */
    if (owner != 0 && nth_table_pid(owner) == pid)
      (void)nth_table_free(t, i, owner);
  }
}

/* A slot for the calling process; NTH_TABLE_NONE: all have owners. */
static inline int nth_table_claim(struct nth_table *t, uint64_t me) {
  nth_assert(nth_table_pid(me) != 0);
  for (int i = 0; i < NTH_TABLE_SLOTS; i++) {
    struct nth_table_slot *s = &t->slot[i];
    uint64_t none = 0;
    if (nth_load_rlx(&s->owner) != 0 || !nth_cas_acqrel(&s->owner, &none, me)) /* T */
      continue;
    nth_store_rlx(&s->wants, 0);
    nth_store_rlx(&s->most, 0);
    nth_store_rlx(&s->has, 0);
    nth_store_rlx(&s->idle_since, 0);
    return i;
  }
  return NTH_TABLE_NONE;
}

/* Whether the slot is still the caller's. */
static inline bool nth_table_mine(struct nth_table *t, int slot, uint64_t me) {
  return nth_load_acq(&t->slot[slot].owner) == me; /* T */
}

/* The caller lives, and wants so many. True: others should know at once, since it wants more, or
 * has become idle. */
static inline bool nth_table_beat(struct nth_table *t, int slot, uint32_t wants) {
  struct nth_table_slot *s = &t->slot[slot];
  uint32_t wanted = nth_load_rlx(&s->wants);
  nth_store_rlx(&s->wants, wants);
  nth_store_rlx(&s->beat, nth_load_rlx(&s->beat) + 1);
  return wants > wanted || (wants == 0 && wanted != 0);
}

/* The processors that the slot's owner wants, 0 if there is none or it has been silent for too
 * long. silent: since when it has been, ns. */
static inline uint32_t nth_table_look(struct nth_table *t, int slot, struct nth_table_seen *seen,
                                      uint64_t now, uint64_t limit, uint64_t *silent) {
  struct nth_table_slot *s = &t->slot[slot];
  uint64_t owner = nth_load_acq(&s->owner); /* T */
  uint32_t beat = nth_load_rlx(&s->beat);
  if (owner != seen->owner || beat != seen->beat || now < seen->at)
    *seen = (struct nth_table_seen){owner, beat, now};
  *silent = now - seen->at;
  if (owner == 0 || nth_table_pid(owner) == 0 || *silent > limit)
    return 0;
  uint32_t wants = nth_load_rlx(&s->wants), most = nth_load_rlx(&s->most);
  return most != 0 && most < wants ? most : wants;
}

/* What the others should know is written: whoever sleeps for the bell is to be woken. */
static inline void nth_table_ring(struct nth_table *t) { nth_add_rel(&t->bell, 1); /* B */ }

/* Before a look: the bell's value, for which to sleep afterwards. */
static inline uint32_t nth_table_ticket(struct nth_table *t) {
  return nth_load_acq(&t->bell); /* B */
}

/* The caller's slot is free. A slot that is no longer its own stays as it is. */
static inline void nth_table_leave(struct nth_table *t, int slot, uint64_t me) {
  if (slot >= 0)
    (void)nth_table_free(t, slot, me);
}

/* Whether all that obey the protocol left this: a version, and owners each of which has one slot.
 * For tests, since a table may hold anything. */
static inline bool nth_table_valid(struct nth_table *t) {
  if (nth_load_rlx(&t->magic) != NTH_TABLE_MAGIC)
    return false;
  for (int i = 0; i < NTH_TABLE_SLOTS; i++) {
    uint64_t owner = nth_load_rlx(&t->slot[i].owner);
    if (owner != 0 && nth_table_pid(owner) == 0)
      return false;
    for (int k = 0; k < i; k++)
      if (owner != 0 && nth_load_rlx(&t->slot[k].owner) == owner)
        return false;
  }
  return true;
}

#endif
