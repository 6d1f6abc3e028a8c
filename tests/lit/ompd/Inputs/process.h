/* process.h - the debugger's side of OMPD over a stopped process, or over its core file
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The library under test asks for memory and symbols only. Both come from files: /proc/PID/mem or
 * an ELF core, and the table of symbols of libgomp.so.1.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <omp-tools.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "check.h"

/* The library's functions: o.get_state and so on. */
static struct {
#define OMPD_POINTER(name, ...) ompd_rc_t (*name)(__VA_ARGS__);
  OMPD_FUNCTIONS(OMPD_POINTER)
} o;

#define OK(call) CHECK_EQ(call, ompd_rc_ok)

static inline void load_functions(void *library) {
#define OMPD_LOAD(name, ...) CHECK(*(void **)&o.name = dlsym(library, "ompd_" #name));
  OMPD_FUNCTIONS(OMPD_LOAD)
}

struct _ompd_aspace_cont {
  int fd;           /* /proc/PID/mem, or the core */
  Elf64_Phdr *load; /* the core's segments; NULL: a process */
  int loads;
  char library[4096]; /* libgomp.so.1 */
  uint64_t base;      /* where it is in the process */
  uint64_t damaged;   /* reads of this address give other bytes; 0: none */
  bool blind;         /* all reads fail */
};

static long reads, blocks; /* calls so far; blocks of memory that are not freed */
static char said[4096];    /* what the library has printed last */

static ompd_rc_t cb_alloc(ompd_size_t n, void **p) {
  *p = malloc(n);
  blocks++;
  return *p ? ompd_rc_ok : ompd_rc_nomem;
}
static ompd_rc_t cb_free(void *p) {
  blocks--;
  free(p);
  return ompd_rc_ok;
}
static ompd_rc_t cb_print(const char *text, int category) {
  (void)category;
  snprintf(said, sizeof said, "%s", text);
  return ompd_rc_ok;
}
static ompd_rc_t cb_sizeof(ompd_address_space_context_t *c, ompd_device_type_sizes_t *s) {
  (void)c;
  *s = (ompd_device_type_sizes_t){1, 2, 4, 8, 8, 8};
  return ompd_rc_ok;
}
static ompd_rc_t cb_convert(ompd_address_space_context_t *c, const void *in, ompd_size_t unit,
                            ompd_size_t count, void *out) {
  (void)c;
  memmove(out, in, unit * count);
  return ompd_rc_ok;
}
static ompd_rc_t cb_context(ompd_address_space_context_t *c, ompd_thread_id_t kind,
                            ompd_size_t size, const void *id, ompd_thread_context_t **t) {
  (void)c, (void)kind, (void)size, (void)id, (void)t;
  return ompd_rc_unsupported;
}

/* The file offset of n bytes at an address of the core; -1: they are not in it. */
static int64_t in_core(ompd_address_space_context_t *c, uint64_t at, uint64_t n) {
  for (int i = 0; i < c->loads; i++)
    if (at >= c->load[i].p_vaddr && at + n <= c->load[i].p_vaddr + c->load[i].p_filesz)
      return (int64_t)(c->load[i].p_offset + (at - c->load[i].p_vaddr));
  return -1;
}

static ompd_rc_t cb_read(ompd_address_space_context_t *c, ompd_thread_context_t *t,
                         const ompd_address_t *a, ompd_size_t n, void *to) {
  (void)t;
  reads++;
  int64_t at = c->load ? in_core(c, a->address, n) : (int64_t)a->address;
  if (c->blind || at < 0 || pread(c->fd, to, n, at) != (ssize_t)n)
    return ompd_rc_error;
  if (c->damaged >= a->address && c->damaged < a->address + n)
    ((char *)to)[c->damaged - a->address] ^= 1;
  return ompd_rc_ok;
}

static ompd_rc_t cb_symbol(ompd_address_space_context_t *c, ompd_thread_context_t *t,
                           const char *name, ompd_address_t *a, const char *file) {
  (void)t, (void)file;
  struct stat st;
  int fd = open(c->library, O_RDONLY);
  CHECK(fd >= 0 && fstat(fd, &st) == 0);
  char *image = mmap(0, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  CHECK(image != MAP_FAILED);
  close(fd);
  const Elf64_Ehdr *h = (void *)image;
  const Elf64_Shdr *s = (void *)(image + h->e_shoff);
  ompd_rc_t rc = ompd_rc_error;
  for (int i = 0; i < h->e_shnum; i++) {
    if (s[i].sh_type != SHT_DYNSYM)
      continue;
    const char *names = image + s[s[i].sh_link].sh_offset;
    const Elf64_Sym *y = (void *)(image + s[i].sh_offset);
    for (uint64_t k = 0; k < s[i].sh_size / sizeof *y; k++)
      if (y[k].st_value && strcmp(names + y[k].st_name, name) == 0) {
        *a = (ompd_address_t){0, c->base + y[k].st_value};
        rc = ompd_rc_ok;
      }
  }
  munmap(image, (size_t)st.st_size);
  return rc;
}

static const ompd_callbacks_t callbacks = {
    .alloc_memory = cb_alloc,
    .free_memory = cb_free,
    .print_string = cb_print,
    .sizeof_type = cb_sizeof,
    .symbol_addr_lookup = cb_symbol,
    .read_memory = cb_read,
    .read_string = cb_read,
    .device_to_host = cb_convert,
    .host_to_device = cb_convert,
    .get_thread_context_for_thread_id = cb_context,
};

/* Opens a process that runs, or has just been stopped. */
static inline void process_open(struct _ompd_aspace_cont *c, int pid) {
  char path[64], line[8192];
  *c = (struct _ompd_aspace_cont){0};
  snprintf(path, sizeof path, "/proc/%d/mem", pid);
  c->fd = open(path, O_RDONLY);
  CHECK(c->fd >= 0);
  snprintf(path, sizeof path, "/proc/%d/maps", pid);
  FILE *maps = fopen(path, "r");
  CHECK(maps);
  while (!c->base && fgets(line, sizeof line, maps)) {
    char *name = strchr(line, '/');
    if (!name || !strstr(name, "/libgomp.so.1"))
      continue;
    name[strcspn(name, "\n")] = 0;
    snprintf(c->library, sizeof c->library, "%s", name);
    c->base = strtoull(line, 0, 16);
  }
  fclose(maps);
  CHECK(c->base);
}

/* Opens the core file of a process that `c` was opened for. */
static inline void core_open(struct _ompd_aspace_cont *c, const struct _ompd_aspace_cont *process,
                             const char *path) {
  Elf64_Ehdr h;
  *c = *process;
  c->fd = open(path, O_RDONLY);
  CHECK(c->fd >= 0 && pread(c->fd, &h, sizeof h, 0) == sizeof h && h.e_type == ET_CORE);
  size_t size = h.e_phnum * sizeof *c->load;
  c->load = malloc(size);
  CHECK(c->load && pread(c->fd, c->load, size, (off_t)h.e_phoff) == (ssize_t)size);
  for (int i = 0; i < h.e_phnum; i++)
    if (c->load[i].p_type == PT_LOAD)
      c->load[c->loads++] = c->load[i];
}

#endif
