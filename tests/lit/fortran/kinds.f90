! kinds.f90 - Fortran: every set and query function with default integers and logicals
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Compiled for both default kinds, so that each name of omp_lib and its twin for INTEGER(8) is
! called as programs call it. Checks that what was set is read, and that values beyond INTEGER(4)
! are clipped.
! RUN: %omp_build %s -o %t -Wno-deprecated-declarations
! RUN: %omp_run %t 2> %t.env && %FileCheck %s < %t.env
! RUN: %omp_build %s -o %t.8 -fdefault-integer-8 -Wno-deprecated-declarations
! RUN: %omp_run %t.8 2> %t.8.env && %FileCheck %s < %t.8.env
! CHECK: OPENMP DISPLAY ENVIRONMENT BEGIN
! CHECK-NOT: GOMP_SPINCOUNT
! CHECK: OPENMP DISPLAY ENVIRONMENT END
! CHECK: OPENMP DISPLAY ENVIRONMENT BEGIN
! CHECK: GOMP_SPINCOUNT
! CHECK: OPENMP DISPLAY ENVIRONMENT END
! REQUIRES: base
program kinds
  use omp_lib
  implicit none
  integer :: number, chunk
  integer(omp_sched_kind) :: sched
  logical :: wanted
  number = 3
  call omp_set_num_threads(number)
  if (omp_get_max_threads() /= number) stop 1
  call omp_set_num_teams(number)
  if (omp_get_max_teams() /= number) stop 2
  call omp_set_num_teams(0)
  call omp_set_teams_thread_limit(number)
  if (omp_get_teams_thread_limit() /= number) stop 3
  call omp_set_teams_thread_limit(0)
  call omp_set_max_active_levels(number)
  if (omp_get_max_active_levels() /= number) stop 4
  call omp_set_max_active_levels(huge(number))
  if (omp_get_max_active_levels() /= omp_get_supported_active_levels()) stop 5
  call omp_set_default_device(number)
  if (omp_get_default_device() /= number) stop 6
  call omp_set_default_device(omp_get_initial_device() + 0 * number)
  chunk = 5
  call omp_set_schedule(omp_sched_guided, chunk)
  chunk = 0
  call omp_get_schedule(sched, chunk)
  if (iand(int(sched), 7) /= omp_sched_guided .or. chunk /= 5) stop 7
  call omp_set_schedule(omp_sched_dynamic, huge(chunk))
  call omp_get_schedule(sched, chunk)
  if (chunk /= huge(1_4)) stop 8
  wanted = .true.
  call omp_set_dynamic(wanted)
  if (.not. omp_get_dynamic()) stop 9
  wanted = .false.
  call omp_set_dynamic(wanted)
  if (omp_get_dynamic()) stop 10
  call nesting
  call omp_set_default_allocator(omp_large_cap_mem_alloc)
  if (omp_get_default_allocator() /= omp_large_cap_mem_alloc) stop 11
  call omp_set_default_allocator(omp_default_mem_alloc)
  if (omp_get_device_num() /= omp_get_initial_device()) stop 12
  if (omp_pause_resource(omp_pause_soft, omp_get_initial_device()) /= 0) stop 13
  if (omp_pause_resource(omp_pause_hard, 77_4) /= -1) stop 14
  number = 2
  !$omp parallel num_threads(2)
  if (omp_get_ancestor_thread_num(omp_get_level() + 0 * number) /= omp_get_thread_num()) stop 15
  if (omp_get_team_size(number - 1) /= omp_get_num_threads()) stop 16
  if (omp_get_team_size(huge(number)) /= -1) stop 17
  if (omp_get_ancestor_thread_num(-huge(number)) /= -1) stop 18
  !$omp end parallel
  call omp_display_env(wanted)
  wanted = .true.
  call omp_display_env(wanted)
contains
  subroutine nesting
    wanted = .true.
    call omp_set_nested(wanted)
    if (.not. omp_get_nested()) stop 20
    wanted = .false.
    call omp_set_nested(wanted)
    if (omp_get_nested()) stop 21
    if (omp_get_max_active_levels() /= 1) stop 22
  end subroutine
end program
