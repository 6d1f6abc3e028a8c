! schedule.f90 - Fortran: loops, schedules, sections, single, ordered
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks omp_set/get_schedule in both integer kinds, do loops of integer(4) and integer(8) under
! every schedule and direction, sections, workshare, single copyprivate and ordered.
! RUN: %omp_test
program schedules
  use omp_lib
  implicit none
  integer, parameter :: kinds(4) = [1, 2, 3, 4]
  integer :: k, ran(0:199), i, at, value
  integer(8) :: j, chunk8
  integer(4) :: chunk
  integer(omp_sched_kind) :: kind
  real :: a(1000), b(1000), total
  do k = 1, 4
    call omp_set_schedule(int(kinds(k), omp_sched_kind), 3 + k)
    call omp_get_schedule(kind, chunk)
    if (iand(kind, 7) /= kinds(k)) stop 1
    if (kinds(k) /= omp_sched_auto .and. chunk /= 3 + k) stop 2
    call omp_set_schedule(int(kinds(k), omp_sched_kind), int(5 + k, 8))
    call omp_get_schedule(kind, chunk8)
    if (kinds(k) /= omp_sched_auto .and. chunk8 /= 5 + k) stop 3
    ran = 0
    !$omp parallel
    !$omp do schedule(runtime)
    do i = 0, 199
      ran(i) = ran(i) + 1
    end do
    !$omp do schedule(dynamic, 7)
    do j = 199_8, 0_8, -1_8
      ran(j) = ran(j) + 1
    end do
    !$omp do schedule(guided)
    do i = -398, 0, 2
      ran(-i / 2) = ran(-i / 2) + 1
    end do
    !$omp do schedule(static, 5)
    do j = huge(j) - 200_8, huge(j) - 1_8
      ran(j - (huge(j) - 200_8)) = ran(j - (huge(j) - 200_8)) + 1
    end do
    !$omp end do nowait
    !$omp end parallel
    if (any(ran /= 4)) stop 4
  end do
  at = 0
  !$omp parallel do ordered schedule(dynamic, 3)
  do i = 0, 99
    !$omp ordered
    if (at /= i) stop 5
    at = at + 1
    !$omp end ordered
  end do
  if (at /= 100) stop 6
  !$omp parallel private(value)
  !$omp sections
  !$omp section
  ran(0) = -1
  !$omp section
  ran(1) = -2
  !$omp section
  ran(2) = -3
  !$omp end sections
  if (sum(ran(0:2)) /= -6) stop 7
  !$omp single
  value = 4711
  !$omp end single copyprivate(value)
  if (value /= 4711) stop 8
  !$omp workshare
  a = 2.0
  b = a + 1.0
  !$omp end workshare
  !$omp end parallel
  total = 0
  !$omp parallel do reduction(+:total) collapse(2)
  do i = 1, 10
    do k = 1, 100
      total = total + b((i - 1) * 100 + k)
    end do
  end do
  if (total /= 3000.0) stop 9
end program
