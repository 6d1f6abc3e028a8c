/* runtimes.c - other runtimes in the process that do not go together with nano-threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/nano/runtimes.h"

#include <string.h>

#include "runtime/base/atomic.h"
#include "runtime/base/objects.h"

/* One is known by the beginning of its file's name. One that may be a part of the program, or of a
 * plug-in, is known by a function that it exports, whatever the file's name. "": not known in that
 * way. */
static const struct runtime {
  char name[20], exported[24];
  char why[56]; /* members must be OS threads; "": they need not */
  bool stacks;  /* it looks through threads' stacks, or keeps to their bounds */
} runtimes[] = {
#define STOPS " stops all threads by signals"
#define THREADS " follows OS threads"
#define D "D's runtime"
    {"libjvm.so", "", "the Java virtual machine" STOPS, true},
    {"libgc.so", "GC_init", "the Boehm collector" STOPS, true},
    {"libmono", "mono_thread_attach", "Mono" STOPS, true},
    {"libcoreclr.so", "", ".NET" STOPS, true},
    {"libjulia", "", "Julia" STOPS, true},
    {"", "crosscall2", "Go" STOPS, true},
    {"", "create_main_lisp_thread", "SBCL" STOPS, true},
    {"", "napi_module_register", "", true}, /* Node: V8 keeps to its thread's stack */
    {"libruby", "ruby_init_stack", "Ruby looks through threads' stacks", true},
    {"libR.so", "R_CheckStack", "", true}, /* R looks how far main's stack has grown */
    {"libtcmalloc", "", "tcmalloc keeps caches by rseq", false},
    {"libdruntime", "", D STOPS, true},
    {"libphobos2", "", D STOPS, true},
    {"libgdruntime", "", D STOPS, true},
    {"libgphobos", "", D STOPS, true},
    {"vgpreload_helgrind", "", "helgrind" THREADS, false},
    {"vgpreload_drd", "", "DRD" THREADS, false},
};

static bool is_it(const struct runtime *r, const struct dl_phdr_info *info, const char *name) {
  return (r->name[0] && strncmp(name, r->name, strlen(r->name)) == 0) ||
         (r->exported[0] && nth_object_exports(info, r->exported));
}

/* What has been found so far stays, even if its object goes. w: who looks; r: all */
static _Atomic(const char *) reason; /* the first one */
static _Atomic(bool) know_stacks;

static int find(struct dl_phdr_info *info, size_t size, void *unused) {
  const char *name = nth_object_name(info);
  (void)size, (void)unused;
  for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++) {
    const struct runtime *r = &runtimes[i];
    if (!is_it(r, info, name))
      continue;
    if (r->why[0] && !nth_load_rlx(&reason))
      nth_store_rlx(&reason, r->why);
    if (r->stacks)
      nth_store_rlx(&know_stacks, true);
  }
  return 0;
}

/* False: the process's objects cannot be looked at. */
static bool look(void) {
  static _Atomic(uint64_t) seen;
  return nth_objects_walk_news(&seen, find, 0);
}

bool nth_runtimes_find(const char **why) {
  bool looked = look();
  *why = nth_load_rlx(&reason);
  return looked;
}

bool nth_runtimes_know_stacks(void) {
  (void)look();
  return nth_load_rlx(&know_stacks);
}
