/* exports.c - a function of the name NAME, as a runtime has it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
void NAME(void);
void NAME(void) {}
