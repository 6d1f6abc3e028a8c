! fkernel.f90 - what the Fortran kernels share: options, time and the result line (see kernel.h)
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module fkernel
  use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
  use omp_lib
  implicit none
  private
  public :: kern_options, kern_parse, kern_now, kern_threads, kern_check, kern_report

  type kern_options
    integer(int64) :: size = -1, iters = -1, reps = 1
    logical :: small = .false.
    logical :: kind8 = .false. ! fep only
  end type kern_options

contains

  subroutine usage(name, unit)
    character(*), intent(in) :: name
    integer, intent(in) :: unit
    write (unit, '(3a)') 'usage: ', name, ' [--size N] [--iters N] [--reps N] [--small]'
    if (name == 'fep') write (unit, '(a)') '  --kind8  calls the routines for 8-byte integers'
  end subroutine usage

  subroutine bad_usage(name, argument)
    character(*), intent(in) :: name, argument
    write (error_unit, '(4a)') name, ": bad option or value '", trim(argument), "'"
    call usage(name, error_unit)
    stop 2, quiet=.true.
  end subroutine bad_usage

  subroutine read_number(name, at, number)
    character(*), intent(in) :: name
    integer, intent(inout) :: at
    integer(int64), intent(out) :: number
    character(64) :: text
    integer :: status
    at = at + 1
    call get_command_argument(at, text)
    read (text, *, iostat=status) number
    if (status /= 0) call bad_usage(name, text)
    if (number < 1) call bad_usage(name, text)
  end subroutine read_number

  ! Defaults: `full` and `brief` are size and iters, without and with --small.
  function kern_parse(name, full, brief) result(options)
    character(*), intent(in) :: name
    integer, intent(in) :: full(2), brief(2)
    type(kern_options) :: options
    character(64) :: argument
    integer :: at, chosen(2)
    at = 1
    do while (at <= command_argument_count())
      call get_command_argument(at, argument)
      select case (argument)
      case ('--size')
        call read_number(name, at, options%size)
      case ('--iters')
        call read_number(name, at, options%iters)
      case ('--reps')
        call read_number(name, at, options%reps)
      case ('--small')
        options%small = .true.
      case ('--kind8')
        if (name /= 'fep') call bad_usage(name, argument)
        options%kind8 = .true.
      case ('--help')
        call usage(name, 6)
        stop 0, quiet=.true.
      case default
        call bad_usage(name, argument)
      end select
      at = at + 1
    end do
    chosen = merge(brief, full, options%small)
    if (options%size < 0) options%size = chosen(1)
    if (options%iters < 0) options%iters = chosen(2)
  end function kern_parse

  ! Seconds of a clock that the OpenMP runtime has no part in.
  function kern_now() result(seconds)
    real(real64) :: seconds
    integer(int64) :: count, rate
    call system_clock(count, rate)
    seconds = real(count, real64)/real(rate, real64)
  end function kern_now

  ! Size of the team a plain region really gets; also warms the runtime up before timing.
  function kern_threads() result(threads)
    integer :: threads
    threads = 0
    !$omp parallel
    !$omp single
    threads = omp_get_num_threads()
    !$omp end single
    !$omp end parallel
  end function kern_threads

  ! Says on stderr what is wrong; `ok` becomes false.
  subroutine kern_check(ok, holds, message)
    logical, intent(inout) :: ok
    logical, intent(in) :: holds
    character(*), intent(in) :: message
    if (.not. holds) write (error_unit, '(2a)') 'check failed: ', message
    ok = ok .and. holds
  end subroutine kern_check

  ! Prints the result line and ends the program, with status 1 for a wrong answer.
  subroutine kern_report(name, size, seconds, ok, value)
    character(*), intent(in) :: name, size, value
    real(real64), intent(in) :: seconds
    logical, intent(in) :: ok
    character(16) :: time
    write (time, '(f16.6)') seconds
    if (seconds < 1) time = '0'//adjustl(time(index(time, '.'):))
    write (*, '(3a,i0,8a)') 'KERNEL ', name, ' threads=', kern_threads(), ' size=', size, &
      ' seconds=', trim(adjustl(time)), ' check=', trim(merge('ok    ', 'FAILED', ok)), &
      ' value=', value
    if (.not. ok) stop 1, quiet=.true.
  end subroutine kern_report
end module fkernel
