! descriptors.f90 - Fortran: allocatable and pointer arrays that are firstprivate on target
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks values and bounds inside the region and the originals after it, for several types and
! ranks, not allocated, of size 0, optional, strided, in modules, in combined constructs, from many
! threads.
! Before version 16 gfortran copies a descriptor without its data, and the region writes to the
! original's; then the originals are not checked.
! RUN: %omp_test
module work
  implicit none
  integer, allocatable :: global(:)
  logical :: own ! regions have data of their own
contains
  include 'compiler.inc'

  subroutine several(m)
    integer, intent(in) :: m
    integer, allocatable :: a(:), none(:), empty(:)
    real(8), allocatable :: b(:, :)
    character(:), allocatable :: c(:)
    integer :: seen
    logical :: right
    allocate(a(-2:m), b(3, 0:m), empty(7:6))
    allocate(character(5) :: c(4))
    a = 1
    b = 2
    c = 'hello'
    right = .false.
    !$omp target firstprivate(a, b, c, none, empty) map(tofrom: seen, right)
    seen = sum(a) + int(sum(b))
    right = lbound(a, 1) == -2 .and. ubound(a, 1) == m .and. lbound(b, 2) == 0 .and. len(c) == 5
    right = right .and. .not. allocated(none) .and. allocated(empty) .and. all(c == 'hello')
    right = right .and. size(empty) == 0 .and. size(b) == 3 * (m + 1)
    a = -1
    b = -1
    c = 'other'
    !$omp end target
    if (seen /= m + 3 + 6 * (m + 1) .or. .not. right) stop 1
    if (lbound(a, 1) /= -2 .or. size(a) /= m + 3 .or. size(b) /= 3 * (m + 1)) stop 2
    if (allocated(none) .or. .not. allocated(empty)) stop 3
    if (own .and. (any(a /= 1) .or. any(b /= 2) .or. any(c /= 'hello'))) stop 4
  end subroutine

  subroutine optional(a, is)
    integer, allocatable, optional :: a(:)
    logical, intent(in) :: is
    integer :: seen
    seen = -1
    !$omp target firstprivate(a) map(tofrom: seen)
    if (present(a)) then
      seen = 0
      if (allocated(a)) then
        seen = sum(a)
        a = -1
      end if
    end if
    !$omp end target
    if (present(a)) then
      if (allocated(a) .neqv. is) stop 5
      if (is) then
        if (seen /= 5 * size(a)) stop 6
        if (own .and. any(a /= 5)) stop 7
      else if (seen /= 0) then
        stop 8
      end if
    else if (seen /= -1) then
      stop 9
    end if
  end subroutine

  subroutine pointers
    integer, target :: whole(10)
    integer, pointer :: part(:), none(:)
    integer :: i, seen
    whole = [(i, i = 1, 10)]
    part => whole(2:10:3)
    none => null()
    !$omp target firstprivate(part, none) map(tofrom: seen)
    seen = part(1) + 10 * part(2) + 100 * part(3)
    if (associated(none)) seen = 0
    part = -1
    !$omp end target
    if (seen /= 2 + 50 + 800) stop 10
    if (.not. associated(part, whole(2:10:3))) stop 11
    if (own .and. any(whole /= [(i, i = 1, 10)])) stop 12
  end subroutine

  subroutine combined(m)
    integer, intent(in) :: m
    integer, allocatable :: a(:)
    integer :: i, total
    allocate(a(m))
    a = [(i, i = 1, m)]
    total = 0
    !$omp target teams distribute parallel do firstprivate(a) map(tofrom: total) reduction(+: total)
    do i = 1, m
      total = total + a(i)
      a(i) = 0
    end do
    if (total /= m * (m + 1) / 2) stop 13
    if (own .and. any(a /= [(i, i = 1, m)])) stop 14
    a = [(i, i = 1, m)]
    total = 0
    !$omp target data map(tofrom: a)
    !$omp target parallel firstprivate(a) map(tofrom: total) num_threads(2) reduction(+: total)
    total = total + a(m)
    !$omp end target parallel
    !$omp target firstprivate(a) if(.false.)
    a = 0
    !$omp end target
    !$omp end target data
    if (mod(total, m) /= 0 .or. total == 0) stop 15
    if (own .and. any(a /= [(i, i = 1, m)])) stop 16
  end subroutine

  subroutine of_module
    integer :: seen
    !$omp target firstprivate(global) map(tofrom: seen)
    seen = sum(global)
    if (own) global = 0
    !$omp end target
    if (seen /= 24 .or. any(global /= 6)) stop 17
  end subroutine
end module

program descriptors
  use work
  implicit none
  integer, allocatable :: a(:)
  integer :: i
  own = gfortran() >= 16
  allocate(global(4))
  global = 6
  call several(5)
  call optional(is=.false.)
  call optional(a, .false.)
  allocate(a(3))
  a = 5
  call optional(a, .true.)
  call pointers
  call combined(20)
  call of_module
  !$omp parallel private(i)
  do i = 1, 10
    call several(i)
    call pointers
    call combined(i)
    call of_module
  end do
  !$omp end parallel
  deallocate(a, global)
end program
