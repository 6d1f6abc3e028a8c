/* quota.c - the CPU quota that control groups set for this process
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * /proc/self/cgroup has one line for each hierarchy, "number:controllers:path"; version 2 is
 * "0::path". A line of /proc/self/mountinfo (proc(5)) is "id parent major:minor root mount-point
 * options [tags] - type source super-options". A mount shows the part of the hierarchy below
 * `root`, so a group's folder is the mount point plus the group's path without root. A path that is
 * not below root, as in a container that sees its host's paths, is taken to be the mount point
 * itself.
 *
 * The kernel takes some 50 us to write mountinfo. Most systems need not be asked for it: they mount
 * the hierarchy at its usual place, and the group's folder is there.
 */
#include "runtime/place/cpus/quota.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/env.h"
#include "runtime/mem/heap.h"
#include "runtime/place/cpus/sysfile.h"

/* --- the files --- */

/* The text's next line, terminated; NULL: there is none. */
static char *next_line(char **text) {
  char *line = *text;
  if (!line || !*line)
    return 0;
  char *end = strchr(line, '\n');
  *text = end ? end + 1 : line + strlen(line);
  if (end)
    *end = 0;
  return line;
}

/* Whether word is one of the comma-separated words of list. */
static bool has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; at; at = strchr(at, ',')) {
    at += *at == ',';
    if (!strncmp(at, word, length) && (at[length] == ',' || at[length] == 0))
      return true;
  }
  return false;
}

/* The version of a line of the cpu controller's hierarchy, and the process's path in it; 0: a line
 * of another hierarchy. */
static int group_of_line(char *line, char **path) {
  char *controllers = strchr(line, ':');
  *path = controllers ? strchr(controllers + 1, ':') : 0;
  if (!*path)
    return 0;
  *controllers++ = 0;
  *(*path)++ = 0;
  if (!strcmp(line, "0") && *controllers == 0)
    return 2;
  return has_word(controllers, "cpu") ? 1 : 0;
}

/* Turns each \ooo into the byte that it stands for, in place. */
static void unescape(char *s) {
  char *to = s;
  for (; *s; s++) {
    bool octal = s[0] == '\\';
    for (int i = 1; octal && i <= 3; i++)
      octal = s[i] >= '0' && s[i] <= '7';
    *to = *s;
    if (octal) {
      *to = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
      s += 3;
    }
    to++;
  }
  *to = 0;
}

/* Splits a line of mountinfo. Returns the version of the cpu controller's mount; 0: another
 * mount. */
static int mount_of_line(char *line, char **root, char **point) {
  char *rest = 0, *field[6] = {0};
  char *tail = strstr(line, " - ");
  if (!tail)
    return 0;
  *tail = 0;
  char *at = strtok_r(line, " ", &rest);
  for (int i = 0; i < 6 && at; i++, at = strtok_r(0, " ", &rest))
    field[i] = at;
  char *type = strtok_r(tail + 3, " ", &rest);
  strtok_r(0, " ", &rest); /* source */
  char *options = strtok_r(0, " ", &rest);
  if (!field[4] || !type)
    return 0;
  *root = field[3];
  *point = field[4];
  unescape(*root);
  unescape(*point);
  if (!strcmp(type, "cgroup2"))
    return 2;
  return !strcmp(type, "cgroup") && options && has_word(options, "cpu") ? 1 : 0;
}

/* --- the folders --- */

struct found {
  struct nth_quota_folder *first;
  bool failed; /* no memory for one of them */
};

/* Adds the folder of these two pieces. */
static void add_folder(struct found *list, int version, const char *point, size_t top,
                       const char *inside, size_t length) {
  struct nth_quota_folder *f = nth_heap_take(sizeof *f + top + length + 1);
  list->failed |= !f;
  if (!f)
    return;
  f->version = version;
  memcpy(f->path, point, top);
  memcpy(f->path + top, inside, length);
  f->path[top + length] = 0;
  f->next = list->first;
  list->first = f;
}

/* Adds the group's folder and those above it, up to the mount point. */
static void add_path(struct found *list, int version, const char *root, const char *point,
                     const char *path) {
  size_t skip = strcmp(root, "/") ? strlen(root) : 0;
  bool below =
      !strncmp(path, root, skip) && (path[skip] == '/' || path[skip] == 0) && !strstr(path, "/..");
  const char *inside = below ? path + skip : "";
  size_t top = strlen(point), length = strlen(inside);
  top -= top > 0 && point[top - 1] == '/';
  if (top >= PATH_MAX)
    return; /* a path that no call takes */
  if (top + length >= PATH_MAX)
    length = 0;
  while (length > 0 && inside[length - 1] == '/')
    length--;
  for (;;) {
    add_folder(list, version, point, top, inside, length);
    if (length == 0)
      return;
    while (length > 0 && inside[--length] != '/')
      ;
  }
}

/* The process's groups. */
struct groups {
  char *path[3]; /* by version, in text; NULL: none */
  char *text;    /* from the heap: the caller's stack may be small */
};

