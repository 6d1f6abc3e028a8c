/* api_target.c - devices: there is the host and no other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 18.7. The host's device number is the number of devices, 0.
 */
#include "abi_protos.h"

#include "runtime/omp/member.h"

int omp_get_num_devices(void) {
  return 0;
}

int omp_get_initial_device(void) {
  return 0;
}

int omp_get_device_num(void) {
  return 0;
}

int omp_is_initial_device(void) {
  return 1;
}

int omp_get_default_device(void) {
  return nth_icv_read()->default_device;
}

void omp_set_default_device(int device) {
  nth_icv_mine()->default_device = device;
}
