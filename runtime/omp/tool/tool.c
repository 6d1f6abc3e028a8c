/* tool.c - finds a tool, starts and ends it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 19.2 and 21.3: OMP_TOOL, OMP_TOOL_LIBRARIES, OMP_TOOL_VERBOSE_INIT.
 */
#include "runtime/omp/tool/tool.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "runtime/base/env.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"

struct nth_tool nth_tool;

static _Atomic(ompt_start_tool_result_t *) started; /* of the tool; NULL: none, or it ends */

typedef ompt_start_tool_result_t *(*start_fn)(unsigned int omp_version,
                                              const char *runtime_version);

enum { OMP_VERSION = 202111 }; /* OpenMP 5.2 */
#define RUNTIME_VERSION "nanogomp"

/* --- OMP_TOOL_VERBOSE_INIT --- */

static int log_to = -1; /* where the search is logged; -1: nowhere */

/* One line of the log. */
__attribute__((format(printf, 1, 2))) static void log_line(const char *format, ...) {
  char line[1024];
  va_list args;
  if (log_to < 0)
    return;
  va_start(args, format);
  int n = vsnprintf(line, sizeof line - 1, format, args);
  va_end(args);
  if (n < 0)
    return;
  size_t length = (size_t)n < sizeof line - 2 ? (size_t)n : sizeof line - 2;
  line[length++] = '\n';
  if (write(log_to, line, length) < 0)
    log_to = -1;
}

static void log_begin(void) {
  const char *to = nth_tool.verbose = secure_getenv("OMP_TOOL_VERBOSE_INIT");
  if (!to || !*to || strcasecmp(to, "disabled") == 0)
    return;
  if (strcasecmp(to, "stdout") == 0)
    log_to = dup(STDOUT_FILENO);
  else if (strcasecmp(to, "stderr") == 0)
    log_to = dup(STDERR_FILENO);
  else if ((log_to = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0)
    nth_msg("OMP_TOOL_VERBOSE_INIT=%s cannot be written (%m); the search for a tool is not logged",
            to);
}

static void log_end(void) {
  if (log_to >= 0)
    close(log_to);
  log_to = -1;
}

/* --- the search --- */

/* The tool hears nothing more. */
static void forget_callbacks(void) {
#define FORGET(event, type, answer) nth_store_rlx(&nth_tool.call.event, NULL);
  NTH_TOOL_EVENTS(FORGET)
#undef FORGET
  nth_store_rlx(&nth_tool.doacross_wait, NULL);
}

/* Asks one ompt_start_tool. True: this is the tool. */
static bool asks(start_fn start, const char *where, ompt_function_lookup_t lookup) {
  ompt_start_tool_result_t *result = start(OMP_VERSION, RUNTIME_VERSION);
  log_line("ompt_start_tool of %s: %s", where, result ? "a tool" : "no tool for this program");
  if (!result)
    return false;
  bool stays = result->initialize(lookup, 0, &result->tool_data) != 0;
  log_line("tool initialized: %s", stays ? "it stays" : "it wants nothing more");
  nth_store_rlx(&started, stays ? result : 0);
  nth_tool.on = stays;
  if (!stays)
    forget_callbacks();
  return true;
}

/* Looks in one library of OMP_TOOL_LIBRARIES. */
static bool asks_library(const char *path, ompt_function_lookup_t lookup) {
  void *library = dlopen(path, RTLD_LAZY);
  if (!library) {
    const char *why = dlerror();
    log_line("%s: not loaded: %s", path, why);
    nth_msg("the tool of OMP_TOOL_LIBRARIES cannot be loaded (%s); the program runs without it",
            why);
    return false;
  }
  start_fn start = (start_fn)dlsym(library, "ompt_start_tool");
  if (!start) {
    log_line("%s: loaded, has no ompt_start_tool", path);
    nth_msg("%s of OMP_TOOL_LIBRARIES has no ompt_start_tool; the program runs without it", path);
  }
  if (start && asks(start, path, lookup))
    return true;
  dlclose(library);
  return false;
}

/* The tool of the program or of its libraries. The reference is weak, so it is NULL where there is
 * none: the loader has looked for it when it bound this library, and a program that is linked with
 * this library exports its tool. A call of dlsym() would find no more, and would allocate the text
 * of an error where it finds nothing. */
#pragma weak ompt_start_tool

static void search(ompt_function_lookup_t lookup) {
  start_fn start = ompt_start_tool;
  log_line("the program and its libraries: %s ompt_start_tool", start ? "have" : "have no");
  if (start && asks(start, "the program", lookup))
    return;
  const char *list = nth_tool.libraries;
  char *copy = list && *list ? nth_heap_copy(list) : 0, *rest = copy;
  for (char *path; rest && (path = strsep(&rest, ":"));)
    if (*path && asks_library(path, lookup))
      break;
  nth_heap_free(copy);
}

/* Whether OMP_TOOL lets a tool in. */
static bool enabled(void) {
  const char *value = secure_getenv("OMP_TOOL");
  char shown[NTH_ENV_SHOWN];
  if (!value || !*value || strcasecmp(value, "enabled") == 0)
    return true;
  if (strcasecmp(value, "disabled") != 0)
    nth_msg("OMP_TOOL takes enabled or disabled, not '%s'; no tool is looked for",
            nth_env_shown(shown, value));
  return false;
}

bool nth_tool_begin(ompt_function_lookup_t lookup) {
  log_begin();
  bool looks = nth_tool.looks = enabled();
  nth_tool.libraries = secure_getenv("OMP_TOOL_LIBRARIES");
  log_line("OMP_TOOL: %s", looks ? "enabled" : "disabled");
  if (looks)
    search(lookup);
  log_line("%s", nth_tool.on ? "a tool watches the program" : "no tool watches the program");
  log_end();
  return looks;
}

bool nth_tool_there(void) { return nth_load_rlx(&started) != 0; }

void nth_tool_end(void (*before)(void)) {
  ompt_start_tool_result_t *tool = nth_xchg_rlx(&started, 0); /* a callback may ask again */
  if (!tool)
    return;
  before();
  forget_callbacks();
  tool->finalize(&tool->tool_data);
}
