# NthTest.cmake - helpers for tests/*/CMakeLists.txt
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Labels: unit, lit, abi, model, kernels, race. A test that lacks a tool says so and exits 77.
#
# Time limits are seconds of a quiet machine. tests/lit/support/run-limited stretches them on a busy
# one, up to twenty times, and shows the stacks of a test that hangs. ctest's own limit is only the
# hard bound behind it, so run-limited is always the one that speaks.

set(NTH_LIB_DIR ${PROJECT_BINARY_DIR}/lib/nanogomp)
set(NTH_LIBRARY ${NTH_LIB_DIR}/libgomp.so.1.0.0)

# nth_limit(PREFIX SECONDS WHOSE): PREFIX_COMMAND goes before a test's command, PREFIX_TIMEOUT into
# its property TIMEOUT.
function(nth_limit prefix seconds whose)
  set(${prefix}_COMMAND ${Python3_EXECUTABLE} -I -S
      ${PROJECT_SOURCE_DIR}/tests/lit/support/run-limited
      --seconds ${seconds} --whose ${whose} PARENT_SCOPE)
  math(EXPR bound "20 * ${seconds} + 600") # gdb takes its time
  set(${prefix}_TIMEOUT ${bound} PARENT_SCOPE)
endfunction()

# nth_add_test(NAME n LABEL l [TIMEOUT seconds] COMMAND ...): a test with label and time limit.
function(nth_add_test)
  cmake_parse_arguments(arg "" "NAME;LABEL;TIMEOUT" "COMMAND" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  # a program named as a target runs in the emulator, if there is one; the host's Python must not
  list(TRANSFORM arg_COMMAND REPLACE "^Python3::Interpreter$" "${Python3_EXECUTABLE}")
  list(GET arg_COMMAND 0 program)
  if(TARGET ${program})
    list(REMOVE_AT arg_COMMAND 0)
    set(arg_COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${program}> ${arg_COMMAND})
  endif()
  nth_limit(limit ${arg_TIMEOUT} ${arg_NAME})
  add_test(NAME ${arg_NAME} COMMAND ${limit_COMMAND} ${arg_COMMAND} COMMAND_EXPAND_LISTS)
  set_tests_properties(${arg_NAME} PROPERTIES
    LABELS ${arg_LABEL} TIMEOUT ${limit_TIMEOUT} SKIP_RETURN_CODE 77)
endfunction()

# nth_add_unit(name source...): one unit test program linked with the runtime's objects.
function(nth_add_unit name)
  add_executable(unit_${name} ${ARGN})
  nth_compile(unit_${name})
  target_link_libraries(unit_${name} PRIVATE nth_internal)
  if(NTH_SANITIZE)
    target_link_options(unit_${name} PRIVATE -fsanitize=${NTH_SANITIZE})
  endif()
  nth_add_test(NAME unit/${name} LABEL unit TIMEOUT 30 COMMAND unit_${name})
endfunction()
