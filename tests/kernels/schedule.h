/* schedule.h - the option --schedule TEXT, where TEXT is what OMP_SCHEDULE takes
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why     OpenMP's own kinds are set by omp_set_schedule(). Other ones have no portable number,
 *         only a name, and a runtime reads OMP_SCHEDULE when it is loaded. So the program sets the
 *         variable and starts itself again; then it asks whether the runtime has understood.
 * Use     schedule_take() first of all in main() -> kern_parse() with SCHEDULE_HELP among its
 *         options -> loops with schedule(runtime)
 */
#ifndef NTH_KERNEL_SCHEDULE_H
#define NTH_KERNEL_SCHEDULE_H

#include "kernel.h"

#include <unistd.h>

/* A row for --help; kern_parse() never meets the option itself. */
#define SCHEDULE_HELP                                                                              \
  {"schedule", "TEXT: schedule(runtime) as by OMP_SCHEDULE=TEXT, only that", NULL, NULL}

/* Says why the schedule cannot be used, and ends the program. */
static inline void schedule_refuse(const char *text, const char *why) {
  fprintf(stderr, "--schedule %s: %s\n", text, why);
  exit(KERN_USAGE);
}

/* [monotonic:|nonmonotonic:]kind[,chunk] with one of OpenMP's kinds; false: another kind. */
static inline bool schedule_set(const char *text) {
  static const char *const kinds[] = {"static", "dynamic", "guided", "auto"};
  const char *colon = strchr(text, ':'), *kind = colon ? colon + 1 : text;
  size_t length = strcspn(kind, ",");
  unsigned bit = strncmp(text, "monotonic:", 10) == 0 ? (unsigned)omp_sched_monotonic : 0;
  long chunk = 0;
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strlen(kinds[i]) == length && strncmp(kinds[i], kind, length) == 0) {
      if (kind[length] == ',' && (!kern_number(kind + length + 1, &chunk) || chunk > INT_MAX)) {
        schedule_refuse(text, "the chunk is not a number");
      }
      omp_set_schedule((omp_sched_t)((i + 1) | bit), (int)chunk);
      return true;
    }
  }
  return false;
}

/* The kind is one of the runtime's own. Starts the program again unless the variable is set. */
static inline void schedule_own(const char *text, char **argv) {
  const char *set = getenv("OMP_SCHEDULE");
  if (!set || strcmp(set, text) != 0) {
    setenv("OMP_SCHEDULE", text, 1);
    execv("/proc/self/exe", argv);
    schedule_refuse(text, "the program cannot be started again with OMP_SCHEDULE set");
  }
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  if (((unsigned)kind & ~(unsigned)omp_sched_monotonic) <= omp_sched_auto) {
    schedule_refuse(text, "this OpenMP runtime has no such schedule");
  }
}

/* Removes `--schedule TEXT` and `--schedule=TEXT` from the arguments. Returns TEXT, NULL if
 * there is none. */
static inline const char *schedule_take(int *argc, char **argv) {
  static const char option[] = "--schedule";
  const char *text = NULL;
  int first = 0, words = 0;
  for (int i = 1; i < *argc && !first; i++) {
    if (strcmp(argv[i], option) == 0) {
      text = i + 1 < *argc ? argv[i + 1] : "";
      words = i + 1 < *argc ? 2 : 1;
      first = i;
    } else if (strncmp(argv[i], option, sizeof option - 1) == 0 &&
               argv[i][sizeof option - 1] == '=') {
      text = argv[i] + sizeof option;
      words = 1;
      first = i;
    }
  }
  if (!text) {
    return NULL;
  }
  if (!*text || strpbrk(text, " \t\n")) {
    schedule_refuse(text, "a text as of OMP_SCHEDULE is wanted, without blanks");
  }
  if (!schedule_set(text)) {
    schedule_own(text, argv);
  }
  for (int i = first; i + words <= *argc; i++) {
    argv[i] = argv[i + words]; /* the NULL at the end too */
  }
  *argc -= words;
  return text;
}

#endif
