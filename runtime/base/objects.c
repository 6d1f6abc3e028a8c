/* objects.c - the objects of the process, and the names that they import
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/objects.h"

#include <string.h>

#include "runtime/base/atomic.h"
#include "runtime/base/os.h"

/* w: a thread that forks, r: its child; all that fork at a time find the same. */
static _Atomic(bool) had_others;
static bool no_walk; /* w: the only thread of a child; r: its threads */

void nth_objects_fork(void) { nth_store_rlx(&had_others, !nth_os_has_one_thread()); }

void nth_objects_forked(void) { no_walk = no_walk || nth_load_rlx(&had_others); }

bool nth_objects_can_walk(void) { return !no_walk; }

bool nth_objects_walk(int (*look)(struct dl_phdr_info *, size_t, void *), void *arg) {
  if (no_walk)
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
  struct tables o = {0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
      continue;
    const ElfW(Dyn) *d = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; d->d_tag != DT_NULL; d++)
      note(&o, info, d);
  }
  size_t n = o.symbol && o.text ? count_imports(&o) : 0;
  for (size_t i = 1; i < n; i++)
    if (o.symbol[i].st_shndx == SHN_UNDEF)
      each(arg, o.text + o.symbol[i].st_name, o.symbol[i].st_info >> 4 == STB_WEAK);
}
