/* allowed.c - how many CPUs this process may use
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program's own threads are often bound to one CPU each, and the first of them that opens a
 * region must not decide for all, nor must the initial thread (count_mask()). If places are in use,
 * the initial thread itself may be bound to one; then the mask is the one at the program's start.
 */
#include "runtime/place/places/allowed.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "runtime/arch/section.h"
#include "runtime/base/clock.h"
#include "runtime/base/config.h"
#include "runtime/base/os.h"
#include "runtime/base/syscall.h"
#include "runtime/place/cpus/cpuset.h"
#include "runtime/place/cpus/quota.h"
#include "runtime/place/cpus/sysfile.h"
#include "runtime/place/places/places.h"

struct nth_allowed nth_allowed = {.quota = NTH_QUOTA_NONE};
void (*nth_allowed_hook)(void);

/* The initial thread's number, which is the process's. w: load time, the child of a fork; r: all */
static int initial_thread;

/* The mask to count; free_mask frees it. word NULL: unknown. */
static struct nth_cpuset process_mask(void) {
  struct nth_cpuset mask = {0, 0};
  const struct nth_cpuset *startup = nth_places_startup();
  if (startup)
    return *startup;
  if (!nth_cpuset_affinity(&mask, initial_thread))
    nth_cpuset_affinity(&mask, 0);
  return mask;
}

/* A mask on a system of at most 1024 CPUs. */
struct small_mask {
  uint64_t word[16];
};

static void free_mask(struct nth_cpuset *mask) {
  const struct nth_cpuset *startup = nth_places_startup();
  if (!startup || mask->word != startup->word)
    nth_cpuset_free(mask);
}

bool nth_allowed_set(struct nth_cpuset *set) {
  struct nth_cpuset mask = process_mask();
  bool good = mask.word && nth_cpuset_make(set, mask.words);
  if (good)
    memcpy(set->word, mask.word, mask.words * sizeof *mask.word);
  free_mask(&mask);
  return good;
}

static uint32_t online(void) {
  int saved = errno;
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  errno = saved;
  return n > 0 ? (uint32_t)n : 1;
}

/* A mask of that many CPUs, limited by a quota in thousandths. */
static uint32_t limit(uint32_t mask, uint32_t quota) {
  uint32_t cpus = quota / 1000 + (quota % 1000 != 0);
  if (quota == NTH_QUOTA_NONE || cpus > mask)
    cpus = mask;
  return cpus > 0 ? cpus : 1;
}

/* The mask of thread tid, in words; false: there is no such thread, or its mask is longer. */
static bool mask_of(uint32_t tid, struct small_mask *m) {
  memset(m, 0, sizeof *m);
  return nth_syscall(SYS_sched_getaffinity, (long)tid, sizeof m->word, (long)m->word, 0, 0) > 0;
}

void nth_allowed_present(void) {
  if (nth_load_rlx(&nth_allowed.other) == 0 && (uint32_t)nth_os_tid() != (uint32_t)initial_thread)
    nth_store_rlx(&nth_allowed.other, (uint32_t)nth_os_tid());
}

/* Whether that thread, which has run, is there and one of this process: another process may have
 * the number of one that has ended. The kernel tells CPU times of a process's own threads only. */
static bool is_of_process(uint32_t tid) { return nth_os_cpu_of((int)tid) != 0; }

/* CPUs of the initial thread's mask and of another one's (allowed.h, Mask); 0: there are too many
 * CPUs. mask: as counted before; 0: not counted. */
static uint32_t count_both(uint32_t mask) {
  struct small_mask a, b;
  enum { WORDS = sizeof a.word / sizeof a.word[0] };
  uint32_t me = (uint32_t)nth_os_tid(), other = me;
  if (me != (uint32_t)initial_thread)
    nth_store_rlx(&nth_allowed.other, me);
  else
    other = nth_load_rlx(&nth_allowed.other);
  if (!mask_of((uint32_t)initial_thread, &a))
    return 0;
  bool same = false;
  if (other != 0 && mask_of(other, &b) && (other == me || is_of_process(other))) {
    same = memcmp(&a, &b, sizeof a) == 0;
    for (int i = 0; i < WORDS; i++)
      a.word[i] |= b.word[i];
  }
  uint32_t both = nth_cpus_count(a.word, WORDS);
  return same || both > mask ? both : mask;
}

