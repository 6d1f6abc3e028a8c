/* request.h - how many processors the program may use, as somebody outside it asks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         From "A Library Implementation of the Nano-Threads Programming Model" (Euro-Par
 *             1996), section 4.2: the operating system takes processors from a running program and
 *             gives them back. It asks for a processor and waits for the answer. The program
 *             releases one at a safe point, where it does not stop work that others wait for.
 * File        With NTH_SHARE=DIR the words lie in the file DIR/nth-share.PID, which the library
 *             maps when it is loaded, and removes at the end. So a processor sees a request by one
 *             load, without a system call, a signal or a descriptor that stays open. The file's
 *             mode says who may ask: the user. Without NTH_SHARE the words are the program's own,
 *             and only nth_request() changes them
 * Use         requester: write `asked`; wake the futex; read `running` until it is small enough or
 *                        the time is over. abi: nth_request(), tools: nanogomp share
 *             regions:   permit.h
 *             machine:   nth_request_begin() -> nth_request_end()
 *             processor: nth_request_takes() between two nano-threads. nth_request_left() when it
 *                        goes away, nth_request_came() when it is back
 * Listener    Processors that are away sleep on words of their own, since their OS threads may run
 *             others meanwhile (nth/away.h). With a file one more thread sleeps on `asked` and
 *             wakes them, and tells the OS threads that have permits (permit.h). It begins with
 *             the first member, stays, and runs for some us a request. A wake of the requester's
 *             may fall between the listener's last look and its sleep; then `asked` has changed,
 *             and the kernel lets nobody sleep. It looks every NTH_AWAY_LOOK_NS, so a requester
 *             that wakes nobody is noticed too
 * Numbers     asked 0: all. Any other value is good: one larger than `processors` means all, too.
 *             Processor 0 is always within the request. While there are processors, from begin()
 *             to end(), `running` and `processors` count these; else the OS threads that run
 *             members (permit.c: publish())
 * Invariants  I1  running = processors - those between left() and came(), while there are
 *                 processors
 *             I2  nth_request_now changes only while there are no processors
 * Orders      asked is a hint: it publishes nothing
 *             F   a full fence of the thread that has changed `asked`, or of the listener that has
 *                 read it; then it looks at the processors' words. Against deque:F of a processor
 *                 that goes away (nth/away.h)
 *             A   running: a processor's release, when it goes away, or that of an OS thread that
 *                 gives its permit up -> the acquire of the requester in this process: what it did
 *                 before
 * Cost        takes: two loads of lines that do not change, and a comparison. With a file: 10
 *             wake-ups a second of the listener
 * Tested by   tests/lit/nth/request*.c, tests/lit/request/unwoken.c, tests/tool/test_share.py
 */
#ifndef NTH_SCHED_REQUEST_H
#define NTH_SCHED_REQUEST_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"

#define NTH_REQUEST_MAGIC "nthshare"
enum { NTH_REQUEST_VERSION = 1 };

/* The file. tools/nanogomp_lib/share.py has the same offsets. */
struct nth_request {
  char magic[8];    /* written last */
  uint32_t version; /* of this layout */
  uint32_t pid;     /* of the process that maps it */
  /* Processors that the program may use; 0: all. w: requesters; r: processors, the listener; futex
   * word between processes */
  _Alignas(NTH_APART) _Atomic(uint32_t) asked;
  /* Processors that are not away; w: processors, the machine, permit.c; r: requesters; A, I1 */
  _Alignas(NTH_APART) _Atomic(uint32_t) running;
  _Atomic(uint32_t) processors; /* how many there are; w: the machine, permit.c; r: requesters */
};

static_assert(offsetof(struct nth_request, pid) == 12 &&
                  offsetof(struct nth_request, asked) == 128 &&
                  offsetof(struct nth_request, running) == 256 &&
                  offsetof(struct nth_request, processors) == 260 &&
                  sizeof(struct nth_request) == 384,
              "the file's layout");

/* In the file, or the program's own. Never NULL; I2. */
extern struct nth_request *nth_request_now;

/* What the program itself has asked for last, by nth_request(); 0: all. w: it; r: who asks on
 * behalf of other programs (sched/share/share.h), which bounds it but does not replace it. */
extern _Atomic(uint32_t) nth_request_program;

/* Maps the file in this folder, which is NTH_SHARE's value. Returns 0 or an errno value: then the
 * words are the program's own. When the library is loaded. */
int nth_request_load(const char *folder);

/* Once there are threads that obey requests (permit.h). changed: called in the listener after each
 * request, and once at its start. */
void nth_request_listen(void (*changed)(void));
/* There are n processors from now on, and none. changed: as above, until the end. */
void nth_request_begin(uint32_t n, void (*changed)(void));
void nth_request_end(void);
/* This many are asked for from now on, since others want the rest (sched/share/share.h); all
 * that obey requests are told. */
void nth_request_ask(uint32_t n);
/* In a forked child: the file is the parent's. */
void nth_request_forked(void);

/* Whether this processor is beyond the request. */
static inline bool nth_request_takes(uint32_t number) {
  return number > nth_load_rlx(&nth_request_now->asked) - 1; /* 0 - 1: as many as there can be */
}

/* The calling processor goes away; it is back. */
static inline void nth_request_left(void) {
  uint32_t were = nth_sub_acqrel(&nth_request_now->running, 1); /* A */
  (void)were;
  nth_assert(were > 1); /* I1: processor 0 stays */
}
static inline void nth_request_came(void) { nth_add_rlx(&nth_request_now->running, 1); }

#endif
