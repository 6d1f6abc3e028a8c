/* target.c - target constructs: the host runs them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, chapter 13. Mapped objects are the program's own: data, update, enter and exit have
 * nothing to copy, and use_device_ptr keeps the addresses that it is given. These constructs only
 * check the device number and wait for dependences.
 *
 * GOMP_target_ext              target: runs fn(hostaddrs) on the host, as an initial thread would.
 *                              13.8
 * GOMP_target                  target of gcc 4.9: no clause but device, if and map
 * GOMP_target_data_ext         target data, and its end. 13.5
 * GOMP_target_end_data
 * GOMP_target_data             target data of gcc 4.9
 * GOMP_target_update_ext       target update. 13.9
 * GOMP_target_update           target update of gcc 4.9
 * GOMP_target_enter_exit_data  target enter data; target exit data with bit 1 of flags. 13.6, 13.7
 *
 *   device     number of the device clause; -1: no clause, default-device-var counts; -2: the
 *              host, as with if(false); -5: omp_default_device
 *   mapnum     items in hostaddrs (addresses), sizes (bytes) and kinds (low 8 bits: kind of map;
 *              high 8: binary logarithm of the alignment; bytes in gcc 4.9's entries)
 *   flags      bit 0: nowait
 *   depend     dependences (omp/tasks/depend.h), or NULL. Without nowait the construct waits for
 *              them; with nowait it becomes a task that depends on them
 *   args       of GOMP_target_ext: see below, or NULL
 *
 * Errors: omp_invalid_device and an omp_depend_t of an unknown kind end the program with status 1;
 * with OMP_TARGET_OFFLOAD=mandatory so does any device but the host. Otherwise the host stands in
 * for a device that does not exist.
 *
 * GOMP_offload_register_ver    an image of code for devices of target_type: host_table is its list
 *                              of functions and variables, target_data the code; none of it is read
 *                              or kept. With NTH_VERBOSE=1 a line on stderr says so
 * GOMP_offload_register        GOMP_offload_register_ver of gcc 5
 * GOMP_offload_unregister_ver, the image's library is unloaded: nothing to do
 * GOMP_offload_unregister
 * GOMP_target_map_indirect_ptr the device's address of the function at ptr: ptr. 7.8.3
 */
#include "abi_protos.h"

#include "abi/depend_check.h"
#include "abi/device.h"
#include "abi/tool.h"
#include "runtime/base/msg.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/target/target.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task.h"

enum { NOWAIT = 1, EXIT = 2 }; /* bits of flags */

/* --- arguments of a region: words, the last one NULL --- */

/* Bits 0..6: device, 0: all; bit 7: the value is the next word; bits 8..15: which argument; bits 16
 * and up: the value. */
enum {
  ARG_DEVICE = 0x7f,
  ARG_NEXT_WORD = 0x80,
  ARG_ID = 0xff00,
  ARG_THREAD_LIMIT = 0x200,
  ARG_VALUE_SHIFT = 16
};

/* The thread_limit clause; 0: no clause, or the compiler does not know its value. */
static uint32_t find_thread_limit(void **args) {
  uint32_t limit = 0;
  while (args && *args) {
    intptr_t word = (intptr_t)*args++;
    intptr_t value = word & ARG_NEXT_WORD ? (intptr_t)*args++ : word >> ARG_VALUE_SHIFT;
    if ((word & ARG_ID) == ARG_THREAD_LIMIT && !(word & ARG_DEVICE) && value > 0)
      limit = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
  }
  return limit;
}

/* --- regions --- */

void GOMP_target_ext(int device, void (*fn)(void *), size_t mapnum, void **hostaddrs, size_t *sizes,
                     unsigned short *kinds, unsigned flags, void **depend, void **args) {
  struct nth_member *m = nth_member_get();
  struct nth_target t = {fn,    mapnum,    hostaddrs, sizes, kinds, find_thread_limit(args),
                         false, NTH_SITE()};
  nth_abi_check_depend(depend);
  nth_abi_check_clause(device);
  nth_target_run(m, &t, flags & NOWAIT, depend);
}

