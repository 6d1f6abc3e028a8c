! fep.f90 - NAS EP in Fortran, with the library routines of omp_lib
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Kernel   as ep.c: Gaussian deviates from the NAS generator, in blocks of 2^16 pairs.
! OpenMP   do schedule(runtime) after omp_set_schedule, simple and nestable locks, ordered,
!          sections, tasks, critical, an atomic too wide for the machine; queries whose answer is
!          known (levels, ancestors, schedule, wtime). With --kind8 the arguments are 8-byte
!          integers and logicals: omp_set_num_threads_8_ and its like.
! Check    counters that all members raise under each kind of exclusion are exact; the locks', the
!          ordered region's, the tasks' and the reduction's totals agree (counts exactly, sums to
!          round-off); the ordered region saw the blocks in order; the published sums of NAS
!          classes S, W and A for 24, 25 and 28; a few blocks are recomputed serially.
program fep
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use, intrinsic :: iso_c_binding, only: c_int
  use omp_lib
  use fkernel
  implicit none
  integer(int64), parameter :: half = 2_int64**23, modulus = 2_int64**46
  integer(int64), parameter :: factor = 1220703125_int64, seed = 271828183_int64
  integer, parameter :: block_log2 = 16, annuli = 10
  type(kern_options) :: options
  real(real64), allocatable :: block_x(:), block_y(:)
  real(real64) :: best, start, sum_x, sum_y, locked_x, ordered_y, tasks_x
  integer(int64) :: rep, locked_count, count_total
  integer(int64) :: counts(0:annuli - 1)
  integer :: blocks, last_block
  logical :: ok, in_order
  character(64) :: size_text, value_text
  interface
    function sched_yield() result(status) bind(c)
      import :: c_int
      integer(c_int) :: status
    end function sched_yield
  end interface

  options = kern_parse('fep', [28, 1], [20, 1])
  if (options%size < block_log2 .or. options%size > 40) then
    write (*, '(a)') 'fep: the size is the log2 of the pairs, 16 to 40'
    stop 2, quiet=.true.
  end if
  blocks = int(2_int64**(options%size - block_log2))
  allocate (block_x(0:blocks - 1), block_y(0:blocks - 1))
  ok = .true.
  if (options%kind8) then
    call settings_kind8()
  else
    call settings_default()
  end if
  call queries()
  call exclusion()
  best = huge(best)
  do rep = 1, options%reps
    start = kern_now()
    call run()
    best = min(best, kern_now() - start)
    call verify()
  end do
  write (size_text, '(a,i0,a,i0)') '2^', options%size, 'x', options%iters
  write (value_text, '(es15.8,a,es15.8,a,i0)') sum_x, ',', sum_y, ',', count_total
  call squeeze(value_text)
  call kern_report(trim(merge('fep-kind8', 'fep      ', options%kind8)), trim(size_text), best, &
                   ok, trim(value_text))

