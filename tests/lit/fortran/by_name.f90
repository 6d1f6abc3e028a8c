! by_name.f90 - Fortran: the names of functions that newer compilers answer or call otherwise
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks the results of the library's Fortran names for devices. gfortran 12 calls them; later ones
! call the names of C, or know the answer.
! REQUIRES: base
! RUN: %omp_test
module names
  use iso_c_binding
  implicit none
  abstract interface
    integer(4) function number()
    end function
    logical(4) function query()
    end function
    logical(4) function query_of(kind)
      integer(4), intent(in) :: kind
    end function
  end interface
contains
  include 'find_symbol.inc'
end module

program by_name
  use names
  implicit none
  procedure(number), pointer :: initial_device, devices
  procedure(query), pointer :: is_initial_device
  procedure(query_of), pointer :: on_device
  call c_f_procpointer(find_symbol('omp_get_initial_device_', 'OMP_4.5'), initial_device)
  call c_f_procpointer(find_symbol('omp_get_num_devices_', 'OMP_4.0'), devices)
  call c_f_procpointer(find_symbol('omp_is_initial_device_', 'OMP_4.0'), is_initial_device)
  call c_f_procpointer(find_symbol('acc_on_device_h_', 'OACC_2.0'), on_device)
  !$omp parallel
  if (initial_device() /= devices()) stop 2
  if (.not. is_initial_device()) stop 3
  if (.not. on_device(2_4)) stop 4 ! the host
  if (on_device(4_4)) stop 5 ! another device than the host
  !$omp end parallel
end program
