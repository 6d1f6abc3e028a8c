# NthTest.cmake - helpers for tests/*/CMakeLists.txt
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Labels: unit, lit, abi, model, kernels. A test that lacks a tool says so and exits 77.

set(NTH_LIB_DIR ${PROJECT_BINARY_DIR}/lib/nanogomp)
set(NTH_LIBRARY ${NTH_LIB_DIR}/libgomp.so.1.0.0)

# nth_add_test(NAME n LABEL l [TIMEOUT seconds] COMMAND ...): a test with label and time limit.
function(nth_add_test)
  cmake_parse_arguments(arg "" "NAME;LABEL;TIMEOUT" "COMMAND" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  # a program named as a target runs in the emulator, if there is one; the host's Python must not
  list(TRANSFORM arg_COMMAND REPLACE "^Python3::Interpreter$" "${Python3_EXECUTABLE}")
  add_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND} COMMAND_EXPAND_LISTS)
  set_tests_properties(${arg_NAME} PROPERTIES
    LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77)
endfunction()

# nth_add_unit(name source...): one unit test program linked with the runtime's objects.
function(nth_add_unit name)
  add_executable(unit_${name} ${ARGN})
  nth_compile(unit_${name})
  target_link_libraries(unit_${name} PRIVATE nth_internal)
  if(NTH_SANITIZE)
    target_link_options(unit_${name} PRIVATE -fsanitize=${NTH_SANITIZE})
  endif()
  nth_add_test(NAME unit/${name} LABEL unit COMMAND unit_${name})
endfunction()
