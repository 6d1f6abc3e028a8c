/* proflib.c - loads the tools that ACC_PROFLIB names
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <dlfcn.h>
#include <string.h>

#include "runtime/acc/prof.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"

static void load_one(const char *name, bool (*start)(void *register_library)) {
  void *tool = dlopen(name, RTLD_LAZY);
  void *found = tool ? dlsym(tool, "acc_register_library") : 0;
  const char *why = found ? "it defines no acc_register_library" : dlerror();
  if (found && start(found))
    return;
  nth_msg_libgomp("while loading ACC_PROFLIB \"%s\": %s", name, why ? why : "unknown error");
  nth_msg("ACC_PROFLIB: wants shared objects that define acc_register_library, separated by "
          "semicolons; \"%s\" is left out",
          name);
  if (tool)
    dlclose(tool);
}

void nth_acc_prof_load(const char *list, bool (*start)(void *register_library)) {
  char *names = nth_heap_copy(list), *rest = names;
  for (char *name; rest && (name = strsep(&rest, ";"));)
    if (*name)
      load_one(name, start);
  nth_heap_free(names);
}
