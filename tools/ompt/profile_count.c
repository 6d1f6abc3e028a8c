/* profile_count.c - reads events at both ends of an interval of work
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A reading may take a microsecond. So at each node a part of the intervals is read only, such that
 * reading takes a share of 1 / PROF_SHARE of the work there: members wait for each other, so that
 * what all of them spend may add up. The file has the time of those intervals, too: the report
 * scales by it, and marks what is scaled.
 */
#include <dirent.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/atomic.h"
#include "tools/ompt/profile.h"
#include "tools/ompt/profile_papi.h"
#include "tools/ompt/ticks.h"

static bool read_rusage(long long *values) {
  struct timespec t;
  struct rusage u;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) || getrusage(RUSAGE_THREAD, &u))
    return false;
  values[0] = (long long)t.tv_sec * 1000000000 + t.tv_nsec;
  values[1] = u.ru_minflt + u.ru_majflt;
  values[2] = u.ru_nvcsw + u.ru_nivcsw;
  return true;
}

bool prof_set_read(const struct prof_set *s, int handle, long long *values) {
  long long all[3];
  if (s->component != PROF_RUSAGE)
    return papi.read(handle, values) == PAPI_OK;
  if (!read_rusage(all))
    return false;
  for (uint32_t i = 0; i < s->count; i++)
    values[i] = all[s->codes[i]];
  return true;
}

/* --- the counters' files ---
 *
 * PAPI reads counters by numbers of files. A program that closes all numbers gets them for files of
 * its own; a reading would take from these. So each is asked for its counter's own number before:
 * all files that have no name, eventfds among them, have one inode. */

enum { MOST_NUMBERS = 4096 };
struct numbers {
  uint64_t bits[MOST_NUMBERS / 64];
};
static bool has(const struct numbers *n, int number) {
  return n->bits[number / 64] >> (number % 64) & 1;
}

/* Which numbers of the process are counters of the kernel. */
static void find_counters(struct numbers *found) {
  static const char kind[] = "anon_inode:[perf_event]";
  memset(found, 0, sizeof *found);
  DIR *folder = opendir("/proc/self/fd");
  for (struct dirent *e; folder && (e = readdir(folder));) {
    char link[sizeof kind];
    int number = atoi(e->d_name);
    ssize_t n = readlinkat(dirfd(folder), e->d_name, link, sizeof link);
    if (n == sizeof kind - 1 && memcmp(link, kind, sizeof kind - 1) == 0 && number < MOST_NUMBERS)
      found->bits[number / 64] |= UINT64_C(1) << (number % 64);
  }
  if (folder)
    closedir(folder);
}

/* Whether a number of the process is a counter; which one. */
static bool counter_of(int number, uint64_t *id) {
  return ioctl(number, PERF_EVENT_IOC_ID, id) == 0;
}

/* Notes the counters that are new since `before`. */
static void note_files(struct prof_counters *k, const struct numbers *before) {
  struct numbers now;
  find_counters(&now);
  for (int i = 0; i < MOST_NUMBERS && k->files < PROF_FILES; i++)
    if (has(&now, i) && !has(before, i) && counter_of(i, &k->ids[k->files]))
      k->numbers[k->files++] = i;
}

static bool files_are_there(struct prof_counters *k) {
  uint64_t id;
  for (uint32_t i = 0; i < k->files && !k->lost; i++)
    k->lost = !counter_of(k->numbers[i], &id) || id != k->ids[i];
  if (k->lost)
    prof.head->closed = 1;
  k->off |= k->lost;
  return !k->lost;
}

/* --- readings --- */

/* Reads the member's sets; values by events. */
static bool read_all(struct prof_counters *k, int64_t values[PROF_EVENTS]) {
  if (!files_are_there(k))
    return false;
  long long part[PROF_EVENTS];
  for (uint32_t i = 0; i < k->sets; i++) {
    if (prof_sets[i].shared != k->shared)
      continue;
    if (!prof_set_read(&prof_sets[i], k->handles[i], part))
      return false;
    for (uint32_t j = 0; j < prof_sets[i].count; j++)
      values[prof_sets[i].events[j]] = part[j];
  }
  return true;
}

/* Events of a reading itself: the least of a few. */
static bool measure(struct prof_counters *k) {
  int64_t last[PROF_EVENTS] = {0}, now[PROF_EVENTS] = {0};
  for (int i = 0; i < 8; i++) {
    if (!read_all(k, now))
      return false;
    for (int e = 0; e < PROF_EVENTS && i > 0; e++)
      k->own[e] = i == 1 || now[e] - last[e] < k->own[e] ? now[e] - last[e] : k->own[e];
    memcpy(last, now, sizeof last);
  }
  return true;
}

/* Starts a set, unless it is one of other counters. 0, or PAPI's error. */
static int start_set(struct prof_counters *k, uint32_t set) {
  k->handles[set] = PAPI_NULL;
  if (prof_sets[set].shared != k->shared)
    return PAPI_OK;
  return prof_set_start(&prof_sets[set], &k->handles[set]);
}

