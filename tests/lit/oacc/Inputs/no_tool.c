/* no_tool.c - a shared object that is no profiling tool */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int nth_test_no_tool;
