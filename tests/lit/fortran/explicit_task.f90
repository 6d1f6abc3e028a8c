! explicit_task.f90 - Fortran: omp_in_explicit_task
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks the Fortran name's result in implicit and explicit tasks, deferred or not.
! nanogomp-only: gcc 12's omp_lib and libgomp do not have it.
! REQUIRES: nanogomp
! RUN: %omp_test
module newer
  use iso_c_binding
  implicit none
  abstract interface
    function query() result(answer)
      logical(4) :: answer
    end function
  end interface
contains
  include 'find_symbol.inc'
end module

program explicit_task
  use newer
  implicit none
  procedure(query), pointer :: in_explicit_task
  call c_f_procpointer(find_symbol('omp_in_explicit_task_', 'OMP_5.2'), in_explicit_task)
  if (in_explicit_task()) stop 2
  !$omp parallel
  if (in_explicit_task()) stop 3
  !$omp task
  if (.not. in_explicit_task()) stop 4
  !$omp end task
  !$omp task if(.false.)
  if (.not. in_explicit_task()) stop 5
  !$omp end task
  !$omp end parallel
end program
