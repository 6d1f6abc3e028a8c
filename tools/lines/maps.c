/* maps.c - where an address of the traced process lies
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "maps.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mapping *mapping;
static size_t mappings;
static char **name; /* of files, kept, since events point to them */
static size_t names;

void *maps_grown(void *old, uint64_t bytes) {
  void *p = realloc(old, bytes);
  if (!p) {
    fputs("nanogomp-lines: no memory\n", stderr);
    exit(1);
  }
  return p;
}

static const char *kept_name(const char *text) {
  for (size_t i = 0; i < names; i++)
    if (strcmp(name[i], text) == 0)
      return name[i];
  name = maps_grown(name, (names + 1) * sizeof *name);
  name[names] = strcpy(maps_grown(0, strlen(text) + 1), text);
  return name[names++];
}

/* last: the mapping below it; guard: whether that one gives no access. */
static void name_mapping(struct mapping *m, const char *path, const struct mapping *last,
                         bool guard) {
  bool follows = last && last->to == m->from;
  if (path[0] == '/') {
    m->where = kept_name(path);
    m->base = last && last->where == m->where ? last->base : m->from;
  } else if (follows && last->where[0] == '/' && !guard) {
    m->where = last->where;
    m->base = last->base;
  } else {
    m->where = strcmp(path, "[stack]") == 0 || (follows && guard) ? "[stack]" : "[heap]";
    m->base = m->from;
  }
}

static void read_all(long pid) {
  char path[64], text[4096 + 128];
  snprintf(path, sizeof path, "/proc/%ld/maps", pid);
  FILE *maps = fopen(path, "r");
  bool guard = false;
  mappings = 0;
  while (maps && fgets(text, sizeof text, maps)) {
    struct mapping m;
    char mode[8];
    int at = 0;
    text[strcspn(text, "\n")] = 0;
    if (sscanf(text, "%lx-%lx %7s %lx %*s %*s %n", &m.from, &m.to, mode, &m.offset, &at) != 4 ||
        at == 0)
      continue;
    name_mapping(&m, text + at, mappings ? &mapping[mappings - 1] : 0, guard);
    guard = mode[0] == '-';
    mapping = maps_grown(mapping, (mappings + 1) * sizeof *mapping);
    mapping[mappings++] = m;
  }
  if (maps)
    fclose(maps);
}

static const struct mapping *find(uint64_t address) {
  for (size_t i = 0; i < mappings; i++)
    if (mapping[i].from <= address && address < mapping[i].to)
      return &mapping[i];
  return 0;
}

const struct mapping *maps_find(long pid, uint64_t address) {
  const struct mapping *m = find(address);
  if (!m) {
    read_all(pid);
    m = find(address);
  }
  return m;
}
