/* api_dim.c - leagues and teams with more than one dimension, which gcc does not make
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 6.1; those without dimensions: OpenMP 5.2, sections 18.2 and 18.4. A league or a team has
 * dimension 0 only. Any other has one team or thread, whose number is 0.
 *
 * omp_get_num_threads_dim, omp_get_thread_num_dim, omp_get_thread_limit_dim, omp_get_num_teams_dim,
 * omp_get_team_num_dim                   as the function without _dim, of one dimension
 * omp_get_supported_active_team_dims, omp_get_supported_active_league_dims
 *                                        how many dimensions a device has: 1
 * omp_get_supported_threads_dim, omp_get_supported_teams_dim
 *                                        the most threads and teams in a dimension; -1: the device
 *                                        is not the host. omp_invalid_device ends the program
 */
#include <limits.h>

#include "abi_protos.h"

#include "abi/device.h"

int omp_get_num_threads_dim(int dim) { return dim == 0 ? omp_get_num_threads() : 1; }

int omp_get_thread_num_dim(int dim) { return dim == 0 ? omp_get_thread_num() : 0; }

int omp_get_thread_limit_dim(int dim) { return dim == 0 ? omp_get_thread_limit() : 1; }

int omp_get_num_teams_dim(int dim) { return dim == 0 ? omp_get_num_teams() : 1; }

int omp_get_team_num_dim(int dim) { return dim == 0 ? omp_get_team_num() : 0; }

int omp_get_supported_active_team_dims(int device, int native) {
  (void)device, (void)native;
  return 1;
}

int omp_get_supported_active_league_dims(int device, int native) {
  (void)device, (void)native;
  return 1;
}

static int most(int device, int dim) {
  if (!nth_abi_is_host(device))
    return -1;
  return dim == 0 ? INT_MAX : 1;
}

int omp_get_supported_teams_dim(int device, int dim) { return most(device, dim); }

int omp_get_supported_threads_dim(int device, int dim) { return most(device, dim); }
