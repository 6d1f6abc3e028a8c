# NthCommit.cmake - the commit that the library is built from, for nth_report
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Result: target nth_commit, which writes ${NTH_GEN_DIR}/nth_commit.h at each build; the file
# changes only with the commit. "-dirty" follows the commit when a file that goes into the library
# differs from it. Outside a git tree of the project's own, as in a source package, the text is
# empty.
set(nth_commit_inputs abi runtime cmake tools/abi CMakeLists.txt)

# nth_git(<variable> <argument>...): what git prints, or "" when it fails
function(nth_git result)
  execute_process(COMMAND git ${ARGN} WORKING_DIRECTORY ${NTH_SOURCE} OUTPUT_VARIABLE text
                  OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
  if(failed)
    set(text "")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE) # at build time: NTH_SOURCE and NTH_HEADER are given
  nth_git(commit rev-parse --short=12 HEAD)
  nth_git(top rev-parse --show-toplevel)
  get_filename_component(source ${NTH_SOURCE} REALPATH)
  if(NOT top STREQUAL source)
    set(commit "")
  endif()
  if(commit)
    nth_git(changed status --porcelain -- ${nth_commit_inputs})
    if(changed)
      string(APPEND commit "-dirty")
    endif()
  endif()
  set(text "#define NTH_COMMIT \"${commit}\"\n")
  set(old "")
  if(EXISTS ${NTH_HEADER})
    file(READ ${NTH_HEADER} old)
  endif()
  if(NOT old STREQUAL text)
    file(WRITE ${NTH_HEADER} "${text}")
  endif()
  return()
endif()

set(nth_commit_command ${CMAKE_COMMAND} -DNTH_SOURCE=${PROJECT_SOURCE_DIR}
    -DNTH_HEADER=${NTH_GEN_DIR}/nth_commit.h -P ${CMAKE_CURRENT_LIST_FILE})
add_custom_target(nth_commit COMMAND ${nth_commit_command}
                  BYPRODUCTS ${NTH_GEN_DIR}/nth_commit.h VERBATIM)
