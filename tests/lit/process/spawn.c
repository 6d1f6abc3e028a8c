/* spawn.c - system, popen, posix_spawn, vfork and fork+exec by members */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that members start other programs at once, by every way there is, with the right exit
// status and output, and that regions, barriers and tasks go on meanwhile.
// RUN: %omp_test
#include "children.h"
#include <spawn.h>

extern char **environ;

static int status_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    CHECK_EQ(errno, EINTR);
  CHECK(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void start_programs(int k) {
  char command[100], line[100] = "";
  char *arguments[] = {"sh", "-c", command, NULL};
  snprintf(command, sizeof command, "exit %d", k);
  CHECK_EQ(WEXITSTATUS(system(command)), k);
  pid_t child = fork();
  if (child == 0) {
    execvp("sh", arguments);
    _exit(127);
  }
  CHECK_EQ(status_of(child), k);
  CHECK_EQ(posix_spawnp(&child, "sh", NULL, NULL, arguments, environ), 0);
  CHECK_EQ(status_of(child), k);
  child = vfork();
  if (child == 0) {
    execvp("sh", arguments);
    _exit(127);
  }
  CHECK_EQ(status_of(child), k);
  snprintf(command, sizeof command, "echo value %d", k);
  FILE *pipe = popen(command, "r");
  CHECK(pipe != NULL);
  CHECK(fgets(line, sizeof line, pipe) != NULL);
  CHECK_EQ(pclose(pipe), 0);
  CHECK_EQ(atoi(line + 6), k);
}

int main(void) {
  long tasks = 0;
  start_programs(1);
#pragma omp parallel num_threads(4)
  {
    start_programs(10 + omp_get_thread_num());
#pragma omp barrier
#pragma omp single
    for (int t = 0; t < 8; t++) {
#pragma omp task firstprivate(t) shared(tasks)
      {
        start_programs(20 + t);
#pragma omp atomic
        tasks++;
      }
    }
    CHECK_EQ(tasks, 8);
  }
  start_programs(2);
  use_runtime(3);
  return 0;
}
