# decide.py - whether and how our library gets under a program
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LD_LIBRARY_PATH is enough when the loader's own search ends at our libgomp.so.1.

LD_PRELOAD is needed where another object would serve the GOMP_ calls: DT_RPATH is searched before
LD_LIBRARY_PATH, a path in DT_NEEDED is not searched for at all, and a private copy under another
name (libgomp-a34b3233.so.1 of a Python wheel) is another SONAME. A preloaded library stands
before all of them in the symbol search, so that their callers bind to it.
It is not used when code for libomp or libiomp5 (__kmpc_ calls) is in the process too: omp_ calls
of that code would then ask a runtime that knows nothing of its threads.
"""

import os
import re

from nanogomp_lib import loader
from nanogomp_lib.program import CannotRun, ignores_loader_variables

SONAME = "libgomp.so.1"
REFUSED = 126
CALL_PREFIXES = ("GOMP_", "GOACC_", "omp_")
PRIVATE_COPY = re.compile(r"libgomp.*\.so(\.|$)")
OTHER_RUNTIME = re.compile(r"(libomp|libiomp5)\b.*\.so(\.|$)")


class Plan:
    """preload: LD_PRELOAD too. reasons: lines for -v. warnings: lines that are always shown."""

    def __init__(self):
        self.preload = False
        self.reasons, self.warnings = [], []


def is_caller(loaded):
    return any(name.startswith(CALL_PREFIXES) for name in loaded.elf.undefined)


def is_kmpc_caller(loaded):
    return any(name.startswith("__kmpc_") for name in loaded.elf.undefined)


def is_provider(loaded):
    return "GOMP_parallel" in loaded.elf.defined


def names(objects):
    return ", ".join(o.name for o in objects)


def plan_for(program, library, environment, preload="auto"):
    """The plan for program.Program with library.Library; CannotRun when it would not work.

    environment: that of the caller, from which the program's will be made.
    """
    plan = Plan()
    image = program.image
    if image is None:
        plan.reasons.append("%s cannot be read: nothing is known about it" % program.chain[-1])
        plan.preload = preload == "always"
        return plan
    if program.is_script:
        plan.reasons.append("script: runs " + " -> ".join(program.chain[1:]))
    plan.reasons.append("%s: %s" % (image.path, image.kind_text))
    refuse_kind(program, library)
    if image.interp is None:
        plan_static(plan, image)
        return plan
    inherited = environment.get("LD_PRELOAD", "").replace(":", " ").split()
    library_path = library.path_list(environment.get("LD_LIBRARY_PATH"))
    closure = loader.Closure(image, library_path, [p for p in inherited if "/" in p])
    if closure.missing:
        plan.reasons.append("not found: " + ", ".join(closure.missing))
    refuse_content(closure)
    plan_dynamic(plan, closure, library)
    if preload == "auto":
        plan_python(plan, program)
    plan.preload = {"auto": plan.preload, "always": True, "never": False}[preload]
    if preload != "auto":
        plan.reasons.append("LD_PRELOAD: %s, as asked" % ("used" if plan.preload else "not used"))
    return plan


def refuse_kind(program, library):
    image = program.image
    if image.kind != library.elf.kind:
        raise CannotRun(REFUSED, "%s: is a %s program, the library is %s"
                        % (image.path, image.kind_text, library.elf.kind_text))
    if ignores_loader_variables(image.path):
        raise CannotRun(REFUSED, "%s: set-user-ID, set-group-ID or with capabilities: the loader "
                        "ignores LD_LIBRARY_PATH" % image.path)


def plan_static(plan, image):
    """No interpreter: static, or a shared object."""
    if "GOMP_parallel" in image.static_names | image.defined or image.has_libgomp_texts():
        raise CannotRun(REFUSED, "%s: statically linked with libgomp: link it dynamically"
                        % image.path)
    plan.reasons.append("statically linked, no OpenMP runtime in it: only programs that it "
                        "starts can be served")


def refuse_content(closure):
    program, callers = closure.program, [o for o in closure.objects if is_caller(o)]
    owns_runtime = "GOMP_parallel" in program.static_names | program.defined or (
        not callers and program.has_libgomp_texts())
    if owns_runtime and SONAME not in program.needed:
        raise CannotRun(REFUSED, "%s: libgomp.a is linked into it: link with libgomp.so"
                        % program.path)
    if os.path.basename(program.interp).startswith("ld-musl") and callers:
        raise CannotRun(REFUSED, "%s: made for musl, the library needs glibc" % program.path)
    kmpc = [o for o in closure.objects if is_kmpc_caller(o)]
    gomp = [o for o in callers if any(name.startswith(("GOMP_", "GOACC_"))
                                      for name in o.elf.undefined)]
    uses_gomp = gomp or any(o.elf.soname == SONAME for o in closure.objects)
    if kmpc and not uses_gomp:
        runtimes = [o for o in closure.objects if OTHER_RUNTIME.match(o.name)]
        raise CannotRun(REFUSED, "%s: compiled for %s (__kmpc_ calls in %s), has no GOMP_ calls"
                        % (program.path, names(runtimes) or "libomp", names(kmpc)))


def plan_dynamic(plan, closure, library):
    callers = [o for o in closure.objects if is_caller(o)]
    kmpc = [o for o in closure.objects if is_kmpc_caller(o)]
    if not callers:
        plan_later(plan, closure, library)
        return
    plan.reasons.append("calls GOMP_ or omp_: " + names(callers))
    # the symbol search takes the first object that has the name, in this order
    providers = [o for o in closure.objects[1:] if is_provider(o)]
    if not providers:
        plan.reasons.append("no library of it serves GOMP_ calls")
    for one in providers:
        plan.reasons.append("%s%s, found by %s" % (
            one.path, " (the library)" if library.is_file(one.path) else "", one.how))
    if providers and library.is_file(providers[0].path):
        plan.reasons.append("LD_LIBRARY_PATH is enough")
    elif kmpc:
        plan.warnings.append(
            "%s makes calls for another OpenMP runtime (__kmpc_), so nothing is preloaded; GOMP_ "
            "calls go to %s" % (names(kmpc), providers[0].path if providers else "no library"))
    else:
        plan.preload = True
        plan.reasons.append("LD_PRELOAD puts the library first")


def plan_later(plan, closure, library):
    """No calls yet; plug-ins and extension modules may make them."""
    plan.reasons.append("no GOMP_ or omp_ calls in it or its libraries; what it opens or starts "
                        "later is served")
    found = closure.later(SONAME)
    if found and not library.is_file(found[0]):
        plan.preload = True
        plan.reasons.append("it would open %s (found by %s): LD_PRELOAD puts the library first"
                            % found)


def site_packages(program):
    """Package folders of a Python interpreter, by its own place (a venv's link included)."""
    folders = {}
    for path in program.chain[-1:] + [os.path.realpath(program.chain[-1])]:
        prefix = os.path.dirname(os.path.dirname(os.path.abspath(path)))
        for lib in ("lib", "lib64"):
            base = os.path.join(prefix, lib)
            for name in sorted(os.listdir(base)) if os.path.isdir(base) else ():
                for packages in ("site-packages", "dist-packages"):
                    folder = os.path.join(base, name, packages)
                    if name.startswith("python") and os.path.isdir(folder):
                        folders[os.path.realpath(folder)] = None  # lib64 is often a link to lib
    return list(folders)


def bundled_runtimes(folder):
    """Files of OpenMP runtimes in a package folder: pkg.libs/, pkg/, pkg/lib/, pkg/.libs/."""
    found = []
    for package in sorted(os.listdir(folder)):
        for inner in ("", "lib", ".libs", "libs"):
            path = os.path.join(folder, package, inner)
            try:
                files = os.listdir(path)
            except OSError:
                continue
            found += [os.path.join(path, name) for name in files
                      if PRIVATE_COPY.match(name) or OTHER_RUNTIME.match(name)]
    return found


def plan_python(plan, program):
    """Wheels bring private copies of libgomp that only a preload gets in front of."""
    if not re.match(r"(python|pypy)[0-9.]*$", os.path.basename(program.chain[-1])):
        return
    found = [path for folder in site_packages(program) for path in bundled_runtimes(folder)]
    # a wheel of libiomp5 alone puts it beside the interpreter's own libraries
    prefix = os.path.dirname(os.path.dirname(os.path.abspath(program.chain[-1])))
    beside = os.path.join(prefix, "lib")
    if os.path.isdir(beside):
        found += [os.path.join(beside, name) for name in os.listdir(beside)
                  if OTHER_RUNTIME.match(name)]
    copies = [path for path in found if PRIVATE_COPY.match(os.path.basename(path))]
    others = [path for path in found if path not in copies]
    if others and (copies or plan.preload):
        plan.preload = False
        plan.warnings.append("its packages hold another OpenMP runtime (%s), so nothing is "
                             "preloaded before %s; --preload always does it"
                             % (others[0], copies[0] if copies else "its own libgomp"))
    elif copies:
        plan.preload = True
        plan.reasons.append("packages bring private copies of libgomp (%s): LD_PRELOAD puts the "
                            "library before them" % ", ".join(copies))
