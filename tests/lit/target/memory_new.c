/* memory_new.c - device memory routines of later libraries, called by name */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks omp_get_mapped_ptr, is_accessible, memset, the asynchronous copies with depend objects
// (after the tasks they depend on; a destroyed object is refused), device UIDs, omp_initial_device,
// and overlapping and wrong blocks. nanogomp-only: libgomp 12 has none of these.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t -ldl
// RUN: %omp_run %t
#include "check.h"
#include <dlfcn.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

typedef const size_t *sizes;
static void *(*mapped)(const void *, int);
static int (*accessible)(const void *, size_t, int);
static void *(*set)(void *, int, size_t, int);
static void *(*set_async)(void *, int, size_t, int, int, omp_depend_t *);
static int (*copy_async)(void *, const void *, size_t, size_t, size_t, int, int, int,
                         omp_depend_t *);
static int (*rect_async)(void *, const void *, size_t, int, sizes, sizes, sizes, sizes, sizes, int,
                         int, int, omp_depend_t *);
static const char *(*uid_of)(int);
static int (*of_uid)(const char *);

static void *find(const char *name) {
  void *f = dlsym(RTLD_DEFAULT, name);
  if (!f)
    check_fail(__FILE__, __LINE__, name);
  return f;
}
#define FIND(pointer, name) (*(void **)&(pointer) = find(name))

static void plain(void) {
  char text[8] = "abcdefg";
  int hosts[] = {0, -1};
  for (int i = 0; i < 2; i++) {
    CHECK(mapped(text, hosts[i]) == text && mapped(NULL, hosts[i]) == NULL);
    CHECK_EQ(accessible(text, 8, hosts[i]), 1);
    CHECK(set(text + 1, 'x', 2, hosts[i]) == text + 1);
    CHECK_STREQ(text, "axxdefg");
    CHECK_STREQ(uid_of(hosts[i]), "OMP_INITIAL_DEVICE");
    void *p = omp_target_alloc(5, hosts[i]);
    CHECK(p != NULL);
    omp_target_free(p, hosts[i]);
  }
  CHECK(mapped(text, 7) == NULL);
  CHECK_EQ(accessible(text, 8, 7), 0);
  CHECK_EQ(omp_target_is_present(text, 7), 0);
  CHECK(uid_of(1) == NULL && uid_of(-4) == NULL);
  CHECK_EQ(of_uid("OMP_INITIAL_DEVICE"), -1);
  CHECK_EQ(of_uid("none"), -4);
  CHECK_EQ(of_uid(NULL), -4);
}

/* The Fortran names: a string's length comes last, blanks at its end do not count. */
static void fortran(void) {
  void (*uid)(const char **, size_t *, int32_t);
  void (*uid_8)(const char **, size_t *, int64_t);
  int32_t (*device)(const char *, size_t);
  const char *text;
  size_t length;
  FIND(uid, "omp_get_uid_from_device_");
  FIND(uid_8, "omp_get_uid_from_device_8_");
  FIND(device, "omp_get_device_from_uid_");
  uid(&text, &length, -1);
  CHECK_STREQ(text, "OMP_INITIAL_DEVICE");
  CHECK_EQ(length, strlen(text));
  uid_8(&text, &length, 3);
  CHECK(text == NULL && length == 0);
  CHECK_EQ(device("OMP_INITIAL_DEVICE, and more", 18), -1);
  CHECK_EQ(device("OMP_INITIAL_DEVICE                                                     ", 70),
           -1);
  CHECK_EQ(device("OMP_INITIAL_DEVICE", 17), -4);
  CHECK_EQ(device("", 0), -4);
}

/* A depend object that was destroyed ends the program, as with a task. */
static void refuses(omp_depend_t *destroyed) {
  int status, from = 1, to = 0;
  pid_t child = fork();
  if (child == 0) {
    fclose(stderr);
    copy_async(&to, &from, sizeof to, 0, 0, 0, 0, 1, destroyed);
    _exit(0);
  }
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) != 0);
}

