/* request_file.c - another process takes processors and gives them back, by a mapped file */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a request in the file is met and acknowledged there, by busy processors and by idle
// ones; that what is given back comes soon; that the file has the documented layout, is the user's
// alone and is gone at the end; that a bad value gives a line and a program that goes on.
// RUN: %nth_build %s -o %t
// RUN: rm -rf %t.share && mkdir %t.share
// RUN: env NTH_SHARE=%t.share %omp_run %t file 2>&1 | %FileCheck %s --check-prefix=GOOD
// RUN: ls %t.share | %FileCheck %s --check-prefix=GONE --allow-empty
// GOOD-NOT: NTH_SHARE
// GOOD: good
// GONE-NOT: nth-share
// RUN: env NTH_SHARE=%t.share/none %omp_run %t 2>&1 | %FileCheck %s --check-prefix=BAD
// RUN: env NTH_SHARE= %omp_run %t 2>&1 | %FileCheck %s --check-prefix=WORD
// RUN: env NTH_SHARE='no name' %omp_run %t 2>&1 | %FileCheck %s --check-prefix=WORD
// RUN: env NTH_SHARE=OFF NTH_VERBOSE=1 %omp_run %t 2>&1 | %FileCheck %s --check-prefix=OFF
// RUN: env NTH_SHARE=%t %omp_run %t 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: {{^nanogomp: NTH_SHARE takes a folder that can be written;}}
// BAD-SAME: {{no file was made in '.*' \(.*\):}}
// BAD-SAME: nobody outside can take processors from the program{{$}}
// WORD: {{^nanogomp: NTH_SHARE takes off, auto, a name of up to 64 letters, .* not '(no name)?':}}
// WORD: good
// OFF-NOT: NTH_SHARE
// OFF: good
// BAD-NOT: NTH_SHARE
// BAD: good
#include "Inputs/rounds.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { ASKED = 128, RUNNING = 256, PROCESSORS = 260, BYTES = 384 }; /* docs/nth.md */

static char *page;
static uint32_t *word(int at) { return (uint32_t *)(page + at); }
static uint32_t look(int at) { return __atomic_load_n(word(at), __ATOMIC_ACQUIRE); }

static void map(pid_t pid) {
  char name[4096];
  struct stat status;
  snprintf(name, sizeof name, "%s/nth-share.%d", getenv("NTH_SHARE"), (int)pid);
  int file = open(name, O_RDWR);
  CHECK(file >= 0);
  CHECK_EQ(fstat(file, &status), 0);
  CHECK_EQ(status.st_mode & 0777, 0600);
  CHECK_EQ(status.st_size, BYTES);
  page = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(page != MAP_FAILED);
  close(file);
  CHECK(memcmp(page, "nthshare", 8) == 0);
  CHECK_EQ(look(8), 1);
  CHECK_EQ(look(12), pid);
}

static void ask(uint32_t n, uint32_t answer) {
  __atomic_store_n(word(ASKED), n, __ATOMIC_RELEASE);
  syscall(SYS_futex, word(ASKED), FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
  CHECK_WAIT_UNTIL(look(RUNNING) == answer);
}

/* The other process. from: where the program says how far it is. */
static int other(pid_t pid, int from) {
  char phase;
  double best = 1;
  map(pid);
  CHECK_EQ(read(from, &phase, 1), 1);
  uint32_t n = look(PROCESSORS);
  for (int turn = 0; turn < CHECK_TIMES(60); turn++) {
    ask(1 + (uint32_t)turn % (n - 1), 1 + (uint32_t)turn % (n - 1));
    check_sleep_ms(turn % 5);
    double start = check_seconds();
    ask(turn % 2 ? 0 : n + 7, n);
    best = check_seconds() - start < best ? check_seconds() - start : best;
  }
  CHECK(best < 0.03); /* they are woken */
  ask(1, 1);
  return 0;
}

static void with_file(void) {
  int to[2], status;
  pid_t me = getpid();
  CHECK_EQ(pipe(to), 0);
  pid_t pid = fork();
  if (pid == 0)
    _exit(other(me, to[0]));
  int n = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  CHECK_EQ(nth_init(n), 0);
  CHECK_EQ(write(to[1], "x", 1), 1);
  pid_t ended;
  for (int turn = 0; (ended = waitpid(pid, &status, WNOHANG)) == 0; turn++) {
    rounds_run(40, n); /* busy */
    if (turn % 8 == 0)
      check_sleep_ms(20); /* idle, and asleep */
  }
  CHECK(ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK_EQ(nth_requested(), 1);
  CHECK_EQ(rounds_run(20, 1), 0);
  CHECK_EQ(nth_exit(), 0);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "file") == 0) {
    with_file();
  } else {
    CHECK_EQ(nth_init(2), 0);
    rounds_run(20, 2);
    CHECK_EQ(nth_exit(), 0);
  }
  puts("good");
  return 0;
}
