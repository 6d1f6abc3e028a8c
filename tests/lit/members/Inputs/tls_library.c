/* tls_library.c - a library with thread-local data, loaded while a team runs */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled for static TLS (initial-exec) and for TLS made at the first use (global-dynamic).
static __thread long values[10] = {42, 1, 2};

long library_next(void) { return ++values[0]; }

void *library_address(void) { return values; }
