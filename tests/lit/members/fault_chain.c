/* fault_chain.c - a crash handler that calls the handler before it, which is the runtime's */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the default action follows: for a fault, for a signal that is sent, where the handler
// is not blocked meanwhile, for SIGBUS that goes to the action of SIGSEGV, where several members
// fault at once, and where the handler repairs other faults itself. A handler that is called again
// and again ends the program with status 9.
// REQUIRES: members-nano
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t
// RUN: %nano --status SIGSEGV %t fault
// RUN: %nano --status SIGSEGV %t sent
// RUN: %nano --status SIGSEGV %t open
// RUN: %nano --status SIGSEGV %t open-sent
// RUN: %nano --status SIGBUS %t bus
// RUN: %nano --status SIGSEGV %t together
// RUN: %nano --status SIGSEGV %t repaired
// RUN: %os --status SIGSEGV %t repaired
// RUN: env OMP_NUM_THREADS=8 %omp_run --status SIGSEGV %t fault
#include "check.h"
#include <signal.h>
#include <sys/mman.h>

enum { MEMBERS = 8, PAGES = 64, MOST = 1000 };

static struct sigaction before; /* of SIGSEGV */
static long calls, repairs;
static char *pages; /* one that faults for each member and round */
static size_t page;
static volatile int *volatile nothing;

static bool repair(char *at) {
  if (!pages || at < pages || at >= pages + PAGES * page)
    return false;
  at -= (size_t)(at - pages) % page;
  __atomic_add_fetch(&repairs, 1, __ATOMIC_RELAXED);
  return mprotect(at, page, PROT_READ | PROT_WRITE) == 0;
}

static void on_fault(int number, siginfo_t *info, void *context) {
  if (info->si_code > 0 && repair(info->si_addr))
    return;
  if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) > MOST)
    _exit(9);
  if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(number, info, context);
  } else {
    signal(number, SIG_DFL);
    if (info->si_code <= 0)
      raise(number);
  }
}

static void set_handlers(int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | flags;
  CHECK_EQ(sigaction(SIGSEGV, &action, &before), 0);
  CHECK_EQ(sigaction(SIGBUS, &action, NULL), 0);
}

/* A page of a file that has none. */
static volatile int *beyond_file(void) {
  FILE *file = tmpfile();
  CHECK(file);
  void *at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
  CHECK(at != MAP_FAILED);
  return at;
}

static void repaired(int me) {
  for (int i = 0; i < PAGES / MEMBERS; i++) {
    pages[(size_t)(i * MEMBERS + me) * page] = 1;
#pragma omp barrier
  }
  CHECK_EQ(repairs, PAGES);
#pragma omp barrier
  if (me == 3)
    *nothing = 1;
#pragma omp barrier
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  const char *how = argv[1];
  page = (size_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < 100; i++) {
#pragma omp parallel num_threads(MEMBERS)
    {
#pragma omp barrier
    }
  }
  set_handlers(strncmp(how, "open", 4) ? 0 : SA_NODEFER);
  if (!strcmp(how, "sent") || !strcmp(how, "open-sent"))
    raise(SIGSEGV);
  if (!strcmp(how, "bus"))
    *beyond_file() = 1;
  if (!strcmp(how, "repaired")) {
    pages = mmap(NULL, PAGES * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
  }
#pragma omp parallel num_threads(MEMBERS)
  {
    if (pages) {
      repaired(omp_get_thread_num());
    } else if (!strcmp(how, "together")) {
#pragma omp barrier
      *nothing = 1;
    }
  }
  *nothing = 1;
  return 0;
}
