! regions.f90 - Fortran: target, data and teams constructs, firstprivate arrays, device routines
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks maps of arrays, allocatables, derived types and sections, firstprivate of explicit-shape
! arrays, absent optional arguments, use_device_addr, combined loops with reductions, nowait with
! depend, in teams as well.
! RUN: %omp_test
module work
  use omp_lib
  implicit none
  type point
    integer :: n = 0
    real :: a(4) = 0
  end type
contains
  subroutine all(m)
    integer, intent(in) :: m
    integer :: i, j, total, explicit(m), x
    integer, allocatable :: a(:), matrix(:, :)
    type(point) :: p
    character(len=5) :: text
    logical :: first
    allocate(a(m), matrix(m, 3))
    a = 1
    explicit = 7
    text = 'hello'
    first = .true.
    !$omp target map(tofrom: a, matrix, p) firstprivate(explicit, text, first)
    if (omp_get_level() /= 0 .or. omp_get_num_threads() /= 1 .or. omp_in_parallel()) stop 1
    if (any(explicit /= 7) .or. text /= 'hello' .or. .not. first) stop 2
    explicit = 0
    text = 'other'
    a(2) = 5
    matrix = 4
    p%n = 3
    p%a(4) = 1.5
    !$omp end target
    if (any(explicit /= 7) .or. text /= 'hello') stop 3
    if (a(1) /= 1 .or. a(2) /= 5 .or. any(matrix /= 4) .or. p%n /= 3 .or. p%a(4) /= 1.5) stop 4
    total = 0
    !$omp target teams distribute parallel do map(a) reduction(+:total) num_teams(2) collapse(2)
    do i = 1, m
      do j = 1, 3
        total = total + matrix(i, j)
      end do
    end do
    if (total /= 12 * m) stop 5
    !$omp target data map(tofrom: a) use_device_addr(matrix)
    !$omp target map(a(2:m))
    a(3) = 9
    !$omp end target
    !$omp target update from(a(3:3))
    if (a(3) /= 9) stop 6
    !$omp end target data
    !$omp target enter data map(to: a)
    !$omp target exit data map(from: a)
    x = 0
    do i = 1, 20
      !$omp task shared(x) depend(inout: x)
      x = x + 1
      !$omp end task
      !$omp target nowait map(tofrom: x) depend(inout: x)
      x = x * 2
      !$omp end target
      !$omp task shared(x) depend(inout: x)
      x = x / 2
      !$omp end task
    end do
    !$omp taskwait
    if (x /= 20) stop 7
    total = 0
    !$omp target teams num_teams(3) reduction(+:total) thread_limit(2)
    total = total + omp_get_num_teams()
    !$omp end target teams
    if (total /= 9) stop 8
    deallocate(a, matrix)
  end subroutine
  subroutine absent(array)
    integer, optional :: array(:)
    logical :: is
    is = .not. present(array)
    !$omp target has_device_addr(array) map(tofrom: is)
    is = present(array)
    if (present(array)) array(2) = 7
    !$omp end target
    if (is .neqv. present(array)) stop 10
    if (present(array)) then
      if (array(2) /= 7) stop 11
    end if
  end subroutine
  subroutine absent_copy(array)
    integer, optional, allocatable :: array(:)
    logical :: is
    is = .not. present(array)
    !$omp target firstprivate(array) map(tofrom: is)
    is = present(array)
    !$omp end target
    if (is .neqv. present(array)) stop 12
  end subroutine
end module

program regions
  use work
  implicit none
  integer :: array(4)
  integer, allocatable :: copied(:)
  call absent()
  call absent(array)
  call absent_copy()
  allocate(copied(4))
  copied = 3
  call absent_copy(copied)
  deallocate(copied)
  call all(5)
  !$omp parallel
  call all(3 + omp_get_thread_num())
  !$omp end parallel
  if (.not. omp_is_initial_device() .or. omp_get_num_devices() /= 0) stop 20
end program
