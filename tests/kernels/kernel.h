/* kernel.h - what every C kernel shares: options, time, random numbers and the result line
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use     struct kernel with both sets of defaults -> kern_parse() -> run -> kern_report(),
 *         whose return value is the exit status of main().
 * Output  KERNEL name threads=T size=... seconds=... check=ok|FAILED value=...
 *         `value` carries only digits that do not depend on the thread count or the runtime.
 * Errors  0 = answer verified, 1 = wrong answer, 2 = bad usage or no memory.
 */
#ifndef NTH_KERNEL_H
#define NTH_KERNEL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity, in jacobi */
#endif

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum kern_status { KERN_OK = 0, KERN_WRONG = 1, KERN_USAGE = 2 };

struct kern_scale {
  long size;
  long iters;
};

struct kernel {
  const char *name;
  const char *what;        /* one line for --help */
  const char *size_means;  /* the unit of --size, for --help */
  const char *iters_means; /* the unit of --iters, for --help */
  const char *classes;     /* NULL, or the letters of --class, which replaces --size and --iters */
  struct kern_scale full;  /* about 2 s or more on two CPUs; with classes the size is a letter */
  struct kern_scale brief; /* with --small: well under 1 s */
  long size, iters, reps;  /* filled by kern_parse; -1 = not given, until its end */
  bool small, sum;
};

/* One option of a single kernel. Without `help` text the table ends. */
struct kern_option {
  const char *name; /* without the dashes */
  const char *help;
  long *number; /* takes a number >= 0 */
  bool *flag;   /* takes nothing */
};

/* ---- options ---- */

static inline void kern_usage(FILE *to, const struct kernel *k, const struct kern_option *extra) {
  fprintf(to, "%s: %s\n", k->name, k->what);
  if (k->classes) {
    fprintf(to, "  --class X        %s (%c; %c with --small)\n", k->size_means, (int)k->full.size,
            (int)k->brief.size);
  } else {
    fprintf(to, "  --size N         %s (%ld; %ld with --small)\n", k->size_means, k->full.size,
            k->brief.size);
    fprintf(to, "  --iters N        %s (%ld; %ld with --small)\n", k->iters_means, k->full.iters,
            k->brief.iters);
  }
  fprintf(to, "  --reps N         timed repetitions, the fastest is printed (1)\n");
  if (k->classes) {
    fprintf(to, "  --sum            their sum is printed, not the fastest\n");
  }
  fprintf(to, "  --small          sizes for tests\n");
  for (; extra && extra->name; extra++) {
    fprintf(to, "  --%-14s %s\n", extra->name, extra->help);
  }
}

static inline void kern_bad_usage(const struct kernel *k, const struct kern_option *extra,
                                  const char *argument) {
  fprintf(stderr, "%s: bad option or value '%s'\n", k->name, argument);
  kern_usage(stderr, k, extra);
  exit(KERN_USAGE);
}

static inline bool kern_number(const char *text, long *number) {
  char *end = NULL;
  errno = 0;
  long value = text ? strtol(text, &end, 10) : -1;
  if (!text || errno != 0 || end == text || *end != '\0' || value < 0) {
    return false;
  }
  *number = value;
  return true;
}

/* One letter out of `classes`. */
static inline bool kern_class(const char *text, const char *classes, long *letter) {
  if (!text || strlen(text) != 1 || !strchr(classes, *text)) {
    return false;
  }
  *letter = *text;
  return true;
}

/* Returns the row of `table` that argument `--name` or `--name=value` means, or NULL. */
static inline const struct kern_option *kern_find(const struct kern_option *table,
                                                  const char *argument) {
  for (; table && table->name; table++) {
    size_t length = strlen(table->name);
    if (strncmp(argument, "--", 2) == 0 && strncmp(argument + 2, table->name, length) == 0 &&
        (argument[2 + length] == '\0' || argument[2 + length] == '=')) {
      return table;
    }
  }
  return NULL;
}

static inline void kern_parse(struct kernel *k, const struct kern_option *extra, int argc,
                              char **argv) {
  const struct kern_option common[] = {
      {k->classes ? "class" : "size", "", &k->size, NULL},
      {"reps", "", &k->reps, NULL},
      {"small", "", NULL, &k->small},
      {k->classes ? "sum" : "iters", "", k->classes ? NULL : &k->iters,
       k->classes ? &k->sum : NULL},
      {NULL, NULL, NULL, NULL},
  };
  k->size = k->iters = k->reps = -1;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      kern_usage(stdout, k, extra);
      exit(KERN_OK);
    }
    const struct kern_option *option = kern_find(common, argv[i]);
    if (!option) {
      option = kern_find(extra, argv[i]);
    }
    const char *equals = strchr(argv[i], '=');
    if (!option || (option->flag && equals)) {
      kern_bad_usage(k, extra, argv[i]);
    } else if (option->flag) {
      *option->flag = true;
    } else {
      const char *text = equals ? equals + 1 : (i + 1 < argc ? argv[++i] : NULL);
      bool letter = k->classes && option->number == &k->size;
      if (!(letter ? kern_class(text, k->classes, &k->size) : kern_number(text, option->number))) {
        kern_bad_usage(k, extra, text ? text : argv[i]);
      }
    }
  }
  const struct kern_scale *scale = k->small ? &k->brief : &k->full;
  k->size = k->size < 0 ? scale->size : k->size;
  k->iters = k->iters < 0 ? scale->iters : k->iters;
  k->reps = k->reps < 1 ? 1 : k->reps;
}

