/* api_pause.c - giving resources back
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 18.6. As in libgomp, a pause of either kind ends the threads that the caller
 * holds. 0: done; -1: not possible here.
 */
#include "abi_protos.h"

#include "runtime/omp/team/team.h"

/* Pauses all devices: the host. 18.6.2. -1: inside a region, or an unknown kind. */
int omp_pause_resource_all(omp_pause_resource_t kind) {
  if (kind != omp_pause_soft && kind != omp_pause_hard)
    return -1;
  return nth_team_pause(nth_member_get()) ? 0 : -1;
}

/* Pauses one device: the host, by either of its numbers; -1: another device. 18.6.1. */
int omp_pause_resource(omp_pause_resource_t kind, int device) {
  if (device == omp_default_device)
    device = nth_icv_read()->default_device;
  bool host = device == omp_initial_device || device == 0;
  return host ? omp_pause_resource_all(kind) : -1;
}
