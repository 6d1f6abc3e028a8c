/* bind.c - nth_mpi_bind: an event of OpenMP is fulfilled when requests of MPI are complete
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "abi/include/nanogomp/nth_mpi.h"

#include <stdlib.h>

#include "tools/mpi/tasks.h"

/* Where nobody polls, or there is no memory, the caller waits. statuses: not NULL. */
static int wait_here(int count, MPI_Request request[], MPI_Status statuses[], void *event) {
  if (!nth_mpi_core.fulfill && !nth_mpi_find_core() && !nth_mpi_core.fulfill)
    return MPI_ERR_OTHER;
  int error = PMPI_Waitall(count, request, statuses);
  nth_mpi_core.fulfill(event);
  return error;
}

NTH_MPI_EXPORT int nth_mpi_bind(int count, MPI_Request request[], MPI_Status statuses[],
                                omp_event_handle_t event) {
  if (count < 0 || (count > 0 && !request))
    return MPI_ERR_ARG;
  statuses = statuses ? statuses : MPI_STATUSES_IGNORE;
  struct nth_mpi_wait *w = NULL;
  if (nth_load_rlx(&nth_mpi_on))
    w = malloc(sizeof *w + (size_t)count * sizeof *request);
  if (!w)
    return wait_here(count, request, statuses, (void *)event);
  *w = (struct nth_mpi_wait){.kind = NTH_MPI_BOUND,
                             .count = count,
                             .request = (MPI_Request *)(w + 1),
                             .statuses = statuses,
                             .event = (void *)event};
  for (int i = 0; i < count; i++) {
    w->request[i] = request[i];
    request[i] = MPI_REQUEST_NULL;
  }
  nth_mpi_add(w);
  return MPI_SUCCESS;
}

/* Fortran: call nth_mpi_bind(count, requests, event, ierror); statuses are not kept. */
static void nth_mpi_f_bind(const MPI_Fint *count, MPI_Fint *request, const uintptr_t *event,
                           MPI_Fint *ierror) {
  int n = *count;
  MPI_Request *all = n > 0 ? malloc((size_t)n * sizeof *all) : NULL;
  if (n > 0 && !all) {
    *ierror = MPI_ERR_NO_MEM;
    return;
  }
  for (int i = 0; i < n; i++)
    all[i] = PMPI_Request_f2c(request[i]);
  *ierror = nth_mpi_bind(n, all, MPI_STATUSES_IGNORE, (omp_event_handle_t)*event);
  for (int i = 0; i < n; i++)
    request[i] = PMPI_Request_c2f(all[i]);
  free(all);
}
NTH_MPI_ALIAS(bind, nth_mpi_bind_)
