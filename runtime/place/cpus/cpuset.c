/* cpuset.c - a set of CPUs of any size
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/cpus/cpuset.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/env.h"
#include "runtime/base/syscall.h"
#include "runtime/mem/heap.h"

/* No kernel's mask has more words than this. The kernel refuses a buffer with fewer bits than it
 * has CPU numbers, so the first size that it accepts is the set's width. */
#define LAST_WORDS 8192u

bool nth_cpuset_make(struct nth_cpuset *set, uint32_t words) {
  set->word = nth_heap_alloc(words * sizeof *set->word);
  set->words = set->word ? words : 0;
  return set->word != 0;
}

void nth_cpuset_free(struct nth_cpuset *set) {
  nth_heap_free(set->word);
  set->word = 0;
  set->words = 0;
}

bool nth_cpuset_affinity(struct nth_cpuset *set, int thread) {
  int saved = errno;
  bool found = false;
  *set = (struct nth_cpuset){0, 0};
  for (uint32_t words = 1; words <= LAST_WORDS; words *= 2) {
    if (!nth_cpuset_make(set, words))
      break;
    found = syscall(SYS_sched_getaffinity, thread, words * sizeof *set->word, set->word) > 0;
    if (found)
      break;
    nth_cpuset_free(set);
    if (errno != EINVAL)
      break;
  }
  errno = saved;
  return found;
}

uint32_t nth_cpuset_affinity_count(int thread) {
  uint64_t few[NTH_CPUS_FEW / 64] = {0};
  long got = nth_syscall(SYS_sched_getaffinity, thread, sizeof few, (long)few, 0, 0);
  if (got > 0)
    return nth_cpus_count(few, NTH_CPUS_FEW / 64);
  struct nth_cpuset set;
  if (got != -EINVAL || !nth_cpuset_affinity(&set, thread))
    return 0;
  uint32_t count = nth_cpus_count(set.word, set.words);
  nth_cpuset_free(&set);
  return count;
}

int nth_cpus_bind(int thread, const uint64_t *word, uint32_t words) {
  int saved = errno;
  long result = syscall(SYS_sched_setaffinity, thread, words * sizeof *word, word);
  int error = result == 0 ? 0 : errno;
  errno = saved;
  return error;
}

uint32_t nth_cpus_count(const uint64_t *word, uint32_t words) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < words; i++)
    for (uint64_t rest = word[i]; rest; rest &= rest - 1) /* popcount would be libgcc's table */
      count++;
  return count;
}

uint64_t nth_cpus_next(const uint64_t *word, uint32_t words, uint64_t from) {
  for (uint64_t i = from / 64; i < words; i++) {
    uint64_t bits = i == from / 64 ? word[i] & ~UINT64_C(0) << (from % 64) : word[i];
    if (bits != 0)
      return i * 64 + (uint64_t)__builtin_ctzll(bits);
  }
  return (uint64_t)words * 64;
}

bool nth_cpus_parse(uint64_t *word, uint32_t words, const char *list) {
  if (nth_env_end(&list))
    return true;
  uint64_t limit = (uint64_t)words * 64;
  do {
    uint64_t first, last;
    if (!nth_env_unsigned(&list, &first, UINT32_MAX))
      return false;
    last = first;
    if (nth_env_char(&list, '-') && !nth_env_unsigned(&list, &last, UINT32_MAX))
      return false;
    for (uint64_t cpu = first; cpu <= last && cpu < limit; cpu++)
      nth_cpus_add(word, cpu);
  } while (nth_env_char(&list, ','));
  return nth_env_end(&list);
}

void nth_cpus_text(struct nth_text *t, const uint64_t *word, uint32_t words, bool with_length) {
  uint64_t limit = (uint64_t)words * 64;
  const char *separator = "";
  for (uint64_t first = nth_cpus_next(word, words, 0); first < limit;) {
    uint64_t end = first + 1;
    while (nth_cpus_has(word, words, end))
      end++;
    nth_text_add(t, separator);
    separator = ",";
    nth_text_unsigned(t, first);
    if (end - first > 1) {
      nth_text_add(t, with_length ? ":" : "-");
      nth_text_unsigned(t, with_length ? end - first : end - 1);
    }
    first = nth_cpus_next(word, words, end);
  }
}
