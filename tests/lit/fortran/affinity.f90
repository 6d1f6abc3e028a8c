! affinity.f90 - Fortran: strings of the affinity functions
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks omp_get/set_affinity_format, omp_capture_affinity and omp_display_affinity with Fortran
! strings: blank padding, truncation and the returned lengths.
! RUN: %omp_build %s -o %t
! RUN: %omp_run %t 2>&1 | %FileCheck %s
! CHECK: {{^}}shown 0 of 1{{$}}
program affinity
  use omp_lib
  implicit none
  character(len=60) :: text
  character(len=5) :: short
  if (omp_get_affinity_format(text) /= 30) stop 1
  if (text /= 'level %L thread %i affinity %A') stop 2
  if (text(31:60) /= ' ') stop 3
  call omp_set_affinity_format('n=%n of %N')
  if (omp_get_affinity_format(text) /= 10) stop 4
  if (text /= 'n=%n of %N') stop 5
  if (omp_get_affinity_format(short) /= 10) stop 6
  if (short /= 'n=%n ') stop 7
  if (omp_capture_affinity(text, '') /= 8) stop 8
  if (text /= 'n=0 of 1') stop 9
  if (omp_capture_affinity(text, '%.5N|') /= 6) stop 10
  if (text /= '    1|') stop 11
  if (omp_capture_affinity(short, '1234567') /= 7) stop 12
  if (short /= '12345') stop 13
  call omp_display_affinity('shown %n of %N')
end program
