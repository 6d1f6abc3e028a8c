! threads.f90 - Fortran: regions and the thread functions of omp_lib
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks the Fortran twins of the query and set functions with integer(4) and integer(8) arguments
! and logical results, in serial parts and regions.
! RUN: %omp_test
program threads
  use omp_lib
  implicit none
  integer :: n, members, level
  integer(8) :: wide
  integer(4) :: narrow
  double precision :: from, to
  from = omp_get_wtime()
  if (omp_get_num_threads() /= 1 .or. omp_get_thread_num() /= 0) stop 1
  if (omp_in_parallel()) stop 2
  if (omp_get_level() /= 0 .or. omp_get_active_level() /= 0) stop 3
  do n = 1, 6
    narrow = n
    wide = n
    call omp_set_num_threads(narrow)
    if (omp_get_max_threads() /= n) stop 4
    call omp_set_num_threads(wide)
    if (omp_get_max_threads() /= n) stop 5
    members = 0
    !$omp parallel reduction(+:members) private(level, wide, narrow)
    members = members + 1
    if (omp_get_num_threads() /= n) stop 6
    if (omp_get_thread_num() < 0 .or. omp_get_thread_num() >= n) stop 7
    if (omp_in_parallel() .neqv. n > 1) stop 8
    if (omp_get_level() /= 1) stop 9
    wide = 1
    narrow = 1
    if (omp_get_ancestor_thread_num(wide) /= omp_get_thread_num()) stop 10
    if (omp_get_ancestor_thread_num(narrow) /= omp_get_thread_num()) stop 11
    if (omp_get_team_size(wide) /= n .or. omp_get_team_size(narrow) /= n) stop 12
    if (omp_get_team_size(7_8) /= -1 .or. omp_get_ancestor_thread_num(-1_4) /= -1) stop 13
    !$omp end parallel
    if (members /= n) stop 14
  end do
  call omp_set_dynamic(.true.)
  if (.not. omp_get_dynamic()) stop 15
  call omp_set_dynamic(.false.)
  if (omp_get_dynamic()) stop 16
  call omp_set_dynamic(.true._8)
  if (.not. omp_get_dynamic()) stop 17
  call omp_set_dynamic(.false._8)
  if (omp_get_dynamic()) stop 18
  call omp_set_max_active_levels(2_8)
  if (omp_get_max_active_levels() /= 2) stop 19
  call omp_set_max_active_levels(1_4)
  if (omp_get_max_active_levels() /= 1) stop 20
  if (omp_get_supported_active_levels() /= 255) stop 21
  if (omp_get_thread_limit() /= huge(narrow)) stop 22
  if (omp_get_num_procs() < 1) stop 23
  if (omp_in_final() .or. omp_get_cancellation()) stop 24
  if (omp_get_num_teams() /= 1 .or. omp_get_team_num() /= 0) stop 25
  call omp_set_default_device(2_8)
  if (omp_get_default_device() /= 2) stop 26
  call omp_set_default_device(0_4)
  if (omp_get_num_devices() /= 0 .or. .not. omp_is_initial_device()) stop 27
  if (omp_get_initial_device() /= 0) stop 28
  if (omp_get_proc_bind() /= omp_proc_bind_false) stop 29
  if (omp_get_num_places() /= 0 .or. omp_get_place_num() /= -1) stop 30
  if (omp_get_max_task_priority() /= 0) stop 31
  call omp_set_num_teams(4_8)
  if (omp_get_max_teams() /= 4) stop 32
  call omp_set_teams_thread_limit(5_8)
  if (omp_get_teams_thread_limit() /= 5) stop 33
  if (omp_pause_resource_all(omp_pause_soft) /= 0) stop 34
  to = omp_get_wtime()
  if (to < from .or. omp_get_wtick() <= 0) stop 35
end program
