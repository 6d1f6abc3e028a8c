/* request.c - how many processors the program may use, as somebody outside it asks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/adapt/request.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/arch/section.h"
#include "runtime/base/futex.h"
#include "runtime/base/syscall.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/struct/mutex.h"

static struct nth_request own;
struct nth_request *nth_request_now = &own;
_Atomic(uint32_t) nth_request_program;

static char path[PATH_MAX] NTH_SPARSE; /* of the file, if nth_request_now is not &own */

static struct {
  struct nth_mutex lock;     /* the other fields, and calls of for_machine */
  void (*for_regions)(void); /* NULL: nobody listens; so the next one */
  void (*for_machine)(void);
  bool runs;
} listener;

/* --- the file --- */

/* Makes the file anew: one that is there may be left by a process that was killed, and somebody may
 * have it mapped. Its blocks are allocated, since without room a write would be a SIGBUS. */
static struct nth_request *map_file(void) {
  void *at = MAP_FAILED;
  (void)unlink(path);
  int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0)
    return 0;
  int error;
  do
    error = posix_fallocate(file, 0, sizeof(struct nth_request));
  while (error == EINTR);
  if (error == 0) {
    at = mmap(0, sizeof(struct nth_request), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    error = errno;
  }
  (void)close(file);
  if (at != MAP_FAILED)
    return at;
  (void)unlink(path);
  errno = error;
  return 0;
}

static bool name_file(const char *folder) {
  char whole[PATH_MAX];
  if (!realpath(folder, whole)) /* the program may change its folder */
    return false;
  int length = snprintf(path, sizeof path, "%s/nth-share.%d", whole, (int)getpid());
  if (length > 0 && (size_t)length < sizeof path)
    return true;
  errno = ENAMETOOLONG;
  return false;
}

int nth_request_load(const char *folder) {
  int saved = errno;
  nth_assert(nth_request_now == &own);
  struct nth_request *r = name_file(folder) ? map_file() : 0;
  int error = r ? 0 : errno;
  errno = saved;
  if (!r)
    return error;
  r->version = NTH_REQUEST_VERSION;
  r->pid = (uint32_t)getpid();
  memcpy(r->magic, NTH_REQUEST_MAGIC, sizeof r->magic);
  nth_request_now = r;
  return 0;
}

/* At the end of the process. Its threads may still run and use the words. */
__attribute__((destructor)) static void remove_file(void) {
  if (nth_request_now != &own && nth_request_now->pid == (uint32_t)getpid())
    (void)unlink(path);
}

/* --- the listener --- */

/* Sleeps until `asked` is another number, or somebody wakes it. A requester may write and wake
 * nobody, so it looks now and then. */
static void await_request(struct nth_request *r, uint32_t asked) {
  const struct timespec look = {NTH_AWAY_LOOK_NS / 1000000000u, NTH_AWAY_LOOK_NS % 1000000000u};
  while (nth_syscall(SYS_futex, (long)&r->asked, FUTEX_WAIT, (long)asked, (long)&look, 0) ==
             -ETIMEDOUT &&
         nth_load_rlx(&r->asked) == asked && !nth_crowd_may_go())
    ;
}

static void tell_all(void) {
  nth_fence_full(); /* F */
  nth_mutex_lock(&listener.lock);
  if (listener.for_regions)
    listener.for_regions();
  if (listener.for_machine)
    listener.for_machine();
  nth_mutex_unlock(&listener.lock);
}

void nth_request_ask(uint32_t n) {
  nth_store_rlx(&nth_request_now->asked, n);
  tell_all();
}

static void listen_for_requests(void) {
  struct nth_request *r = nth_request_now;
  while (!nth_crowd_is_gone()) {
    uint32_t asked = nth_load_rlx(&r->asked);
    tell_all();
    await_request(r, asked);
  }
}

/* Starts it, if there is a file. Without the thread all look for themselves. Under lock. */
static void start_listener(void) {
  if (nth_request_now != &own && !listener.runs)
    listener.runs = nth_crowd_server(listen_for_requests) == 0;
}

void nth_request_listen(void (*changed)(void)) {
  nth_mutex_lock(&listener.lock);
  listener.for_regions = changed;
  start_listener();
  nth_mutex_unlock(&listener.lock);
}

/* --- the machine --- */

void nth_request_begin(uint32_t n, void (*changed)(void)) {
  struct nth_request *r = nth_request_now;
  nth_assert(n > 0 && changed);
  nth_store_rlx(&r->running, n);
  nth_store_rlx(&r->processors, n);
  nth_mutex_lock(&listener.lock);
  listener.for_machine = changed;
  start_listener();
  nth_mutex_unlock(&listener.lock);
}

void nth_request_end(void) {
  nth_mutex_lock(&listener.lock);
  nth_assert(listener.for_machine);
  listener.for_machine = 0;
  nth_mutex_unlock(&listener.lock);
  nth_store_rlx(&nth_request_now->processors, 0);
  nth_store_rlx(&nth_request_now->running, 0);
}

NTH_IN_CHILD void nth_request_forked(void) {
  nth_request_now = &own;
  nth_store_rlx(&own.asked, 0);
  nth_store_rlx(&nth_request_program, 0);
  nth_store_rlx(&own.processors, 0);
  nth_store_rlx(&own.running, 0);
  nth_mutex_init(&listener.lock);
  listener.for_regions = listener.for_machine = 0;
  listener.runs = false;
}