/* For limits that a kernel puts on its own options. */
static inline void kern_require(const struct kernel *k, bool holds, const char *rule) {
  if (!holds) {
    fprintf(stderr, "%s: %s\n", k->name, rule);
    exit(KERN_USAGE);
  }
}

/* How many of the steps are repeated serially: as --compare says, else (LONG_MAX) `few`, all with
 * --small. */
static inline long kern_compared(const struct kernel *k, long compare, long few) {
  long steps = compare != LONG_MAX ? compare : k->small ? k->iters : few;
  return steps < k->iters ? steps : k->iters;
}

/* ---- time, memory, threads ---- */

/* The time to report after one more repetition; the first one's `before` is INFINITY. */
static inline double kern_time(const struct kernel *k, double before, double seconds) {
  double sum = isinf(before) ? seconds : before + seconds;
  return k->sum ? sum : fmin(before, seconds);
}

/* Seconds of a clock that the OpenMP runtime has no part in. */
static inline double kern_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void *kern_alloc(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) {
    fprintf(stderr, "no memory for %zu x %zu bytes\n", count, size);
    exit(KERN_USAGE);
  }
  return memory;
}

static inline double *kern_doubles(long count) { return kern_alloc((size_t)count, sizeof(double)); }

/* Size of the team a plain region really gets; also warms the runtime up before timing. */
static inline int kern_threads(void) {
  int threads = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}

/* ---- random numbers: x -> 5^13 x mod 2^46, the NAS generator (NAS report RNR-94-007) ---- */

#define KERN_LCG_FACTOR UINT64_C(1220703125)
#define KERN_LCG_MASK ((UINT64_C(1) << 46) - 1)

/* Wrap-around modulo 2^64 loses nothing: 2^46 divides 2^64. */
static inline uint64_t kern_lcg_next(uint64_t x) { return (x * KERN_LCG_FACTOR) & KERN_LCG_MASK; }

/* The state `steps` draws after `x`. */
static inline uint64_t kern_lcg_jump(uint64_t x, uint64_t steps) {
  uint64_t factor = KERN_LCG_FACTOR;
  for (; steps; steps >>= 1) {
    if (steps & 1) {
      x = (x * factor) & KERN_LCG_MASK;
    }
    factor = (factor * factor) & KERN_LCG_MASK;
  }
  return x;
}

/* The state as a number in (0, 1). */
static inline double kern_lcg_real(uint64_t x) { return (double)x * 0x1p-46; }

/* ---- numbers that depend on their index only ---- */

/* A bijection of 64-bit words in which each bit of the result hangs on all bits of `x`. The factors
 * are the fractions of the golden ratio and of the root of 2. */
static inline uint64_t kern_hash(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 29)) * UINT64_C(0x6a09e667f3bcc909);
  return x ^ (x >> 32);
}

/* ---- kernels of tasks ---- */

#define KERN_SERIAL(flag) {"serial", "the serial version: one thread, no tasks", NULL, (flag)}

/* To be called before timing: the team is there. That of a serial run is one thread. */
static inline void kern_warm(bool serial) {
  if (serial) {
    omp_set_num_threads(1);
  }
  kern_threads();
}

/* `x`, but the compiler does not know: it cannot make one call of repeated ones. */
static inline long kern_opaque(long x) {
  __asm__ volatile("" : "+r"(x));
  return x;
}

/* ---- checks and result ---- */

/* Says on stderr what is wrong; returns `holds`. */
__attribute__((format(printf, 2, 3))) static inline bool kern_check(bool holds, const char *format,
                                                                    ...) {
  if (!holds) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "check failed: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
  }
  return holds;
}

/* Relative difference within `tolerance`; false for NaN. */
static inline bool kern_close(double found, double expected, double tolerance) {
  return fabs(found - expected) <= tolerance * fabs(expected);
}

/* Prints the result line of `threads` threads. */
static inline int kern_line(const char *name, long threads, const char *size, double seconds,
                            bool ok, const char *value) {
  printf("KERNEL %s threads=%ld size=%s seconds=%.6f check=%s value=%s\n", name, threads, size,
         seconds, ok ? "ok" : "FAILED", value);
  fflush(stdout);
  return ok ? KERN_OK : KERN_WRONG;
}

/* Prints the result line of a team; `format` makes the value. */
__attribute__((format(printf, 5, 6))) static inline int
kern_report(const char *name, const char *size, double seconds, bool ok, const char *format, ...) {
  char value[128];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(value, sizeof value, format, arguments);
  va_end(arguments);
  return kern_line(name, kern_threads(), size, seconds, ok, value);
}

#endif
