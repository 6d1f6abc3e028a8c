/* affinity_format.h - lines by which a thread reports where it is bound
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OMP_AFFINITY_FORMAT and the omp_..._affinity functions take a format: a small
 *             language with fields (OpenMP 5.2, section 18.10). A bad format in a call ends the
 *             program; a bad format in the environment must not.
 * Use         nth_affinity_line() for the calling thread. A bad format gives NTH_AFFINITY_BAD and
 *             libgomp's text in *error; abi/ ends the program with that text. A bad format from
 *             the environment is reported once, and the default replaces it.
 * Invariants  I1  a format that was once current is never freed: readers take no lock
 * Orders      A   nth_affinity_format_set's publishing store -> nth_affinity_format_get's load
 *             B   the CAS that puts a format into the list of all -> the load that walks the list
 */
#ifndef NTH_OMP_AFFINITY_FORMAT_H
#define NTH_OMP_AFFINITY_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/text.h"

/* The numbers of a thread that a format can ask for. */
struct nth_affinity_facts {
  int64_t team_num, num_teams, level, thread_num, num_threads, ancestor;
};

struct nth_affinity_error {
  char text[192];
};

#define NTH_AFFINITY_BAD SIZE_MAX

/* The current format (affinity-format-var). */
const char *nth_affinity_format_get(void);
extern _Atomic(const char *) nth_affinity_format_now; /* for debuggers, too */
/* Makes a copy of length bytes current; false: no memory. */
bool nth_affinity_format_set(const char *format, size_t length);

/* The calling thread's line by a format of length bytes; format NULL or length 0: by the current
 * format. Returns the whole length, as snprintf does, or NTH_AFFINITY_BAD. */
size_t nth_affinity_line(char *buffer, size_t size, const char *format, size_t length,
                         struct nth_affinity_error *error);

/* Writes that line and a newline to stderr; false: bad format. */
bool nth_affinity_show(const char *format, size_t length, struct nth_affinity_error *error);

/* Adds a line with these facts to t; false: bad format. It uses none of OpenMP's state. */
bool nth_affinity_expand(struct nth_text *t, const char *format, size_t length,
                         const struct nth_affinity_facts *facts, struct nth_affinity_error *error);

#endif
