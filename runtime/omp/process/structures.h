/* structures.h - where the runtime's shared structures lie, for tools that count cache lines
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         `nanogomp lines --by data` counts the words of memory that go between processors. A
 *             word's address says nothing to a reader; that it is part of a deque does.
 * Use         NTH_STRUCTURES=FILE: at the process's end the library writes a line for each part of
 *             a structure: first address, bytes, name. Later lines are parts of earlier ones. The
 *             objects are never freed, so what was used once is there at the end
 * Tested by   tests/tool/test_lines.py
 */
#ifndef NTH_OMP_STRUCTURES_H
#define NTH_OMP_STRUCTURES_H

/* When the library is loaded: reads the variable. */
void nth_structures_begin(void);
/* At the process's end. */
void nth_structures_write(void);

#endif
