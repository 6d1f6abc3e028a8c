/* heap.c - the runtime's own memory: places, sizes, zeroing, reuse, own mappings, fork, threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "runtime/base/config.h"
#include "runtime/mem/heap.h"
#include "runtime/mem/huge.h"

static bool is_zero(const char *p, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (p[i] != 0)
      return false;
  return true;
}

/* A process with few objects maps nothing: they lie in the library's data. Runs first. */
static void in_data(void) {
  for (size_t sum = 0; sum < NTH_HEAP_FIRST / 2; sum += 2048)
    unit_check(nth_heap_take(1000 + sum % 1000));
  unit_check(nth_heap_maps() == 0);
  for (size_t sum = 0; sum < NTH_HEAP_FIRST; sum += 4096) {
    char *p = nth_heap_alloc(4000);
    unit_check(p && is_zero(p, 4000));
  }
  unit_check(nth_heap_maps() == 1);
}

/* What is seldom touched of such an object has a whole page, wherever the blocks before it end. */
static void partly(void) {
  enum { USED = 1000, SIZE = 7000 };
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (page + USED + 2 * NTH_APART > SIZE)
    return;
  for (size_t i = 0; i < 100; i++) {
    uintptr_t p = (uintptr_t)nth_heap_alloc_partly(SIZE, USED);
    unit_check(p % NTH_APART == 0 && is_zero((char *)p, SIZE));
    unit_check((p + USED + page - 1) / page * page + page <= p + SIZE - NTH_APART);
    unit_check(nth_heap_take(i * 128));
  }
}

/* Of every size one, all at once: zero, aligned, apart; again after they were freed. */
static void sizes(void) {
  enum { COUNT = 400 };
  static char *p[COUNT];
  static size_t size[COUNT];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < COUNT; i++) {
      size[i] = i < 300 ? (size_t)i * 37 : (size_t)(i - 299) * 6151;
      p[i] = nth_heap_alloc(size[i]);
      unit_check(p[i] && (uintptr_t)p[i] % NTH_APART == 0 && is_zero(p[i], size[i]));
      memset(p[i], 1 + i % 100, size[i]);
    }
    for (int i = 0; i < COUNT; i++) {
      unit_check(size[i] == 0 || (p[i][0] == 1 + i % 100 && p[i][size[i] - 1] == 1 + i % 100));
      nth_heap_free(p[i]);
    }
  }
}

/* What was freed last comes back for the same size, with what was in it; nothing new is mapped. */
static void reuse(void) {
  static const size_t all[] = {1,    100,   112,    113,    5000,
                               9000, 65536, 131072, 200000, NTH_HEAP_KEPT - 128};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    char *p = nth_heap_take(all[i]);
    unit_check(p);
    memset(p, 77, all[i]);
    nth_heap_free(p);
    uint32_t maps = nth_heap_maps();
    char *again = nth_heap_take(all[i]);
    unit_check(again == p && nth_heap_maps() == maps);
    unit_check(again[0] == 77 && again[all[i] - 1] == 77);
    nth_heap_free(again);
    again = nth_heap_alloc(all[i]);
    unit_check(again == p && is_zero(again, all[i]));
    nth_heap_free(again);
  }
}

/* A table that grows a little each time uses the room of earlier ones. */
static void growing(void) {
  char *before = 0;
  uint32_t maps = nth_heap_maps();
  for (size_t size = 16; size < 1000000; size += 512) {
    char *p = nth_heap_take(size);
    unit_check(p);
    nth_heap_free(before);
    before = p;
  }
  nth_heap_free(before);
  unit_check(nth_heap_maps() - maps < 40);
}

static void large(void) {
  char *p = nth_heap_alloc(NTH_HEAP_KEPT + 1);
  unit_check(p && is_zero(p, NTH_HEAP_KEPT + 1));
  p[NTH_HEAP_KEPT] = 1;
  nth_heap_free(p);
  p = nth_heap_alloc(NTH_HEAP_KEPT + 1);
  unit_check(p && is_zero(p, NTH_HEAP_KEPT + 1));
  nth_heap_free(p);
  nth_heap_free(0);
  for (size_t less = 0; less < 300; less++)
    unit_check(!nth_heap_take(SIZE_MAX - less) && !nth_heap_alloc(SIZE_MAX - less));
  unit_check(!nth_heap_take(SIZE_MAX / 2));
}

