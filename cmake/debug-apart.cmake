# debug-apart.cmake - takes debug information out of an installed library, or puts it into a file
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DFROM=library -DOBJCOPY=program -DREADELF=program, and -DSTRIP=installed library or
# -DTO=folder .build-id
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status ERROR_VARIABLE said OUTPUT_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${said}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

if(STRIP) # names of functions stay, for backtraces and profiles
  run("${OBJCOPY}" --strip-debug "${STRIP}")
  return()
endif()
run("${READELF}" -n "${FROM}")
if(NOT out MATCHES "Build ID: ([0-9a-f][0-9a-f])([0-9a-f]+)")
  message(FATAL_ERROR "${FROM} has no build-id")
endif()
file(MAKE_DIRECTORY "${TO}/${CMAKE_MATCH_1}")
set(debug "${TO}/${CMAKE_MATCH_1}/${CMAKE_MATCH_2}.debug")
run("${OBJCOPY}" --only-keep-debug --compress-debug-sections "${FROM}" "${debug}")
run(chmod 644 "${debug}")
message("-- Installing: ${debug}")
