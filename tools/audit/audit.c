/* audit.c - an LD_AUDIT module: every libgomp that a process asks for is ours
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Wheels bring copies of libgomp under names of their own (libgomp-a34b3233.so.1.0.0).
 *             LD_LIBRARY_PATH does not reach them, and a preload only stands before them: they are
 *             loaded nevertheless, and a look into their own symbols (dlsym with a handle,
 *             RTLD_DEEPBIND) finds them. This module changes the file that the loader opens, so
 *             that a process has one library and one pool of threads.
 * Use         LD_AUDIT=DIR/libnanogomp-audit.so, or DIR/preload/$PLATFORM/libnanogomp-audit.so:
 *             DIR/libgomp.so.1 is what programs get. NTH_VERBOSE=1 or 2: a line for each name that
 *             was given our library
 * Names       The loader first asks for the name as it was written, then for each path that it
 *             would try. The first answer names the object for debuggers, so ours is given at once;
 *             but then glibc forgets the written name of a library that is there already, and
 *             would miss it when it compares symbol versions. So from the second name on the
 *             answer is given to the first path tried, and the loader notes the written name.
 * Cost        The loader calls this module for names and paths only: no la_symbind and no PLT
 *             hooks, so that bindings and calls are as without it. It is linked with nothing, as a
 *             module's libraries are loaded into a namespace of its own: no second C library, and
 *             no thread-local memory. A start takes 30 us longer
 * Threads     the loader calls under its own lock
 * Tested by   tests/tool/test_audit.py
 */
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/arch/insn.h"

#define EXPORT __attribute__((visibility("default")))

enum { PATH_BYTES = 4096 };

static const char OWN[] = "libnanogomp-audit.so", FOLDER[] = "/preload/$PLATFORM",
                  LIBRARY[] = "/libgomp.so.1";
static char ours[PATH_BYTES]; /* empty: nothing is changed */
static bool verbose;
static bool is_loaded; /* the program's namespace has ours */

/* --- text: there is no C library --- */

static size_t length(const char *text) {
  size_t n = 0;
  while (text[n])
    n++;
  return n;
}

static bool begins(const char *text, const char *start) {
  while (*start && *text == *start)
    text++, start++;
  return !*start;
}

static bool ends(const char *text, size_t size, const char *end) {
  size_t n = length(end);
  return size >= n && begins(text + size - n, end);
}

static const char *base_of(const char *path) {
  const char *base = path;
  for (; *path; path++)
    if (*path == '/')
      base = path + 1;
  return base;
}

static size_t append(char *to, size_t at, const char *text) {
  while (*text && at + 1 < PATH_BYTES)
    to[at++] = *text++;
  to[at] = 0;
  return at;
}

/* --- the start --- */

/* Our library's path, if this item of LD_AUDIT is our own. */
static void find_library(const char *item, size_t size) {
  char next = item[size];
  if (!ends(item, size, OWN) || (next && next != ':') || size + sizeof LIBRARY > PATH_BYTES)
    return;
  size -= sizeof OWN - 1;
  if (size > 0)
    size--; /* the slash */
  if (ends(item, size, FOLDER))
    size -= sizeof FOLDER - 1;
  for (size_t i = 0; i < size; i++)
    ours[i] = item[i];
  append(ours, size, LIBRARY);
}

/* glibc calls constructors with main()'s arguments. */
__attribute__((constructor)) static void read_environment(int argc, char **argv, char **env) {
  (void)argc, (void)argv;
  for (; env && *env; env++) {
    const char *value = *env;
    if (begins(value, "NTH_VERBOSE="))
      verbose = value[12] == '1' || value[12] == '2';
    if (!begins(value, "LD_AUDIT="))
      continue;
    for (value += 9; *value; value += *value == ':') {
      size_t size = 0;
      while (value[size] && value[size] != ':')
        size++;
      find_library(value, size);
      value += size;
    }
  }
}

/* --- what the loader asks --- */

/* libgomp.so.1, libgomp-a34b3233.so.1.0.0; not libgomp-plugin-nvptx.so.1. */
static bool is_libgomp(const char *base) {
  if (!begins(base, "libgomp") || begins(base, "libgomp-plugin"))
    return false;
  base += 7;
  if (*base != '.' && *base != '-' && *base != '_')
    return false;
  while (*base && !(begins(base, ".so") && (!base[3] || base[3] == '.')))
    base++;
  return *base != 0;
}

/* A cookie is the object's link map, with bit 0 set outside the program's own namespace. */
static const struct link_map *map_of(const uintptr_t *cookie) {
  return cookie ? (const struct link_map *)(*cookie & ~(uintptr_t)1) : 0;
}

static void tell(const char *name, const uintptr_t *cookie) {
  char line[PATH_BYTES];
  const struct link_map *map = map_of(cookie);
  size_t at = append(line, 0, "nanogomp: audit: ");
  at = append(line, at, base_of(name));
  if (map && map->l_name) {
    at = append(line, at, ", which ");
    at = append(line, at, map->l_name[0] ? base_of(map->l_name) : "the program");
    at = append(line, at, " asks for,");
  }
  at = append(line, at, " is ");
  at = append(line, at, ours);
  at = append(line, at, "\n");
  nth_syscall(SYS_write, 2, (long)line, (long)at, 0, 0);
}

/* The program may have left for another root folder. */
static bool is_there(void) {
  return ours[0] && nth_syscall(SYS_faccessat, AT_FDCWD, (long)ours, R_OK, 0, 0) == 0;
}

static bool same(const char *a, const char *b) { return begins(a, b) && begins(b, a); }

EXPORT unsigned la_version(unsigned version) { return ours[0] ? version : 0; }

EXPORT unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) {
  if (space != LM_ID_BASE)
    *cookie |= 1;
  else if (map->l_name && same(map->l_name, ours))
    is_loaded = true;
  return 0; /* no symbols of it are traced */
}

EXPORT char *la_objsearch(const char *name, uintptr_t *cookie, unsigned how) {
  const char *base = base_of(name);
  bool is_bare = base == name, is_other_space = cookie && (*cookie & 1);
  if (!is_libgomp(base) || same(name, ours) || !is_there())
    return (char *)name;
  if (how == LA_SER_ORIG && is_bare && (is_loaded || is_other_space))
    return (char *)name; /* asked again, with a path */
  if (verbose)
    tell(name, cookie);
  return ours;
}
