/* fresh.c - makes an OS thread that has run a created thread as good as new
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/hold/fresh.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>

#include "runtime/arch/insn.h"
#include "runtime/arch/switch.h"
#include "runtime/base/check.h"
#include "runtime/mem/heap.h"

/* --- what the process's objects can change --- */

/* w: threads that look, under the loader's lock; r: all. Bits are only added. */
static _Atomic(uint32_t) traits;
static _Atomic(uint64_t) looked_adds; /* objects loaded so far, at the last look */

/* Objects whose thread-local storage is not the program's, and whose calls are not either. */
static bool is_system(const struct dl_phdr_info *info) {
  static const char *const names[] = {"libc.so.",    "libpthread.so.", "libdl.so.",   "librt.so.",
                                      "ld-linux",    "ld64",           "linux-vdso.", "libasan.so.",
                                      "libtsan.so.", "libubsan.so.",   "liblsan.so."};
  const char *name = nth_object_name(info);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return nth_object_has(info, &traits);
}

/* The C++ library makes these calls for others, whose imports tell, and waits by system calls. */
static bool is_cxx_library(const struct dl_phdr_info *info) {
  const char *name = nth_object_name(info);
  return strncmp(name, "libstdc++.so.", 13) == 0 || strncmp(name, "libc++", 6) == 0;
}

static void add_trait(void *arg, const char *name, bool weak) {
  (void)weak;
  *(uint32_t *)arg |= nth_trait_of(name);
}

/* A sanitizer that lies in the program itself keeps its state in the program's storage. */
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));
extern void __msan_init(void) __attribute__((weak));

static bool has_sanitizer(const struct dl_phdr_info *info) {
  return nth_object_has(info, (const void *)__asan_init) ||
         nth_object_has(info, (const void *)__tsan_init) ||
         nth_object_has(info, (const void *)__msan_init);
}

bool nth_fresh_sanitized(void) {
  return (const void *)__asan_init || (const void *)__tsan_init || (const void *)__msan_init;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  if (is_system(info))
    return 0;
  uint32_t found = 0;
  nth_object_imports(info, add_trait, &found);
  if (is_cxx_library(info))
    found &= NTH_TRAIT_KEYS;
  if (has_sanitizer(info))
    found |= NTH_TRAIT_NEVER;
  nth_or_rlx(&traits, found);
  return 0;
}

uint32_t nth_fresh_look(void) {
  bool looked = nth_objects_walk_news(&looked_adds, look_at, 0);
  return looked ? nth_load_rlx(&traits) : NTH_TRAIT_NEVER;
}

/* --- thread-local storage --- */

static void initialize(const struct nth_fresh_block *b) {
  nth_assert(b->initial_bytes <= b->bytes);
  if (!b->at)
    return;
  memcpy(b->at, b->initial, b->initial_bytes);
  memset((char *)b->at + b->initial_bytes, 0, b->bytes - b->initial_bytes);
}

static bool reserve(struct nth_fresh *f) {
  if (f->blocks < f->capacity)
    return true;
  uint32_t capacity = f->capacity ? 2 * f->capacity : 8;
  struct nth_fresh_block *more = nth_heap_alloc(capacity * sizeof *more);
  if (!more)
    return false;
  if (f->block)
    memcpy(more, f->block, f->blocks * sizeof *more);
  nth_heap_free(f->block);
  f->block = more;
  f->capacity = capacity;
  nth_assert(f->blocks < f->capacity);
  return true;
}

/* Notes and initializes the object's storage. */
static void add_block(struct nth_fresh *f, const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_TLS || p->p_memsz == 0)
      continue;
    struct nth_fresh_block b = {info->dlpi_tls_data, (const char *)info->dlpi_addr + p->p_vaddr,
                                p->p_filesz, p->p_memsz};
    initialize(&b);
    if (b.at && reserve(f))
      f->block[f->blocks++] = b;
    else
      f->lacking = true;
  }
}

struct look {
  struct nth_fresh *fresh;
  struct nth_objects_changes now;
  bool began;
};

/* In the loader's lock, so no object is unloaded. If objects and blocks are as they were, the first
 * call is the last one. */
static int refresh(struct dl_phdr_info *info, size_t size, void *arg) {
  struct look *l = arg;
  struct nth_fresh *f = l->fresh;
  if (!l->began) {
    l->began = true;
    l->now = nth_objects_changes(info, size);
    bool same = f->seen.adds == l->now.adds && f->seen.subs == l->now.subs;
    if (same && !f->lacking && l->now.adds != 0) {
      for (uint32_t i = 0; i < f->blocks; i++)
        initialize(&f->block[i]);
      return 1;
    }
    f->blocks = 0;
    f->lacking = false;
  }
  if (!is_system(info))
    add_block(f, info);
  return 0;
}

/* --- a held thread --- */

void nth_fresh_begin(struct nth_fresh *f, const struct nth_traits *t) {
  memset(f, 0, sizeof *f);
  f->traits = *t;
  uint32_t n = 0;
  if (!(nth_load_rlx(&traits) & NTH_TRAIT_KEYS))
    return; /* nobody asks; if an object with such calls comes later, this thread ends */
  for (pthread_key_t k = 0; k < PTHREAD_KEYS_MAX && n < NTH_HOLD_BORN; k++)
    if (pthread_getspecific(k))
      f->born[n++] = k + 1;
}

void nth_fresh_end(struct nth_fresh *f) {
  nth_heap_free(f->block);
  f->block = 0;
}

struct nth_traits_given nth_fresh_given(uint32_t which) {
  return (struct nth_traits_given){
      nth_switch_control(), which & NTH_TRAIT_MASK ? nth_traits_mask() : 0, nth_float_flags()};
}

void nth_fresh_start(struct nth_fresh *f, const struct nth_traits_given *g) {
  uint32_t which = nth_load_rlx(&traits);
  struct look l = {f, {0, 0}, false};
  (void)nth_objects_walk(refresh, &l); /* where it fails, no thread runs two created ones */
  f->seen = l.now;
  if (nth_switch_control() != g->control)
    nth_set_control(g->control);
  if (nth_float_flags() != g->raised)
    nth_set_float_flags(g->raised);
  if (which & NTH_TRAIT_LOCALE)
    (void)uselocale(LC_GLOBAL_LOCALE);
  if (which & NTH_TRAIT_CANCEL) {
    (void)pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    (void)pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);
  }
  if (which & NTH_TRAIT_MASK)
    nth_traits_set_mask(g->mask);
  errno = 0;
}

static bool is_born(const struct nth_fresh *f, pthread_key_t k) {
  for (uint32_t i = 0; i < NTH_HOLD_BORN; i++)
    if (f->born[i] == k + 1)
      return true;
  return false;
}

static bool has_data(const struct nth_fresh *f) {
  for (pthread_key_t k = 0; k < PTHREAD_KEYS_MAX; k++) {
    const void *data = pthread_getspecific(k);
    if (data && data != f->member && !is_born(f, k))
      return true;
  }
  return false;
}

bool nth_fresh_again(struct nth_fresh *f, uint32_t which) {
  if ((which & NTH_TRAIT_KEYS) && has_data(f))
    return false;
  struct nth_traits now;
  nth_traits_read(&now, which);
  return memcmp(&now, &f->traits, sizeof now) == 0;
}
