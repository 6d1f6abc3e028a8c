/* error_directive.c - the error directive at execution time */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the lines of warnings and errors with and without a message, a long one in full, and that an
// error ends the program with status 1, from a member as well.
// RUN: %omp_build %s -o %t
// RUN: %omp_run --status 1 %t 0 2>&1 | %FileCheck %s
// RUN: %omp_run --status 1 %t 1 2>&1 | %FileCheck %s -check-prefix=BARE
// RUN: %omp_run --status 1 %t 2 2>&1 | %FileCheck %s -check-prefix=MEMBER
// CHECK: libgomp: error directive encountered{{$}}
// CHECK: libgomp: error directive encountered: constant{{$}}
// CHECK: libgomp: error directive encountered: {{y+}}{{$}}
// CHECK: length 3000
// CHECK: libgomp: fatal error: error directive encountered: the end{{$}}
// BARE: libgomp: fatal error: error directive encountered{{$}}
// MEMBER: libgomp: fatal error: error directive encountered: member{{$}}
#include "check.h"

int main(int argc, char **argv) {
  char message[3001];
  CHECK_EQ(argc, 2);
  memset(message, 'y', sizeof message - 1);
  message[sizeof message - 1] = 0;
#pragma omp error at(execution) severity(warning)
#pragma omp error at(execution) severity(warning) message("constant")
  const char *text = message;
  if (argv[1][0] == '1') {
#pragma omp error at(execution)
  } else if (argv[1][0] == '2') {
#pragma omp parallel
    {
#pragma omp error at(execution) message("member")
    }
  }
  FILE *all = tmpfile(); /* standard error meanwhile */
  int old = dup(2);
  CHECK(all && old >= 0 && dup2(fileno(all), 2) == 2);
#pragma omp error at(execution) severity(warning) message(text)
  dup2(old, 2);
  char line[4000];
  rewind(all);
  int length = 0;
  while (fgets(line, sizeof line, all)) {
    char *y = strchr(line, 'y');
    fputs(line, stderr);
    length = y ? (int)strspn(y, "y") : length;
  }
  fprintf(stderr, "length %d\n", length);
#pragma omp error at(execution) severity(fatal) message("the end")
  return 0;
}
