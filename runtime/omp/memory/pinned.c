/* pinned.c - small pieces of pinned memory, many in a page
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/memory/pinned.h"

#include <stdint.h>

#include "runtime/arch/section.h"
#include "runtime/base/config.h"
#include "runtime/base/os.h"
#include "runtime/omp/types/generation.h"
#include "runtime/place/cpus/pages.h"
#include "runtime/struct/mutex.h"

__extension__ typedef unsigned __int128 parts; /* one bit for each part of a page */
#define NTH_PINNED_PARTS 128
_Static_assert(NTH_PINNED_PARTS == 8 * sizeof(parts), "a bit each");

/* It stands at the start of its page. w, r: under the lock */
struct page {
  parts taken; /* I1 */
  struct page *next, *prev;
  uint32_t generation; /* nth_fork_generation when it was mapped */
};

static struct nth_mutex lock; /* guards first and all pages in the list */
static struct page *first;

static size_t part_size(void) { return nth_os_page() / NTH_PINNED_PARTS; }

static struct page *page_of(const void *p) {
  return (struct page *)((uintptr_t)p & ~(uintptr_t)(nth_os_page() - 1));
}

/* The parts of a page in which its bytes [from, to) lie. */
static parts parts_of(size_t from, size_t to) {
  size_t low = from / part_size(), count = (to - 1) / part_size() - low + 1;
  return (((parts)1 << count) - 1) << low;
}

static parts parts_of_piece(const void *p, size_t head, size_t size) {
  size_t at = (size_t)((uintptr_t)p - (uintptr_t)page_of(p));
  return parts_of(at - head, at + size);
}

/* --- the list --- */

static void link_first(struct page *g) {
  g->next = first;
  g->prev = 0;
  if (first)
    first->prev = g;
  first = g;
}

static void unlink_page(struct page *g) {
  if (g->prev)
    g->prev->next = g->next;
  else
    first = g->next;
  if (g->next)
    g->next->prev = g->prev;
}

static struct page *add_page(void) {
  static const struct nth_pages_how how = {NTH_PARTITION_ENVIRONMENT, false, true};
  struct page *g = nth_pages_map(nth_os_page(), nth_os_page(), nth_os_page(), &how);
  if (!g)
    return 0;
  g->taken = parts_of(0, sizeof *g);
  g->generation = nth_fork_generation;
  link_first(g);
  return g;
}

/* --- pieces --- */

/* Takes the first run of free parts in a page where the piece fits; NULL: there is none. */
static void *take_in(struct page *g, size_t head, size_t size, size_t align) {
  size_t step = align > part_size() ? align : part_size();
  size_t offset = align > head ? 0 : head; /* of the size bytes in a part */
  for (size_t at = step + offset; at + size <= nth_os_page(); at += step) {
    parts wanted = parts_of(at - head, at + size);
    if (!(g->taken & wanted)) {
      g->taken |= wanted;
      return (char *)g + at;
    }
  }
  return 0;
}

static void *take_locked(size_t head, size_t size, size_t align) {
  struct page *g = first;
  for (int n = 0; g && n < NTH_PINNED_LOOK; n++, g = g->next) {
    void *p = take_in(g, head, size, align);
    if (p)
      return p;
  }
  g = add_page();
  return g ? take_in(g, head, size, align) : 0;
}

void *nth_pinned_take(size_t head, size_t size, size_t align) {
  size_t most = nth_os_page() / 4;
  if (size > most || align > most)
    return 0;
  nth_mutex_lock(&lock);
  void *p = take_locked(head, size, align);
  nth_mutex_unlock(&lock);
  return p;
}

bool nth_pinned_same(const void *p, size_t size, size_t other) {
  size_t at = (size_t)((uintptr_t)p - (uintptr_t)page_of(p)), part = part_size();
  return (at + size - 1) / part == (at + other - 1) / part;
}

void nth_pinned_give_back(void *p, size_t head, size_t size) {
  struct page *g = page_of(p);
  if (g->generation != nth_fork_generation)
    return;
  nth_mutex_lock(&lock);
  g->taken &= ~parts_of_piece(p, head, size);
  unlink_page(g);
  if (g->taken == parts_of(0, sizeof *g))
    nth_pages_unmap(g, nth_os_page());
  else
    link_first(g); /* it has room now */
  nth_mutex_unlock(&lock);
}

NTH_IN_CHILD void nth_pinned_forked(void) {
  nth_mutex_init(&lock);
  first = 0;
}
