! detach.f90 - Fortran: detached tasks and omp_fulfill_event
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks that a detached task is finished when both its block has ended and its event is fulfilled:
! by itself, by a task that comes later, by the thread that waits, with dependences, in a taskgroup.
! RUN: %omp_test
module work
  use omp_lib
  implicit none
contains
  subroutine by_itself(n)
    integer, intent(in) :: n
    integer(omp_event_handle_kind) :: event
    integer :: i, done
    done = 0
    do i = 1, n
      !$omp task detach(event) shared(done)
      call omp_fulfill_event(event)
      !$omp atomic
      done = done + 1
      !$omp end task
    end do
    !$omp taskwait
    if (done /= n) stop 1
  end subroutine
  subroutine by_others(n)
    integer, intent(in) :: n
    integer(omp_event_handle_kind) :: events(n), event
    integer :: i, chain, followers, early
    logical :: fulfilled(n), seen
    followers = 0
    early = 0
    fulfilled = .false.
    !$omp taskgroup
    do i = 1, n
      !$omp task detach(event) depend(out: chain) shared(chain)
      chain = i
      !$omp end task
      events(i) = event
      !$omp task depend(in: chain) firstprivate(i) private(seen) &
      !$omp& shared(fulfilled, followers, early, chain)
      !$omp atomic read
      seen = fulfilled(i)
      if (.not. seen .or. chain /= i) then
        !$omp atomic
        early = early + 1
      end if
      !$omp atomic
      followers = followers + 1
      !$omp end task
    end do
    do i = 1, n
      !$omp task firstprivate(i) shared(fulfilled, events)
      !$omp atomic write
      fulfilled(i) = .true.
      call omp_fulfill_event(events(i))
      !$omp end task
    end do
    !$omp end taskgroup
    if (early /= 0) stop 2
    if (followers /= n) stop 3
  end subroutine
  subroutine before_the_wait()
    integer(omp_event_handle_kind) :: event
    integer :: x
    x = 0
    !$omp task detach(event) depend(out: x) shared(x)
    x = x + 1
    !$omp end task
    !$omp task depend(in: x) shared(x)
    x = x * 10
    !$omp end task
    call omp_fulfill_event(event)
    !$omp taskwait
    if (x /= 10) stop 4
  end subroutine
end module

program detach
  use work
  implicit none
  integer :: i
  !$omp parallel
  call before_the_wait()
  call by_itself(50)
  !$omp single
  do i = 1, 10
    call by_others(20)
  end do
  !$omp end single
  !$omp end parallel
end program
