! locks.f90 - Fortran: simple and nestable locks
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks that the Fortran lock functions, whose lock is the integer itself (simple) or a pointer
! kept in it (nestable), exclude, count depth and give logical results of omp_test_lock.
! RUN: %omp_test
program locks
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: lock, many(100)
  integer(omp_nest_lock_kind) :: nest
  integer :: i, counter, nested, n, counts(100), which
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
  do i = 1, 100
    call omp_init_lock(many(i))
  end do
  counter = 0
  nested = 0
  counts = 0
  n = omp_get_max_threads()
  !$omp parallel private(i, which)
  do i = 1, 3000
    call omp_set_lock(lock)
    counter = counter + 1
    call omp_unset_lock(lock)
    call omp_set_nest_lock(nest)
    call omp_set_nest_lock(nest)
    if (omp_test_nest_lock(nest) /= 3) stop 1
    nested = nested + 1
    call omp_unset_nest_lock(nest)
    call omp_unset_nest_lock(nest)
    call omp_unset_nest_lock(nest)
    which = 1 + mod(i * 37, 100)
    call omp_set_lock(many(which))
    counts(which) = counts(which) + 1
    call omp_unset_lock(many(which))
  end do
  !$omp end parallel
  if (counter /= 3000 * n .or. nested /= 3000 * n .or. sum(counts) /= 3000 * n) stop 2
  if (.not. omp_test_lock(lock)) stop 3
  if (omp_test_lock(lock)) stop 4
  call omp_unset_lock(lock)
  if (omp_test_nest_lock(nest) /= 1) stop 5
  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) then
    if (omp_test_nest_lock(nest) /= 0) stop 6
  end if
  !$omp end parallel
  call omp_unset_nest_lock(nest)
  call omp_destroy_nest_lock(nest)
  call omp_destroy_lock(lock)
  do i = 1, 100
    call omp_destroy_lock(many(i))
  end do
end program
