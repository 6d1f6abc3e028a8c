/* luggage.c - errno and C++ exceptions, kept for a flow of control while it is off its OS thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/nano/luggage.h"

#include <dlfcn.h>
#include <errno.h>

#include "runtime/base/atomic.h"

/* The C++ library's function, if the program has that library. */
extern struct nth_exceptions *__cxa_get_globals(void) __attribute__((weak));

typedef struct nth_exceptions *globals_fn(void);
static _Atomic(globals_fn *) found; /* w: nth_luggage_begin(); r: all */

void nth_luggage_begin(void) {
  if (!__cxa_get_globals)
    nth_store_rlx(&found, (globals_fn *)dlsym(RTLD_DEFAULT, "__cxa_get_globals"));
}

static inline struct nth_exceptions *here(void) {
  if (nth_likely(__cxa_get_globals != 0))
    return __cxa_get_globals();
  globals_fn *f = nth_load_rlx(&found);
  return nth_unlikely(f != 0) ? f() : 0;
}

void nth_luggage_pack(struct nth_luggage *l) {
  struct nth_exceptions *e = here();
  l->error = errno;
  l->exceptions = (struct nth_exceptions){0, 0};
  if (e) {
    l->exceptions = *e;
    *e = (struct nth_exceptions){0, 0};
  }
}

void nth_luggage_unpack(const struct nth_luggage *l) {
  struct nth_exceptions *e = here();
  if (e)
    *e = l->exceptions;
  errno = l->error;
}
