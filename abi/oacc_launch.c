/* oacc_launch.c - OpenACC's constructs, as the compiler calls them, on the host device
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenACC 2.6, section 2. The device is the host. A compute construct calls the host's version of
 * the region with the host addresses, in one gang of one worker. Data clauses have nothing to move.
 * What is launched on a queue has ended when the call returns. So of the arguments after `kinds`
 * only async is used, for profiling tools.
 *
 *   flags    bit 0 of ~flags: if(false), bit 1: self; the region runs on the host in any case
 *   data     arrays of `count` items: host addresses, sizes in bytes, kinds (acc/map_kind.h)
 *   waits    num_waits queues follow in the variable part
 *   async    queue number, acc_async_noval or acc_async_sync
 *
 * GOACC_parallel_keyed   parallel, kernels and serial: calls fn(hosts). The variable part: words
 *                        for dimensions, async and wait, ended by 0. 2.5.1 to 2.5.3
 * GOACC_parallel         as GOACC_parallel_keyed, for programs of gcc 5
 * GOACC_get_num_threads  number of threads of a region, and the caller's number among them, for
 * GOACC_get_thread_num   programs of gcc 5: 1 and 0
 * GOACC_data_start       data and host_data, and their end. 2.6.5, 2.8
 * GOACC_data_end
 * GOACC_enter_data       enter data. 2.6.6
 * GOACC_exit_data        exit data. 2.6.6
 * GOACC_enter_exit_data  enter data or exit data, for programs of gcc up to 11
 * GOACC_declare          the beginning and end of the scope of a declare directive's data. 2.13
 * GOACC_update           update. 2.14.4
 * GOACC_wait             wait. 2.16.3
 *
 * Each entry but GOACC_get_* gives the calling thread the device. The program ends with status 1 if
 * ACC_DEVICE_TYPE or ACC_DEVICE_NUM is not the host's, and if a wait has a queue number below
 * acc_async_sync.
 */
#include <stdarg.h>

#include "abi_protos.h"

#include "abi/oacc_check.h"
#include "runtime/acc/event.h"
#include "runtime/acc/map_kind.h"

/* GOMP_DEBUG: prints one line for each call of an entry. */
static void show(const char *entry, size_t count, void **hosts, size_t *sizes,
                 unsigned short *kinds) {
  char line[160];
  if (nth_likely(nth_env.debug == 0))
    return;
  snprintf(line, sizeof line, "%s: %zu items, hosts %p, sizes %p, kinds %p\n", entry, count,
           (void *)hosts, (void *)sizes, (void *)kinds);
  nth_msg_raw(line);
}

/* --- compute constructs: sections 2.5.1 to 2.5.3 --- */

void GOACC_parallel_keyed(int flags, void (*fn)(void *), size_t count, void **hosts, size_t *sizes,
                          unsigned short *kinds, ...) {
  uint32_t fallback = ~(unsigned)flags & 1;
  show(__func__, count, hosts, sizes, kinds);
  struct nth_acc_event e;
  nth_oacc_need_device();
  nth_acc_event_start(&e,
                      &(struct nth_acc_what){acc_ev_compute_construct_start, acc_construct_parallel,
                                             0, acc_device_host, acc_async_sync});
  if (nth_unlikely(fallback))
    nth_add_rlx(&nth_acc_fallbacks_open, 1);
  fn(hosts);
  if (nth_unlikely(fallback))
    nth_sub_rlx(&nth_acc_fallbacks_open, 1);
  nth_acc_event_end(&e);
}

/* For programs of gcc 5; no events. */
void GOACC_parallel(int flags, void (*fn)(void *), size_t count, void **hosts, size_t *sizes,
                    unsigned short *kinds, int num_gangs, int num_workers, int vector_length,
                    int async, int num_waits, ...) {
  (void)flags, (void)num_gangs, (void)num_workers, (void)vector_length, (void)async;
  (void)num_waits;
  show(__func__, count, hosts, sizes, kinds);
  nth_oacc_need_device();
  fn(hosts);
}

/* Programs of gcc 5 ask for the number of threads in a region: one gang of one worker. */
int GOACC_get_num_threads(void) { return 1; }

int GOACC_get_thread_num(void) { return 0; }

/* --- data constructs and directives: sections 2.6.5, 2.6.6, 2.8, 2.13, 2.14.4 --- */

/* Reports the pair of events of a directive that moves nothing. */
static void tell(int event, int construct, int async) {
  struct nth_acc_event e;
  nth_oacc_need_device();
  nth_acc_event_start(&e, &(struct nth_acc_what){event, construct, 0, acc_device_host, async});
  nth_acc_event_end(&e);
}

void GOACC_data_start(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds) {
  (void)flags;
  show(__func__, count, hosts, sizes, kinds);
  tell(acc_ev_enter_data_start,
       nth_acc_is_host_data(kinds, count) ? acc_construct_host_data : acc_construct_data,
       acc_async_sync);
  nth_add_rlx(&nth_acc_data_open, 1);
}

void GOACC_data_end(void) {
  nth_sub_rlx(&nth_acc_data_open, 1);
  tell(acc_ev_exit_data_start, acc_construct_data, acc_async_sync);
}

void GOACC_enter_data(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds,
                      int async, int num_waits, ...) {
  (void)flags, (void)num_waits;
  show(__func__, count, hosts, sizes, kinds);
  tell(acc_ev_enter_data_start, acc_construct_enter_data, async);
}

void GOACC_exit_data(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds,
                     int async, int num_waits, ...) {
  (void)flags, (void)num_waits;
  show(__func__, count, hosts, sizes, kinds);
  tell(acc_ev_exit_data_start, acc_construct_exit_data, async);
}

/* For programs of gcc up to 11: the kinds say whether it is enter or exit data. */
void GOACC_enter_exit_data(int flags, size_t count, void **hosts, size_t *sizes,
                           unsigned short *kinds, int async, int num_waits, ...) {
  if (nth_acc_list_direction(kinds, count) == NTH_ACC_ENTER)
    GOACC_enter_data(flags, count, hosts, sizes, kinds, async, num_waits);
  else
    GOACC_exit_data(flags, count, hosts, sizes, kinds, async, num_waits);
}

/* Beginning and end of the scope of declared variables. Variables that are only allocated exist
 * already. */
void GOACC_declare(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds) {
  show(__func__, count, hosts, sizes, kinds);
  nth_oacc_need_device();
  for (size_t i = 0; i < count; i++)
    if (nth_acc_is_declare_data(kinds[i]))
      GOACC_enter_exit_data(flags, 1, &hosts[i], &sizes[i], &kinds[i], acc_async_sync, 0);
}

void GOACC_update(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds,
                  int async, int num_waits, ...) {
  (void)flags, (void)num_waits;
  show(__func__, count, hosts, sizes, kinds);
  tell(acc_ev_update_start, acc_construct_update, async);
}

/* --- wait directive: section 2.16.3 --- */

/* Waits for the named queues, or for all if none is named. With async, that queue waits instead. */
void GOACC_wait(int async, int num_waits, ...) {
  va_list waits;
  nth_oacc_need_device();
  va_start(waits, num_waits);
  for (int i = 0; i < num_waits; i++)
    nth_oacc_check_async(va_arg(waits, int));
  va_end(waits);
  if (num_waits <= 0)
    nth_oacc_check_async(async);
}