contains

  subroutine squeeze(text)
    character(*), intent(inout) :: text
    integer :: at
    do
      at = index(trim(text), ' ')
      if (at == 0) exit
      text(at:) = text(at + 1:)
    end do
  end subroutine squeeze

  ! a b mod 2^46 by halves of 23 bits, without overflow.
  pure function times(a, b) result(product)
    integer(int64), intent(in) :: a, b
    integer(int64) :: product
    product = mod((a/half)*mod(b, half) + mod(a, half)*(b/half), half)
    product = mod(product*half + mod(a, half)*mod(b, half), modulus)
  end function times

  ! The state `steps` draws after the seed.
  pure function state_after(steps) result(state)
    integer(int64), intent(in) :: steps
    integer(int64) :: state, power, left
    state = seed; power = factor; left = steps
    do while (left > 0)
      if (mod(left, 2_int64) == 1) state = times(state, power)
      power = times(power, power)
      left = left/2
    end do
  end function state_after

  subroutine do_block(block, x_total, y_total, found)
    integer, intent(in) :: block
    real(real64), intent(out) :: x_total, y_total
    integer(int64), intent(out) :: found(0:annuli - 1)
    integer(int64) :: state, pair
    real(real64) :: x, y, square, scale
    x_total = 0; y_total = 0; found = 0
    state = state_after(int(block, int64)*2_int64**(block_log2 + 1))
    do pair = 1, 2_int64**block_log2
      state = times(state, factor)
      x = 2*(real(state, real64)/real(modulus, real64)) - 1
      state = times(state, factor)
      y = 2*(real(state, real64)/real(modulus, real64)) - 1
      square = x*x + y*y
      if (square <= 1) then
        scale = sqrt(-2*log(square)/square)
        x = x*scale; y = y*scale
        found(int(max(abs(x), abs(y)))) = found(int(max(abs(x), abs(y)))) + 1
        x_total = x_total + x; y_total = y_total + y
      end if
    end do
  end subroutine do_block

  ! Sets what it found, so that behaviour stays as the environment asked.
  subroutine settings_default()
    integer :: threads
    threads = omp_get_max_threads()
    call omp_set_dynamic(.false.)
    call kern_check(ok, .not. omp_get_dynamic(), 'omp_get_dynamic after omp_set_dynamic')
    call omp_set_num_threads(threads + 1)
    call kern_check(ok, omp_get_max_threads() == threads + 1, 'omp_set_num_threads')
    call omp_set_num_threads(threads)
    call omp_set_max_active_levels(2)
    call kern_check(ok, omp_get_max_active_levels() == 2, 'omp_set_max_active_levels')
    call omp_set_schedule(omp_sched_dynamic, 1)
  end subroutine settings_default

  subroutine settings_kind8()
    integer(int64) :: threads
    threads = omp_get_max_threads()
    call omp_set_dynamic(logical(.false., 8))
    call kern_check(ok, .not. omp_get_dynamic(), 'omp_get_dynamic after omp_set_dynamic')
    call omp_set_num_threads(threads + 1)
    call kern_check(ok, omp_get_max_threads() == threads + 1, 'omp_set_num_threads')
    call omp_set_num_threads(threads)
    call omp_set_max_active_levels(2_int64)
    call kern_check(ok, omp_get_max_active_levels() == 2, 'omp_set_max_active_levels')
    call omp_set_schedule(omp_sched_dynamic, 1_int64)
  end subroutine settings_kind8

  ! Questions whose answer is known.
  subroutine queries()
    integer(omp_sched_kind) :: kind
    integer :: chunk, threads, wrong
    integer(int64) :: chunk8
    real(real64) :: before, after, tick
    before = omp_get_wtime()
    if (options%kind8) then
      call omp_get_schedule(kind, chunk8)
      chunk = int(chunk8)
    else
      call omp_get_schedule(kind, chunk)
    end if
    kind = iand(kind, huge(kind)) ! without the monotonic bit
    call kern_check(ok, kind == omp_sched_dynamic .and. chunk == 1, 'omp_get_schedule')
    threads = kern_threads()
    wrong = 0
    !$omp parallel num_threads(threads) reduction(+:wrong)
    if (omp_get_level() /= 1) wrong = wrong + 1
    if (omp_get_num_threads() /= threads) wrong = wrong + 1
    if (omp_in_parallel() .neqv. threads > 1) wrong = wrong + 1
    if (options%kind8) then
      if (omp_get_ancestor_thread_num(1_int64) /= omp_get_thread_num()) wrong = wrong + 1
      if (omp_get_team_size(1_int64) /= threads) wrong = wrong + 1
    else
      if (omp_get_ancestor_thread_num(1) /= omp_get_thread_num()) wrong = wrong + 1
      if (omp_get_team_size(1) /= threads) wrong = wrong + 1
    end if
    !$omp end parallel
    call kern_check(ok, wrong == 0, 'queries inside a region')
    after = omp_get_wtime()
    tick = omp_get_wtick()
    call kern_check(ok, after >= before .and. tick > 0, 'omp_get_wtime, omp_get_wtick')
  end subroutine queries

  ! counter + 1, slowly: between reading and writing others have time to interfere, also where
  ! all members share a CPU.
  subroutine raise(counter, round)
    integer, intent(inout), volatile :: counter
    integer, intent(in) :: round
    integer :: seen
    integer(c_int) :: status
    real(real64) :: start
    seen = counter
    start = kern_now()
    if (mod(round, 50) == 0) status = sched_yield()
    do while (kern_now() < start + 0.3e-6_real64)
    end do
    counter = seen + 1
  end subroutine raise

  ! All members at once raise counters that only mutual exclusion keeps exact.
  subroutine exclusion()
    integer, parameter :: rounds = 2000
    integer(omp_lock_kind) :: lock
    integer(omp_nest_lock_kind) :: nest_lock
    integer :: round, members, locked, nested, critical
    integer(int64) :: atomics
    real(real64) :: start
    complex(real64) :: wide ! 16 bytes: gfortran calls the runtime for its atomic update
    locked = 0; nested = 0; critical = 0; members = 0; atomics = 0; wide = 0
    call omp_init_lock(lock)
    call omp_init_nest_lock(nest_lock)
    !$omp parallel private(round, start) reduction(+:members, atomics)
    members = 1
    !$omp barrier
    do round = 1, rounds
      call omp_set_lock(lock)
      call raise(locked, round)
      call omp_unset_lock(lock)
      call omp_set_nest_lock(nest_lock)
      call omp_set_nest_lock(nest_lock)
      call raise(nested, round)
      call omp_unset_nest_lock(nest_lock)
      call omp_unset_nest_lock(nest_lock)
      !$omp critical (slowly)
      call raise(critical, round)
      !$omp end critical (slowly)
    end do
    start = kern_now()
    do while (kern_now() < start + 0.01_real64) ! nothing slows an atomic update down: many of them
      do round = 1, rounds
        !$omp atomic
        wide = wide + (1, 2)
      end do
      atomics = atomics + rounds
    end do
    !$omp end parallel
    call kern_check(ok, locked == members*rounds, 'counter under a lock')
    call kern_check(ok, nested == members*rounds, 'counter under a nestable lock')
    call kern_check(ok, critical == members*rounds, 'counter in a critical section')
    call kern_check(ok, wide == (1, 2)*real(atomics, real64), 'atomic update')
    call omp_destroy_lock(lock)
    call omp_destroy_nest_lock(nest_lock)
  end subroutine exclusion

  subroutine run()
    integer(omp_lock_kind) :: lock
    integer(omp_nest_lock_kind) :: nest_lock
    integer(int64) :: found(0:annuli - 1), iteration
    integer :: block
    call omp_init_lock(lock)
    call omp_init_nest_lock(nest_lock)
    do iteration = 1, options%iters
      sum_x = 0; sum_y = 0; counts = 0; locked_x = 0; locked_count = 0; ordered_y = 0
      last_block = -1; in_order = .true.
      !$omp parallel do schedule(runtime) ordered private(found) &
      !$omp& reduction(+:sum_x, sum_y, counts)
      do block = 0, blocks - 1
        call do_block(block, block_x(block), block_y(block), found)
        sum_x = sum_x + block_x(block)
        sum_y = sum_y + block_y(block)
        counts = counts + found
        call omp_set_lock(lock)
        locked_x = locked_x + block_x(block)
        call omp_unset_lock(lock)
        call omp_set_nest_lock(nest_lock)
        call omp_set_nest_lock(nest_lock)
        locked_count = locked_count + sum(found)
        call omp_unset_nest_lock(nest_lock)
        call omp_unset_nest_lock(nest_lock)
        !$omp ordered
        in_order = in_order .and. last_block == block - 1
        last_block = block
        ordered_y = ordered_y + block_y(block)
        !$omp end ordered
      end do
      !$omp end parallel do
    end do
    call omp_destroy_lock(lock)
    call omp_destroy_nest_lock(nest_lock)
    call sum_by_tasks()
  end subroutine run

  ! The blocks' sums again, one task a block; sections make the first and second half.
  subroutine sum_by_tasks()
    integer :: half_number
    tasks_x = 0
    !$omp parallel private(half_number)
    !$omp sections
    !$omp section
    half_number = 0
    call spawn_half(half_number)
    !$omp section
    half_number = 1
    call spawn_half(half_number)
    !$omp end sections
    !$omp end parallel
  end subroutine sum_by_tasks

  subroutine spawn_half(half_number)
    integer, intent(in) :: half_number
    integer :: block
    do block = half_number, blocks - 1, 2
      !$omp task firstprivate(block) shared(tasks_x, block_x)
      !$omp atomic
      tasks_x = tasks_x + block_x(block)
      !$omp end task
    end do
    !$omp taskwait
  end subroutine spawn_half

  logical function near(found, expected, tolerance)
    real(real64), intent(in) :: found, expected, tolerance
    near = abs(found - expected) <= tolerance
  end function near

  subroutine verify()
    real(real64) :: tolerance, x_total, y_total
    integer(int64) :: found(0:annuli - 1)
    integer :: block
    ! Sums of either sign: the tolerance follows their spread, the root of the pairs.
    tolerance = 1e-11_real64*sqrt(real(blocks, real64)*2**block_log2)
    count_total = sum(counts)
    call kern_check(ok, near(sum(block_x), sum_x, tolerance), 'reduction of x')
    call kern_check(ok, near(sum(block_y), sum_y, tolerance), 'reduction of y')
    call kern_check(ok, near(locked_x, sum_x, tolerance), 'sum under a lock')
    call kern_check(ok, near(tasks_x, sum_x, tolerance), 'sum by tasks')
    call kern_check(ok, ordered_y == sum_in_order(), 'sum in an ordered region')
    call kern_check(ok, in_order .and. last_block == blocks - 1, 'order of the ordered region')
    call kern_check(ok, locked_count == count_total, 'count under a nestable lock')
    do block = 0, blocks - 1, max(1, blocks/8)
      call do_block(block, x_total, y_total, found)
      call kern_check(ok, x_total == block_x(block) .and. y_total == block_y(block), &
                      'a block differs from serial')
    end do
    select case (options%size)
    case (24)
      call published(-3.247834652034740e3_real64, -6.958407078382297e3_real64)
    case (25)
      call published(-2.863319731645753e3_real64, -6.320053679109499e3_real64)
    case (28)
      call published(-4.295875165629892e3_real64, -1.580732573678431e4_real64)
    end select
  end subroutine verify

  real(real64) function sum_in_order()
    integer :: block
    sum_in_order = 0
    do block = 0, blocks - 1
      sum_in_order = sum_in_order + block_y(block)
    end do
  end function sum_in_order

  subroutine published(x_expected, y_expected)
    real(real64), intent(in) :: x_expected, y_expected
    call kern_check(ok, near(sum_x, x_expected, 1e-8_real64*abs(x_expected)), 'published sum of x')
    call kern_check(ok, near(sum_y, y_expected, 1e-8_real64*abs(y_expected)), 'published sum of y')
  end subroutine published
end program fep
