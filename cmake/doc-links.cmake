# doc-links.cmake - in installed pages, links to files that are not installed become plain words
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Run by the installation; nth_docs is the folder of the pages.
set(nth_folders "(tests|tools|runtime|abi|cmake|ompd)(/[^) \n]*)?")
set(nth_target "(\\.\\./)*(${nth_folders}|CONTRIBUTING\\.md[^) \n]*)")
file(GLOB_RECURSE nth_pages "${nth_docs}/*.md")
foreach(nth_page IN LISTS nth_pages)
  file(READ "${nth_page}" nth_text)
  string(REGEX REPLACE "\\[([^][]*)\\]\\(${nth_target}\\)" "\\1" nth_plain "${nth_text}")
  if(NOT nth_plain STREQUAL nth_text)
    file(WRITE "${nth_page}" "${nth_plain}")
  endif()
endforeach()
