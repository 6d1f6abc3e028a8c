/* map_kind.h - whether a data directive's items begin or end the lifetime of data on the device
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         GOACC_enter_exit_data and GOACC_declare are called at both ends of a lifetime; the
 *             kinds of the items say at which end. One other kind matters: use_device_ptr makes a
 *             data construct a host_data construct. The rest of a kind does not matter, since the
 *             device shares the host's memory.
 */
#ifndef NTH_ACC_MAP_KIND_H
#define NTH_ACC_MAP_KIND_H

#include <stdbool.h>
#include <stddef.h>

/* The low 8 bits of a kind, as GCC numbers them; the high 8 bits are the alignment. */
enum {
  NTH_ACC_MAP_ALLOC = 0x00,
  NTH_ACC_MAP_TO = 0x01,
  NTH_ACC_MAP_FROM = 0x02,
  NTH_ACC_MAP_FORCE_PRESENT = 0x06,
  NTH_ACC_MAP_DELETE = 0x07,
  NTH_ACC_MAP_USE_DEVICE_PTR = 0x0e,
  NTH_ACC_MAP_USE_DEVICE_PTR_IF_PRESENT = 0x10,
  NTH_ACC_MAP_RELEASE = 0x17,
  NTH_ACC_MAP_ATTACH = 0x50,
  NTH_ACC_MAP_DETACH = 0x51,
  NTH_ACC_MAP_FORCE_ALLOC = 0x80,
  NTH_ACC_MAP_FORCE_TO = 0x81,
  NTH_ACC_MAP_FORCE_FROM = 0x82,
  NTH_ACC_MAP_FORCE_DETACH = 0xd1
};

enum nth_acc_direction { NTH_ACC_NEITHER, NTH_ACC_ENTER, NTH_ACC_EXIT };

/* The direction of one item; pointers and structure heads have none. */
enum nth_acc_direction nth_acc_kind_direction(unsigned short kind);

/* The direction of an enter or exit data directive: that of the first item that has one. */
enum nth_acc_direction nth_acc_list_direction(const unsigned short *kinds, size_t count);

/* Whether an item of a declare directive begins or ends a lifetime. Data that are allocated without
 * a transfer exist already. */
bool nth_acc_is_declare_data(unsigned short kind);

/* Whether a data construct is a host_data construct. */
bool nth_acc_is_host_data(const unsigned short *kinds, size_t count);

#endif
