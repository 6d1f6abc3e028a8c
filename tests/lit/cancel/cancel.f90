! cancel.f90 - cancel and cancellation point from Fortran
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks cancelled regions, loops, sections and taskgroups, and what comes after them.
! RUN: %omp_build %s -o %t
! RUN: env OMP_CANCELLATION=true %omp_run %t
program cancel
  use omp_lib
  implicit none
  integer :: round, i, passed, done, total

  if (.not. omp_get_cancellation()) stop 1
  do round = 1, 50
    passed = 0
    !$omp parallel shared(passed)
    if (omp_get_thread_num() == mod(round, omp_get_num_threads())) then
      !$omp cancel parallel
    end if
    !$omp barrier
    !$omp atomic
    passed = passed + 1
    !$omp end parallel
    if (passed /= 0) stop 2

    done = 0
    total = 0
    !$omp parallel shared(done, total)
    !$omp do schedule(dynamic)
    do i = 1, 100
      !$omp cancellation point do
      if (i == round) then
        !$omp cancel do
      end if
      !$omp atomic
      done = done + 1
    end do
    !$omp end do
    !$omp do reduction(+:total)
    do i = 1, 100
      total = total + i
    end do
    !$omp end do
    !$omp end parallel
    if (done >= 100) stop 3
    if (total /= 5050) stop 4

    done = 0
    !$omp parallel shared(done)
    !$omp single
    !$omp taskgroup
    do i = 1, 20
      !$omp task shared(done) firstprivate(i) depend(inout: total)
      if (i == 5) then
        !$omp cancel taskgroup
      end if
      done = done + 1
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp end single
    !$omp end parallel
    if (done /= 4) stop 5
  end do
end program cancel
