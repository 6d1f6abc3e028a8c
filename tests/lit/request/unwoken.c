/* unwoken.c - a requester that writes into the file and wakes nobody, while members are busy */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the request is obeyed and answered by busy members, and that they are given back.
// nanogomp-only: libgomp takes no requests
// REQUIRES: cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: rm -rf %t.share && mkdir %t.share
// RUN: env NTH_SHARE=%t.share %omp_run %t
// RUN: env NTH_SHARE=%t.share NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_SHARE=%t.share NTH_MEMBERS=nano %omp_run %t
#include "Inputs/inside.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ASKED = 128, RUNNING = 256, BYTES = 384 }; /* docs/nth.md */

static char *page;
static uint32_t *word(int at) { return (uint32_t *)(page + at); }

static void map(void) {
  char name[4096];
  snprintf(name, sizeof name, "%s/nth-share.%d", getenv("NTH_SHARE"), (int)getpid());
  int file = open(name, O_RDWR);
  CHECK(file >= 0);
  page = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(page != MAP_FAILED);
  close(file);
}

static void ask(uint32_t n) { __atomic_store_n(word(ASKED), n, __ATOMIC_RELEASE); }

static void *requester(void *unused) {
  inside_await_more(1);
  for (int turn = 0; turn < 3; turn++) {
    ask(1);
    CHECK_WAIT_UNTIL(__atomic_load_n(word(RUNNING), __ATOMIC_ACQUIRE) == 1);
    ask(0);
    CHECK_WAIT_UNTIL(__atomic_load_n(word(RUNNING), __ATOMIC_ACQUIRE) > 1);
    inside_await_more(1);
  }
  __atomic_store_n(&inside_over, 1, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  pthread_t thread;
  int members = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  map();
  CHECK_EQ(pthread_create(&thread, NULL, requester, NULL), 0);
  while (!inside_ends())
#pragma omp parallel for schedule(dynamic) num_threads(members)
    for (int i = 0; i < 100; i++)
      inside_work(20000);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  return 0;
}
