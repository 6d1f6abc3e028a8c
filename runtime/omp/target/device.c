/* device.c - device numbers on a machine that has only the host
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/target/device.h"

#include "runtime/omp/member/member.h"

enum nth_device nth_device_of_routine(int number, const char **text) {
  bool mandatory = nth_env.target_offload == NTH_OFFLOAD_MANDATORY;
  if (number == NTH_DEVICE_DEFAULT)
    number = nth_icv_read()->default_device;
  if (number == NTH_DEVICE_HOST || number == NTH_DEVICE_INITIAL)
    return NTH_DEVICE_IS_HOST;
  if (!mandatory)
    *text = "omp_invalid_device encountered";
  else if (number < 0) /* also omp_invalid_device, the default device if none was set */
    *text = "OMP_TARGET_OFFLOAD is set to MANDATORY, but only the host device is available";
  else
    *text = "OMP_TARGET_OFFLOAD is set to MANDATORY, but device not found";
  return mandatory || number == NTH_DEVICE_INVALID ? NTH_DEVICE_ENDS : NTH_DEVICE_UNKNOWN;
}

enum nth_device nth_device_of_clause(int number, const char **text) {
  if (number == NTH_CLAUSE_HOST)
    return NTH_DEVICE_IS_HOST;
  return nth_device_of_routine(number == NTH_CLAUSE_NONE ? NTH_DEVICE_DEFAULT : number, text);
}