/* The OS thread that has started the sets of the process. */
static _Atomic(uint64_t) shared_by;

/* Starts the sets that this thread has not started. False: there is none that can be read. */
static bool start_sets(struct prof_counters *k, uint32_t sets) {
  struct numbers before;
  k->tid = k->sets ? k->tid : (uint64_t)syscall(SYS_gettid);
  if (k->shared)
    nth_store_rlx(&shared_by, k->tid);
  if (!files_are_there(k))
    return false;
  pthread_mutex_lock(&prof.lock); /* what is new meanwhile is this thread's */
  find_counters(&before);
  while (k->sets < sets && start_set(k, k->sets) == PAPI_OK)
    k->sets++;
  note_files(k, &before);
  pthread_mutex_unlock(&prof.lock);
  return (!k->shared || k->sets == sets) && measure(k);
}

static bool is_here(const struct prof_counters *k) {
  bool here = k->shared || (uint64_t)syscall(SYS_gettid) == k->tid;
  if (!here)
    prof.head->moved = 1;
  return here;
}

/* What counting took at a node. A thread that lost its CPU meanwhile has not spent that time. */
static void note_spent(struct prof_me *m, uint64_t ticks) {
  uint64_t most = prof.second >> 16; /* 15 us */
  m->cell->spent += ticks < most ? ticks : most;
  m->counters.spent += ticks < most ? ticks : most;
}

/* As prof_papi_spent(), for events of the process. The time of all nodes counts: what is outside
 * regions may be short often, and long once. */
static bool process_spent(const struct prof_me *m) {
  return m->cell->samples >= PROF_FIRST &&
         m->counters.spent * PROF_SHARE > m->row->since - prof.head->ticks_begin;
}

/* The time for it goes to the runtime's overhead, not to work. */
static void leave_out(struct prof_me *m) {
  uint64_t now = ticks_now(), since = m->row->since;
  if ((int64_t)(now - since) > 0) {
    m->cell->ticks[PROF_OVERHEAD] += now - since;
    note_spent(m, now - since);
    m->row->since = now;
  }
}

void prof_papi_open(struct prof_me *m) {
  struct prof_counters *k = &m->counters;
  uint32_t sets = nth_load_acq(&prof_papi_sets); /* P */
  bool fresh = k->fresh && k->sets == sets;
  k->fresh = false;
  if (k->shared && process_spent(m))
    return;
  if (k->sets < sets && !k->off)
    k->off = !start_sets(k, sets);
  m->open = k->sets > 0 && !k->off && is_here(k) && (fresh || read_all(k, k->before));
  leave_out(m);
}

/* Whether a value is not a count, but the bits of a double between 2^-255 and 2^256. As a count it
 * would be beyond 3e18. PAPI does not tell which type a software-defined event has. */
static bool is_floating(int64_t value) {
  uint64_t exponent = (uint64_t)value >> 52 & 0x7ff;
  return exponent >= 0x300 && exponent < 0x500;
}

/* Whether a library has taken back a software-defined event: PAPI reads -1 then. */
static bool is_gone(const struct prof_counters *k, const int64_t *now) {
  for (uint32_t i = 0; i < PROF_EVENTS; i++)
    if (k->shared && now[i] == -1 && k->before[i] != -1)
      return true;
  return false;
}

void prof_papi_close(struct prof_me *m, uint64_t ticks) {
  int64_t now[PROF_EVENTS] = {0};
  struct prof_counters *k = &m->counters;
  struct prof_cell *c = m->cell;
  m->open = false;
  if (!is_here(k) || !read_all(k, now) || is_gone(k, now))
    return;
  for (uint32_t i = 0; i < k->sets; i++)
    for (uint32_t j = 0; j < prof_sets[i].count && prof_sets[i].shared == k->shared; j++) {
      uint32_t event = prof_sets[i].events[j];
      if (k->shared && is_floating(now[event]))
        prof.head->floating |= 1u << event;
      int64_t counted = now[event] - k->before[event] - k->own[event];
      c->events[event] += counted > 0 ? (uint64_t)counted : 0;
    }
  if (k->shared) { /* so nothing is lost between two intervals */
    memcpy(k->before, now, sizeof now);
    k->fresh = true;
  }
  c->samples++;
  c->sampled += ticks;
  note_spent(m, ticks_now() - m->row->since - ticks); /* `since` is still the interval's begin */
}

void prof_papi_leave(struct prof_me *m) {
  struct prof_counters *k = &m->counters;
  if (k->sets && is_here(k) && files_are_there(k)) {
    for (uint32_t i = 0; i < k->sets; i++)
      prof_set_stop(k->handles[i]);
    if (k->tid != nth_load_rlx(&shared_by)) /* others read what that one has started */
      papi.unregister_thread();
  }
  memset(k, 0, sizeof *k);
}
