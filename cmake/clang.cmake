# clang.cmake - toolchain of the preset release-clang: the clang that this machine has
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# $NTH_CLANG names one; else it is the distribution's clang, else the newest clang-N.
set(nth_clangs clang)
foreach(number RANGE 40 14 -1)
  list(APPEND nth_clangs clang-${number})
endforeach()
if(NOT "$ENV{NTH_CLANG}" STREQUAL "")
  set(nth_clangs $ENV{NTH_CLANG})
endif()
find_program(NTH_CLANG NAMES ${nth_clangs} NAMES_PER_DIR DOC "clang of the preset release-clang")
if(NOT NTH_CLANG)
  message(FATAL_ERROR "no clang here: install it (tools/setup), or set NTH_CLANG to its name")
endif()
set(CMAKE_C_COMPILER ${NTH_CLANG})
set(CMAKE_ASM_COMPILER ${NTH_CLANG})
