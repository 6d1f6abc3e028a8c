! constructs.f90 - OpenACC in Fortran: compute and data constructs on the host device
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks results of parallel, serial and kernels, do loops with reductions, allocatable and derived
! type data, and data directives.
! RUN: %acc_test
program constructs
  use openacc
  implicit none
  type pair
    integer, allocatable :: first(:)
    integer :: second
  end type
  integer, parameter :: n = 1000
  integer, allocatable :: a(:), b(:)
  integer, pointer :: p(:)
  integer, target :: t(n)
  type(pair) :: both
  integer :: i, total
  allocate (a(n), b(n))
  a = [(i, i = 1, n)]
  total = 0
  !$acc data copyin(a) copyout(b)
  !$acc parallel loop gang vector reduction(+:total) present(a, b)
  do i = 1, n
    b(i) = 2*a(i)
    total = total + a(i)
  end do
  !$acc kernels present(b)
  b = b + 1
  !$acc end kernels
  !$acc update self(b) async(2)
  !$acc end data
  if (total /= n*(n + 1)/2) error stop 1
  if (any(b /= 2*a + 1)) error stop 2
  allocate (both%first(n))
  both%first = 1
  both%second = 5
  !$acc enter data copyin(both) async(1)
  !$acc enter data copyin(both%first) async(1)
  !$acc wait(1)
  !$acc serial loop present(both)
  do i = 1, n
    both%first(i) = both%first(i) + both%second
  end do
  !$acc exit data copyout(both%first)
  !$acc exit data delete(both)
  if (any(both%first /= 6)) error stop 3
  t = 0
  p => t
  !$acc parallel loop copy(p) if(acc_on_device(acc_device_host))
  do i = 1, n
    p(i) = i
  end do
  if (any(t /= a)) error stop 4
  deallocate (a, b, both%first) ! a program's own are never freed: a leak to sanitizers
  !$omp parallel
  call by_member()
  !$omp end parallel
contains
  subroutine by_member()
    integer :: i, total
    total = 0
    !$acc parallel loop reduction(+:total)
    do i = 1, 10
      total = total + i
    end do
    if (total /= 55) error stop 5
  end subroutine
end program constructs
