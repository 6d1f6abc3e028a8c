! tasks.f90 - Fortran: tasks, reductions, copyin and critical
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks recursive tasks, taskgroup, firstprivate arrays in tasks, all intrinsic reductions (also of
! arrays and allocatables), threadprivate data with copyin, critical and atomic.
! RUN: %omp_test
module state
  implicit none
  integer, save :: own
  !$omp threadprivate(own)
contains
  recursive function fib(n) result(f)
    integer, intent(in) :: n
    integer :: f, a, b
    if (n < 2) then
      f = n
      return
    end if
    !$omp task shared(a)
    a = fib(n - 1)
    !$omp end task
    !$omp task shared(b)
    b = fib(n - 2)
    !$omp end task
    !$omp taskwait
    f = a + b
  end function
end module

program tasks
  use omp_lib
  use state
  implicit none
  integer :: f, i, n, total, low, high, bits, histogram(10), hits, number
  integer, allocatable :: sums(:)
  integer :: vector(50)
  logical :: all_true, any_true
  n = omp_get_max_threads()
  !$omp parallel
  !$omp single
  f = fib(15)
  !$omp end single
  !$omp end parallel
  if (f /= 610) stop 1
  total = 0
  !$omp parallel
  !$omp master
  !$omp taskgroup
  do i = 1, 100
    vector = i
    !$omp task firstprivate(vector, i) shared(total)
    if (any(vector /= i)) stop 2
    !$omp atomic
    total = total + i
    !$omp end task
    vector = -1
  end do
  !$omp end taskgroup
  if (total /= 5050) stop 3
  !$omp end master
  !$omp end parallel
  allocate (sums(4))
  sums = 1
  total = 7
  low = 99
  high = -99
  bits = 0
  histogram = 0
  all_true = .true.
  any_true = .false.
  !$omp parallel do schedule(dynamic, 3) reduction(+:total, histogram, sums) reduction(min:low) &
  !$omp& reduction(max:high) reduction(ior:bits) reduction(.and.:all_true) reduction(.or.:any_true)
  do i = 1, 50
    total = total + i
    low = min(low, 3 * i)
    high = max(high, 3 * i)
    bits = ior(bits, i)
    histogram(1 + mod(i, 10)) = histogram(1 + mod(i, 10)) + 1
    sums = sums + i
    all_true = all_true .and. i > 0
    any_true = any_true .or. i == 50
  end do
  if (total /= 7 + 1275 .or. low /= 3 .or. high /= 150 .or. bits /= 63) stop 4
  if (any(histogram /= 5) .or. any(sums /= 1276)) stop 5
  deallocate (sums)
  if (.not. all_true .or. .not. any_true) stop 6
  hits = 0
  do i = 1, 20
    own = i
    !$omp parallel copyin(own) private(number)
    if (own /= i) stop 7
    number = omp_get_thread_num()
    own = -number
    !$omp critical (name)
    hits = hits + 1
    !$omp end critical (name)
    !$omp end parallel
  end do
  if (hits /= 20 * n) stop 8
end program
