! api.f90 - OpenACC in Fortran: devices, queues, properties
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks the Fortran names of the functions that take no data: values, logical results, and texts
! padded and cut to the variable's length.
! REQUIRES: base
! RUN: %acc_test
program api
  use openacc
  implicit none
  character(len=10) :: long
  character(len=2) :: short
  integer :: x
  if (acc_get_num_devices(acc_device_host) /= 1) error stop 1
  if (acc_get_num_devices(acc_device_none) /= 0) error stop 2
  call acc_init(acc_device_host)
  if (acc_get_device_type() /= acc_device_host) error stop 3
  call acc_shutdown(acc_device_host)
  call acc_set_device_type(acc_device_default)
  call acc_set_device_num(0, acc_device_host)
  if (acc_get_device_num(acc_device_host) /= 0) error stop 4
  x = 0
  !$acc parallel copy(x) async(3)
  x = 1
  !$acc end parallel
  if (.not. acc_async_test(3)) error stop 5
  if (.not. acc_async_test_all()) error stop 6
  if (x /= 1) error stop 7
  call acc_wait(3)
  call acc_async_wait(acc_async_noval)
  call acc_wait_async(3, 4)
  call acc_wait_all()
  call acc_async_wait_all()
  call acc_wait_all_async(acc_async_sync)
  if (.not. acc_on_device(acc_device_host)) error stop 8
  if (acc_on_device(acc_device_not_host)) error stop 9
  if (acc_get_property(0, acc_device_host, acc_property_memory) /= 0) error stop 10
  long = "xxxxxxxxxx"
  call acc_get_property_string(0, acc_device_host, acc_property_name, long)
  if (long /= "GOMP      ") error stop 11
  call acc_get_property_string(0, acc_device_host, acc_property_vendor, short)
  if (short /= "GN") error stop 12
  call acc_get_property_string(0, acc_device_host, acc_property_memory, long)
  if (long /= " ") error stop 13
end program api
