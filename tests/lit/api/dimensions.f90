! dimensions.f90 - Fortran: dimensions of devices, and commands to a tool, in OpenMP 6.0 and 6.1
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks their Fortran names, without a tool.
! nanogomp-only: libgomp has none of these before gcc 17.
! REQUIRES: nanogomp, base
! UNSUPPORTED: tool
! RUN: %omp_test
module newer
  use iso_c_binding
  implicit none
  abstract interface
    integer(4) function dims_of(device, native)
      integer(4), intent(in) :: device
      logical(4), intent(in) :: native
    end function
    integer(4) function control_4(command, modifier)
      integer(4) :: command, modifier
    end function
    integer(4) function control_8(command, modifier)
      integer(4) :: command
      integer(8) :: modifier
    end function
  end interface
contains
  include 'find_symbol.inc'
end module

program dimensions
  use omp_lib
  use newer
  implicit none
  procedure(dims_of), pointer :: dims
  procedure(control_4), pointer :: control
  procedure(control_8), pointer :: control_wide
  if (omp_get_num_devices() /= 0) stop 6 ! also links the library
  call c_f_procpointer(find_symbol('omp_get_supported_active_team_dims_', 'OMP_6.1'), dims)
  if (dims(0, .true.) /= 1) stop 2
  call c_f_procpointer(find_symbol('omp_get_supported_active_league_dims_', 'OMP_6.1'), dims)
  if (dims(-1, .false.) /= 1) stop 3
  call c_f_procpointer(find_symbol('omp_control_tool_', 'OMP_6.0'), control)
  if (control(1, 2) /= -2) stop 4
  call c_f_procpointer(find_symbol('omp_control_tool_8_', 'OMP_6.0'), control_wide)
  if (control_wide(1, 2_8) /= -2) stop 5
end program
