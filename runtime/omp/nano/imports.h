/* imports.h - what the process's objects call that belongs to an OS thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Some calls act on the OS thread that makes them, or need the one that has made
 *             another one: users and groups for file access, capabilities, namespaces, keyrings,
 *             rings of io_uring, owners of mutexes with priority inheritance. Nano-thread members
 *             change their OS thread, so that such a program hangs or has wrong rights. What a
 *             program may call is to be seen in what its objects import.
 * How         Imported names are the first ones of an object's table of dynamic symbols, in front
 *             of those that its hash table finds. Where that table is empty, the relocations tell
 *             how many there are.
 * Which       A name in the first list counts in any object. The others count in objects that have
 *             OpenMP constructs, which import GOMP_ names: what libraries and interpreters may do
 *             for a program's main thread does members no harm. Weak references do not count.
 * Cost        some 20 ns a name; nothing while no object has been loaded since the last look
 * Falls short Calls by syscall(), by dlsym(), of libraries that are linked in statically under
 *             other names; a library that is loaded after its members have become nano-threads
 * Tested by   tests/lit/members/imports.c, prio_inherit.c
 */
#ifndef NTH_OMP_IMPORTS_H
#define NTH_OMP_IMPORTS_H

#include <stdbool.h>

/* Why the program's members had better be OS threads, a text for good; NULL: no reason. sure: only
 * what is certain to hang. */
const char *nth_imports_reason(bool sure);

#endif
