/* near.c - the runtime's own objects on the memory node of the thread that uses them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/cpus/near.h"

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/atomic.h"
#include "runtime/base/os.h"
#include "runtime/place/cpus/cpuset.h"
#include "runtime/place/cpus/memory_nodes.h"

/* Flags of get_mempolicy(2) and move_pages(2); no header but libnuma's declares them. */
enum { MEMS_ALLOWED = 1 << 2, MOVE_OWN = 1 << 1 };

enum { UNKNOWN, ONE, SEVERAL };
static _Atomic(uint32_t) known; /* w: whoever asks first; all write the same */

static uint32_t ask(void) {
  uint64_t nodes[NTH_NODE_WORDS] = {0};
  int saved = errno;
  bool told = syscall(SYS_get_mempolicy, 0, nodes, sizeof nodes * 8, 0, MEMS_ALLOWED) == 0;
  errno = saved;
  return told && nth_cpus_count(nodes, NTH_NODE_WORDS) > 1 ? SEVERAL : ONE;
}

bool nth_near_wanted(void) {
  uint32_t k = nth_load_rlx(&known);
  if (nth_unlikely(k == UNKNOWN))
    nth_store_rlx(&known, k = ask());
  return k == SEVERAL;
}

size_t nth_near_size(size_t size) {
  size_t page = nth_os_page();
  return nth_load_rlx(&known) == SEVERAL && size < page ? page : size;
}

void nth_near_take(const void *object, size_t size) {
  enum { MOST = 64 }; /* pages: a member has less than ten of 4 KiB */
  void *pages[MOST];
  int nodes[MOST], status[MOST], saved = errno;
  unsigned cpu, node;
  size_t page = nth_os_page(), count = 0;
  const char *first = (const char *)object - (uintptr_t)object % page;
  const char *end = (const char *)object + size;
  if (syscall(SYS_getcpu, &cpu, &node, 0) != 0) {
    errno = saved;
    return;
  }
  for (const char *at = first; count < MOST && (at == first || at + page <= end); at += page) {
    nodes[count] = (int)node;
    pages[count++] = (void *)(uintptr_t)at;
  }
  (void)syscall(SYS_move_pages, 0, count, pages, nodes, status, MOVE_OWN);
  errno = saved;
}