static struct groups find_groups(void) {
  struct groups g = {{0}, nth_sysfile_text(nth_sysfile_cgroup_root, "/proc/self/cgroup")};
  char *rest = g.text, *path;
  for (char *line; (line = next_line(&rest));) {
    int version = group_of_line(line, &path);
    if (version && !g.path[version])
      g.path[version] = path;
  }
  return g;
}

/* Adds the folders of a group below the usual mount points of its version; false: the group has
 * none there. */
static bool add_usual(struct found *list, int version, const char *group) {
  static const char *const points[][2] = {{"/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpu"},
                                          {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}};
  if (strstr(group, "/.."))
    return false;
  for (int i = 0; i < 2; i++) {
    const char *point = points[version - 1][i];
    if (nth_sysfile_exists(nth_sysfile_cgroup_root, point, group)) {
      add_path(list, version, "/", point, group);
      return true;
    }
  }
  return false;
}

/* Adds the folders of the groups (by version) below all mounts. */
static void add_mounted(struct found *list, char *const group[3]) {
  char *mounts = nth_sysfile_text(nth_sysfile_cgroup_root, "/proc/self/mountinfo"), *rest = mounts;
  for (char *line, *root, *point; (line = next_line(&rest));) {
    int version = mount_of_line(line, &root, &point);
    if (version && group[version])
      add_path(list, version, root, point, group[version]);
  }
  nth_heap_free(mounts);
}

struct nth_quota_folder *nth_quota_find(void) {
  struct found list = {0, false};
  int saved = errno;
  struct groups g = find_groups();
  bool first = g.path[1] && add_usual(&list, 1, g.path[1]);
  bool second = g.path[2] && add_usual(&list, 2, g.path[2]);
  /* The CPU controller is in one hierarchy only: if version 1 has it, version 2 need not be
   * found. */
  if ((g.path[1] && !first) || (g.path[2] && !second && !first)) {
    nth_quota_free(list.first);
    list.first = 0;
    add_mounted(&list, g.path);
  }
  nth_heap_free(g.text);
  if (list.failed) {
    nth_quota_free(list.first);
    list.first = 0;
  }
  errno = saved;
  return list.first;
}

void nth_quota_free(struct nth_quota_folder *folders) {
  while (folders) {
    struct nth_quota_folder *next = folders->next;
    nth_heap_free(folders);
    folders = next;
  }
}

/* --- the values --- */

enum { NUMBERS = 64 }; /* bytes of a file of numbers */

enum answer { NOT_READ, NOT_THERE, READ };

/* A group has no such file where the controller is not in force. A group that is gone, as after a
 * move of the process, has no folder. */
static enum answer read_number(const char *folder, const char *name, char text[NUMBERS]) {
  if (nth_sysfile_read_in(nth_sysfile_cgroup_root, folder, name, text, NUMBERS))
    return READ;
  return nth_sysfile_exists(nth_sysfile_cgroup_root, folder, "/") &&
                 !nth_sysfile_exists(nth_sysfile_cgroup_root, folder, name)
             ? NOT_THERE
             : NOT_READ;
}

/* The quota and its period, in microseconds; one is 0: there is no quota ("max" or -1). False: it
 * could not be read. */
static bool read_folder(int version, const char *folder, uint64_t *quota, uint64_t *period) {
  char text[NUMBERS];
  const char *at = text;
  *quota = *period = 0;
  enum answer a = read_number(folder, version == 2 ? "/cpu.max" : "/cpu.cfs_quota_us", text);
  if (a != READ || !nth_env_unsigned(&at, quota, INT64_MAX)) {
    *quota = 0;
    return a != NOT_READ;
  }
  if (version == 1) {
    at = text;
    a = read_number(folder, "/cpu.cfs_period_us", text);
  }
  if (a != READ || !nth_env_unsigned(&at, period, INT64_MAX))
    *period = 0;
  return a != NOT_READ;
}

/* A folder's quota, in thousandths of a CPU. False: it could not be read; none is given. */
static bool quota_of(int version, const char *folder, uint32_t *given) {
  uint64_t quota, period;
  *given = NTH_QUOTA_NONE;
  if (!read_folder(version, folder, &quota, &period))
    return false;
  if (quota == 0 || period == 0)
    return true;
  double share = (double)quota / (double)period * 1000;
  uint32_t thousandths = share < NTH_QUOTA_NONE - 1 ? (uint32_t)share : NTH_QUOTA_NONE - 1;
  *given = thousandths + ((double)thousandths < share); /* up: 1.0001 CPUs are more than one */
  return true;
}

uint32_t nth_quota_of_container(void) {
  uint32_t given;
  (void)quota_of(2, "/sys/fs/cgroup", &given);
  return given;
}

struct nth_quota nth_quota_read(const struct nth_quota_folder *folders) {
  struct nth_quota q = {NTH_QUOTA_NONE, folders != NULL, NULL};
  for (; folders; folders = folders->next) {
    uint32_t given;
    q.whole &= quota_of(folders->version, folders->path, &given);
    if (given < q.thousandths) {
      q.thousandths = given;
      q.where = folders;
    }
  }
  return q;
}
