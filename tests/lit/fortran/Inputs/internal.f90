! internal.f90 - a function that passes an internal procedure, for which there is code on the stack
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
integer(c_int) function sum_from(base) bind(c)
  use, intrinsic :: iso_c_binding
  integer(c_int), value :: base
  interface
    integer(c_int) function sum_of(f) bind(c)
      use, intrinsic :: iso_c_binding
      interface
        integer(c_int) function f(i) bind(c)
          use, intrinsic :: iso_c_binding
          integer(c_int), value :: i
        end function
      end interface
    end function
  end interface
  sum_from = sum_of(from)
contains
  integer(c_int) function from(i) bind(c)
    integer(c_int), value :: i
    from = base + i
  end function
end function

integer(c_int) function sum_of(f) bind(c)
  use, intrinsic :: iso_c_binding
  interface
    integer(c_int) function f(i) bind(c)
      use, intrinsic :: iso_c_binding
      integer(c_int), value :: i
    end function
  end interface
  integer(c_int) :: i
  sum_of = 0
  do i = 1, 3
    sum_of = sum_of + f(i)
  end do
end function
