# audit.py - whether LD_AUDIT can put our library under a program
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module libnanogomp-audit.so (tools/audit) changes the file that the loader opens for any
libgomp, copies with names of their own included. What it cannot serve gets LD_PRELOAD instead.
"""

import os

from nanogomp_lib import packages

# With LD_AUDIT the loader sets up thread-local memory before it knows the program's libraries: the
# static blocks of all of them come out of a reserve, 1664 bytes in glibc 2.36, from which what is
# opened later takes its own too. A program that does not find room does not start, and a package
# that does not cannot be opened. So the reserve is made larger by what the libraries need, which is
# then no more in all than without LD_AUDIT. Children have it too, and each of their threads, on its
# stack: beyond a quarter of the smallest stack (PTHREAD_STACK_MIN) a program gets no LD_AUDIT.
STATIC_TLS_BYTES = 4096
SMALL_TLS_BYTES = 256  # the C library's own 144 and a few words fit in anyway
RESERVE, RESERVE_BYTES = "glibc.rtld.optional_static_tls", 512  # the default
# Under these a program's loader is watched already, or its end is (glibc gives back memory that
# valgrind takes for foreign when there was an audit module).
NOT_UNDER = ("valgrind",)


def is_known_name(path):
    """Whether the module takes the file for a libgomp by its name; is_libgomp() in audit.c."""
    name = os.path.basename(path)
    return packages.is_private_copy(name) and name[len("libgomp"):][:1] in tuple(".-_") and \
        not name.startswith("libgomp-plugin")


def obstacle(closure):
    """Why the program of a loader.Closure must not have LD_AUDIT; None: it may."""
    program = closure.program
    if program.has_audit:
        return "%s names audit modules of its own (DT_AUDIT)" % program.path
    libc = [o for o in closure.objects if o.elf.soname == "libc.so.6"]
    if libc and not libc[0].elf.has_glibc_2_32:
        # before 2.32 any audit module made the loader watch each call between libraries
        return "%s is older than glibc 2.32, whose LD_AUDIT slows calls" % libc[0].path
    total = static_bytes(closure)
    if total > STATIC_TLS_BYTES:
        most = max((o.elf.static_tls, o.name) for o in closure.objects[1:])
        return "%s needs static thread-local memory: %d bytes, with LD_AUDIT there may be %d" % (
            most[1], total, STATIC_TLS_BYTES)
    return None


def static_bytes(closure):
    """Static thread-local memory of the libraries that the program has from the start."""
    return sum(o.elf.static_tls for o in closure.objects[1:])


def tunables(total, old):
    """GLIBC_TUNABLES with room for so many bytes; None: it stays as it is, `old`."""
    wanted, rest = RESERVE_BYTES + total, []
    if total <= SMALL_TLS_BYTES:
        return None
    for item in filter(None, (old or "").split(":")):
        name, _, value = item.partition("=")
        if name != RESERVE:
            rest.append(item)
        elif value.isdigit():
            wanted = max(wanted, int(value) + total)
    return ":".join(rest + ["%s=%d" % (RESERVE, wanted)])
