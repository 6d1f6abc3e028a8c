! partition.f90 - the places of a partition that does not begin at the first one
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Compiled for both default kinds. Checks that each of two members that are spread over two places
! is told the number of its own one.
! REQUIRES: cpus-0-1
! RUN: %omp_build %s -o %t
! RUN: env OMP_PLACES={0},{1} OMP_PROC_BIND=spread %omp_run %t
! RUN: %omp_build %s -o %t.8 -fdefault-integer-8
! RUN: env OMP_PLACES={0},{1} OMP_PROC_BIND=spread %omp_run %t.8
program partition
  use omp_lib
  implicit none
  integer :: nums(2), wrong
  wrong = 0
  !$omp parallel num_threads(2) private(nums) reduction(+: wrong)
  nums = -1
  call omp_get_partition_place_nums(nums)
  if (omp_get_partition_num_places() /= 1) wrong = wrong + 1
  if (nums(1) /= omp_get_thread_num() .or. nums(2) /= -1) wrong = wrong + 1
  !$omp end parallel
  if (wrong /= 0) error stop 1
end program
