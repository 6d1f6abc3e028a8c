/* api_display.c - functions that show affinity and environment
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 18.3 and 18.15. A bad format in a call is fatal, as in libgomp.
 */
#include <string.h>

#include "abi_protos.h"

#include "abi/fatal.h"
#include "runtime/omp/affinity_format.h"
#include "runtime/omp/display.h"

/* 18.3.8. affinity-format-var of the process. NULL: ignored. It is read when it is used. */
void omp_set_affinity_format(const char *format) {
  if (format && !nth_affinity_format_set(format, strlen(format)))
    nth_abi_fatal("Out of memory setting the affinity format");
}

/* 18.3.9. Its length; the buffer has as much as fits and a terminator, NULL or size 0: nothing. */
size_t omp_get_affinity_format(char *buffer, size_t size) {
  struct nth_text t = {buffer, buffer ? size : 0, 0};
  nth_text_add(&t, nth_affinity_format_get());
  return nth_text_end(&t);
}

/* 18.3.10. One line on stderr; format NULL or "": affinity-format-var. */
void omp_display_affinity(const char *format) {
  struct nth_affinity_error error;
  if (!nth_affinity_show(format, format ? strlen(format) : 0, &error))
    nth_abi_fatal(error.text);
}

/* 18.3.11. The same into a buffer; result and buffer as of omp_get_affinity_format. */
size_t omp_capture_affinity(char *buffer, size_t size, const char *format) {
  struct nth_affinity_error error;
  size_t n =
      nth_affinity_line(buffer, buffer ? size : 0, format, format ? strlen(format) : 0, &error);
  if (n == NTH_AFFINITY_BAD)
    nth_abi_fatal(error.text);
  return n;
}

/* 18.15. On stderr; verbose: GOMP_ variables too. */
void omp_display_env(int verbose) {
  nth_display_env(verbose != 0);
}
