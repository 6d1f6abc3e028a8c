! finalize_async.f90 - OpenACC in Fortran: ends of data lifetimes on a queue, counts set to zero
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks that acc_copyout_finalize_async and acc_delete_finalize_async take whole arrays, parts and
! both kinds of sizes, make the device active, and leave the data and the queue as they are.
! nanogomp-only: gcc 12's openacc module and libgomp do not have them.
! REQUIRES: nanogomp
! REQUIRES: base
! RUN: %acc_test
module newer
  use iso_c_binding
  implicit none
  abstract interface
    subroutine end_array(a, async)
      type(*), dimension(..), contiguous :: a
      integer(4) :: async
    end subroutine
    subroutine end_32(a, bytes, async)
      !GCC$ attributes no_arg_check :: a
      type(*), dimension(*) :: a
      integer(4) :: bytes, async
    end subroutine
    subroutine end_64(a, bytes, async)
      !GCC$ attributes no_arg_check :: a
      type(*), dimension(*) :: a
      integer(8) :: bytes
      integer(4) :: async
    end subroutine
  end interface
contains
  type(c_funptr) function find(name)
    character(*), intent(in) :: name
    find = find_symbol(name, 'OACC_2.6.1')
  end function
  include 'find_symbol.inc'
end module

program finalize_async
  use openacc
  use newer
  implicit none
  integer :: a(4, 5), i
  a = reshape([(i, i = 1, 20)], [4, 5])
  call check(find('acc_copyout_finalize_async_array_h_'), &
             find('acc_copyout_finalize_async_32_h_'), find('acc_copyout_finalize_async_64_h_'))
  call check(find('acc_delete_finalize_async_array_h_'), find('acc_delete_finalize_async_32_h_'), &
             find('acc_delete_finalize_async_64_h_'))
contains
  subroutine check(array_address, address_32, address_64)
    type(c_funptr), intent(in) :: array_address, address_32, address_64
    procedure(end_array), pointer :: whole
    procedure(end_32), pointer :: part_32
    procedure(end_64), pointer :: part_64
    real, allocatable :: none(:)
    call c_f_procpointer(array_address, whole)
    call c_f_procpointer(address_32, part_32)
    call c_f_procpointer(address_64, part_64)
    allocate (none(0))
    call acc_copyin(a)
    call acc_copyin(a)
    call part_32(a, 16_4, 1)
    call part_64(a, 16_8, 1)
    call whole(a, 1)
    call whole(a(:, 2:3), 2)
    call whole(none, acc_async_noval)
    call acc_wait(1)
    if (.not. acc_async_test(1) .or. .not. acc_async_test(2)) error stop 2
    if (any(a /= reshape([(i, i = 1, 20)], [4, 5]))) error stop 3
    call ends_alone(whole)
    call acc_set_device_type(acc_device_host)
  end subroutine
  subroutine ends_alone(whole)
    procedure(end_array) :: whole
    call acc_shutdown(acc_device_host)
    call whole(a, acc_async_sync) ! makes it active: a second shutdown is no error
    call acc_shutdown(acc_device_host)
  end subroutine
end program finalize_async
