/* direct.c - OpenACC: the GOACC_ entries called as compilers of any version do */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that regions get the host's array as it is, with every launch argument, that data entries
// take any kinds, and which events GOACC_enter_exit_data and GOACC_declare mean.
// REQUIRES: base
// RUN: %acc_test
#include <acc_prof.h>
#include <dlfcn.h>
#include <stddef.h>

#include "check.h"

typedef unsigned short kind;
void GOACC_parallel_keyed(int, void (*)(void *), size_t, void **, size_t *, kind *, ...);
void GOACC_parallel(int, void (*)(void *), size_t, void **, size_t *, kind *, int, int, int, int,
                    int, ...);
void GOACC_data_start(int, size_t, void **, size_t *, kind *);
void GOACC_data_end(void);
void GOACC_declare(int, size_t, void **, size_t *, kind *);
void GOACC_enter_data(int, size_t, void **, size_t *, kind *, int, int, ...);
void GOACC_exit_data(int, size_t, void **, size_t *, kind *, int, int, ...);
void GOACC_enter_exit_data(int, size_t, void **, size_t *, kind *, int, int, ...);
void GOACC_update(int, size_t, void **, size_t *, kind *, int, int, ...);
void GOACC_wait(int, int, ...);
int GOACC_get_num_threads(void);
int GOACC_get_thread_num(void);

static int x = 3, calls;
static void *hosts[2] = {&x, (void *)7};
static size_t sizes[2] = {4, 8};
static kind kinds[2] = {0x020c, 0x030d}; /* firstprivate, firstprivate_int */

static void region(void *data) {
  void **got = data;
  CHECK(got == hosts && got[0] == &x && got[1] == (void *)7);
  CHECK_EQ(GOACC_get_thread_num(), 0);
  CHECK_EQ(GOACC_get_num_threads(), 1);
  calls++;
}

static void launches(void) {
  int flags[] = {-1, -2, -3, -4}; /* none, host fallback, local device, both */
  for (int i = 0; i < 4; i++) {
    GOACC_parallel_keyed(flags[i], region, 2, hosts, sizes, kinds, 0);
    GOACC_parallel_keyed(flags[i], region, 2, hosts, sizes, kinds, 1 << 28 | 5, 4, 32,
                         2 << 28 | 0xffff, 3, 3 << 28 | 2, 1, 2, 0);
    GOACC_parallel(flags[i], region, 2, hosts, sizes, kinds, 1, 1, 1, -2, 0);
    GOACC_parallel(flags[i], region, 2, hosts, sizes, kinds, 1, 1, 1, 3, 2, 7, 8);
  }
  CHECK_EQ(calls, 16);
}

static int starts[2]; /* of enter data, of exit data */

static void count(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
  (void)event, (void)api;
  starts[prof->event_type == acc_ev_exit_data_start]++;
}

/* What the call did: 'e' enter, 'x' exit, '-' neither. */
static char outcome(void) {
  char c = starts[0] ? 'e' : starts[1] ? 'x' : '-';
  CHECK(starts[0] + starts[1] <= 1);
  starts[0] = starts[1] = 0;
  return c;
}

static void directions(void) {
  static const struct {
    kind kind;
    char enter_exit, declare; /* ' ': not called */
  } cases[] = {{0x00, 'e', '-'}, {0x01, 'e', 'e'}, {0x02, 'x', 'x'}, {0x04, 'x', '-'},
               {0x05, 'x', '-'}, {0x06, 'e', '-'}, {0x07, 'x', 'x'}, {0x08, ' ', '-'},
               {0x17, 'x', 'x'}, {0x1c, 'x', ' '}, {0x50, 'e', ' '}, {0x51, 'x', ' '},
               {0x80, 'e', 'e'}, {0x81, 'e', 'e'}, {0x82, 'x', 'x'}, {0xd1, 'x', ' '}};
  acc_prof_register(acc_ev_enter_data_start, count, acc_reg);
  acc_prof_register(acc_ev_exit_data_start, count, acc_reg);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    kind k[2] = {(kind)(cases[i].kind | 0x200), 0x304};
    if (cases[i].enter_exit != ' ') {
      GOACC_enter_exit_data(-1, 2, hosts, sizes, k, -2, 0);
      CHECK_EQ(outcome(), cases[i].enter_exit);
    }
    if (cases[i].declare != ' ') {
      GOACC_declare(-1, 1, hosts, sizes, k);
      CHECK_EQ(outcome(), cases[i].declare);
    }
  }
  kind pointer_first[2] = {0x304, 0x201};
  GOACC_enter_exit_data(-1, 2, hosts, sizes, pointer_first, -2, 0);
  CHECK_EQ(outcome(), 'e');
  acc_prof_unregister(acc_ev_enter_data_start, count, acc_reg);
  acc_prof_unregister(acc_ev_exit_data_start, count, acc_reg);
}

/* Functions that the library of gcc 12 has no C or generic Fortran name for. */
static void *find(const char *name) { return dlsym(RTLD_DEFAULT, name); }

static void later_names(void) {
  void (*delete32)(void *, const int32_t *, const int32_t *) =
      find("acc_delete_finalize_async_32_h_");
  void (*copyout64)(void *, const int64_t *, const int32_t *) =
      find("acc_copyout_finalize_async_64_h_");
  void (*copy)(void *, void *, size_t) = find("acc_memcpy_device");
  void (*copy_async)(void *, void *, size_t, int) = find("acc_memcpy_device_async");
  int32_t small = 4, queue = 1;
  int64_t large = 4;
  int values[3] = {1, 2, 3};
  if (delete32)
    delete32(&x, &small, &queue);
  if (copyout64)
    copyout64(&x, &large, &queue);
  if (copy)
    copy(values, values + 1, 8);
  if (copy_async)
    copy_async(values + 2, values, 4, 1);
  CHECK(!copy || (values[0] == 2 && values[1] == 3));
  CHECK(!copy_async || values[2] == values[0]);
}

int main(void) {
  acc_init(acc_device_host);
  launches();
  later_names();
  directions();
  kind to[2] = {0x201, 0x301};
  GOACC_data_start(-1, 0, 0, 0, 0);
  GOACC_data_start(-2, 2, hosts, sizes, to);
  GOACC_update(-1, 2, hosts, sizes, to, 1, 2, 3, 4);
  GOACC_enter_data(-1, 2, hosts, sizes, to, -1, 1, -1);
  GOACC_exit_data(-1, 2, hosts, sizes, to, -2, 0);
  GOACC_data_end();
  GOACC_data_end();
  GOACC_wait(-2, 0);
  GOACC_wait(-1, 2, 1, -2);
  CHECK_EQ(x, 3);
  return 0;
}
