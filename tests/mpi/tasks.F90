! tasks.F90 - blocking calls of MPI in untied tasks, by the module mpi; -DF08: by mpi_f08
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifdef F08
#define TAG(status) status%MPI_TAG
#else
#define TAG(status) status(MPI_TAG)
#endif
program tasks
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer, parameter :: pairs = 60
  integer :: ierr, provided, rank, other, i, wrong
  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call exit(77)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  other = ieor(rank, 1)
  wrong = 0
  !$omp parallel shared(wrong)
  !$omp single
  do i = 1, pairs
    !$omp task untied firstprivate(i)
    call play(merge(i, pairs + 1 - i, rank == 0))
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  if (wrong /= 0) call exit(1)
  print '(a,i0,a)', 'rank ', rank, ' ok'
  call mpi_finalize(ierr)
contains
  subroutine play(pair)
    integer, intent(in) :: pair
    integer :: x(2), y(2), ierr, at, k
#ifdef F08
    type(MPI_Request) :: request(2)
    type(MPI_Status) :: status, statuses(2)
#else
    integer :: request(2)
    integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
#endif
    do k = 1, 5
      x = [pair, k]
      y = 0
      if (rank == 0) then
        call mpi_ssend(x, 2, MPI_INTEGER, other, pair, MPI_COMM_WORLD, ierr)
        call mpi_recv(y, 2, MPI_INTEGER, other, pair, MPI_COMM_WORLD, status, ierr)
        call check(all(y == x) .and. TAG(status) == pair)
      else
        call mpi_probe(other, pair, MPI_COMM_WORLD, status, ierr)
        call check(TAG(status) == pair)
        call mpi_recv(y, 2, MPI_INTEGER, other, pair, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call mpi_send(y, 2, MPI_INTEGER, other, pair, MPI_COMM_WORLD, ierr)
      end if
      call mpi_sendrecv(x, 1, MPI_INTEGER, other, 100 + pair, y, 1, MPI_INTEGER, other, &
                        100 + pair, MPI_COMM_WORLD, status, ierr)
      call check(y(1) == pair .and. TAG(status) == 100 + pair)
      call mpi_irecv(y, 1, MPI_INTEGER, other, 200 + pair, MPI_COMM_WORLD, request(1), ierr)
      call mpi_isend(x, 1, MPI_INTEGER, other, 200 + pair, MPI_COMM_WORLD, request(2), ierr)
      call mpi_waitany(2, request, at, status, ierr)
      call check(request(at) == MPI_REQUEST_NULL)
      call mpi_waitall(2, request, statuses, ierr)
      call check(all_null(request) .and. y(1) == pair)
    end do
  end subroutine
  logical function all_null(request)
#ifdef F08
    type(MPI_Request), intent(in) :: request(2)
#else
    integer, intent(in) :: request(2)
#endif
    all_null = request(1) == MPI_REQUEST_NULL .and. request(2) == MPI_REQUEST_NULL
  end function
  subroutine check(good)
    logical, intent(in) :: good
    if (good) return
    !$omp atomic
    wrong = wrong + 1
  end subroutine
end program
