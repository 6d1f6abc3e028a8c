/* imports.c - a library that calls something, and has no constructs */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern int CALL(long first, long second);
int imports_call(long first, long second);
int imports_call(long first, long second) { return CALL(first, second); }
