/* section.h - where in the library variables and functions lie
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A page that a process touches is memory and a page fault. The small variables that
 *             each process uses would lie between large tables, some twelve pages for 3 KiB
 * How         Tables that most processes never use, or only a few lines of, have a section of their
 *             own, which the linker sorts behind the others' (NthCompile.cmake, --sort-section). A
 *             linker that does not sort leaves them where they would be
 * Sanitizers  the address sanitizer does not watch variables in such sections, so there are none
 * Tested by   tests/abi/check_sections.py
 */
#ifndef NTH_ARCH_SECTION_H
#define NTH_ARCH_SECTION_H

/* A zeroed table of a KiB and more that most processes use little of. */
#ifdef NTH_SANITIZED
#define NTH_SPARSE
#else
#define NTH_SPARSE __attribute__((section(".bss.nth_sparse")))
#endif

#endif
