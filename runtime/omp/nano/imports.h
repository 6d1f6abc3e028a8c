/* imports.h - functions that the process's objects import and that belong to one OS thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Some calls act on the OS thread that makes them, or must come from the OS thread that
 *             made an earlier one: users and groups for file access, capabilities, namespaces,
 *             keyrings, rings of io_uring, owners of mutexes with priority inheritance. Nano-thread
 *             members change their OS thread, so a program with such calls would hang or have wrong
 *             rights. The imports of a program's objects show what it may call.
 * How         base/objects.h
 * Which       A name in the first list counts in any object. The other names count in objects with
 *             OpenMP constructs, which import GOMP_ names. Libraries and interpreters may make such
 *             calls for a program's main thread without harm to members. Weak references do not
 *             count.
 * Cost        about 20 ns a name; nothing while no object has been loaded since the last look
 * Falls short What objects.h says. And a library is not seen that is loaded after its members have
 *             become nano-threads
 * Tested by   tests/lit/members/imports.c, prio_inherit.c
 */
#ifndef NTH_OMP_IMPORTS_H
#define NTH_OMP_IMPORTS_H

#include <stdbool.h>

/* The reason why the program's members should be OS threads, a text that stays valid; NULL: there
 * is none. sure: only reasons that are certain to hang the program. */
const char *nth_imports_reason(bool sure);

#endif
