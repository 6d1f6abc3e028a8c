! fcg.f90 - conjugate gradients for the five-point Laplacian on a square, in Fortran
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! OpenMP   parallel do with collapse and reductions (+, max, .and.), one parallel region with do,
!          single copyprivate, master, critical (plain and named), barrier, atomic, workshare,
!          threadprivate with copyin: the constructs whose gfortran code calls the runtime.
! Check    the right side is made from a known solution; after `iters` iterations the error must be
!          below 1e-6 (the iterations are enough for round-off) and the residual below 1e-8. The
!          constructs' own counts (iterations seen by each member, entries into criticals) are
!          exact. The error's digits depend on the order of sums; the value printed is the mean of
!          the solution in ten digits, which does not.
module fcg_state
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer(int64) :: rows_seen = 0 ! by this thread
  real(real64) :: alpha_seen = 0  ! by this thread
  !$omp threadprivate(rows_seen, alpha_seen)
end module fcg_state

program fcg
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use omp_lib
  use fkernel
  use fcg_state
  implicit none
  type(kern_options) :: options
  real(real64), allocatable :: x(:, :), exact(:, :), b(:, :), r(:, :), p(:, :), q(:, :)
  real(real64) :: best, start, residual, error, mean
  integer(int64) :: rep, rows, products, criticals
  integer :: n
  logical :: ok, finite
  character(64) :: size_text, value_text

  options = kern_parse('fcg', [640, 2400], [24, 90])
  n = int(options%size)
  allocate (x(0:n + 1, 0:n + 1), exact(0:n + 1, 0:n + 1), b(n, n), r(n, n), q(n, n))
  allocate (p(0:n + 1, 0:n + 1))
  call set_up()
  ok = kern_threads() >= 1
  best = huge(best)
  do rep = 1, options%reps
    start = kern_now()
    call solve()
    best = min(best, kern_now() - start)
    call verify()
  end do
  write (size_text, '(i0,a,i0,a,i0)') n, 'x', n, 'x', options%iters
  write (value_text, '(es16.9)') mean
  call kern_report('fcg', trim(size_text), best, ok, trim(adjustl(value_text)))

contains

  ! A field without symmetry, zero on the boundary, and its image under the Laplacian.
  subroutine set_up()
    integer :: i, j
    x = 0; exact = 0; p = 0
    do j = 1, n
      do i = 1, n
        exact(i, j) = sin(0.11_real64*i) + 0.5_real64*cos(0.07_real64*j) &
                      + real(mod(i + 2*j, 7), real64)
      end do
    end do
    !$omp parallel do collapse(2) schedule(static) default(none) shared(n, b, exact) private(i, j)
    do j = 1, n
      do i = 1, n
        b(i, j) = 4*exact(i, j) - exact(i - 1, j) - exact(i + 1, j) - exact(i, j - 1) &
                  - exact(i, j + 1)
      end do
    end do
    !$omp end parallel do
  end subroutine set_up

  function dot(u, v) result(total)
    real(real64), intent(in) :: u(:, :), v(:, :)
    real(real64) :: total
    integer :: j
    total = 0
    !$omp parallel do reduction(+:total) schedule(static)
    do j = 1, n
      total = total + dot_product(u(:, j), v(:, j))
    end do
    !$omp end parallel do
  end function dot

  ! q = A p and its product with p, in one region; every member learns alpha = rho / (p q).
  subroutine step(rho)
    real(real64), intent(inout) :: rho
    real(real64) :: pq, next_rho, alpha
    integer :: j
    pq = 0; next_rho = 0
    !$omp parallel default(shared) private(j, alpha) copyin(rows_seen)
    !$omp do schedule(static) reduction(+:pq)
    do j = 1, n
      q(1:n, j) = 4*p(1:n, j) - p(0:n - 1, j) - p(2:n + 1, j) - p(1:n, j - 1) - p(1:n, j + 1)
      pq = pq + dot_product(p(1:n, j), q(1:n, j))
      rows_seen = rows_seen + 1
    end do
    !$omp end do
    !$omp single
    alpha = rho/pq
    !$omp end single copyprivate(alpha)
    alpha_seen = alpha
    !$omp do schedule(dynamic, 8) reduction(+:next_rho)
    do j = 1, n
      x(1:n, j) = x(1:n, j) + alpha_seen*p(1:n, j)
      r(:, j) = r(:, j) - alpha_seen*q(:, j)
      next_rho = next_rho + dot_product(r(:, j), r(:, j))
    end do
    !$omp end do
    do j = 1, int(rows_seen)
      !$omp critical (count_rows)
      rows = rows + 1
      !$omp end critical (count_rows)
    end do
    !$omp critical
    criticals = criticals + 1
    !$omp end critical
    !$omp barrier
    !$omp master
    products = products + 1
    !$omp end master
    !$omp do schedule(guided)
    do j = 1, n
      p(1:n, j) = r(:, j) + next_rho/rho*p(1:n, j)
    end do
    !$omp end do
    !$omp end parallel
    rho = next_rho
  end subroutine step

  subroutine solve()
    integer(int64) :: iteration, members
    real(real64) :: rho
    logical :: exact_counts
    x = 0
    !$omp parallel workshare
    r = b
    p(1:n, 1:n) = b
    !$omp end parallel workshare
    rows = 0; products = 0; criticals = 0; members = 0
    rho = dot(r, r)
    do iteration = 1, options%iters
      rows_seen = 0 ! the master's, which copyin gives to all
      call step(rho)
    end do
    !$omp parallel reduction(+:members)
    members = members + 1
    !$omp end parallel
    exact_counts = rows == options%iters*n .and. products == options%iters &
                   .and. criticals == options%iters*members
    call kern_check(ok, exact_counts, 'counts of rows, products or critical sections')
  end subroutine solve

  subroutine verify()
    integer :: j
    error = 0; mean = 0; finite = .true.
    !$omp parallel do reduction(max:error) reduction(.and.:finite) schedule(dynamic)
    do j = 1, n
      error = max(error, maxval(abs(x(:, j) - exact(:, j))))
      finite = finite .and. all(abs(x(:, j)) < 1e3_real64)
    end do
    !$omp end parallel do
    residual = 0
    do j = 1, n ! apart, without OpenMP
      residual = max(residual, maxval(abs(b(:, j) - 4*x(1:n, j) + x(0:n - 1, j) + x(2:n + 1, j) &
                                          + x(1:n, j - 1) + x(1:n, j + 1))))
      mean = mean + sum(x(1:n, j))/real(n, real64)**2
    end do
    call kern_check(ok, finite, 'the solution is not finite')
    call kern_check(ok, error <= 1e-6_real64, 'error of the solution')
    call kern_check(ok, residual <= 1e-8_real64, 'residual of the solution')
  end subroutine verify
end program fcg
