/* opened.c - a library that can tell one OS thread from another */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include <unistd.h>

int opened_tid(void);
int opened_tid(void) { return (int)gettid(); }
