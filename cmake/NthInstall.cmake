# NthInstall.cmake - what goes where under the prefix, and the Debian package
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The library has a folder of its own (lib/nanogomp, no ldconfig path): nothing replaces the
# system's libgomp unless a program asks for it.
set(nth_lib_dir lib/nanogomp)
install(TARGETS nanogomp LIBRARY DESTINATION ${nth_lib_dir})
# all headers into one folder: <nanogomp/name.h>, by the second -I of nanogomp.pc <name.h>
install(DIRECTORY abi/include/nanogomp/ DESTINATION include/nanogomp FILES_MATCHING PATTERN "*.h")
file(GLOB nth_headers CONFIGURE_DEPENDS abi/include/*.h)
install(FILES ${nth_headers} DESTINATION include/nanogomp)
install(FILES LICENSE DESTINATION share/doc/nanogomp RENAME copyright)
if(EXISTS ${PROJECT_SOURCE_DIR}/tools/nanogomp)
  install(PROGRAMS tools/nanogomp DESTINATION bin)
endif()
# the command's modules and the benchmarks, which it looks for under share/nanogomp; commands for gdb
foreach(nth_share nanogomp_lib bench gdb)
  if(EXISTS ${PROJECT_SOURCE_DIR}/tools/${nth_share})
    install(DIRECTORY tools/${nth_share} DESTINATION share/nanogomp USE_SOURCE_PERMISSIONS
            PATTERN "__pycache__" EXCLUDE PATTERN "nanogomp_lib/CMakeLists.txt" EXCLUDE)
  endif()
endforeach()

# pkgconfig: the prefix is found from the file's own place, so an installed tree can be moved
configure_file(abi/nanogomp.pc.in ${PROJECT_BINARY_DIR}/nanogomp.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nanogomp.pc DESTINATION lib/pkgconfig)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nanogomp)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "nanogomp developers <nanogomp@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
set(CPACK_DEBIAN_PACKAGE_DEPENDS python3)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libhwloc15)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/deb/postinst
                                       ${PROJECT_SOURCE_DIR}/cmake/deb/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
