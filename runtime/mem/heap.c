/* heap.c - memory for the runtime's own objects, apart from the program's
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/mem/heap.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/config.h"
#include "runtime/base/msg.h"
#include "runtime/base/os.h"
#include "runtime/mem/huge.h"
#include "runtime/mem/pool.h"
#include "runtime/struct/mutex.h"
#include "runtime/watch/tsan.h"

#ifdef NTH_POOL_POISON
#include <sanitizer/lsan_interface.h>
#define shut(at, size) __asan_poison_memory_region(at, size)
#define open(at, size) __asan_unpoison_memory_region(at, size)
#define search(at, size) __lsan_register_root_region(at, size)
#define search_not(at, size) __lsan_unregister_root_region(at, size)
#else
#define shut(at, size) ((void)(at), (void)(size))
#define open(at, size) ((void)(at), (void)(size))
#define search(at, size) ((void)(at), (void)(size))
#define search_not(at, size) ((void)(at), (void)(size))
#endif

/* Before each block's object. */
struct tag {
  uint32_t units; /* of NTH_APART bytes, the tag included */
  uint32_t state;
  struct tag *next; /* in a list */
};

enum { USED = 0x6e74u, FREE = 0x6672u };
enum { STEPS = 4, EXACT_BITS = __builtin_ctz(NTH_HEAP_EXACT) };
enum {
  KEPT_UNITS = NTH_HEAP_KEPT / NTH_APART,
  CLASSES = NTH_HEAP_EXACT + STEPS * (__builtin_ctz(KEPT_UNITS) - EXACT_BITS)
};

static_assert(sizeof(struct tag) == 16, "objects keep the alignment of their block");
static_assert((NTH_HEAP_EXACT & (NTH_HEAP_EXACT - 1)) == 0 && (KEPT_UNITS & (KEPT_UNITS - 1)) == 0,
              "sizes in steps begin at powers of two");
static_assert(NTH_HEAP_OWN < NTH_HEAP_KEPT && NTH_HEAP_OWN < NTH_HEAP_CHUNK,
              "a chunk has several blocks");

/* Free blocks of a class. w, r: under the lock */
static struct list {
  struct nth_mutex lock;
  _Atomic(struct tag *) first; /* read without the lock as a hint */
} lists[CLASSES] NTH_SPARSE;

/* A block has been freed: until then nobody touches the pages of the lists. w: who frees, before
 * the block is in its list; r: all, as a hint */
static _Atomic(bool) freed;

/* The newest chunk. w, r: under the lock */
static struct {
  struct nth_mutex lock;
  bool begun; /* there has been one */
  char *at, *end;
} chunk;

/* The first chunk lies in the library's own data, behind the small variables and on their last
 * page. So a process with few members needs no mapping for the heap. */
static _Alignas(NTH_APART) char first_chunk[NTH_HEAP_FIRST] NTH_NEAR;

static _Atomic(uint32_t) maps;
void (*nth_heap_exhausted)(size_t size);

/* --- sizes --- */

/* The class of a block of *units units; rounds *units up to the size of its class. CLASSES: such
 * blocks are not kept. */
static uint32_t class_of(size_t *units) {
  size_t u = *units;
  if (u <= NTH_HEAP_EXACT)
    return (uint32_t)u - 1;
  if (u > KEPT_UNITS)
    return CLASSES;
  uint32_t power = 63 - (uint32_t)__builtin_clzll(u - 1), shift = power - 2;
  size_t step = (u - 1) >> shift; /* from 4 to 7, the last one below u */
  *units = (step + 1) << shift;
  return NTH_HEAP_EXACT + STEPS * (power - EXACT_BITS) + (uint32_t)step - STEPS;
}

/* Whether h is a block of this state, of a size that its class has. */
__attribute__((unused)) static bool is_block(const struct tag *h, uint32_t state) {
  size_t units = h->units;
  (void)class_of(&units);
  return h->state == state && h->units > 0 && units == h->units &&
         (uintptr_t)(h + 1) % NTH_APART == 0;
}

/* --- mappings --- */

/* The first mappings, for reports; those that went back to the system stay here. */
enum { KNOWN = 64 };
static struct {
  _Atomic(char *) at; /* NULL: none yet; set once; K */
  size_t bytes;       /* w: before `at` */
} known[KNOWN] NTH_SPARSE;

void nth_heap_each(void (*call)(const void *at, size_t bytes)) {
  call(first_chunk, sizeof first_chunk);
  for (uint32_t i = 0; i < KNOWN; i++) {
    const char *at = nth_load_acq(&known[i].at); /* K */
    if (at)
      call(at, known[i].bytes);
  }
}

