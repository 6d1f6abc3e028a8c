! interop.f90 - Fortran: the texts of interop objects and their properties
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks the CHARACTER pointers that the interop routines return, length included, for
! omp_interop_none: names, descriptions, and neither for what is out of range; and the return codes.
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

program interop
  use newer
  implicit none
  procedure(text_of), pointer :: name_of, type_of, reason_of
  procedure(value_of), pointer :: string_of
  character(14), parameter :: names(9) = &
    [character(14) :: 'fr_id', 'fr_name', 'vendor', 'vendor_name', 'device_num', 'platform', &
     'device', 'device_context', 'targetsync']
  character(61), parameter :: reasons(-5:1) = [character(61) :: &
     'property type is string; use omp_get_interop_str', &
     'property type is pointer; use omp_get_interop_ptr', &
     'property type is integer; use omp_get_interop_int', &
     'property ID is out of range', &
     'provided interoperability object is equal to omp_interop_none', &
     'successful', 'no meaningful value available']
  integer(c_intptr_t), parameter :: object = 0
  character(:), pointer :: text
  integer(4) :: i, code
  call c_f_procpointer(find_symbol('omp_get_interop_name_', 'GOMP_5.1.3'), name_of)
  call c_f_procpointer(find_symbol('omp_get_interop_type_desc_', 'GOMP_5.1.3'), type_of)
  call c_f_procpointer(find_symbol('omp_get_interop_rc_desc_', 'GOMP_5.1.3'), reason_of)
  call c_f_procpointer(find_symbol('omp_get_interop_str_', 'GOMP_5.1.3'), string_of)
  !$omp parallel private(i, text, code)
  do i = 1, 9
    text => name_of(object, -i)
    if (.not. associated(text)) stop 2
    if (len(text) /= len_trim(names(i)) .or. text /= names(i)) stop 3
    if (associated(type_of(object, -i))) stop 4
    code = 99
    if (associated(string_of(object, -i, code))) stop 5
    if (code /= -1) stop 6 ! omp_irc_empty
  end do
  do i = -12, 3
    if (i >= -9 .and. i <= -1) cycle
    if (associated(name_of(object, i))) stop 7
    if (associated(string_of(object, i, code))) stop 8
    if (code /= -2) stop 9 ! omp_irc_out_of_range
  end do
  if (associated(string_of(object, -1))) stop 10
  do i = -5, 1
    text => reason_of(object, i)
    if (.not. associated(text)) stop 11
    if (len(text) /= len_trim(reasons(i)) .or. text /= reasons(i)) stop 12
  end do
  do i = 1, 4
    if (associated(reason_of(object, -5 - i)) .or. associated(reason_of(object, 1 + i))) stop 13
  end do
  !$omp end parallel
end program
