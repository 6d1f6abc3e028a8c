# cpack-generator.cmake - what differs from one kind of package to the next; cpack reads it for each
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(CPACK_COMPONENTS_ALL nanogomp)
if(CPACK_GENERATOR STREQUAL "DEB") # manual page, copyright and changelog as Debian has them
  list(APPEND CPACK_COMPONENTS_ALL deb)
else()
  list(APPEND CPACK_COMPONENTS_ALL plain)
endif()
if(CPACK_NTH_DEBUG_APART)
  list(APPEND CPACK_COMPONENTS_ALL debug)
  if(CPACK_GENERATOR STREQUAL "DEB")
    list(APPEND CPACK_COMPONENTS_ALL deb_debug)
  endif()
endif()