static void async(void) {
  int a[16] = {0}, b[16] = {0}, c[16] = {0};
  size_t volume[2] = {2, 2}, offset[2] = {1, 1}, length[2] = {4, 4};
  omp_depend_t in_a, inout_b;
#pragma omp depobj(in_a) depend(in : a)
#pragma omp depobj(inout_b) depend(inout : b)
  for (int i = 1; i < CHECK_TIMES(100); i++) {
#pragma omp task shared(a) depend(out : a)
    {
      check_busy(500);
      for (int k = 0; k < 16; k++)
        a[k] = i;
    }
    omp_depend_t both[2] = {in_a, inout_b};
    CHECK_EQ(copy_async(b, a, sizeof a, 0, 0, 0, 0, 2, both), 0);
#pragma omp task shared(b, c) depend(in : b)
    c[0] = b[15];
    CHECK(set_async(b, 0, sizeof b, 0, 1, &inout_b) == b);
    CHECK_EQ(rect_async(b, a, 4, 2, volume, offset, offset, length, length, 0, 0, 2, both), 0);
#pragma omp taskwait
    CHECK_EQ(c[0], i);
    for (int k = 0; k < 16; k++)
      CHECK_EQ(b[k], k == 5 || k == 6 || k == 9 || k == 10 ? i : 0);
  }
  CHECK_EQ(copy_async(b, a, 4, 0, 0, 0, 0, 0, NULL), 0);
  CHECK(copy_async(b, a, 4, 0, 0, 9, 0, 0, NULL) != 0);
  CHECK_EQ(rect_async(NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL), INT_MAX);
#pragma omp depobj(in_a) destroy
#pragma omp depobj(inout_b) destroy
  refuses(&in_a);
}

/* Blocks of one array that overlap, and what cannot be copied. */
static void odd_blocks(void) {
  char a[8][8], wanted[8][8];
  size_t volume[2] = {5, 5}, from[2] = {1, 1}, to[2] = {2, 2}, length[2] = {8, 8};
  for (int back = 0; back < 2; back++) {
    for (int i = 0; i < 64; i++)
      a[i / 8][i % 8] = wanted[i / 8][i % 8] = (char)i;
    sizes t = back ? from : to, f = back ? to : from;
    for (size_t i = 0; i < 25; i++)
      wanted[t[0] + i / 5][t[1] + i % 5] = a[f[0] + i / 5][f[1] + i % 5];
    CHECK_EQ(omp_target_memcpy_rect(a, a, 1, 2, volume, t, f, length, length, 0, 0), 0);
    CHECK(memcmp(a, wanted, sizeof a) == 0);
  }
  size_t many[12], none[12] = {0};
  for (int d = 0; d < 12; d++)
    many[d] = 1 + (d % 6 == 0);
  char small[4] = "abc", other[4] = "xyz";
  CHECK_EQ(omp_target_memcpy_rect(other, small, 1, 12, many, none, none, many, many, 0, 0), 0);
  CHECK_STREQ(other, "abc");
  size_t huge[2] = {2, SIZE_MAX / 2};
  CHECK(omp_target_memcpy_rect(a, small, 4, 2, many, none, none, huge, huge, 0, 0) != 0);
  CHECK(omp_target_memcpy_rect(a, small, 1, 0, many, none, none, many, many, 0, 0) != 0);
  CHECK(omp_target_memcpy_rect(a, small, 1, -1, many, none, none, many, many, 0, 0) != 0);
  CHECK(omp_target_memcpy_rect(NULL, small, 1, 1, many, none, none, many, many, 0, 0) != 0);
  CHECK(omp_target_memcpy(NULL, small, 1, 0, 0, 0, 0) != 0);
  CHECK_EQ(omp_target_memcpy_rect(a, small, 4, 2, none, none, none, many, many, 0, 0), 0);
}

int main(void) {
  FIND(mapped, "omp_get_mapped_ptr");
  FIND(accessible, "omp_target_is_accessible");
  FIND(set, "omp_target_memset");
  FIND(set_async, "omp_target_memset_async");
  FIND(copy_async, "omp_target_memcpy_async");
  FIND(rect_async, "omp_target_memcpy_rect_async");
  FIND(uid_of, "omp_get_uid_from_device");
  FIND(of_uid, "omp_get_device_from_uid");
  plain();
  odd_blocks();
  fortran();
  async();
#pragma omp parallel
  async();
  return 0;
}
