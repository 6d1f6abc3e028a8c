! bind.f90 - Fortran: nth_mpi_bind, by which a task ends when its requests are complete
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
program bind
  use mpi
  use omp_lib
  implicit none
  integer, parameter :: n = 40
  integer :: ierr, provided, rank, other, i, seen, left
  integer :: got(n), sent(n)
  integer(omp_event_handle_kind) :: event, nothing
  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call exit(77)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  other = ieor(rank, 1)
  seen = 0
  left = 0
  got = -1
  !$omp parallel shared(seen, left, got, sent)
  !$omp single
  do i = 1, n
    !$omp task detach(event) depend(out: got(i)) firstprivate(i) shared(got)
    call receive(got(i), i, event)
    !$omp end task
    !$omp task depend(in: got(i)) firstprivate(i) shared(seen, got)
    if (got(i) == 1000 * other + 3 * i) then
      !$omp atomic
      seen = seen + 1
    end if
    !$omp end task
  end do
  !$omp task detach(nothing) shared(left)
  call no_requests(nothing, left)
  !$omp end task
  !$omp task detach(event) shared(sent, left)
  call send_all(sent, event, left)
  !$omp end task
  !$omp taskwait
  !$omp end single
  !$omp end parallel
  if (seen /= n .or. left /= 0) then
    print '(a,i0,a,2i6)', 'rank ', rank, ': seen, left ', seen, left
    call exit(1)
  end if
  print '(a,i0,a)', 'rank ', rank, ' ok'
  call mpi_finalize(ierr)
contains
  subroutine receive(x, tag, event)
    integer, intent(inout), asynchronous :: x
    integer, intent(in) :: tag
    integer(omp_event_handle_kind), intent(in) :: event
    integer :: request(1), ierr
    call mpi_irecv(x, 1, MPI_INTEGER, other, tag, MPI_COMM_WORLD, request(1), ierr)
    call nth_mpi_bind(1, request, event, ierr)
    if (ierr /= MPI_SUCCESS .or. request(1) /= MPI_REQUEST_NULL) call exit(2)
  end subroutine
  subroutine send_all(x, event, left)
    integer, intent(inout), asynchronous :: x(n)
    integer(omp_event_handle_kind), intent(in) :: event
    integer, intent(inout) :: left
    integer :: request(n + 1), k, ierr
    request(n + 1) = MPI_REQUEST_NULL
    do k = 1, n
      x(k) = 1000 * rank + 3 * k
      call mpi_isend(x(k), 1, MPI_INTEGER, other, k, MPI_COMM_WORLD, request(k), ierr)
    end do
    call nth_mpi_bind(n + 1, request, event, ierr)
    if (ierr /= MPI_SUCCESS) call exit(2)
    !$omp atomic
    left = left + count(request /= MPI_REQUEST_NULL)
  end subroutine
  subroutine no_requests(event, left)
    integer(omp_event_handle_kind), intent(in) :: event
    integer, intent(inout) :: left
    integer :: request(1), ierr
    request = 0
    call nth_mpi_bind(0, request, event, ierr)
    if (ierr /= MPI_SUCCESS) left = left + 1000
  end subroutine
end program
