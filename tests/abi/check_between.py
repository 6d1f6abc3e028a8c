#!/usr/bin/env python3
# check_between.py - what OS threads do between two members calls nothing that needs TLS
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the object files of what is compiled without sanitizers (NTH_BETWEEN_MEMBERS in
cmake/NthCompile.cmake).

An OS thread between two members has the TLS of one that may be running elsewhere. A sanitizer
keeps its state of a thread there. So these files call each other, the functions of INSTEAD (which
use no TLS), and no others, unless a member or a thread of its own makes the call (OWN). Calls of
the compiler's own (memcpy) count in sanitized builds only, which is where they matter.
"""

import argparse
import pathlib
import re

from check_objects import is_for_linker
from common import finish, need, run, skip

# Functions that use no TLS and are not replaced by a sanitizer.
INSTEAD = {
    "_GLOBAL_OFFSET_TABLE_", "__rseq_offset", "__rseq_size", "nth_check_failed",
    "nth_switch", "nth_switch_control", "nth_switch_make", "nth_switch_pointer",
    "sched_getcpu", "sched_yield", "getpid", "nth_crowded", "nth_allowed_soon",
    "nth_allowed", "nth_allowed_ask", "nth_crowd", "nth_request_now",
}

# By file: functions that only a member, or the thread that the file says, calls.
OWN = {
    # nth_os_*: what the runtime asks of the system as a member, or before there are any; errno is
    # kept over membarrier, which alone is called between members
    "os.c": {
        "__errno_location", "__libc_single_threaded", "__sched_cpucount", "clock_gettime",
        "getrusage", "memcmp", "pthread_attr_destroy", "pthread_attr_init",
        "pthread_attr_setdetachstate", "pthread_create", "pthread_getcpuclockid", "pthread_sigmask",
        "sched_getaffinity", "sched_setaffinity", "sigfillset", "stat", "syscall",
    },
    "carry.c": {
        "nth_cpus_bind",  # moves a carrier: its own member
        "nth_member_self",  # the address of a member's own variable
        "nth_switch_begin",  # once, before there are members
    },
    "carry_thread.c": {
        "nth_heap_alloc",  # makes a carrier: a member
        "_setjmp",  # a worker's thread, before it is a carrier
        "_longjmp", "__longjmp_chk",  # a forked child's only thread
    },
    # nth_follow_arm() alone is called between members; the rest by a member or the looker
    "follow.c": {
        "nth_allowed_hook", "nth_allowed_look_slow", "nth_allowed_read", "nth_crowd_is_gone",
        "nth_crowd_server", "nth_places_unbind", "nth_quota_find", "nth_quota_free",
        "nth_sysfile_own_table",
    },
    "handlers.c": {
        "nth_member_self",
        "sigaction",  # the watchdog
    },
    # a handler in a member; a thread before its first member
    "overflow.c": {
        "getpagesize", "mmap", "mprotect", "munmap", "nth_member_self", "raise", "sigaction",
        "sigaltstack", "sigemptyset", "sysconf", "write",
    },
    "permit.c": {
        "nth_allowed_quota",  # who has seen that the allowance changed
    },
    "wait.c": {"nth_allowed_look_slow"},  # a member
    "watchdog.c": {"nth_allowed_look_slow", "nth_msg", "nth_places_unbind", "strerror"},
}

# What a build without sanitizers may call besides. __tsan_acquire: clock.h looks whether there is
# one, and calls nothing then.
PLAIN = {"clock_gettime", "memcpy", "memmove", "memset", "memcmp", "__tsan_acquire"}

ATOMICS = "__aarch64_"  # libgcc's, for processors with and without the newer instructions


def symbols(nm, path):
    """(names that the file defines, names that it needs)."""
    defined, needed = set(), set()
    for line in run(nm, path).splitlines():
        kind, name = line.split()[-2:]
        (needed if kind in "Uvw" else defined).add(name)
    return defined, needed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("objects", nargs="+", help="object files of runtime/")
    parser.add_argument("--files", required=True, help="sources between members, with commas")
    parser.add_argument("--sanitized", action="store_true", help="the library has a sanitizer")
    args = parser.parse_args()
    nm = need("nm")
    objects = {re.sub(r"\.o(bj)?$", "", path): path for path in args.objects}
    ours, errors, calls = set(), [], {}
    for source in args.files.split(","):
        path = next((objects[o] for o in objects if o.endswith(source)), None)
        if path is None:
            errors.append(f"{source}: no such object file")
            continue
        if is_for_linker(need("readelf"), pathlib.Path(path)):
            skip("built for optimization at link time, the objects have no code")
        defined, calls[source] = symbols(nm, path)
        ours |= defined
    for source, names in calls.items():
        name = pathlib.Path(source).name
        allowed = ours | INSTEAD | OWN.get(name, set()) | (set() if args.sanitized else PLAIN)
        names = {n for n in names if not n.startswith(ATOMICS)}
        for extra in sorted(names - allowed):
            errors.append(f"{source}: calls {extra}, which may need the TLS of a member that runs "
                          "elsewhere (docs/sanitizers.md)")
    finish(errors, f"{len(calls)} files")


if __name__ == "__main__":
    main()
