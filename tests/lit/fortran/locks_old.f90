! locks_old.f90 - Fortran: the lock functions of version node OMP_1.0
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks the ten old Fortran lock functions, found by dlvsym as no new program can link with them:
! both locks are the integer itself (4 and 8 bytes); they exclude, count depth, give test results.
! RUN: %omp_test
module old_locks
  use iso_c_binding
  implicit none
  abstract interface
    subroutine work_simple(lock)
      integer(4), intent(inout) :: lock
    end subroutine
    function test_simple(lock) result(got)
      integer(4), intent(inout) :: lock
      logical(4) :: got
    end function
    subroutine work_nest(lock)
      integer(8), intent(inout) :: lock
    end subroutine
    function test_nest(lock) result(depth)
      integer(8), intent(inout) :: lock
      integer(4) :: depth
    end function
  end interface
contains
  function find(name)
    character(*), intent(in) :: name
    type(c_funptr) :: find
    find = find_symbol(name, 'OMP_3.0') ! both are there
    find = find_symbol(name, 'OMP_1.0')
  end function
  include 'find_symbol.inc'
end module

program locks_old
  use omp_lib
  use old_locks
  implicit none
  procedure(work_simple), pointer :: init, set, unset, destroy
  procedure(test_simple), pointer :: test
  procedure(work_nest), pointer :: init_nest, set_nest, unset_nest, destroy_nest
  procedure(test_nest), pointer :: test_depth
  integer(4) :: lock(2)
  integer(8) :: nest(2)
  integer :: i, n, counter, nested
  call c_f_procpointer(find('omp_init_lock_'), init)
  call c_f_procpointer(find('omp_set_lock_'), set)
  call c_f_procpointer(find('omp_unset_lock_'), unset)
  call c_f_procpointer(find('omp_test_lock_'), test)
  call c_f_procpointer(find('omp_destroy_lock_'), destroy)
  call c_f_procpointer(find('omp_init_nest_lock_'), init_nest)
  call c_f_procpointer(find('omp_set_nest_lock_'), set_nest)
  call c_f_procpointer(find('omp_unset_nest_lock_'), unset_nest)
  call c_f_procpointer(find('omp_test_nest_lock_'), test_depth)
  call c_f_procpointer(find('omp_destroy_nest_lock_'), destroy_nest)
  lock = [-1, 4711]
  nest = [-1_8, 4712_8]
  call init(lock(1))
  call init_nest(nest(1))
  counter = 0
  nested = 0
  n = omp_get_max_threads()
  !$omp parallel private(i)
  do i = 1, 2000
    call set(lock(1))
    counter = counter + 1
    call unset(lock(1))
    call set_nest(nest(1))
    if (test_depth(nest(1)) /= 2) stop 2
    nested = nested + 1
    call unset_nest(nest(1))
    call unset_nest(nest(1))
  end do
  !$omp end parallel
  if (counter /= 2000 * n .or. nested /= 2000 * n) stop 3
  if (.not. test(lock(1))) stop 4
  if (test(lock(1))) stop 5
  call unset(lock(1))
  call set_nest(nest(1))
  !$omp task if(.false.) shared(nest)
  if (test_depth(nest(1)) /= 2) stop 6 ! the thread owns it, not the task
  !$omp end task
  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) then
    if (test_depth(nest(1)) /= 0) stop 7
  end if
  !$omp end parallel
  call unset_nest(nest(1))
  call unset_nest(nest(1))
  call destroy_nest(nest(1))
  call destroy(lock(1))
  if (lock(2) /= 4711 .or. nest(2) /= 4712) stop 8
end program
