/* section.h - where in the library variables and functions lie
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A page that a process touches is memory and a page fault. The small variables that
 *             each process uses would lie between large tables, some twelve pages for 3 KiB
 * How         Tables that most processes never use, or only a few lines of, have a section of their
 *             own, which the linker sorts behind the others' (NthCompile.cmake, --sort-section).
 *             Memory of which each process uses the beginning has one between both. Constants that
 *             few processes read lie behind the others and the strings. A linker that does not
 *             sort leaves them where they would be
 * Sanitizers  the address sanitizer does not watch variables in such sections, so there are none
 * Tested by   tests/abi/check_sections.py, tests/lit/process/first_pages.c, fork_pages.c
 */
#ifndef NTH_ARCH_SECTION_H
#define NTH_ARCH_SECTION_H

/* A function that only runs in the child of a fork(). These lie side by side, since a child has to
 * map each page of code that it runs anew. */
#define NTH_IN_CHILD __attribute__((cold))

/* A zeroed table of 600 bytes and more that most processes use little of. Near: one of which each
 * process uses the beginning; it lies before the other tables. */
/* Late: a large table of constants, without pointers, that few processes read. The name is sorted
 * behind those of strings, .rodata.str. */
#ifdef NTH_SANITIZED
#define NTH_SPARSE
#define NTH_NEAR
#define NTH_LATE
#else
#define NTH_SPARSE __attribute__((section(".bss.nth_sparse")))
#define NTH_NEAR __attribute__((section(".bss.nth_near")))
#define NTH_LATE __attribute__((section(".rodata.table")))
#endif

#endif
