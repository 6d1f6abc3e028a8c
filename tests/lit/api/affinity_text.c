/* affinity_text.c - omp_capture_affinity, omp_display_affinity and the format ICV */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks each field of the affinity format in its short and long form, width, justification and
// zero padding, the returned length with short buffers, and that NULL and "" mean the ICV.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env "OMP_AFFINITY_FORMAT=from env %%n" %omp_run %t env
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>

static const char *captured(const char *format) {
  static __thread char buffer[1000];
  size_t length = omp_capture_affinity(buffer, sizeof buffer, format);
  CHECK_EQ(strlen(buffer), length);
  return buffer;
}

static const char *text(const char *format, long value) {
  static __thread char buffer[1000];
  snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

static void fields(int n, int level, int parent) {
  char host[200] = "";
  gethostname(host, sizeof host - 1);
  CHECK_STREQ(captured("[%%]"), "[%]");
  CHECK_STREQ(captured("%n"), text("%ld", omp_get_thread_num()));
  CHECK_STREQ(captured("%{thread_num}"), text("%ld", omp_get_thread_num()));
  CHECK_STREQ(captured("%N %{num_threads}"), text("%1$ld %1$ld", n));
  CHECK_STREQ(captured("%L %{nesting_level}"), text("%1$ld %1$ld", level));
  CHECK_STREQ(captured("%a %{ancestor_tnum}"), text("%1$ld %1$ld", parent));
  CHECK_STREQ(captured("%t %T %{team_num} %{num_teams}"), "0 1 0 1");
  CHECK_STREQ(captured("%P"), text("%ld", getpid()));
  CHECK_STREQ(captured("%{process_id}"), text("%ld", getpid()));
  CHECK_STREQ(captured("%H"), host);
  CHECK_STREQ(captured("%{host}"), host);
  CHECK_STREQ(captured("%i"), text("0x%lx", (long)pthread_self()));
  CHECK_STREQ(captured("<%6N>"), text("<%-6ld>", n));
  CHECK_STREQ(captured("<%.6N>"), text("<%6ld>", n));
  CHECK_STREQ(captured("<%0.6{num_threads}>"), text("<%06ld>", n));
  CHECK(strlen(captured("%A")) >= 1);
}

int main(int argc, char **argv) {
  char buffer[100], small[4] = "xyz";
  (void)argv;
  const char *initial = argc > 1 ? "from env %n" : "level %L thread %i affinity %A";
  size_t length = omp_get_affinity_format(buffer, sizeof buffer);
  CHECK_EQ(length, strlen(initial));
  CHECK_STREQ(buffer, initial);
  CHECK_EQ(omp_get_affinity_format(NULL, 0), length);
  fields(1, 0, -1);
#pragma omp parallel num_threads(3)
  fields(3, 1, 0);
  omp_set_affinity_format("n=%n of %N");
  CHECK_EQ(omp_get_affinity_format(small, 4), 10);
  CHECK_STREQ(small, "n=%");
  CHECK_STREQ(captured(NULL), "n=0 of 1");
  CHECK_STREQ(captured(""), "n=0 of 1");
  memcpy(small, "xyz", 4);
  CHECK_EQ(omp_capture_affinity(small, 4, "%N23456"), 6);
  CHECK_STREQ(small, "123");
  CHECK_EQ(omp_capture_affinity(NULL, 0, "12345"), 5);
  /* longer than a size_t can tell; the numbers of characters do not wrap */
  CHECK(omp_capture_affinity(small, 4, "%9223372036854775807n%9223372036854775807n%n") >
        SIZE_MAX / 2);
  return 0;
}
