# NthPackage.cmake - packages by cpack -G DEB and cpack -G RPM: nanogomp, and nanogomp-dbg
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Neither claims the name libgomp.so.1: a package that needs it must get the system's.
set(NTH_CONTACT "nanogomp developers <nanogomp@example.org>" CACHE STRING
    "Maintainer of the packages")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nanogomp)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${NTH_CONTACT})
set(CPACK_PACKAGE_VENDOR nanogomp)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "OpenMP runtime for programs linked with libgomp.so.1")
set(CPACK_PACKAGE_DESCRIPTION "\
A library that programs compiled by GCC with -fopenmp run on in place of
GCC's own, without being compiled again, and a command that starts them so.
It lies in a folder of its own: nothing of the system is replaced.")
set(nth_dbg_description "\
Debug information of the library, found by its build-id. A debugger that has
it shows the runtime's source.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_NTH_DEBUG_APART ${NTH_DEBUG_APART})
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/cpack-generator.cmake)

# what Debian has under names of its own, or compressed
set(nth_deb ${PROJECT_BINARY_DIR}/deb)
configure_file(cmake/deb/changelog.in ${nth_deb}/changelog @ONLY)
string(CONCAT nth_gzip "import gzip, sys; text = open(sys.argv[1], 'rb').read(); "
       "open(sys.argv[2], 'wb').write(gzip.compress(text, 9, mtime=0))")
add_custom_command(OUTPUT ${nth_deb}/changelog.gz
  COMMAND Python3::Interpreter -c "${nth_gzip}" ${nth_deb}/changelog ${nth_deb}/changelog.gz
  DEPENDS ${nth_deb}/changelog COMMENT "Debian's changelog" VERBATIM)
set(nth_deb_files ${nth_deb}/changelog.gz)
foreach(nth_page IN LISTS nth_pages)
  add_custom_command(OUTPUT ${nth_deb}/${nth_page}.gz
    COMMAND Python3::Interpreter -c "${nth_gzip}" ${PROJECT_BINARY_DIR}/${nth_page}
            ${nth_deb}/${nth_page}.gz
    DEPENDS ${PROJECT_BINARY_DIR}/${nth_page} COMMENT "Debian's ${nth_page}" VERBATIM)
  list(APPEND nth_deb_files ${nth_deb}/${nth_page}.gz)
  string(REGEX MATCH "[0-9]$" nth_section ${nth_page})
  install(FILES ${nth_deb}/${nth_page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man${nth_section}
          COMPONENT deb EXCLUDE_FROM_ALL)
endforeach()
add_custom_target(nth_deb ALL DEPENDS ${nth_deb_files})
install(FILES ${nth_deb}/changelog.gz cmake/deb/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT deb EXCLUDE_FROM_ALL)
install(FILES ${nth_deb}/changelog.gz cmake/deb/copyright DESTINATION share/doc/nanogomp-dbg
        COMPONENT deb_debug EXCLUDE_FROM_ALL)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
set(CPACK_DEBIAN_MAIN_PACKAGE_NAME nanogomp)
set(CPACK_DEBIAN_MAIN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_MAIN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MAIN_PACKAGE_DEPENDS python3)
set(CPACK_DEBIAN_MAIN_PACKAGE_RECOMMENDS libhwloc15)
set(CPACK_DEBIAN_MAIN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/deb/postinst
                                                ${PROJECT_SOURCE_DIR}/cmake/deb/postrm)
set(CPACK_DEBIAN_MAIN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_MAIN_DESCRIPTION ${CPACK_PACKAGE_DESCRIPTION})
set(CPACK_DEBIAN_DBG_DESCRIPTION ${nth_dbg_description})
set(CPACK_DEBIAN_DBG_PACKAGE_NAME nanogomp-dbg)
set(CPACK_DEBIAN_DBG_PACKAGE_SECTION debug)
set(CPACK_DEBIAN_DBG_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DBG_PACKAGE_DEPENDS "nanogomp (= ${PROJECT_VERSION})")

set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_MAIN_PACKAGE_NAME nanogomp)
set(CPACK_RPM_MAIN_PACKAGE_REQUIRES python3)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "Apache-2.0 WITH LLVM-exception")
set(CPACK_RPM_DBG_PACKAGE_NAME nanogomp-dbg)
set(CPACK_RPM_DBG_PACKAGE_REQUIRES "nanogomp = ${PROJECT_VERSION}")
set(CPACK_RPM_MAIN_PACKAGE_DESCRIPTION ${CPACK_PACKAGE_DESCRIPTION})
set(CPACK_RPM_DBG_PACKAGE_DESCRIPTION ${nth_dbg_description})
set(CPACK_RPM_SPEC_MORE_DEFINE "%global __provides_exclude_from ^.*/nanogomp/.*$
%global debug_package %{nil}
%global _build_id_links none")
include(CPack)

# Two packages; cpack-generator.cmake chooses the components.
cpack_add_component_group(main)
cpack_add_component_group(dbg)
foreach(nth_component nanogomp deb plain)
  cpack_add_component(${nth_component} GROUP main)
endforeach()
foreach(nth_component debug deb_debug)
  cpack_add_component(${nth_component} GROUP dbg)
endforeach()