static void copy(void) {
  char *c = nth_heap_copy("some text");
  unit_check(c && !strcmp(c, "some text"));
  nth_heap_free(c);
}

/* Pages before and behind a chunk cannot be written: a child that does it dies. */
static void writes(char *p, ptrdiff_t offset) {
  pid_t child = fork();
  int status;
  if (child == 0) {
    ((volatile char *)p)[offset] = 1;
    _exit(0);
  }
  unit_check(waitpid(child, &status, 0) == child);
  unit_check(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
}

static void guarded(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *p = nth_heap_take(NTH_HEAP_KEPT + 1); /* a mapping of its own */
  unit_check(p);
  writes(p, -(ptrdiff_t)NTH_APART - 1);
  writes(p,
         (ptrdiff_t)((NTH_HEAP_KEPT + NTH_APART + NTH_APART + page - 1) / page * page - NTH_APART));
  nth_heap_free(p);
}

/* A child frees what its parent has made, and makes its own. */
static void forked(void) {
  char *p = nth_heap_alloc(1000), *q = nth_heap_alloc(1000);
  unit_check(p && q);
  nth_heap_free(q);
  pid_t child = fork();
  int status;
  if (child == 0) {
    nth_heap_forked();
    char *mine = nth_heap_alloc(1000);
    unit_check(mine && mine != p && is_zero(mine, 1000));
    nth_heap_free(p);
    unit_check(nth_heap_take(1000) == p);
    _exit(0);
  }
  unit_check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  nth_heap_free(p);
}

static void beside(unsigned number) {
  enum { KEPT = 30, ROUNDS = 3000 };
  char *kept[KEPT] = {0};
  size_t size[KEPT];
  uint32_t seed = number + 1;
  for (int i = 0; i < ROUNDS; i++) {
    seed = seed * 1103515245u + 12345u;
    uint32_t k = seed / 65536 % KEPT;
    if (kept[k]) {
      unit_check(kept[k][0] == (char)number && kept[k][size[k] - 1] == (char)number);
      nth_heap_free(kept[k]);
    }
    size[k] = 1 + seed / 4096 % 3000;
    kept[k] = nth_heap_alloc(size[k]);
    unit_check(kept[k] && is_zero(kept[k], size[k]));
    memset(kept[k], (int)number, size[k]);
  }
  for (int k = 0; k < KEPT; k++)
    nth_heap_free(kept[k]);
}

static void threads(void) { unit_threads(4, beside); }

/* Beside threads that take and free memory, which may have the locks: a child has them free. */
static void beside_forks(unsigned number) {
  enum { FORKS = 100 };
  if (number > 0) {
    beside(number);
    return;
  }
  for (int i = 0; i < FORKS; i++) {
    pid_t child = fork();
    int status;
    if (child == 0) {
      nth_heap_forked();
      for (size_t size = 1; size < 3000; size += 64)
        nth_heap_free(nth_heap_alloc(size));
      _exit(0);
    }
    unit_check(waitpid(child, &status, 0) == child && WIFEXITED(status) &&
               WEXITSTATUS(status) == 0);
  }
}

static void forks(void) { unit_threads(4, beside_forks); }

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static size_t wanted;
static void exhausted(size_t size) {
  unit_check(size == wanted);
  _exit(42);
}

/* Whether a limit on the address space is kept: qemu's emulation of a process does not. */
static bool limited(void) {
  void *map = mmap(0, 2000000, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return map == MAP_FAILED || munmap(map, 2000000) != 0;
}

/* Without address space: NULL, small things still from what is there, and an end where nobody can
 * go on. */
static void no_room(void) {
  pid_t child = fork();
  int status;
  if (child == 0) {
    struct rlimit none = {1, 1};
    nth_heap_forked();
    char *kept = nth_heap_take(50000);
    unit_check(nth_heap_alloc(100) != 0); /* a chunk */
    setrlimit(RLIMIT_AS, &none);
    if (!limited()) {
      puts("no_room: skipped, there is no limit on the address space here");
      fflush(stdout);
      _exit(42);
    }
    unit_check(!nth_heap_alloc(2000000));
    while (nth_heap_take(100000)) {}
    while (nth_heap_take(100)) {}
    nth_heap_free(kept); /* serves something smaller */
    unit_check(nth_heap_take(200) == kept && !nth_heap_take(200));
    nth_heap_free(kept);
    unit_check(nth_heap_alloc(100) != 0);
    nth_heap_exhausted = exhausted;
    wanted = 2000000;
    if (!freopen("/dev/null", "w", stderr))
      _exit(1);
    nth_heap_need(wanted);
    _exit(1);
  }
  unit_check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 42);
}
#else
static void no_room(void) {} /* sanitizers map memory themselves */
#endif

/* Two waits that begin one after the other say one line. */
static void waits_say_once(void) {
  int ends[2], status, lines = 0;
  char byte;
  unit_check(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    uint64_t first = 0, second = 0;
    dup2(ends[1], STDERR_FILENO);
    nth_heap_wait(&first, 100);
    nth_heap_wait(&second, 100);
    _exit(0);
  }
  close(ends[1]);
  while (read(ends[0], &byte, 1) == 1)
    lines += byte == '\n';
  close(ends[0]);
  unit_check(waitpid(child, &status, 0) == child && status == 0);
  unit_check(lines == 1);
}

/* Whether smaps shows "hg" for the mapping of at: large pages were asked for. */
static bool is_huge(const void *at) {
  char line[512];
  bool here = false, huge = false;
  FILE *f = fopen("/proc/self/smaps", "r");
  unit_check(f);
  while (fgets(line, sizeof line, f)) {
    uintptr_t from, to;
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
      here = from <= (uintptr_t)at && (uintptr_t)at < to;
    else if (here && strncmp(line, "VmFlags:", 8) == 0)
      huge = strstr(line, " hg") != 0;
  }
  fclose(f);
  return huge;
}

/* Whether the kernel has large pages, and smaps tells of them: that of an emulator does not. */
static bool can_be_huge(void) {
  size_t size = 4 << 20;
  void *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unit_check(p != MAP_FAILED);
  bool can = madvise(p, size, MADV_HUGEPAGE) == 0 && is_huge(p);
  munmap(p, size);
  return can;
}

/* Large pages only where they were asked for, and only for what is as large as one. The heap gives
 * back whole mappings as they were, whatever their alignment. */
static void huge(void) {
  enum { BLOCK = 100000, COUNT = 30 };
  if (!can_be_huge())
    return;
  char *before = nth_heap_take(NTH_HEAP_KEPT + 1);
  unit_check(before && !is_huge(before));
  nth_huge_pages = true;
  uint32_t huge_blocks = 0;
  static char *block[COUNT];
  for (int i = 0; i < COUNT; i++) { /* more than is left of a chunk of the usual size */
    unit_check((block[i] = nth_heap_take(BLOCK)));
    huge_blocks += is_huge(block[i]);
  }
  unit_check(huge_blocks >= COUNT / 2);
  char *large = nth_heap_take(NTH_HEAP_KEPT + 1), *small = nth_heap_take(NTH_HEAP_OWN + 1);
  unit_check(large && small && is_huge(large) && !is_huge(small));
  memset(large, 1, NTH_HEAP_KEPT + 1);
  nth_heap_free(large);
  nth_heap_free(small);
  nth_heap_free(before);
  for (int i = 0; i < COUNT; i++)
    nth_heap_free(block[i]);
  nth_huge_pages = false;
}

int main(void) {
  unit_run(in_data);
  unit_run(partly);
  unit_run(sizes);
  unit_run(reuse);
  unit_run(growing);
  unit_run(large);
  unit_run(copy);
  unit_run(guarded);
  unit_run(forked);
  unit_run(threads);
  unit_run(huge);
  unit_run(no_room);
  unit_run(waits_say_once);
  unit_run(forks);
  return 0;
}
