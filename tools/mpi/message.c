/* message.c - calls that exchange messages and are not alike: pairs, waits, probes
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stdlib.h>

#include "tools/mpi/tasks.h"

/* Completes a send and a receive that were posted together; the first error counts. */
static int complete(MPI_Request pair[2], MPI_Status *status) {
  nth_mpi_suspend_all(2, pair);
  int sent = PMPI_Wait(&pair[1], MPI_STATUS_IGNORE), received = PMPI_Wait(&pair[0], status);
  return received ? received : sent;
}

NTH_MPI_EXPORT int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
                                int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  if (!nth_mpi_here())
    return PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                         source, recvtag, comm, status);
  MPI_Request pair[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int error = PMPI_Irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &pair[0]);
  if (error)
    return error;
  error = PMPI_Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &pair[1]);
  if (error) {
    (void)PMPI_Cancel(&pair[0]); /* a message that it has already is still written */
    (void)PMPI_Wait(&pair[0], MPI_STATUS_IGNORE);
    return error;
  }
  return complete(pair, status);
}

/* The data go out of a packed copy. A copy that cannot be made: the call itself says why. */
NTH_MPI_EXPORT int MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest,
                                        int sendtag, int source, int recvtag, MPI_Comm comm,
                                        MPI_Status *status) {
  int size = 0, used = 0, type_size = 0;
  char *copy = NULL;
  if (nth_mpi_here() && count >= 0 && datatype != MPI_DATATYPE_NULL && comm != MPI_COMM_NULL &&
      PMPI_Type_size(datatype, &type_size) == MPI_SUCCESS &&
      PMPI_Pack_size(count, datatype, comm, &size) == MPI_SUCCESS)
    copy = malloc((size_t)size + 1);
  if (!copy || PMPI_Pack(buf, count, datatype, copy, size, &used, comm) != MPI_SUCCESS) {
    free(copy);
    return PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm,
                                 status);
  }
  int error = MPI_Sendrecv(copy, used, MPI_PACKED, dest, sendtag, buf, count, datatype, source,
                           recvtag, comm, status);
  free(copy);
  return error;
}

/* --- waits --- */

NTH_MPI_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  if (request && nth_mpi_here())
    nth_mpi_suspend_all(1, request);
  return PMPI_Wait(request, status);
}

NTH_MPI_EXPORT int MPI_Waitall(int count, MPI_Request request[], MPI_Status statuses[]) {
  int done = 0, error = MPI_SUCCESS;
  if (request && nth_mpi_here()) {
    nth_mpi_suspend_all(count, request);
    error = PMPI_Testall(count, request, &done, statuses); /* Open MPI's Waitall spins for ever if
                                                            * one of them has failed by now */
  }
  return done || error ? error : PMPI_Waitall(count, request, statuses);
}

NTH_MPI_EXPORT int MPI_Waitany(int count, MPI_Request request[], int *index, MPI_Status *status) {
  struct nth_mpi_wait *w = request && nth_mpi_here() ? nth_mpi_any_begin(count, request) : NULL;
  if (!w)
    return PMPI_Waitany(count, request, index, status);
  int flag = 0, error = PMPI_Testany(count, request, index, &flag, status);
  if (!error && !flag) {
    nth_mpi_any_wait(w);
    error = PMPI_Waitany(count, request, index, status);
  }
  nth_mpi_any_end(w);
  return error;
}

NTH_MPI_EXPORT int MPI_Waitsome(int incount, MPI_Request request[], int *outcount, int indices[],
                                MPI_Status statuses[]) {
  struct nth_mpi_wait *w = request && nth_mpi_here() ? nth_mpi_any_begin(incount, request) : NULL;
  if (!w)
    return PMPI_Waitsome(incount, request, outcount, indices, statuses);
  int error = PMPI_Testsome(incount, request, outcount, indices, statuses);
  if (!error && *outcount == 0) {
    nth_mpi_any_wait(w);
    error = PMPI_Waitsome(incount, request, outcount, indices, statuses);
  }
  nth_mpi_any_end(w);
  return error;
}

/* --- probes: another thread may receive the message that the poll has seen --- */

NTH_MPI_EXPORT int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  int error = MPI_SUCCESS, flag = 0;
  while (nth_mpi_here()) {
    error = PMPI_Iprobe(source, tag, comm, &flag, status);
    if (error || flag)
      return error;
    nth_mpi_suspend_probe(source, tag, comm);
  }
  return PMPI_Probe(source, tag, comm, status);
}

NTH_MPI_EXPORT int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
                              MPI_Status *status) {
  int error = MPI_SUCCESS, flag = 0;
  while (nth_mpi_here()) {
    error = PMPI_Improbe(source, tag, comm, &flag, message, status);
    if (error || flag)
      return error;
    nth_mpi_suspend_probe(source, tag, comm);
  }
  return PMPI_Mprobe(source, tag, comm, message, status);
}
