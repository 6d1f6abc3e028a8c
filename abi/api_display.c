/* api_display.c - functions that show affinity and environment
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 18.3 and 18.15. A bad format in a call is fatal, as in libgomp.
 */
#include <string.h>

#include "abi_protos.h"

#include "abi/fatal.h"
#include "runtime/omp/env/affinity_format.h"
#include "runtime/omp/env/display.h"
#include "runtime/omp/team/binding.h"

/* Sets the process's affinity-format-var to a copy of the text. 18.3.8. A bad format is reported
 * when it is used. */
void omp_set_affinity_format(const char *format) {
  if (format && !nth_affinity_format_set(format, strlen(format)))
    nth_abi_fatal("Out of memory setting the affinity format");
}

/* Writes affinity-format-var to the buffer, cut to size - 1 characters, and a terminator. 18.3.9.
 * Returns the whole length without the terminator; size 0: nothing is written. */
size_t omp_get_affinity_format(char *buffer, size_t size) {
  struct nth_text t = {buffer, buffer ? size : 0, 0};
  nth_text_add(&t, nth_affinity_format_get());
  return nth_text_end(&t);
}

/* Prints the calling thread's line to stderr. 18.3.10. format NULL or "": affinity-format-var. */
void omp_display_affinity(const char *format) {
  struct nth_affinity_error error;
  nth_binding_place(); /* a thread that is not bound yet shows its place, too */
  if (!nth_affinity_show(format, format ? strlen(format) : 0, &error))
    nth_abi_fatal(error.text);
}

/* Writes the calling thread's line to the buffer, cut to size - 1 characters, and a terminator.
 * 18.3.11. Returns the whole length without the terminator; size 0: nothing is written. */
size_t omp_capture_affinity(char *buffer, size_t size, const char *format) {
  struct nth_affinity_error error;
  nth_binding_place();
  size_t n =
      nth_affinity_line(buffer, buffer ? size : 0, format, format ? strlen(format) : 0, &error);
  if (n == NTH_AFFINITY_BAD)
    nth_abi_fatal(error.text);
  return n;
}

/* Prints the ICVs as the environment set them, as OMP_DISPLAY_ENV does at the start. 18.15.
 * verbose: also the variables that are not in the specification. */
void omp_display_env(int verbose) { nth_display_env(verbose != 0); }