/* size bytes, a multiple of the page, at a multiple of align, between two guard pages or more. */
static char *map(size_t size, size_t page, size_t align) {
  nth_assert(size > 0 && size % page == 0 && align % page == 0);
  size_t all = size + page + align;
  char *whole = mmap(0, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED)
    return 0;
  char *at = whole + (nth_round_up((uintptr_t)whole + page, align) - (uintptr_t)whole);
  if (mprotect(at, size, PROT_READ | PROT_WRITE) != 0) {
    munmap(whole, all);
    return 0;
  }
  nth_huge(at, size);
  shut(at, size);
  search(at, size);
  uint32_t number = nth_add_rlx(&maps, 1);
  if (number < KNOWN) {
    known[number].bytes = size;
    nth_store_rel(&known[number].at, at); /* K */
  }
  return at;
}

NTH_IN_CHILD void nth_heap_forked(void) {
  if (nth_load_rlx(&freed))
    memset(lists, 0, sizeof lists);
  nth_mutex_init(&chunk.lock);
  chunk.at = chunk.end = 0;
}

/* I1 of the lists: free blocks of their class. */
__attribute__((unused)) static bool lists_valid(void) {
  bool good = true;
  for (uint32_t class = 0; class < CLASSES && good; class++) {
    nth_mutex_lock_soon(&lists[class].lock);
    for (struct tag *h = nth_load_rlx(&lists[class].first), *next; h && good; h = next) {
      open(h, sizeof *h);
      size_t units = h->units;
      good = is_block(h, FREE) && class_of(&units) == class;
      next = h->next;
      shut(h, sizeof *h);
    }
    nth_mutex_unlock(&lists[class].lock);
  }
  return good;
}

/* Blocks are cut off this memory from now on. */
static void use_chunk(char *at, size_t size) {
  chunk.at = at + NTH_APART - sizeof(struct tag);
  chunk.end = at + size;
}

/* Makes a chunk with room for `bytes`. Under the chunk's lock. */
static bool new_chunk(size_t bytes) {
  size_t page = nth_os_page();
  nth_assert(nth_mutex_is_held(&chunk.lock) && bytes <= NTH_HEAP_OWN);
  nth_assert_valid(lists_valid());
  if (!chunk.begun) {
    chunk.begun = true;
    shut(first_chunk, sizeof first_chunk);
    use_chunk(first_chunk, sizeof first_chunk);
    if (bytes <= (size_t)(chunk.end - chunk.at))
      return true;
  }
  for (size_t size = nth_huge_pages ? NTH_HEAP_CHUNK_HUGE : NTH_HEAP_CHUNK;; size /= 4) {
    bool last = size < bytes + NTH_APART || size < page;
    size_t whole = nth_round_up(last ? bytes + NTH_APART : size, page);
    char *at = map(whole, page, whole % NTH_HUGE_PAGE ? page : NTH_HUGE_PAGE);
    if (at) {
      use_chunk(at, whole);
      return true;
    }
    if (last)
      return false;
  }
}

/* How far ahead the next block begins, so that its rest behind `used` bytes has a whole page. */
static size_t lead(size_t bytes, size_t used) {
  size_t page = nth_os_page(), touched = used + 2 * NTH_APART; /* the tag, and the last bytes */
  if (used == 0 || bytes < touched + page)
    return 0;
  size_t rest = bytes - touched;
  uintptr_t from = (uintptr_t)chunk.at + sizeof(struct tag) + used;
  size_t before = nth_round_up(from, page) - from; /* of the rest, before its first whole page */
  return before <= rest - page ? 0 : nth_round_up(before - (rest - page), NTH_APART);
}

static struct tag *cut(size_t bytes, size_t used) {
  struct tag *h = 0;
  nth_mutex_lock_soon(&chunk.lock);
  nth_assert(chunk.at <= chunk.end && bytes % NTH_APART == 0);
  size_t ahead = lead(bytes, used);
  if ((size_t)(chunk.end - chunk.at) >= ahead + bytes)
    chunk.at += ahead;
  if ((size_t)(chunk.end - chunk.at) >= bytes || new_chunk(bytes)) {
    h = (struct tag *)(void *)chunk.at;
    chunk.at += bytes;
    nth_assert(chunk.at <= chunk.end && (uintptr_t)(h + 1) % NTH_APART == 0);
  }
  nth_mutex_unlock(&chunk.lock);
  return h;
}

/* A block with a mapping of its own. */
static struct tag *map_own(size_t bytes) {
  size_t page = nth_os_page();
  char *at = map(nth_round_up(bytes + NTH_APART, page), page, page);
  return at ? (struct tag *)(void *)(at + NTH_APART - sizeof(struct tag)) : 0;
}