/* For programs of gcc 4.9; kinds are bytes, none of them firstprivate. */
void GOMP_target(int device, void (*fn)(void *), const void *unused, size_t mapnum,
                 void **hostaddrs, size_t *sizes, unsigned char *kinds) {
  (void)unused;
  (void)kinds;
  struct nth_target t = {fn, mapnum, hostaddrs, sizes, 0, 0, false, NTH_SITE()};
  nth_abi_check_clause(device);
  nth_target_run(nth_member_get(), &t, false, 0);
}

/* --- data --- */

/* What a tool hears. ra: where the entry returns to. */
static void tell(ompt_target_t kind, const void *ra) {
  if (nth_tool_on())
    nth_told_target_data(kind, nth_told_site(ra));
}

void GOMP_target_data(int device, const void *unused, size_t mapnum, void **hostaddrs,
                      size_t *sizes, unsigned char *kinds) {
  (void)unused;
  (void)mapnum;
  (void)hostaddrs;
  (void)sizes;
  (void)kinds;
  nth_abi_check_clause(device);
  tell(ompt_target_enter_data, NTH_RETURNS);
}

void GOMP_target_data_ext(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
                          unsigned short *kinds) {
  (void)mapnum;
  (void)hostaddrs;
  (void)sizes;
  (void)kinds;
  nth_abi_check_clause(device);
  tell(ompt_target_enter_data, NTH_RETURNS);
}

void GOMP_target_end_data(void) { tell(ompt_target_exit_data, NTH_RETURNS); }

void GOMP_target_update(int device, const void *unused, size_t mapnum, void **hostaddrs,
                        size_t *sizes, unsigned char *kinds) {
  (void)unused;
  (void)mapnum;
  (void)hostaddrs;
  (void)sizes;
  (void)kinds;
  nth_abi_check_clause(device);
  tell(ompt_target_update, NTH_RETURNS);
}

/* The common part of what moves data, after its dependences or as a task behind them. */
static void move(int device, unsigned flags, void **depend, ompt_target_t kind, const void *ra) {
  struct nth_member *m = nth_member_get();
  nth_abi_check_depend(depend);
  bool nowait = flags & NOWAIT, told = depend && nth_tool_on();
  if (nowait)
    kind = (ompt_target_t)(kind + (ompt_target_nowait - ompt_target));
  if (nowait && told) {
    nth_abi_check_clause(device);
    nth_told_target_data_task(m, depend, kind, nth_told_site(ra));
    return;
  }
  if (nowait)
    nth_task_create_empty(m, depend);
  else if (told)
    nth_told_task_wait_depend(m, depend, nth_told_site(ra));
  else
    nth_depend_wait(m, depend);
  nth_abi_check_clause(device);
  tell(kind, ra);
}

void GOMP_target_update_ext(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
                            unsigned short *kinds, unsigned flags, void **depend) {
  (void)mapnum;
  (void)hostaddrs;
  (void)sizes;
  (void)kinds;
  move(device, flags, depend, ompt_target_update, NTH_RETURNS);
}

void GOMP_target_enter_exit_data(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
                                 unsigned short *kinds, unsigned flags, void **depend) {
  (void)mapnum;
  (void)hostaddrs;
  (void)sizes;
  (void)kinds;
  move(device, flags, depend, flags & EXIT ? ompt_target_exit_data : ompt_target_enter_data,
       NTH_RETURNS);
}

/* --- images: code for devices, registered when its program or library is loaded --- */

void GOMP_offload_register_ver(unsigned version, const void *host_table, int target_type,
                               const void *target_data) {
  (void)host_table;
  (void)target_data;
  nth_msg_verbose("code for devices of type %d (version %#x) is not used: target regions run on "
                  "the host",
                  target_type, version);
}

void GOMP_offload_register(const void *host_table, int target_type, const void *target_data) {
  GOMP_offload_register_ver(0, host_table, target_type, target_data);
}

void GOMP_offload_unregister_ver(unsigned version, const void *host_table, int target_type,
                                 const void *target_data) {
  (void)version;
  (void)host_table;
  (void)target_type;
  (void)target_data;
}

void GOMP_offload_unregister(const void *host_table, int target_type, const void *target_data) {
  GOMP_offload_unregister_ver(0, host_table, target_type, target_data);
}

/* declare target indirect: the address on the device of a host function. */
void *GOMP_target_map_indirect_ptr(void *ptr) { return ptr; }
