/* map_kind.c - whether a data directive's items begin or end the lifetime of data on the device
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/acc/map_kind.h"

enum nth_acc_direction nth_acc_kind_direction(unsigned short kind) {
  switch (kind & 0xff) {
  case NTH_ACC_MAP_ALLOC:
  case NTH_ACC_MAP_TO:
  case NTH_ACC_MAP_FORCE_PRESENT:
  case NTH_ACC_MAP_ATTACH:
  case NTH_ACC_MAP_FORCE_ALLOC:
  case NTH_ACC_MAP_FORCE_TO: return NTH_ACC_ENTER;
  case NTH_ACC_MAP_FROM:
  case NTH_ACC_MAP_DELETE:
  case NTH_ACC_MAP_RELEASE:
  case NTH_ACC_MAP_DETACH:
  case NTH_ACC_MAP_FORCE_FROM:
  case NTH_ACC_MAP_FORCE_DETACH: return NTH_ACC_EXIT;
  default: return NTH_ACC_NEITHER;
  }
}

enum nth_acc_direction nth_acc_list_direction(const unsigned short *kinds, size_t count) {
  for (size_t i = 0; i < count; i++) {
    enum nth_acc_direction direction = nth_acc_kind_direction(kinds[i]);
    if (direction != NTH_ACC_NEITHER)
      return direction;
  }
  return NTH_ACC_NEITHER;
}

bool nth_acc_is_declare_data(unsigned short kind) {
  switch (kind & 0xff) {
  case NTH_ACC_MAP_TO:
  case NTH_ACC_MAP_FROM:
  case NTH_ACC_MAP_DELETE:
  case NTH_ACC_MAP_RELEASE:
  case NTH_ACC_MAP_FORCE_ALLOC:
  case NTH_ACC_MAP_FORCE_TO:
  case NTH_ACC_MAP_FORCE_FROM: return true;
  default: return false;
  }
}

bool nth_acc_is_host_data(const unsigned short *kinds, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int kind = kinds[i] & 0xff;
    if (kind == NTH_ACC_MAP_USE_DEVICE_PTR || kind == NTH_ACC_MAP_USE_DEVICE_PTR_IF_PRESENT)
      return true;
  }
  return false;
}
