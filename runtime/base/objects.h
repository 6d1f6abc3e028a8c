/* objects.h - the objects of the process, and the names that they import and export
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         What a program may call decides what the runtime may do with its threads. The imports
 *             of its objects show that.
 * Use         nth_objects_walk() with a function that calls the others. The loader's lock is held
 *             there, so the object stays.
 * How         Imported names come first in an object's table of dynamic symbols, before the names
 *             that its hash table finds. If the hash table is empty, the relocations tell how many
 *             there are. Exported names are looked up in the hash table, as the loader does it.
 * Fork        If another thread is in dl_iterate_phdr() at a fork(), the lock of the loader stays
 *             taken in the child for good (glibc 2.36). So in a child of a process with other
 *             threads the first walk is tried by a process made for it, in the same memory. If that
 *             does not come to its end, no walk is made, nor in children of that child. (A thread
 *             that tried would hang for good, and so would a child whose first thread returns.)
 *             nth_objects_fork() and _forked() are called around the fork
 * Cost        about 20 ns a name; a fork() beside other threads, or after them, one system call,
 *             and its child a process, if it makes a walk
 * Falls short Not seen are calls by syscall(), by dlsym(), and by statically linked libraries under
 *             other names. A child of _Fork() or vfork() is not seen
 * Tested by   tests/lit/process/fork_walk.c, tests/lit/tholder/fork_walk.c,
 *             tests/lit/hold/fork_walk.c
 */
#ifndef NTH_BASE_OBJECTS_H
#define NTH_BASE_OBJECTS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls look() as dl_iterate_phdr() does. False: no walk can be made in this process. */
bool nth_objects_walk(int (*look)(struct dl_phdr_info *, size_t, void *), void *arg);
/* The same if an object has been loaded since the last walk with this `seen`; else look() is not
 * called. *seen is 0 before the first walk. */
bool nth_objects_walk_news(_Atomic(uint64_t) *seen,
                           int (*look)(struct dl_phdr_info *, size_t, void *), void *arg);
/* Whether it can. */
bool nth_objects_can_walk(void);
/* Before a fork(), by the thread that makes it; and in the child. may_try: a process may be made
 * to find out whether a walk can be made; else none is made. */
void nth_objects_fork(void);
void nth_objects_forked(bool may_try);

/* How many objects have been loaded so far, and unloaded. adds 0: the C library does not say. */
struct nth_objects_changes {
  uint64_t adds, subs;
};
struct nth_objects_changes nth_objects_changes(const struct dl_phdr_info *info, size_t size);

/* Calls each(arg, name, weak) for each function or variable that the object imports. */
void nth_object_imports(const struct dl_phdr_info *info,
                        void (*each)(void *arg, const char *name, bool weak), void *arg);

/* Whether the object exports a function or variable of this name. */
bool nth_object_exports(const struct dl_phdr_info *info, const char *name);

/* The object's file name without its folders; "" for the program itself. */
const char *nth_object_name(const struct dl_phdr_info *info);

/* Whether `address` lies in the object. */
bool nth_object_has(const struct dl_phdr_info *info, const void *address);

#endif
