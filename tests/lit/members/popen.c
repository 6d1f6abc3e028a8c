/* popen.c - other programs started by members */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that members may run popen, system and posix_spawn at the same time, alone and amid waits,
// and get their own program's output and status.
// RUN: %members_test
#include "members.h"
#include <spawn.h>
#include <sys/wait.h>

static void by_popen(int me) {
  char command[60], text[40] = "";
  snprintf(command, sizeof command, "echo member %d", me);
  FILE *pipe = popen(command, "r");
  CHECK(pipe);
  pass_alone((unsigned)me);
  CHECK(fgets(text, sizeof text, pipe));
  CHECK_EQ(pclose(pipe), 0);
  CHECK_EQ(atoi(text + 7), me);
}

static void by_system(int me) {
  char command[20];
  snprintf(command, sizeof command, "exit %d", 40 + me);
  int status = system(command);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 40 + me);
}

static void by_spawn(int me) {
  char command[20], *const arguments[] = {"sh", "-c", command, NULL};
  char *const empty[] = {NULL};
  pid_t child;
  int status;
  snprintf(command, sizeof command, "exit %d", 60 + me);
  CHECK_EQ(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, empty), 0);
  pass_alone((unsigned)me);
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 60 + me);
}

int main(void) {
  pass_everywhere();
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      struct identity who;
      int me = omp_get_thread_num();
      identity_take(&who, me);
      pass_together((unsigned)round);
      if ((me + round) % 3 == 0)
        by_popen(me);
      else if ((me + round) % 3 == 1)
        by_system(me);
      else
        by_spawn(me);
      pass_together((unsigned)round);
      if (me == 2)
        by_popen(me);
      pass_alone((unsigned)me);
      errno = 1000 + me;
      identity_check(&who);
    }
  }
  members_end();
  return 0;
}
