# NthInstall.cmake - what goes where under the prefix
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The library has a folder of its own (LIBDIR/nanogomp, no ldconfig path): nothing replaces the
# system's libgomp unless a program asks for it. Folders are GNUInstallDirs'; docs/packaging.md
# tells packagers more.
#
# Components: nanogomp; plain, what Debian's packages have in another form (deb); debug, when asked
# for only.
set(nth_lib_dir ${CMAKE_INSTALL_LIBDIR}/nanogomp)
set(nth_share_dir ${CMAKE_INSTALL_DATADIR}/nanogomp)
install(TARGETS nanogomp nth_ompd LIBRARY DESTINATION ${nth_lib_dir})
# all headers into one folder: <nanogomp/name.h>, by the second -I of nanogomp.pc <name.h>
install(DIRECTORY abi/include/nanogomp/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nanogomp
        FILES_MATCHING PATTERN "*.h")
file(GLOB nth_headers CONFIGURE_DEPENDS abi/include/*.h)
install(FILES ${nth_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nanogomp)
install(FILES runtime/omp/tool/omp-tools.h runtime/omp/tool/omp-tools-device.h
              runtime/omp/tool/ompd-tools.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nanogomp)
install(PROGRAMS tools/nanogomp DESTINATION ${CMAKE_INSTALL_BINDIR})
# the command's modules and the benchmarks, which it looks for under share/nanogomp; gdb's commands
foreach(nth_share nanogomp_lib bench gdb models)
  install(DIRECTORY tools/${nth_share} DESTINATION ${nth_share_dir} USE_SOURCE_PERMISSIONS
          PATTERN "__pycache__" EXCLUDE PATTERN "nanogomp_lib/CMakeLists.txt" EXCLUDE
          PATTERN "nanogomp_lib/demo.py" EXCLUDE PATTERN "bench/test_*" EXCLUDE
          PATTERN "bench/readme_table.py" EXCLUDE)
endforeach()

# documents; the manual pages have texts of their sources, and so has the completion
install(FILES README.md NEWS.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING
        PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png")
set(nth_docs "${CMAKE_INSTALL_DOCDIR}")
if(NOT IS_ABSOLUTE "${nth_docs}")
  set(nth_docs "\${CMAKE_INSTALL_PREFIX}/${nth_docs}")
endif()
install(CODE "set(nth_docs \"\$ENV{DESTDIR}${nth_docs}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/doc-links.cmake\")")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT plain)
file(GLOB nth_command CONFIGURE_DEPENDS tools/nanogomp_lib/*.py tools/bench/nthbench*.py)
file(GLOB nth_read_env CONFIGURE_DEPENDS runtime/omp/*/*.c)
set(nth_pages nanogomp.1 nanogomp-environment.7)
foreach(nth_page IN LISTS nth_pages)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/${nth_page}
    COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/make-man.py
            ${PROJECT_BINARY_DIR}/${nth_page}
    DEPENDS tools/make-man.py tools/${nth_page}.in tools/nanogomp docs/running.md ${nth_command}
            ${nth_read_env}
    COMMENT "Manual page ${nth_page}" VERBATIM)
  string(REGEX MATCH "[0-9]$" nth_section ${nth_page})
  install(FILES ${PROJECT_BINARY_DIR}/${nth_page}
          DESTINATION ${CMAKE_INSTALL_MANDIR}/man${nth_section} COMPONENT plain)
endforeach()
list(TRANSFORM nth_pages PREPEND ${PROJECT_BINARY_DIR}/ OUTPUT_VARIABLE nth_man)
set(nth_completion ${PROJECT_BINARY_DIR}/completion/nanogomp)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/completion)
add_custom_command(OUTPUT ${nth_completion}
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/make-completion.py ${nth_completion}
  DEPENDS tools/make-completion.py tools/make-man.py tools/nanogomp ${nth_command}
  COMMENT "Completion for bash" VERBATIM)
install(FILES ${nth_completion}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
add_custom_target(nth_man ALL DEPENDS ${nth_man} ${nth_completion})

# pkgconfig: made when installing, as only then the prefix is known. A RUNPATH must not have `..` in
# it, so no folder is told from the file's own place.
foreach(nth_dir LIBDIR INCLUDEDIR)
  string(TOLOWER nth_pc_${nth_dir} nth_variable)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_${nth_dir}})
    set(${nth_variable} "${CMAKE_INSTALL_${nth_dir}}")
  else()
    set(${nth_variable} "\${prefix}/${CMAKE_INSTALL_${nth_dir}}")
  endif()
  # a blank wants a backslash there
  string(REPLACE " " "\\ " ${nth_variable} "${${nth_variable}}")
endforeach()
set(nth_pc_prefix "@nth_prefix@")
configure_file(abi/nanogomp.pc.in ${PROJECT_BINARY_DIR}/nanogomp.pc.in @ONLY)
set(nth_pc ${PROJECT_BINARY_DIR}/nanogomp.pc)
install(CODE "string(REPLACE \" \" \"\\\\ \" nth_prefix \"\${CMAKE_INSTALL_PREFIX}\")
  configure_file(\"${nth_pc}.in\" \"${nth_pc}\" @ONLY)")
install(FILES ${nth_pc} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Debug information apart: a debugger that finds it steps out of a task into the runtime's source.
if(NTH_DEBUG_APART)
  set(nth_installed ${nth_lib_dir}/$<TARGET_FILE_NAME:nanogomp>)
  if(NOT IS_ABSOLUTE ${nth_lib_dir})
    set(nth_installed "\${CMAKE_INSTALL_PREFIX}/${nth_installed}")
  endif()
  target_link_options(nanogomp PRIVATE LINKER:--build-id)
  set(nth_apart "\"${CMAKE_COMMAND}\" \"-DFROM=$<TARGET_FILE:nanogomp>\"")
  string(APPEND nth_apart " \"-DOBJCOPY=${CMAKE_OBJCOPY}\" \"-DREADELF=${CMAKE_READELF}\"")
  install(CODE "execute_process(COMMAND ${nth_apart}
    \"-DSTRIP=\$ENV{DESTDIR}${nth_installed}\"
    -P \"${PROJECT_SOURCE_DIR}/cmake/debug-apart.cmake\" RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR \"the debug information of libgomp.so.1 could not be taken out\")
    endif()")
  install(CODE "execute_process(COMMAND ${nth_apart}
    \"-DTO=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/debug/.build-id\"
    -P \"${PROJECT_SOURCE_DIR}/cmake/debug-apart.cmake\" RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR \"the debug information of libgomp.so.1 could not be put apart\")
    endif()" COMPONENT debug EXCLUDE_FROM_ALL)
endif()
