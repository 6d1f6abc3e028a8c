! uid.f90 - Fortran: unique identifiers of devices
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks the host's text for its numbers in both kinds of integer, none for other numbers, and the
! way back: with blanks behind the text, cut, too long, in other letters, empty.
! nanogomp-only: gcc 12's omp_lib and libgomp do not have them.
! REQUIRES: nanogomp
! The compiler keeps the lengths of texts in static memory: races of its own.
! UNSUPPORTED: tsan
! RUN: %omp_test
module newer
  use iso_c_binding
  implicit none
  include 'newer_texts.inc'
contains
  include 'find_symbol.inc'
end module

program uid
  use omp_lib
  use newer
  implicit none
  procedure(uid_4), pointer :: of_4
  procedure(uid_8), pointer :: of_8
  procedure(device_of), pointer :: device
  character(:), pointer :: text
  character(len=30) :: padded
  call c_f_procpointer(find_symbol('omp_get_uid_from_device_', 'GOMP_6.0'), of_4)
  call c_f_procpointer(find_symbol('omp_get_uid_from_device_8_', 'GOMP_6.0'), of_8)
  call c_f_procpointer(find_symbol('omp_get_device_from_uid_', 'GOMP_6.0'), device)
  !$omp parallel private(text, padded)
  text => of_4(omp_get_initial_device())
  if (.not. associated(text)) stop 2
  if (len(text) /= 18 .or. text /= 'OMP_INITIAL_DEVICE') stop 3
  if (.not. associated(of_4(-1_4), text)) stop 4
  if (.not. associated(of_8(-1_8), text)) stop 5
  if (.not. associated(of_8(int(omp_get_num_devices(), 8)), text)) stop 6
  if (associated(of_4(7_4)) .or. associated(of_8(7_8))) stop 7
  if (associated(of_8(2_8**32)) .or. associated(of_8(-2_8**32 - 1))) stop 8 ! not cut to 0, -1
  if (device(text) /= -1) stop 9
  padded = text
  if (device(padded) /= -1) stop 10
  if (device(text(1:17)) /= -4) stop 11 ! omp_invalid_device
  if (device('omp_initial_device') /= -4 .or. device('') /= -4 .or. device('   ') /= -4) stop 12
  if (device(text // repeat('x', 100)) /= -4) stop 13
  if (device(text // repeat(' ', 100)) /= -1) stop 14
  if (device(' ' // text) /= -4) stop 15
  !$omp end parallel
end program
