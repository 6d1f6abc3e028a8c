/* th_threads.h - threads of one of two kinds: POSIX threads, or the held threads of nanogomp
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why     the programs of M. Cho and others, "T-holder: A Custom Thread-Holding Library", create
 *         threads again and again. Each of ours is one source and two programs: a program of POSIX
 *         threads becomes one of held threads by the prefix of its names, and by nothing else.
 * Use     -DTHREADS=pthread (the default) or -DTHREADS=tholder: thr_create is pthread_create or
 *         tholder_create, and so on. th_options() -> th_all(), or thr_create() and thr_join() ->
 *         th_report()
 * Linking the functions of nanogomp/tholder.h are weak here, so that these programs, too, are
 *         linked with the compiler's own libgomp; on a library without them they say so and end
 *         with status 77.
 */
#ifndef NTH_TH_THREADS_H
#define NTH_TH_THREADS_H

#include "kernel.h"

#include <pthread.h>

#ifndef THREADS
#define THREADS pthread
#endif
#define TH_PASTE(prefix, name) prefix##_##name
#define TH_EXPAND(prefix, name) TH_PASTE(prefix, name)
#define TH_NAME(name) TH_EXPAND(THREADS, name)

/* The names that change. */
#define thr_t TH_NAME(t)
#define thr_create TH_NAME(create)
#define thr_join TH_NAME(join)

/* Is THREADS one of held threads? */
#define pthread_ARE_HELD 0
#define tholder_ARE_HELD 1
#define TH_HELD TH_NAME(ARE_HELD)

#if TH_HELD
#include <nanogomp/tholder.h>
#pragma weak tholder_create
#pragma weak tholder_join
#pragma weak tholder_count
#define TH_SUFFIX "_tholder"
#else
#define TH_SUFFIX ""
#endif

enum { TH_SKIP = 77, TH_CACHE_LINE = 128 };

#define TH_OPTION_THREADS(number)                                                                  \
  {"threads", "N: threads created at a time (OMP_NUM_THREADS)", (number), NULL}

/* ---- options ---- */

/* Takes the option --NAME WORD out of the command line; returns the word, or NULL. Its row in the
 * table of options has neither number nor flag: it is there for --help only. */
static inline const char *th_word(const char *name, int *argc, char **argv) {
  size_t length = strlen(name);
  for (int i = 1; i < *argc; i++) {
    if (strncmp(argv[i], "--", 2) == 0 && strncmp(argv[i] + 2, name, length) == 0 &&
        (argv[i][2 + length] == '\0' || argv[i][2 + length] == '=')) {
      bool equals = argv[i][2 + length] == '=';
      int words = equals ? 1 : 2;
      const char *word = equals ? argv[i] + 3 + length : i + 1 < *argc ? argv[i + 1] : "";
      for (int j = i + words; j < *argc; j++) {
        argv[j - words] = argv[j];
      }
      *argc = i + words < *argc ? *argc - words : i;
      return word;
    }
  }
  return NULL;
}

/* kern_parse(), and the number of threads. */
static inline void th_options(struct kernel *k, const struct kern_option *extra, long *threads,
                              int argc, char **argv) {
  kern_parse(k, extra, argc, argv);
  if (*threads <= 0) {
    *threads = omp_get_max_threads();
  }
#if TH_HELD
  if (!tholder_create) {
    printf("# skipped: this library has no held threads\n");
    exit(TH_SKIP);
  }
#endif
}

/* ---- threads ---- */

/* Ends the program if a call of thr_ has failed. */
static inline void th_must(int error, const char *what) {
  if (error) {
    fprintf(stderr, "%s: %s\n", what, strerror(error));
    exit(KERN_USAGE);
  }
}

/* What one of the threads of th_all() is given. */
struct th_part {
  _Alignas(TH_CACHE_LINE) long number;
  long threads;
  void *shared;
};

/* Creates `threads` threads that run body(struct th_part *) and joins them. `parts` has room for
 * as many. */
static inline void th_all(long threads, struct th_part *parts, void *(*body)(void *),
                          void *shared) {
  thr_t thread[threads];
  for (long i = 0; i < threads; i++) {
    parts[i] = (struct th_part){i, threads, shared};
    th_must(thr_create(&thread[i], NULL, body, &parts[i]), "create");
  }
  for (long i = 0; i < threads; i++) {
    th_must(thr_join(thread[i], NULL), "join");
  }
}

static inline struct th_part *th_parts(long threads) {
  struct th_part *parts =
      aligned_alloc(TH_CACHE_LINE, (size_t)(threads > 0 ? threads : 1) * sizeof *parts);
  if (!parts) {
    th_must(ENOMEM, "parts");
  }
  return parts;
}

/* The first of n units that belongs to this part; its end is the next part's first one. */
static inline long th_first(const struct th_part *p, long n) { return n * p->number / p->threads; }
static inline long th_end(const struct th_part *p, long n) {
  return n * (p->number + 1) / p->threads;
}

/* ---- result ---- */

/* Prints the result line; held threads first say how many OS threads were made for them. */
__attribute__((format(printf, 6, 7))) static inline int th_report(const char *name, long threads,
                                                                  const char *size, double seconds,
                                                                  bool ok, const char *format,
                                                                  ...) {
#if TH_HELD
  struct tholder_counts c;
  th_must(tholder_count(&c), "tholder_count");
  printf("# held threads: created=%llu made=%llu own=%llu held=%u idle=%u idle_ns=%llu\n",
         (unsigned long long)c.created, (unsigned long long)c.made, (unsigned long long)c.own,
         c.held, c.idle, (unsigned long long)c.idle_ns);
#endif
  char value[128], whole[64];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(value, sizeof value, format, arguments);
  va_end(arguments);
  snprintf(whole, sizeof whole, "%s" TH_SUFFIX, name);
  return kern_line(whole, threads, size, seconds, ok, value);
}

#endif
