/* pages.c - memory in whole pages that lies on chosen nodes or cannot be paged out
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/cpus/pages.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/msg.h"
#include "runtime/base/os.h"
#include "runtime/place/cpus/cpuset.h"
#include "runtime/place/cpus/memory_nodes.h"

/* Modes of mbind(2); no header but libnuma's declares them. */
enum { PREFERRED = 1, INTERLEAVE = 3, PREFERRED_MANY = 5 };

#define NODE_LIMIT ((uint64_t)NTH_NODE_WORDS * 64)

bool nth_pages_wanted(const struct nth_pages_how *how) {
  if (how->pinned)
    return true;
  if (!how->high_bandwidth && how->partition == NTH_PARTITION_ENVIRONMENT)
    return false;
  const struct nth_memory_nodes *n = nth_memory_nodes();
  return how->partition == NTH_PARTITION_ENVIRONMENT ? n->fast > 0 : n->count > 1;
}

static bool bind_to(char *start, size_t size, int mode, const uint64_t *nodes) {
  /* the kernel takes the number of bits plus one */
  return syscall(SYS_mbind, start, size, mode, nodes, NODE_LIMIT + 1, 0) == 0;
}

static bool bind_to_one(char *start, size_t size, uint64_t node) {
  uint64_t one[NTH_NODE_WORDS] = {0};
  nth_cpus_add(one, node);
  return bind_to(start, size, PREFERRED, one);
}

/* Kernels before 5.15 take at most one preferred node: then the first. */
static bool bind_to_any(char *start, size_t size, const uint64_t *nodes) {
  return bind_to(start, size, PREFERRED_MANY, nodes) ||
         bind_to_one(start, size, nth_cpus_next(nodes, NTH_NODE_WORDS, 0));
}

static bool bind_nearest(char *start, size_t size, const uint64_t *nodes) {
  unsigned cpu, node;
  if (syscall(SYS_getcpu, &cpu, &node, 0) == 0 && nth_cpus_has(nodes, NTH_NODE_WORDS, node))
    return bind_to_one(start, size, node);
  return bind_to_any(start, size, nodes);
}

/* Binds equal runs of pages, one to each node; the first runs are a page longer if the number of
 * pages does not divide. */
static bool bind_blocked(char *start, size_t size, const uint64_t *nodes) {
  size_t page = nth_os_page(), pages = size / page;
  uint32_t count = nth_cpus_count(nodes, NTH_NODE_WORDS), i = 0;
  bool good = true;
  for (uint64_t node = nth_cpus_next(nodes, NTH_NODE_WORDS, 0); node < NODE_LIMIT;
       node = nth_cpus_next(nodes, NTH_NODE_WORDS, node + 1), i++) {
    size_t bytes = (pages / count + (i < pages % count)) * page;
    good = (bytes == 0 || bind_to_one(start, bytes, node)) && good;
    start += bytes;
  }
  return good;
}

static bool bind(char *start, size_t size, const struct nth_pages_how *how) {
  const struct nth_memory_nodes *n = nth_memory_nodes();
  const uint64_t *nodes = how->high_bandwidth && n->fast > 0 ? n->high : n->all;
  switch (how->partition) {
  case NTH_PARTITION_NEAREST: return bind_nearest(start, size, nodes);
  case NTH_PARTITION_BLOCKED: return bind_blocked(start, size, nodes);
  case NTH_PARTITION_INTERLEAVED: return bind_to(start, size, INTERLEAVE, nodes);
  default: return nodes != n->high || bind_to_any(start, size, nodes);
  }
}

static void say_once(_Atomic(uint32_t) *said, const char *what, size_t size, int error,
                     const char *instead) {
  if (nth_load_rlx(said) == 0 && nth_add_rlx(said, 1) == 0)
    nth_msg("%s %zu bytes: %s; %s", what, size, strerror(error), instead);
}

/* For an alignment beyond a page more is mapped, and then what is too much is unmapped: before the
 * pages are placed and pinned, so that these calls see only what is kept. */
static char *reserve(size_t size, size_t offset, size_t align) {
  size_t more = align > nth_os_page() ? align : 0;
  char *start = mmap(0, size + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED)
    return 0;
  if (more == 0)
    return start;
  char *first = (char *)nth_round_up((uintptr_t)start + offset, align) - offset;
  size_t before = (size_t)(first - start);
  nth_assert(before < more);
  if (before > 0)
    munmap(start, before);
  munmap(first + size, more - before);
  return first;
}

/* Places and pins the pages; false: they cannot be pinned. */
static bool settle(char *start, size_t size, const struct nth_pages_how *how) {
  static _Atomic(uint32_t) said_bind, said_pin;
  struct nth_pages_how place = {how->partition, how->high_bandwidth, false};
  if (nth_pages_wanted(&place) && !bind(start, size, &place))
    say_once(&said_bind, "cannot place", size, errno, "the system chooses the memory node");
  if (!how->pinned || mlock(start, size) == 0)
    return true;
  say_once(&said_pin, "cannot pin", size, errno,
           "the allocator's fallback trait says what is used instead (see ulimit -l)");
  return false;
}

void *nth_pages_map(size_t size, size_t offset, size_t align, const struct nth_pages_how *how) {
  nth_assert(size % nth_os_page() == 0 &&
             offset == (align < nth_os_page() ? align : nth_os_page()));
  int saved = errno;
  char *start = reserve(size, offset, align);
  if (!start)
    return 0;
  if (!settle(start, size, how)) {
    munmap(start, size);
    errno = ENOMEM;
    return 0;
  }
  errno = saved;
  return start;
}

void nth_pages_unmap(void *start, size_t size) {
  int saved = errno;
  munmap(start, size);
  errno = saved;
}
