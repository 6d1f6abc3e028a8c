/* nth_mpi.h - MPI requests and OpenMP tasks: a task ends when its messages are there
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In libnanogomp-mpi.so, which is there where nanogomp was built with an MPI library: link it
 * before MPI (-lnanogomp-mpi), or start the program by `nanogomp run --mpi-tasks`.
 * docs/mpi.md tells more.
 *
 *   #pragma omp task detach(event) depend(out: halo)
 *   {
 *     MPI_Request request;
 *     MPI_Irecv(halo, n, MPI_DOUBLE, left, tag, comm, &request);
 *     nth_mpi_bind(1, &request, MPI_STATUSES_IGNORE, event);
 *   }                                    // successors start when the message is there
 *
 * Fortran: call nth_mpi_bind(count, requests, event, ierror), with an event of the kind
 * omp_event_handle_kind; statuses are not kept.
 */
#ifndef NANOGOMP_NTH_MPI_H
#define NANOGOMP_NTH_MPI_H

#include <mpi.h>
#include <omp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fulfils the event when all requests are complete, and fills in the statuses before that. The
 * library takes the requests over: request[i] is MPI_REQUEST_NULL on return. The statuses, unless
 * MPI_STATUSES_IGNORE or NULL, must live until then. Returns MPI_SUCCESS or an error of MPI.
 * Without MPI_THREAD_MULTIPLE it waits for the requests, then fulfils the event. */
int nth_mpi_bind(int count, MPI_Request request[], MPI_Status statuses[], omp_event_handle_t event);

#ifdef __cplusplus
}
#endif

#endif
