/* fork_walk.c - a process that is forked while another thread is in dl_iterate_phdr() */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program of tholder/fork_walk.c with POSIX threads that are held.
// UNSUPPORTED: sanitizer, emulated
// RUN: %hold_test
#define PTHREADS
#include "../tholder/fork_walk.c"
