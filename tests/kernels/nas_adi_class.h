/* nas_adi_class.h - classes of SP, BT and their multi-zone versions, and what all four check
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use       nas_class_of() before kern_parse(), with NAS_OPTIONS among the options, then
 *           nas_class_norms() of each run, in place of a serial run of all steps
 */
#ifndef NTH_KERNEL_NAS_ADI_CLASS_H
#define NTH_KERNEL_NAS_ADI_CLASS_H

#include "nas_adi.h"

/* Norms by unknown. */
struct nas_norms {
  double residual[NAS_M], error[NAS_M];
};

struct nas_class {
  char letter;      /* 0 ends a table */
  long edge, depth; /* points along x and y, and along z */
  int across;       /* zones along x, and along y */
  double uneven;    /* the longest edge of a zone over the shortest one */
  long steps;
  double dt;
  const struct nas_norms *published;
};

/* A line of --help: nas_class_of() takes this option out of the arguments. */
#define NAS_OPTIONS(letters, compared)                                                             \
  {"class", letters ": the sizes of a class (W; S with --small)", NULL, NULL}, {                   \
    "compare", "N: steps repeated serially (2; all with --small)", (compared), NULL                \
  }

static inline const struct nas_class *nas_class_find(const struct nas_class *table,
                                                     const char *text) {
  for (; text && text[0] && !text[1] && table->letter; table++) {
    if (table->letter == text[0]) {
      return table;
    }
  }
  return NULL;
}

/* The class that the arguments ask for. Its sizes become the kernel's defaults. --class and its
 * letter, which kern_parse() does not know, leave the arguments. */
static inline const struct nas_class *nas_class_of(struct kernel *k, const struct nas_class *table,
                                                   int *argc, char **argv) {
  const char *text = NULL;
  bool small = false;
  int kept = 1;
  for (int i = 1; i < *argc; i++) {
    if (strcmp(argv[i], "--class") == 0) {
      text = i + 1 < *argc ? argv[++i] : "";
    } else if (strncmp(argv[i], "--class=", 8) == 0) {
      text = argv[i] + 8;
    } else {
      small |= strcmp(argv[i], "--small") == 0;
      argv[kept++] = argv[i];
    }
  }
  *argc = kept;
  const struct nas_class *full = nas_class_find(table, text ? text : "W");
  const struct nas_class *brief = nas_class_find(table, text ? text : "S");
  kern_require(k, full && brief, "--class takes one of the letters that --help shows");
  k->full = (struct kern_scale){full->edge, full->steps};
  k->brief = (struct kern_scale){brief->edge, brief->steps};
  return small ? brief : full;
}

static inline bool nas_norms_equal(const char *what, const double found[NAS_M],
                                   const double published[NAS_M]) {
  bool ok = true;
  for (int m = 0; m < NAS_M; m++) {
    ok &= kern_check(kern_close(found[m], published[m], 1e-8), "%s[%d] %.13e, published %.13e",
                     what, m, found[m], published[m]);
  }
  return ok;
}

/* Against the published norms, if the run has the sizes of the class. */
static inline bool nas_class_norms(const struct kernel *k, const struct nas_class *class,
                                   const struct nas_norms *found) {
  if (k->size != class->edge || k->iters != class->steps) {
    return true;
  }
  bool ok = nas_norms_equal("residual", found->residual, class->published->residual);
  return nas_norms_equal("error", found->error, class->published->error) && ok;
}

#endif
