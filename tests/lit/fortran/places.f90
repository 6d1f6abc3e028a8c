! places.f90 - Fortran: places and the place partition
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks the place functions in both default kinds of integer: one place for each CPU, numbers in
! range, CPUs in rising order, arrays filled and nothing written past their ends; numbers out of
! range give nothing.
! RUN: %omp_build %s -o %t && env OMP_PLACES=threads %omp_run %t
! RUN: %omp_build %s -o %t.8 -fdefault-integer-8 && env OMP_PLACES=threads %omp_run %t.8
! REQUIRES: base
program places
  use omp_lib
  implicit none
  integer :: count, place, last, ids(2)
  integer, allocatable :: numbers(:)
  count = omp_get_num_places()
  if (count < 1 .or. count /= omp_get_num_procs()) stop 1
  if (omp_get_partition_num_places() /= count) stop 2
  if (omp_get_place_num() < -1 .or. omp_get_place_num() >= count) stop 3
  allocate (numbers(count + 1))
  numbers = -9
  call omp_get_partition_place_nums(numbers)
  do place = 0, count - 1
    if (numbers(place + 1) /= place) stop 4
  end do
  if (numbers(count + 1) /= -9) stop 5
  last = -1
  do place = 0, count - 1
    if (omp_get_place_num_procs(place) /= 1) stop 6
    ids = -9
    call omp_get_place_proc_ids(place, ids)
    if (ids(1) <= last .or. ids(2) /= -9) stop 7
    last = ids(1)
  end do
  ids = -9
  if (omp_get_place_num_procs(-1) /= 0 .or. omp_get_place_num_procs(count) /= 0) stop 8
  call omp_get_place_proc_ids(-1, ids)
  call omp_get_place_proc_ids(count, ids)
  if (omp_get_place_num_procs(huge(place)) /= 0) stop 9
  call omp_get_place_proc_ids(huge(place), ids)
  if (any(ids /= -9)) stop 10
  deallocate (numbers)
end program
