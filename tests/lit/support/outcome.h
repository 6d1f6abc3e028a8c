/* outcome.h - runs a function in a child process: how the child ended, what it wrote to stderr */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* For mistakes that end the program. The child does not come back from the function without
   saying so: status 77. Call it before the first parallel region of the parent. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "check.h"
#include <signal.h>
#include <sys/wait.h>

struct outcome {
  int status;      /* exit status; minus the signal's number */
  size_t length;   /* bytes of the text */
  char text[9000]; /* what came to stderr, and a NUL */
};

static inline void outcome_of(struct outcome *o, void (*body)(void)) {
  int ends[2], status;
  CHECK(pipe(ends) == 0);
  fflush(stdout);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    body();
    _exit(77);
  }
  close(ends[1]);
  o->length = 0;
  for (ssize_t n; (n = read(ends[0], o->text + o->length, sizeof o->text - 1 - o->length)) > 0;)
    o->length += (size_t)n;
  o->text[o->length] = 0;
  close(ends[0]);
  CHECK(waitpid(child, &status, 0) == child);
  o->status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* The child ends with this status and text; NULL: any text. */
#define CHECK_OUTCOME(body, wanted_status, wanted_text)                                            \
  do {                                                                                             \
    static struct outcome check_o;                                                                 \
    const char *check_t = (wanted_text);                                                           \
    outcome_of(&check_o, body);                                                                    \
    if (check_t)                                                                                   \
      CHECK_STREQ(check_o.text, check_t);                                                          \
    CHECK_EQ(check_o.status, wanted_status);                                                       \
  } while (0)

#endif
