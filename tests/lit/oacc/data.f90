! data.f90 - OpenACC in Fortran: data functions for arrays and for 32- and 64-bit sizes
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks that all forms of the names exist, take whole arrays and parts of them, and keep their
! values.
! REQUIRES: base
! RUN: %acc_test
program data
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use openacc
  implicit none
  integer, target :: a(4, 5)
  real, allocatable :: r(:)
  integer :: i
  a = reshape([(i, i = 1, 20)], [4, 5])
  allocate (r(7), source=2.5)
  call lifetimes(a)
  call lifetimes32()
  call lifetimes64()
  call queues()
  if (.not. acc_is_present(a)) error stop 1
  if (.not. acc_is_present(a(:, 2))) error stop 2
  if (.not. acc_is_present(r)) error stop 3
  if (acc_is_present(a, 0)) error stop 4
  if (acc_is_present(a, 0_int64)) error stop 5
  if (acc_is_present(a(:, 1:0))) error stop 6
  if (any(a /= reshape([(i, i = 1, 20)], [4, 5]))) error stop 7
  if (any(r /= 2.5)) error stop 8
  deallocate (r)
contains
  subroutine lifetimes(b)
    integer :: b(:, :)
    call acc_copyin(b)
    call acc_present_or_copyin(b)
    call acc_pcopyin(r)
    call acc_create(b(:, 2:3))
    call acc_present_or_create(b)
    call acc_pcreate(r)
    call acc_update_device(b)
    call acc_update_self(r)
    call acc_copyout(b)
    call acc_copyout_finalize(b)
    call acc_delete(r)
    call acc_delete_finalize(r)
  end subroutine
  subroutine lifetimes32()
    integer(int32), parameter :: bytes = 16
    call acc_copyin(a, bytes)
    call acc_present_or_copyin(a, bytes)
    call acc_create(a, bytes)
    call acc_present_or_create(a, bytes)
    call acc_update_device(a, bytes)
    call acc_update_self(a, bytes)
    if (.not. acc_is_present(a, bytes)) error stop 11
    call acc_copyout(a, bytes)
    call acc_copyout_finalize(a, bytes)
    call acc_delete(a, bytes)
    call acc_delete_finalize(a, bytes)
  end subroutine
  subroutine lifetimes64()
    integer(int64), parameter :: bytes = 16
    call acc_copyin(a, bytes)
    call acc_present_or_copyin(a, bytes)
    call acc_create(a, bytes)
    call acc_present_or_create(a, bytes)
    call acc_update_device(a, bytes)
    call acc_update_self(a, bytes)
    if (.not. acc_is_present(a, bytes)) error stop 12
    call acc_copyout(a, bytes)
    call acc_copyout_finalize(a, bytes)
    call acc_delete(a, bytes)
    call acc_delete_finalize(a, bytes)
  end subroutine
  subroutine queues()
    call acc_copyin_async(a, 1)
    call acc_copyin_async(a, 16, 1)
    call acc_copyin_async(a, 16_int64, 1)
    call acc_create_async(a, 1)
    call acc_create_async(a, 16, 1)
    call acc_create_async(a, 16_int64, 1)
    call acc_update_device_async(a, 1)
    call acc_update_device_async(a, 16, 1)
    call acc_update_device_async(a, 16_int64, 1)
    call acc_update_self_async(a, 1)
    call acc_update_self_async(a, 16, 1)
    call acc_update_self_async(a, 16_int64, 1)
    call acc_copyout_async(a, 1)
    call acc_copyout_async(a, 16, 1)
    call acc_copyout_async(a, 16_int64, 1)
    call acc_delete_async(a, 1)
    call acc_delete_async(a, 16, 1)
    call acc_delete_async(a, 16_int64, 1)
  end subroutine
end program data
