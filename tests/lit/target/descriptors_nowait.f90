! descriptors_nowait.f90 - Fortran: allocatable arrays that are firstprivate on target nowait
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks that the region has the values of when it was met, behind dependences as well, and that the
! originals' descriptors and data stay. Before version 16 gfortran copies a descriptor without its
! data; then the originals are let alone and the region only reads.
! nanogomp-only: libgomp 16 overwrites the original's descriptor when the region runs.
! REQUIRES: nanogomp
! RUN: %omp_test
module work
  implicit none
  logical :: own ! regions have data of their own
contains
  include 'compiler.inc'

  subroutine nowait(m)
    integer, intent(in) :: m
    integer, allocatable :: a(:), b(:)
    integer :: i, x, seen(m)
    allocate(a(-1:m), b(m))
    a = 1
    b = 2
    seen = 0
    x = 0
    do i = 1, m
      !$omp task depend(inout: x) shared(x)
      x = x + 1
      !$omp end task
      !$omp target firstprivate(a, b, i) map(tofrom: seen) nowait depend(inout: x)
      seen(i) = sum(a) + sum(b)
      if (lbound(a, 1) /= -1 .or. size(b) /= m) seen(i) = -1
      if (own) a = -1
      if (own) b = -1
      !$omp end target
      if (own) a = a + 1
    end do
    if (own) b = 7
    !$omp taskwait
    do i = 1, m
      if (seen(i) /= merge(i, 1, own) * (m + 2) + 2 * m) stop 1
    end do
    if (lbound(a, 1) /= -1 .or. ubound(a, 1) /= m .or. lbound(b, 1) /= 1 .or. size(b) /= m) stop 2
    if (own .and. (any(a /= m + 1) .or. any(b /= 7))) stop 3
    if (x /= m) stop 4
  end subroutine
end module

program descriptors_nowait
  use work
  implicit none
  integer :: i
  own = gfortran() >= 16
  call nowait(5)
  !$omp parallel private(i)
  do i = 1, 10
    call nowait(i)
  end do
  !$omp end parallel
end program
