/* objects.c - the objects of the process, and the names that they import and export
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/objects.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "runtime/arch/section.h"
#include "runtime/base/config.h"
#include "runtime/base/os.h"
#include "runtime/base/syscall.h"

/* w: a thread that forks, r: its child; all that fork at a time find the same. */
static _Atomic(bool) had_others;

enum { CAN_WALK, UNKNOWN, CANNOT_WALK };
static _Atomic(uint32_t) state; /* w: the only thread of a child, those that try; r: all */

void nth_objects_fork(void) { nth_store_rlx(&had_others, !nth_os_has_one_thread()); }

NTH_IN_CHILD void nth_objects_forked(bool may_try) {
  if (nth_load_rlx(&had_others) && nth_load_rlx(&state) != CANNOT_WALK)
    nth_store_rlx(&state, may_try ? UNKNOWN : CANNOT_WALK);
}

static int skip(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)info, (void)size, (void)unused;
  return 1;
}

/* What a process does that is made for a try: makes a walk, or is ended by an alarm. Its signals
 * are blocked, and its handlers are its own. */
static void try_walk(void) {
  static const uint64_t none[4], /* the kernel's struct: SIG_DFL, no flags, an empty mask */
      others = ~(UINT64_C(1) << (SIGALRM - 1));
  const struct itimerval limit = {.it_value = {.tv_usec = NTH_WALK_NS / 1000}};
  nth_syscall(SYS_rt_sigaction, SIGALRM, (long)none, 0, sizeof none[0], 0);
  nth_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&others, 0, sizeof others, 0);
  nth_syscall(SYS_setitimer, ITIMER_REAL, (long)&limit, 0, 0, 0);
  (void)dl_iterate_phdr(skip, 0);
}

/* As vfork(): makes a process with the memory, the stack and the TLS of the caller, which stops
 * until that process has ended. The kernel sends no signal then, and the program's wait() does not
 * find it. An import of clone() would tell fresh.c of threads that are made abroad. */
static __attribute__((noinline)) long make_try(void) {
  long pid = nth_syscall(SYS_clone, CLONE_VM | CLONE_VFORK, 0, 0, 0, 0);
  if (pid == 0) {
    try_walk();
    for (;;)
      nth_syscall(SYS_exit, 0, 0, 0, 0, 0);
  }
  return pid;
}

static bool try_once(void) {
  static const uint64_t all = ~UINT64_C(0);
  uint64_t before = 0;
  int status = -1;
  nth_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, sizeof all, 0);
  long pid = make_try();
  bool ended = pid > 0 && nth_syscall(SYS_wait4, pid, (long)&status, __WCLONE, 0, 0) == pid;
  nth_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, sizeof before, 0);
  return ended && status == 0;
}

static uint32_t find_out(void) {
  uint32_t unknown = UNKNOWN;
  bool can = false;
  for (uint32_t i = 0; !can && i < NTH_WALK_TRIES; i++)
    can = try_once();
  (void)nth_cas_rlx(&state, &unknown, can ? CAN_WALK : CANNOT_WALK);
  return nth_load_rlx(&state);
}

bool nth_objects_can_walk(void) {
  uint32_t now = nth_load_rlx(&state);
  return (nth_unlikely(now == UNKNOWN) ? find_out() : now) == CAN_WALK;
}

bool nth_objects_walk(int (*look)(struct dl_phdr_info *, size_t, void *), void *arg) {
  if (!nth_objects_can_walk())
    return false;
  (void)dl_iterate_phdr(look, arg);
  return true;
}

struct nth_objects_changes nth_objects_changes(const struct dl_phdr_info *info, size_t size) {
  struct nth_objects_changes c = {0, 0};
  if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) {
    c.adds = info->dlpi_adds;
    c.subs = info->dlpi_subs;
  }
  return c;
}

struct news {
  _Atomic(uint64_t) *seen;
  uint64_t adds;
  int (*look)(struct dl_phdr_info *, size_t, void *);
  void *arg;
};

static int look_at_news(struct dl_phdr_info *info, size_t size, void *arg) {
  struct news *n = arg;
  n->adds = nth_objects_changes(info, size).adds;
  if (n->adds != 0 && n->adds == nth_load_rlx(n->seen))
    return 1; /* nothing has been loaded since */
  return n->look(info, size, n->arg);
}

