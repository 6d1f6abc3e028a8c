/* choice.h - options whose value is one of a few words: --class S, --sweep=tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why     kern_parse() knows numbers and flags only, and the defaults of its numbers may hang on
 *         such a word (a class of NAS). So words are taken out of the arguments before it.
 * Use     choice_take() for each of them -> kern_parse() with CHOICE_HELP() among its options
 */
#ifndef NTH_KERNEL_CHOICE_H
#define NTH_KERNEL_CHOICE_H

#include "kernel.h"

/* A row for --help; kern_parse() never meets the option itself. */
#define CHOICE_HELP(name, text) {(name), (text), NULL, NULL}

/* Which of `words`, a list that ends with NULL; ends the program if it is none of them. */
static inline int choice_of(const char *option, const char *const *words, const char *given) {
  for (int i = 0; given && words[i]; i++) {
    if (strcmp(words[i], given) == 0) {
      return i;
    }
  }
  fprintf(stderr, "--%s: one of", option);
  for (; *words; words++) {
    fprintf(stderr, " %s", *words);
  }
  fprintf(stderr, ", not '%s'\n", given ? given : "");
  exit(KERN_USAGE);
}

/* Removes `--option WORD` and `--option=WORD` from the arguments. Returns the place of the last
 * such word in `words`, -1 if there is none. */
static inline int choice_take(int *argc, char **argv, const char *option,
                              const char *const *words) {
  size_t length = strlen(option);
  int kept = 1, chosen = -1;
  for (int i = 1; i < *argc; i++) {
    const char *text = argv[i];
    bool ours = strncmp(text, "--", 2) == 0 && strncmp(text + 2, option, length) == 0;
    if (ours && text[2 + length] == '=') {
      chosen = choice_of(option, words, text + 3 + length);
    } else if (ours && text[2 + length] == '\0') {
      chosen = choice_of(option, words, ++i < *argc ? argv[i] : NULL);
    } else {
      argv[kept++] = argv[i];
    }
  }
  *argc = kept;
  return chosen;
}

#endif
