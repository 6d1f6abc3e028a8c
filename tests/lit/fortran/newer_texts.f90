! newer_texts.f90 - Fortran: functions with texts as results, of later libraries
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks, as gfortran calls functions whose result is a character(:) pointer, the UIDs of devices
! and the texts of interop objects: values, lengths, unassociated pointers, optional arguments.
! nanogomp-only: libgomp has these functions from gcc 15 on.
! REQUIRES: nanogomp, base
! RUN: %omp_build %s -o %t -ldl
! RUN: %omp_run %t
module texts
  use iso_c_binding
  implicit none
  include 'newer_texts.inc'
contains
  include 'find_symbol.inc'
end module

program newer_texts
  use texts
  use omp_lib, only: omp_get_num_devices
  implicit none
  procedure(uid_4), pointer :: uid
  procedure(uid_8), pointer :: uid_of_8
  procedure(device_of), pointer :: device
  procedure(text_of), pointer :: name_of, type_of, reason
  procedure(value_of), pointer :: str
  character(:), pointer :: text
  character(len=40) :: longer
  integer(c_intptr_t), parameter :: none = 0
  integer(4) :: code, i
  character(len=14), parameter :: names(-12:3) = [character(len=14) :: '', '', '', 'targetsync', &
    'device_context', 'device', 'platform', 'device_num', 'vendor_name', 'vendor', 'fr_name', &
    'fr_id', '', '', '', '']

  if (omp_get_num_devices() /= 0) stop 19
  call c_f_procpointer(find_symbol('omp_get_uid_from_device_', 'GOMP_6.0'), uid)
  call c_f_procpointer(find_symbol('omp_get_uid_from_device_8_', 'GOMP_6.0'), uid_of_8)
  call c_f_procpointer(find_symbol('omp_get_device_from_uid_', 'GOMP_6.0'), device)
  call c_f_procpointer(find_symbol('omp_get_interop_name_', 'GOMP_5.1.3'), name_of)
  call c_f_procpointer(find_symbol('omp_get_interop_type_desc_', 'GOMP_5.1.3'), type_of)
  call c_f_procpointer(find_symbol('omp_get_interop_rc_desc_', 'GOMP_5.1.3'), reason)
  call c_f_procpointer(find_symbol('omp_get_interop_str_', 'GOMP_5.1.3'), str)

  do i = -6, 2
    text => uid(i)
    if (i == -5 .or. i == -1 .or. i == 0) then
      if (.not. associated(text)) stop 2
      if (len(text) /= 18 .or. text /= 'OMP_INITIAL_DEVICE') stop 3
      if (.not. associated(text, uid_of_8(int(i, 8)))) stop 4
      longer = text // 'AND MORE'
      if (device(longer(1:len(text))) /= -1 .or. device(text) /= -1) stop 5
      if (device(longer) /= -4) stop 6
    else
      if (associated(text)) stop 7
      if (device(text) /= -4) stop 8
      text => uid_of_8(int(i, 8))
      if (associated(text)) stop 9
    end if
  end do

  do i = -12, 3
    text => name_of(none, i)
    if (i >= -9 .and. i < 0) then
      if (.not. associated(text)) stop 10
      if (text /= trim(names(i)) .or. len(text) /= len_trim(names(i))) stop 11
    else
      if (associated(text)) stop 12
    end if
    text => type_of(none, i)
    if (associated(text)) stop 13
    code = 99
    text => str(none, i, code)
    if (associated(text)) stop 14
    if (code /= merge(-1, -2, i >= -9 .and. i < 0)) stop 15
    text => str(none, i)
    if (associated(text)) stop 16
    text => reason(none, i)
    if (associated(text) .neqv. (i >= -5 .and. i <= 1)) stop 17
    if (associated(text)) then
      if (len(text) < 5) stop 18
    end if
  end do
end program
