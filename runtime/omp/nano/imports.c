/* imports.c - functions that the process's objects import and that belong to one OS thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/nano/imports.h"

#include <stdint.h>
#include <string.h>

#include "runtime/base/atomic.h"
#include "runtime/base/objects.h"

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

/* Reasons found so far; they stay, even if their objects go. w: the thread that looks, under the
 * loader's lock; r: any thread */
static struct {
  _Atomic(const char *) sure, likely;
  _Atomic(uint64_t) adds; /* objects loaded so far, at the last look */
} found;

struct reasons {
  const char *sure, *likely;
  bool constructs; /* the object imports GOMP_ names */
};

static void look(void *arg, const char *name, bool weak) {
  struct reasons *r = arg;
  if (weak)
    return;
  if (!r->sure)
    r->sure = find(anywhere, sizeof anywhere / sizeof anywhere[0], name);
  if (!r->likely)
    r->likely = find(with_constructs, sizeof with_constructs / sizeof with_constructs[0], name);
  r->constructs = r->constructs || strncmp(name, "GOMP_", 5) == 0;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  struct reasons r = {0, 0, false};
  nth_object_imports(info, look, &r);
  if (r.sure)
    nth_store_rlx(&found.sure, r.sure);
  if (r.likely && r.constructs)
    nth_store_rlx(&found.likely, r.likely);
  return 0;
}

const char *nth_imports_reason(bool sure) {
  (void)nth_objects_walk_news(&found.adds, look_at, 0);
  const char *why = nth_load_rlx(&found.sure);
  return why || sure ? why : nth_load_rlx(&found.likely);
}
