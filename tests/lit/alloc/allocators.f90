! allocators.f90 - Fortran: allocators, memory routines and the allocate clause
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Checks omp_init_allocator with integer(4) and integer(8) counts, the default allocator, the
! memory routines through C pointers, and the alignment of allocate(...) copies.
! RUN: %omp_test
program allocators
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  type(omp_alloctrait) :: traits(3), odd(1)
  integer(omp_allocator_handle_kind) :: a, b
  integer(8), parameter :: three = 3
  type(c_ptr) :: p, q
  integer(c_int), pointer :: numbers(:)
  integer :: i, mine, wrong
  traits = [omp_alloctrait(omp_atk_alignment, 256), omp_alloctrait(omp_atk_pool_size, 16384), &
            omp_alloctrait(omp_atk_fallback, omp_atv_null_fb)]
  a = omp_init_allocator(omp_default_mem_space, 3, traits)
  b = omp_init_allocator(omp_large_cap_mem_space, three, traits)
  if (a == omp_null_allocator .or. b == omp_null_allocator) stop 1
  odd = [omp_alloctrait(omp_atk_alignment, 3)]
  if (omp_init_allocator(omp_default_mem_space, 1, odd) /= omp_null_allocator) stop 2
  if (omp_get_default_allocator() /= omp_default_mem_alloc) stop 3
  call omp_set_default_allocator(a)
  if (omp_get_default_allocator() /= a) stop 4
  p = omp_calloc(1000_c_size_t, 4_c_size_t, omp_null_allocator)
  if (.not. c_associated(p)) stop 5
  if (iand(transfer(p, 0_c_intptr_t), 255_c_intptr_t) /= 0) stop 6
  call c_f_pointer(p, numbers, [1000])
  if (any(numbers /= 0)) stop 7
  numbers = [(i, i=1, 1000)]
  q = omp_alloc(16000_c_size_t, a)
  if (c_associated(q)) stop 8
  p = omp_realloc(p, 7000_c_size_t, a, omp_null_allocator)
  if (.not. c_associated(p)) stop 9
  call c_f_pointer(p, numbers, [1000])
  if (any(numbers /= [(i, i=1, 1000)])) stop 10
  call omp_free(p, omp_null_allocator)
  q = omp_aligned_alloc(1024_c_size_t, 100_c_size_t, b)
  if (iand(transfer(q, 0_c_intptr_t), 1023_c_intptr_t) /= 0) stop 11
  call omp_free(q, b)
  call omp_free(c_null_ptr, a)
  call omp_set_default_allocator(omp_default_mem_alloc)
  wrong = 0
  mine = 4
  !$omp parallel firstprivate(mine) reduction(+:wrong) allocate(omp_low_lat_mem_alloc: mine)
  if (mine /= 4) wrong = wrong + 1
  mine = omp_get_thread_num()
  !$omp barrier
  if (mine /= omp_get_thread_num()) wrong = wrong + 1
  !$omp end parallel
  if (wrong /= 0 .or. mine /= 4) stop 12
  call omp_destroy_allocator(b)
  call omp_destroy_allocator(a)
end program
