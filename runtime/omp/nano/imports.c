/* imports.c - functions that the process's objects import and that belong to one OS thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/nano/imports.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runtime/base/atomic.h"

/* --- the names --- */

#define INHERIT "mutexes with priority inheritance know their owner by its OS thread"
#define USER "the program may change its user or group, thread by thread"
#define RIGHTS "the program may change rights or namespaces of an OS thread"
#define KEYS "keyrings belong to an OS thread"
#define RING "rings of io_uring belong to an OS thread"
#define PKEY "protection keys belong to an OS thread"

static const struct name {
  const char *name, *why;
} anywhere[] = {{"pthread_mutexattr_setprotocol", INHERIT}},
  with_constructs[] = {
      {"setuid", USER},
      {"seteuid", USER},
      {"setreuid", USER},
      {"setresuid", USER},
      {"setgid", USER},
      {"setegid", USER},
      {"setregid", USER},
      {"setresgid", USER},
      {"setgroups", USER},
      {"initgroups", USER},
      {"setfsuid", RIGHTS},
      {"setfsgid", RIGHTS},
      {"capset", RIGHTS},
      {"cap_set_proc", RIGHTS},
      {"unshare", RIGHTS},
      {"setns", RIGHTS},
      {"seccomp_load", RIGHTS},
      {"keyctl", KEYS},
      {"add_key", KEYS},
      {"request_key", KEYS},
      {"keyctl_join_session_keyring", KEYS},
      {"io_uring_setup", RING},
      {"io_uring_queue_init", RING},
      {"io_uring_queue_init_params", RING},
      {"io_uring_queue_init_mem", RING},
      {"pkey_set", PKEY},
  };

static const char *find(const struct name *list, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (name[0] == list[i].name[0] && strcmp(name, list[i].name) == 0)
      return list[i].why;
  return 0;
}

/* --- an object --- */

struct object {
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

static void note(struct object *o, const struct dl_phdr_info *info, const ElfW(Dyn) *d) {
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
static size_t count_imports(const struct object *o) {
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

/* Reasons found so far; they stay, even if their objects go. w: the thread that looks, under the
 * loader's lock; r: any thread */
static struct {
  _Atomic(const char *) sure, likely;
  _Atomic(uint64_t) adds; /* objects loaded so far, at the last look */
} found;

static void look(const struct object *o) {
  const char *sure = 0, *likely = 0;
  bool constructs = false;
  size_t n = count_imports(o);
  for (size_t i = 1; i < n; i++) {
    const ElfW(Sym) *s = &o->symbol[i];
    const char *name = o->text + s->st_name;
    if (s->st_shndx != SHN_UNDEF || s->st_info >> 4 == STB_WEAK)
      continue;
    if (!sure)
      sure = find(anywhere, sizeof anywhere / sizeof anywhere[0], name);
    if (!likely)
      likely = find(with_constructs, sizeof with_constructs / sizeof with_constructs[0], name);
    constructs = constructs || strncmp(name, "GOMP_", 5) == 0;
  }
  if (sure)
    nth_store_rlx(&found.sure, sure);
  if (likely && constructs)
    nth_store_rlx(&found.likely, likely);
}

static int look_at(struct dl_phdr_info *info, size_t size, void *adds) {
  struct object o = {0};
  *(uint64_t *)adds = size > offsetof(struct dl_phdr_info, dlpi_adds) ? info->dlpi_adds : 0;
  if (*(uint64_t *)adds != 0 && nth_load_rlx(&found.adds) == *(uint64_t *)adds)
    return 1; /* nothing has been loaded since */
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
      continue;
    const ElfW(Dyn) *d = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; d->d_tag != DT_NULL; d++)
      note(&o, info, d);
  }
  if (o.symbol && o.text)
    look(&o);
  return 0;
}

const char *nth_imports_reason(bool sure) {
  uint64_t adds = 0;
  (void)dl_iterate_phdr(look_at, &adds);
  nth_store_rlx(&found.adds, adds);
  const char *why = nth_load_rlx(&found.sure);
  return why || sure ? why : nth_load_rlx(&found.likely);
}