/* Allocates nothing on a system of at most 1024 CPUs. A docked worker calls this, and should not
 * get heap memory of its own for it. */
static uint32_t count_mask(void) {
  uint32_t mask = nth_places_startup() ? 0 : count_both(nth_load_rlx(&nth_allowed.mask));
  if (mask == 0) {
    struct nth_cpuset set = process_mask();
    mask = nth_cpus_count(set.word, set.words);
    free_mask(&set);
  }
  return mask > 0 ? mask : online();
}

static uint32_t ask_for(uint32_t cpus) {
  uint32_t asked = nth_load_rlx(&nth_allowed.asked);
  return asked != 0 && asked < cpus ? asked : cpus;
}

/* I2. Of two threads that are here at the same time the last one to store sees what both wrote. */
static void settle(void) {
  uint32_t cpus;
  do {
    cpus = ask_for(nth_load_rlx(&nth_allowed.all));
    nth_store_rlx(&nth_allowed.cpus, cpus);
    nth_fence_full(); /* S */
  } while (cpus != ask_for(nth_load_rlx(&nth_allowed.all)));
}

void nth_allowed_ask(uint32_t most) {
  nth_store_rlx(&nth_allowed.asked, most);
  nth_fence_full(); /* S */
  if (nth_load_rlx(&nth_allowed.all) != 0)
    settle();
}

/* Stores `all`, and tells of a change. */
static void set_all(uint32_t mask) {
  uint32_t all = limit(mask, nth_load_rlx(&nth_allowed.quota)),
           before = nth_load_rlx(&nth_allowed.all);
  nth_store_rlx(&nth_allowed.all, all);
  if (all > nth_load_rlx(&nth_allowed.most))
    nth_store_rlx(&nth_allowed.most, all);
  uint32_t none = 0, first = nth_allowed.at_load ? nth_allowed.at_load : mask;
  if (nth_load_acq(&nth_allowed.quota_known)) /* Q */
    (void)nth_cas_rlx(&nth_allowed.size, &none, limit(first, nth_load_rlx(&nth_allowed.quota)));
  if (before != 0 && before < all)
    nth_store_rlx(&nth_allowed.grew_at, nth_clock_ns());
  bool bounded = nth_allowed_quota();
  if (before != 0 && nth_allowed_hook &&
      (before != all || bounded != nth_load_rlx(&nth_allowed.bounded))) {
    nth_allowed_hook(); /* before a team's master finds the new number */
  }
  nth_store_rlx(&nth_allowed.bounded, bounded);
  nth_fence_full(); /* S */
  settle();
}

static void count(void) {
  uint32_t mask = count_mask(), before = nth_load_rlx(&nth_allowed.mask);
  nth_store_rlx(&nth_allowed.mask, mask);
  if (!nth_load_acq(&nth_allowed.quota_known)) { /* Q */
    if (before == 0 || before == mask)
      return;
    if (nth_load_rlx(&nth_allowed.all) == 0)
      set_all(before);
  }
  set_all(mask); /* a quota that is not known is none: it may be too late to open files */
}

static void know_quota(uint32_t quota) {
  nth_store_rlx(&nth_allowed.quota, quota);
  nth_store_rel(&nth_allowed.quota_known, true); /* Q */
}

/* What cannot be read is no quota only where none is known. */
static void read_quota(void *unused) {
  struct nth_quota_folder *folders = nth_quota_find();
  struct nth_quota q = nth_quota_read(folders);
  (void)unused;
  if (q.whole || !nth_load_acq(&nth_allowed.quota_known)) /* Q */
    know_quota(q.thousandths);
  nth_quota_free(folders);
}

NTH_IN_CHILD void nth_allowed_forked(void) {
  initial_thread = getpid();
  nth_store_rlx(&nth_allowed.other, 0);
}