static void unmap(struct tag *h) {
  size_t page = nth_os_page(), size = nth_round_up(((size_t)h->units + 1) * NTH_APART, page);
  char *at = (char *)(h + 1) - NTH_APART;
  open(at, size);
  search_not(at, size);
  munmap(at - page, size + 2 * page);
}

/* --- blocks --- */

static struct tag *reuse(struct list *l) {
  if (!nth_load_rlx(&freed) || !nth_load_rlx(&l->first))
    return 0;
  nth_mutex_lock_soon(&l->lock);
  struct tag *h = nth_load_rlx(&l->first);
  if (h) {
    open(h, sizeof *h);
    nth_assert(is_block(h, FREE));
    nth_store_rlx(&l->first, h->next);
  }
  nth_mutex_unlock(&l->lock);
  return h;
}

/* Makes a new block; NULL: the system has no memory. */
static struct tag *make(size_t units, size_t used) {
  int saved = errno;
  size_t bytes = units * NTH_APART;
  struct tag *h = bytes <= NTH_HEAP_OWN ? cut(bytes, used) : map_own(bytes);
  errno = saved;
  if (h) {
    open(h, sizeof *h);
    h->units = (uint32_t)units;
  }
  return h;
}

/* *fresh: the block is zero. */
static void *take(size_t size, size_t used, bool *fresh) {
  size_t units =
      size / NTH_APART + (size % NTH_APART + sizeof(struct tag) + NTH_APART - 1) / NTH_APART;
  if (size > PTRDIFF_MAX || units > UINT32_MAX)
    return 0;
  uint32_t class = class_of(&units);
  struct tag *h = class < CLASSES ? reuse(&lists[class]) : 0;
  *fresh = !h;
  if (!h)
    h = make(units, used);
  while (!h && ++class < CLASSES) {
    h = reuse(&lists[class]);
    *fresh = false;
  }
  if (!h)
    return 0;
  nth_assert(h->units >= units); /* more, where a larger class had to serve */
  h->state = USED;
  shut(h, sizeof *h);
  open(h + 1, size);
  if (nth_tsan_here())
    __tsan_acquire(h); /* the program may use it */
  return h + 1;
}

void *nth_heap_take(size_t size) {
  bool fresh;
  return take(size, 0, &fresh);
}

void *nth_heap_alloc_partly(size_t size, size_t used) {
  bool fresh;
  nth_assert(used <= size);
  void *p = take(size, used, &fresh);
  if (p && !fresh) {
    nth_tsan_blind();
    memset(p, 0, size);
    nth_tsan_sees();
  }
  return p;
}

void *nth_heap_alloc(size_t size) { return nth_heap_alloc_partly(size, 0); }

char *nth_heap_copy(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = nth_heap_take(size);
  return copy ? memcpy(copy, text, size) : 0;
}

void nth_heap_free(void *p) {
  if (!p)
    return;
  struct tag *h = (struct tag *)p - 1;
  open(h, sizeof *h);
  nth_assert(is_block(h, USED));
  size_t units = h->units;
  uint32_t class = class_of(&units);
  if (class == CLASSES) {
    unmap(h);
    return;
  }
  h->state = FREE;
  if (nth_tsan_here())
    __tsan_release(h);
  struct list *l = &lists[class];
  if (!nth_load_rlx(&freed))
    nth_store_rlx(&freed, true);
  nth_mutex_lock_soon(&l->lock);
  h->next = nth_load_rlx(&l->first);
  nth_store_rlx(&l->first, h);
  shut(h, units * NTH_APART);
  nth_mutex_unlock(&l->lock);
}

/* A program at its limit may wait at each allocation: one line a second tells enough. */
static void say_exhausted(uint64_t now, size_t size) {
  static _Atomic(uint64_t) silent_until; /* w, r: threads without memory; one of them says it */
  uint64_t until = nth_load_rlx(&silent_until);
  if (now >= until && nth_cas_rlx(&silent_until, &until, now + NTH_HEAP_WAIT_NS))
    nth_msg("out of memory (%zu bytes wanted); waiting for some", size);
}

void nth_heap_wait(uint64_t *until, size_t size) {
  if (*until == 0) {
    uint64_t now = nth_clock_ns();
    say_exhausted(now, size);
    *until = now + NTH_HEAP_WAIT_NS;
  } else if (nth_heap_exhausted && nth_clock_ns() >= *until) {
    nth_heap_exhausted(size);
  }
  nth_os_rest();
}

void *nth_heap_need(size_t size) {
  void *p;
  uint64_t until = 0;
  while (!(p = nth_heap_alloc(size)))
    nth_heap_wait(&until, size);
  return p;
}

uint32_t nth_heap_maps(void) { return nth_load_rlx(&maps); }