bool nth_objects_walk_news(_Atomic(uint64_t) *seen,
                           int (*look)(struct dl_phdr_info *, size_t, void *), void *arg) {
  struct news n = {seen, 0, look, arg};
  if (!nth_objects_walk(look_at_news, &n))
    return false;
  nth_store_rlx(seen, n.adds);
  return true;
}

const char *nth_object_name(const struct dl_phdr_info *info) {
  const char *path = info->dlpi_name ? info->dlpi_name : "", *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool nth_object_has(const struct dl_phdr_info *info, const void *address) {
  uintptr_t a = (uintptr_t)address;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type == PT_LOAD && a - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
      return true;
  }
  return false;
}

struct tables {
  const ElfW(Sym) *symbol;
  const char *text;
  const uint32_t *gnu_hash;
  const ElfW(Rela) *relocation[2]; /* relocations of calls; of data */
  size_t bytes[2];
};

/* The loader has already added its address to most addresses in the table, except in the kernel's
 * object. */
static const void *at(const struct dl_phdr_info *info, ElfW(Addr) address) {
  return (const void *)(address < info->dlpi_addr ? info->dlpi_addr + address : address);
}

static void note(struct tables *o, const struct dl_phdr_info *info, const ElfW(Dyn) *d) {
  switch (d->d_tag) {
  case DT_SYMTAB: o->symbol = at(info, d->d_un.d_ptr); break;
  case DT_STRTAB: o->text = at(info, d->d_un.d_ptr); break;
  case DT_GNU_HASH: o->gnu_hash = at(info, d->d_un.d_ptr); break;
  case DT_JMPREL: o->relocation[0] = at(info, d->d_un.d_ptr); break;
  case DT_PLTRELSZ: o->bytes[0] = d->d_un.d_val; break;
  case DT_RELA: o->relocation[1] = at(info, d->d_un.d_ptr); break;
  case DT_RELASZ: o->bytes[1] = d->d_un.d_val; break;
  default: break;
  }
}

static struct tables tables_of(const struct dl_phdr_info *info) {
  struct tables o = {0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
      continue;
    const ElfW(Dyn) *d = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; d->d_tag != DT_NULL; d++)
      note(&o, info, d);
  }
  return o;
}

/* Symbols before the hashed ones, with the empty one. */
static size_t count_imports(const struct tables *o) {
  size_t n = o->gnu_hash ? o->gnu_hash[1] : 0;
  if (n > 1)
    return n;
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; o->relocation[k] && i < o->bytes[k] / sizeof *o->relocation[k]; i++) {
      size_t used = (size_t)((uint64_t)o->relocation[k][i].r_info >> 32) + 1;
      n = used > n ? used : n;
    }
  return n;
}

void nth_object_imports(const struct dl_phdr_info *info,
                        void (*each)(void *arg, const char *name, bool weak), void *arg) {
  struct tables o = tables_of(info);
  size_t n = o.symbol && o.text ? count_imports(&o) : 0;
  for (size_t i = 1; i < n; i++)
    if (o.symbol[i].st_shndx == SHN_UNDEF)
      each(arg, o.text + o.symbol[i].st_name, o.symbol[i].st_info >> 4 == STB_WEAK);
}

/* The hash function of DT_GNU_HASH. */
static uint32_t hash_of(const char *name) {
  uint32_t h = 5381;
  for (; *name; name++)
    h = h * 33 + (unsigned char)*name;
  return h;
}

/* The table: number of buckets, first hashed symbol, words of the filter, a shift; the filter; each
 * bucket's first symbol; each symbol's hash, whose lowest bit ends a bucket. */
bool nth_object_exports(const struct dl_phdr_info *info, const char *name) {
  enum { BITS = 8 * sizeof(ElfW(Addr)) };
  struct tables o = tables_of(info);
  const uint32_t *table = o.gnu_hash;
  if (!o.symbol || !o.text || !table || table[0] == 0 || table[2] == 0)
    return false;
  uint32_t hash = hash_of(name), first = table[1];
  const ElfW(Addr) *filter = (const void *)(table + 4), word = filter[hash / BITS % table[2]];
  if (!(word >> hash % BITS & word >> (hash >> table[3]) % BITS & 1))
    return false;
  const uint32_t *bucket = (const void *)(filter + table[2]), *chain = bucket + table[0];
  uint32_t i = bucket[hash % table[0]];
  for (bool last = i < first; !last; i++) {
    if ((chain[i - first] | 1) == (hash | 1) && strcmp(o.text + o.symbol[i].st_name, name) == 0)
      return true;
    last = chain[i - first] & 1;
  }
  return false;
}
