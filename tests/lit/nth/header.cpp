/* header.cpp - nanogomp/nth.h in C++ */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks header.c's program as C++.
// REQUIRES: base
// RUN: %nth_build %s -o %t -Wpedantic -Wno-clobbered && %omp_run %t
#include "header.c"