void nth_allowed_begin(void) {
  struct small_mask mask;
  initial_thread = getpid();
  if (mask_of(0, &mask))
    nth_allowed.at_load = nth_cpus_count(mask.word, sizeof mask.word / sizeof mask.word[0]);
  uint32_t quota = nth_quota_of_container();
  if (quota != NTH_QUOTA_NONE)
    know_quota(quota);
}

unsigned nth_allowed_soon(void) { return ask_for(nth_allowed_all_soon()); }

unsigned nth_allowed_all_soon(void) {
  uint32_t cpus = nth_load_rlx(&nth_allowed.all);
  if (cpus == 0)
    cpus = nth_load_rlx(&nth_allowed.mask);
  if (cpus == 0) {
    count();
    cpus = nth_load_rlx(&nth_allowed.mask);
  }
  return cpus;
}

unsigned nth_allowed_find(void) {
  if (!nth_load_acq(&nth_allowed.quota_known)) /* Q */
    nth_sysfile_apart(read_quota, 0);
  count();
  return nth_load_rlx(&nth_allowed.cpus);
}

bool nth_allowed_quota(void) {
  uint32_t quota = nth_load_rlx(&nth_allowed.quota);
  return quota != NTH_QUOTA_NONE && quota < (uint64_t)nth_load_rlx(&nth_allowed.mask) * 1000;
}

void nth_allowed_refresh(void) {
  uint64_t now = nth_clock_ns(), last = nth_load_rlx(&nth_allowed.read_at);
  /* one thread wins */
  if (now - last < NTH_ALLOWED_REFRESH_NS || !nth_cas_rlx(&nth_allowed.read_at, &last, now))
    return;
  if (nth_load_rlx(&nth_allowed.quota) != NTH_QUOTA_NONE)
    (void)nth_sysfile_try_apart(read_quota, 0);
  count();
}

void nth_allowed_look_slow(uint64_t now) {
  uint64_t at = nth_load_rlx(&nth_allowed.look_at);
  /* one thread wins */
  if (now < at || !nth_cas_rlx(&nth_allowed.look_at, &at, now + NTH_ALLOWED_LOOK_NS) ||
      nth_load_rlx(&nth_allowed.mask) == 0 || nth_places_startup())
    return;
  count();
}

bool nth_allowed_read(const struct nth_quota_folder *folders) {
  struct nth_quota q = nth_quota_read(folders);
  if (q.whole && q.thousandths != nth_load_rlx(&nth_allowed.quota)) {
    know_quota(q.thousandths);
    count();
  }
  return q.whole;
}

unsigned nth_allowed_here(void) {
  unsigned all = nth_allowed_all();
  uint32_t mask = nth_places_given() ? 0 : nth_cpuset_affinity_count(0);
  return mask > 0 ? limit(mask, nth_load_rlx(&nth_allowed.quota)) : all;
}

size_t nth_allowed_why(char *text, size_t size) {
  struct nth_text t = {text, size, 0};
  struct nth_cpuset set = process_mask();
  nth_text_unsigned(&t, nth_allowed_all());
  nth_text_add(&t, " of ");
  nth_text_unsigned(&t, online());
  nth_text_add(&t, " online CPUs: affinity mask ");
  if (set.word)
    nth_cpus_text(&t, set.word, set.words, false);
  else
    nth_text_add(&t, "unknown");
  free_mask(&set);
  struct nth_quota_folder *folders = nth_quota_find();
  struct nth_quota q = nth_quota_read(folders);
  uint32_t quota = q.thousandths;
  if (quota == NTH_QUOTA_NONE) {
    nth_text_add(&t, "; no quota");
    nth_quota_free(folders);
    return nth_text_end(&t);
  }
  nth_text_add(&t, "; quota of ");
  nth_text_unsigned(&t, quota / 1000);
  nth_text_add(&t, ".");
  nth_text_repeat(&t, '0', quota % 1000 < 10 ? 2 : quota % 1000 < 100 ? 1 : 0);
  nth_text_unsigned(&t, quota % 1000);
  nth_text_add(&t, " CPUs in ");
  nth_text_add(&t, q.where->path);
  nth_quota_free(folders);
  return nth_text_end(&t);
}
