/* near_pages.c - a bound member takes its own objects to its memory node, and not again and again
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
// Checks that each bound member moves pages to the node of its own CPU, in its first region only;
// that a program whose teams are bound in two ways by turns stops moving pages; that programs which
// bind nothing, or have one node, move none. Nodes are this file's invention: CPU i has node i mod
// 2. For a machine of several nodes (tools/on-nodes): with "real" the system answers, and the pages
// must lie where their members are; with "refused" it moves none, and some must lie elsewhere.
// nanogomp-only: libgomp leaves its memory where the master wrote it.
// REQUIRES: nanogomp
// RUN: %omp_build %s -rdynamic -o %t
// RUN: env OMP_PLACES='{0},{1}' %omp_run %t bound
// RUN: env OMP_PLACES='{0},{1}' NTH_MEMBERS=nano %omp_run %t bound
// RUN: env OMP_PLACES='{0},{1}' %omp_run %t turns
// RUN: env OMP_PROC_BIND=false %omp_run %t free
// RUN: env OMP_PLACES='{0},{1}' %omp_run %t one
#include "syscalls.h"

#include "check.h"
#include <string.h>

enum { MEMBERS = 2, REGIONS = 50, PAGES = 256, MOST_MOVES = 4 };

static const char *way = "bound";
static int calls[MEMBERS]; /* of move_pages, by node */
static struct {
  void *page;
  int node;
} moved[PAGES];
static int pages;

static bool is(const char *name) { return !strcmp(way, name); }
static bool real(void) { return is("real") || is("refused"); }

static void note(unsigned long count, void **page, const int *node) {
  CHECK(count >= 1 && node[0] >= 0 && node[0] < MEMBERS);
  __atomic_add_fetch(&calls[node[0]], 1, __ATOMIC_RELAXED);
  for (unsigned long i = 0; i < count; i++) {
    CHECK((unsigned long)page[i] % (unsigned long)getpagesize() == 0 && node[i] == node[0]);
    int n = __atomic_fetch_add(&pages, 1, __ATOMIC_RELAXED);
    if (n < PAGES) {
      moved[n].page = page[i];
      moved[n].node = node[0];
    }
  }
}

static long syscalls_take(long number, const long a[SYSCALLS_ARGS]) {
  if (number == SYS_move_pages && a[3]) {
    note((unsigned long)a[1], (void **)a[2], (const int *)a[3]);
    if (!is("real"))
      return 0;
  }
  if (!real() && number == SYS_get_mempolicy) {
    *(unsigned long *)a[1] = is("one") ? 1 : 3;
    return 0;
  }
  long result = syscalls_pass(number, a);
  if (!real() && number == SYS_getcpu && a[1])
    *(unsigned *)a[1] = *(unsigned *)a[0] % MEMBERS;
  return result;
}

static int all_calls(void) {
  int sum = 0;
  for (int i = 0; i < MEMBERS; i++)
    sum += calls[i];
  return sum;
}

static void regions(void) {
  for (int i = 0; i < REGIONS; i++) {
    int sum = 0;
#pragma omp parallel num_threads(MEMBERS) reduction(+ : sum)
    sum += omp_get_thread_num();
    CHECK_EQ(sum, MEMBERS * (MEMBERS - 1) / 2);
  }
}

static void in_turn(void) {
  for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(MEMBERS) proc_bind(spread)
    CHECK(omp_get_num_threads() == MEMBERS);
#pragma omp parallel num_threads(MEMBERS) proc_bind(primary)
    CHECK(omp_get_num_threads() == MEMBERS);
  }
}

/* Where the pages lie, which the system tells. */
static void look(void) {
  int others = 0, told = 0;
  for (int i = 0; i < pages && i < PAGES; i++) {
    int status = -1;
    if (syscall(SYS_move_pages, 0L, 1L, &moved[i].page, NULL, &status, 0L) == 0 && status >= 0) {
      told++;
      others += status != moved[i].node;
    }
  }
  printf("%d pages, %d elsewhere\n", told, others);
  CHECK(told >= 2 * MEMBERS && (others == 0) == is("real"));
}

int main(int argc, char **argv) {
  way = argc > 1 ? argv[1] : way;
  if (omp_get_num_procs() < MEMBERS && !real())
    return 0;
  if (is("turns"))
    in_turn();
  else
    regions();
  int once = all_calls();
  printf("%s: %d calls, %d pages\n", way, once, pages);
  if (is("free") || is("one")) {
    CHECK_EQ(once, 0);
    return 0;
  }
  for (int i = 0; i < MEMBERS; i++)
    CHECK(calls[i] > 0);
  CHECK(once <= 3 * MOST_MOVES * MEMBERS);
  if (is("turns"))
    in_turn();
  else
    regions();
  CHECK_EQ(all_calls(), once);
  if (real())
    look();
  return 0;
}
