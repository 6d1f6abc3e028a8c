/* error_directive.c - the error directive at execution time */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the line on stderr for each form of the message (with its length, with a terminator,
// empty, long, with a NUL, a % and a newline in it, none), that severity(warning) goes on, and that
// severity(fatal) ends the program with status 1 and exit handlers, from a team's member too.
// RUN: %omp_test
// REQUIRES: base
#include "outcome.h"

void GOMP_warning(const char *message, size_t length);
void GOMP_error(const char *message, size_t length);

#define ENDED ((size_t)-1)
#define WARNING "\nlibgomp: error directive encountered"
#define FATAL "\nlibgomp: fatal error: error directive encountered"

static const char *message;
static size_t length;
static char *volatile text = "from a variable";

static void warn(void) { GOMP_warning(message, length); }

static void fail(void) { GOMP_error(message, length); }

/* The whole line, byte for byte. */
static void line(void (*body)(void), const char *start, const char *m, size_t n, int status) {
  static struct outcome o;
  size_t at = strlen(start), bytes = m && n == ENDED ? strlen(m) : n;
  message = m;
  length = n;
  outcome_of(&o, body);
  CHECK_EQ(o.status, status);
  CHECK(memcmp(o.text, start, at) == 0);
  if (m) {
    CHECK(memcmp(o.text + at, ": ", 2) == 0);
    CHECK(memcmp(o.text + at + 2, m, bytes) == 0);
    at += 2 + bytes;
  }
  CHECK_EQ(o.text[at], '\n');
  CHECK_EQ(o.length, at + 1);
}

static void forms(void (*body)(void), const char *start, int status) {
  static char longer[5000];
  memset(longer, 'y', sizeof longer - 1);
  line(body, start, "abc", 3, status);
  line(body, start, "abc", 2, status);
  line(body, start, "abc", ENDED, status);
  line(body, start, "", 0, status);
  line(body, start, "a\0b", 3, status);
  line(body, start, "50%s%n", 6, status);
  line(body, start, "two\nlines", ENDED, status);
  line(body, start, longer, sizeof longer - 1, status);
  line(body, start, longer, ENDED, status);
  line(body, start, NULL, 0, status);
  line(body, start, NULL, ENDED, status);
}

static void warning_literal(void) {
#pragma omp error at(execution) severity(warning) message("in the source")
}

static void warning_variable(void) {
#pragma omp error at(execution) severity(warning) message(text)
}

static void warning_alone(void) {
#pragma omp error at(execution) severity(warning)
}

static void fatal_by_default(void) {
#pragma omp error at(execution) message("in the source")
}

static void handler(void) { fprintf(stderr, "handler\n"); }

static void fatal_member(void) {
  atexit(handler);
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp error at(execution) severity(fatal) message("from a member")
    }
#pragma omp barrier
  }
}

int main(void) {
  forms(warn, WARNING, 77);
  forms(fail, FATAL, 1);
  CHECK_OUTCOME(warning_literal, 77, WARNING ": in the source\n");
  CHECK_OUTCOME(warning_variable, 77, WARNING ": from a variable\n");
  CHECK_OUTCOME(warning_alone, 77, WARNING "\n");
  CHECK_OUTCOME(fatal_by_default, 1, FATAL ": in the source\n");
  CHECK_OUTCOME(fatal_member, 1, FATAL ": from a member\nhandler\n");
  text = NULL;
  CHECK_OUTCOME(warning_variable, 77, WARNING "\n");
  return 0;
}
