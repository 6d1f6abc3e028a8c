! hidden.f90 - a plug-in that calls MPI from Fortran: one message from rank 0 to rank 1
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
subroutine hidden() bind(c)
  implicit none
  include 'mpif.h'
  integer :: error, provided, rank, number, status(MPI_STATUS_SIZE)
  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided, error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  number = 7 - rank
  if (rank == 0) then
    call mpi_send(number, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, error)
  else
    call mpi_recv(number, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, status, error)
    print '(A,I0)', 'got ', number
  end if
  call mpi_finalize(error)
end subroutine hidden
