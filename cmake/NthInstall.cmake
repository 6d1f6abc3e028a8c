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
install(TARGETS nanogomp LIBRARY DESTINATION ${nth_lib_dir})
# all headers into one folder: <nanogomp/name.h>, by the second -I of nanogomp.pc <name.h>
install(DIRECTORY abi/include/nanogomp/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nanogomp
        FILES_MATCHING PATTERN "*.h")
file(GLOB nth_headers CONFIGURE_DEPENDS abi/include/*.h)
install(FILES ${nth_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nanogomp)
install(FILES runtime/omp/tool/omp-tools.h runtime/omp/tool/omp-tools-device.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nanogomp)
install(PROGRAMS tools/nanogomp DESTINATION ${CMAKE_INSTALL_BINDIR})
# the command's modules and the benchmarks, which it looks for under share/nanogomp; gdb's commands
foreach(nth_share nanogomp_lib bench gdb models)
  install(DIRECTORY tools/${nth_share} DESTINATION ${nth_share_dir} USE_SOURCE_PERMISSIONS
          PATTERN "__pycache__" EXCLUDE PATTERN "nanogomp_lib/CMakeLists.txt" EXCLUDE
          PATTERN "nanogomp_lib/demo.py" EXCLUDE PATTERN "bench/test_*" EXCLUDE
          PATTERN "bench/readme_table.py" EXCLUDE)
endforeach()

# documents; the manual page shows the command's own help texts
install(FILES README.md NEWS.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING
        PATTERN "*.md" PATTERN "*.svg")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT plain)
set(nth_man ${PROJECT_BINARY_DIR}/nanogomp.1)
file(GLOB nth_command CONFIGURE_DEPENDS tools/nanogomp_lib/*.py tools/bench/nthbench*.py)
add_custom_command(OUTPUT ${nth_man}
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/make-man.py ${nth_man}
  DEPENDS tools/make-man.py tools/nanogomp.1.in tools/nanogomp ${nth_command}
  COMMENT "Manual page" VERBATIM)
add_custom_target(nth_man ALL DEPENDS ${nth_man})
install(FILES ${nth_man} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT plain)

# pkgconfig: made when installing, as only then the prefix is known. A RUNPATH must not have `..` in
# it, so no folder is told from the file's own place.
foreach(nth_dir LIBDIR INCLUDEDIR)
  string(TOLOWER nth_pc_${nth_dir} nth_variable)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_${nth_dir}})
    set(${nth_variable} ${CMAKE_INSTALL_${nth_dir}})
  else()
    set(${nth_variable} "\${prefix}/${CMAKE_INSTALL_${nth_dir}}")
  endif()
endforeach()
set(nth_pc_prefix "@nth_prefix@")
configure_file(abi/nanogomp.pc.in ${PROJECT_BINARY_DIR}/nanogomp.pc.in @ONLY)
# a blank wants a backslash there
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
    -P \"${PROJECT_SOURCE_DIR}/cmake/debug-apart.cmake\")")
  install(CODE "execute_process(COMMAND ${nth_apart}
    \"-DTO=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/debug/.build-id\"
    -P \"${PROJECT_SOURCE_DIR}/cmake/debug-apart.cmake\")" COMPONENT debug EXCLUDE_FROM_ALL)
endif()
