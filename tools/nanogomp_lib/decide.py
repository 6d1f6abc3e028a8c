# decide.py - whether and how our library gets under a program
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LD_LIBRARY_PATH is enough when the loader's own search ends at our libgomp.so.1.

LD_PRELOAD is needed where another object would serve the GOMP_ calls: DT_RPATH is searched before
LD_LIBRARY_PATH, a path in DT_NEEDED is not searched for at all, and a private copy under another
name (libgomp-a34b3233.so.1 of a Python wheel) is another SONAME. A preloaded library stands
before all of them in the symbol search, so that their callers bind to it. So it is, too, where a
start script puts folders of its own into LD_LIBRARY_PATH, as R's does.
LD_AUDIT comes before LD_PRELOAD where it serves (audit.py): a copy is then not even loaded.
LD_PRELOAD is not used when code for libomp or libiomp5 (__kmpc_ calls) is in the process too: omp_
calls of that code would then ask a runtime that knows nothing of its threads. LD_AUDIT changes
copies of libgomp only, so that such code stays with its own library.
Programs that the one named will start are looked at as far as they can be told (launch.py); of
the others the plan says that nothing is known.
"""

import os

from nanogomp_lib import audit, exits, launch, loader, packages, preload
from nanogomp_lib.program import CannotRun, ignores_loader_variables

SONAME = "libgomp.so.1"
REFUSED = exits.REFUSED
CALL_PREFIXES = ("GOMP_", "GOACC_", "omp_")
LAUNCH_DEPTH = 4           # mpirun bash -c 'nice python ...'
NOT_KNOWN = "; --way audit serves it"


class OtherRuntime(CannotRun):
    """The program is compiled for libomp or libiomp5."""


class Plan:
    """preload: LD_PRELOAD too. audit: LD_AUDIT too. reasons: lines for -v. warnings: lines that are
    always shown.

    wants_first: why LD_LIBRARY_PATH is not enough, None where it is. no_audit: why LD_AUDIT must
    not be set, or would not serve. other: who is made for another OpenMP runtime, beside which
    LD_PRELOAD must not be set. calls: whether the program itself makes GOMP_ calls. promises: last
    reasons, for a plan with LD_LIBRARY_PATH alone. static_tls: bytes that libraries have from the
    start, of the program that has the most.
    """

    def __init__(self):
        self.preload = self.audit = self.calls = False
        self.wants_first = self.other = self.no_audit = None
        self.reasons, self.promises, self.warnings = [], [], []
        self.static_tls = 0


def is_caller(loaded):
    return any(name.startswith(CALL_PREFIXES) for name in loaded.elf.undefined)


def is_kmpc_caller(loaded):
    return any(name.startswith("__kmpc_") for name in loaded.elf.undefined)


def is_provider(loaded):
    return "GOMP_parallel" in loaded.elf.defined


def names(objects):
    return ", ".join(o.name for o in objects)


def plan_for(program, library, environment, way="auto", arguments=()):
    """The plan for program.Program with library.Library; CannotRun when it would not work.

    environment: that of the caller, from which the program's will be made. arguments: the
    program's.
    """
    plan = plan_one(program, library, environment, arguments)
    if way in ("auto", "audit"):
        plan_started(plan, program, library, environment, arguments)
    if way == "auto":
        choose_way(plan)
    else:
        plan.audit = way == "audit" and not plan.no_audit
        plan.preload = way == "preload" or way == "audit" and not plan.audit
        plan.reasons.append("%s, as asked" % {
            "path": "LD_LIBRARY_PATH alone", "audit": "LD_AUDIT", "preload": "LD_PRELOAD"}[way])
        if way == "audit" and not plan.audit:
            plan.warnings.append("LD_PRELOAD in place of LD_AUDIT: %s" % plan.no_audit)
    plan.reasons += [] if plan.preload or plan.audit else plan.promises
    return plan


def choose_way(plan):
    """LD_AUDIT or LD_PRELOAD, if LD_LIBRARY_PATH is not enough."""
    if not plan.wants_first:
        return
    plan.audit = not plan.no_audit
    plan.preload = not plan.audit and not plan.other
    if plan.audit:
        plan.reasons.append("LD_AUDIT gives the library to all that ask for a libgomp")
    elif plan.preload:
        plan.reasons.append("LD_PRELOAD puts the library first; not LD_AUDIT: " + plan.no_audit)
    else:
        plan.warnings.append("%s, so nothing is preloaded before %s; --way preload does it"
                             % (plan.other, plan.wants_first))


def plan_one(program, library, environment, arguments, no_audit=None):
    """The plan for the program alone, without what it may start."""
    plan = Plan()
    plan.no_audit = no_audit
    image = program.image
    if not library.has_audit and not no_audit:
        plan.no_audit = "no %s beside the library" % preload.AUDIT_FILE
    if image is None:
        plan.reasons.append("%s cannot be read: nothing is known about it" % program.chain[-1])
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
    plan.no_audit = plan.no_audit or audit.obstacle(closure)
    plan.static_tls = audit.static_bytes(closure)
    plan_dynamic(plan, closure, library)
    plan_packages(plan, program, environment, arguments)
    return plan


def plan_started(plan, program, library, environment, arguments, depth=0, seen=None):
    """Adds to `plan` what the programs that this one may start need."""
    seen = set() if seen is None else seen
    started = launch.look(program, arguments, environment)
    if os.path.basename(program.path) in audit.NOT_UNDER:
        plan.no_audit = plan.no_audit or program.path + " and LD_AUDIT disturb each other"
    served = []
    for path, words in started.programs:
        real = os.path.realpath(path)
        if real in seen:
            continue
        seen.add(real)
        one = launch.program_of(path)
        if one is None or depth == LAUNCH_DEPTH:
            continue
        inner = plan_inner(plan, one, path, library, environment, words, started)
        if inner is None:
            continue
        served += [path] if inner.calls and not inner.wants_first else []
        plan_started(plan, one, library, environment, words, depth + 1, seen)
    if started.sets_path and served and not plan.wants_first:
        plan.wants_first = served[0]
        plan.reasons.append("%s sets LD_LIBRARY_PATH, and starts %s"
                            % (started.sets_path, ", ".join(served)))
    elif started.sets_path and not plan.wants_first:
        plan.warnings.append("%s sets LD_LIBRARY_PATH: whether the library serves what it starts "
                             "is not known%s" % (started.sets_path, NOT_KNOWN))
    if started.is_launcher and depth == 0:
        plan.promises.append(
            "what else it starts is not known: a program that finds libgomp.so.1 by its plain name "
            "is served, a private copy or a changed LD_LIBRARY_PATH is not" + NOT_KNOWN)


def plan_inner(plan, one, path, library, environment, words, started):
    """The plan of a program that is started by another; None when it cannot be served."""
    try:
        inner = plan_one(one, library, environment, words, plan.no_audit)
    except CannotRun as error:
        if isinstance(error, OtherRuntime):
            plan.other = plan.other or str(error)
        lines = plan.warnings if started.is_plain else plan.reasons
        lines.append("will not be served: " + str(error))
        return None
    if not started.sets_path and not inner.wants_first:
        inner.reasons += inner.promises
    plan.reasons += ["may start %s: %s" % (path, reason) for reason in inner.reasons]
    plan.warnings += inner.warnings
    plan.wants_first = plan.wants_first or inner.wants_first
    plan.other = plan.other or inner.other
    plan.no_audit = plan.no_audit or inner.no_audit
    plan.static_tls = max(plan.static_tls, inner.static_tls)
    return inner


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
    if SONAME not in program.needed and (
            "GOMP_parallel" in program.static_names | program.defined or
            not callers and program.has_libgomp_texts()):
        raise CannotRun(REFUSED, "%s: libgomp.a is linked into it: link with libgomp.so"
                        % program.path)
    if os.path.basename(program.interp).startswith("ld-musl") and callers:
        raise CannotRun(REFUSED, "%s: made for musl, the library needs glibc" % program.path)
    kmpc = [o for o in closure.objects if is_kmpc_caller(o)]
    gomp = [o for o in callers if any(name.startswith(("GOMP_", "GOACC_"))
                                      for name in o.elf.undefined)]
    uses_gomp = gomp or any(o.elf.soname == SONAME for o in closure.objects)
    if kmpc and not uses_gomp:
        runtimes = [o for o in closure.objects if packages.is_other_runtime(o.name)]
        raise OtherRuntime(REFUSED, "%s: compiled for %s (__kmpc_ calls in %s), has no GOMP_ calls"
                           % (program.path, names(runtimes) or "libomp", names(kmpc)))


def plan_dynamic(plan, closure, library):
    callers = [o for o in closure.objects if is_caller(o)]
    kmpc = [o for o in closure.objects if is_kmpc_caller(o)]
    if not callers:
        plan_later(plan, closure, library)
        return
    plan.calls = True
    plan.reasons.append("calls GOMP_ or omp_: " + names(callers))
    # the symbol search takes the first object that has the name, in this order
    providers = [o for o in closure.objects[1:] if is_provider(o)]
    if not providers:
        plan.reasons.append("no library of it serves GOMP_ calls")
    for one in providers:
        plan.reasons.append("%s%s, found by %s" % (
            one.path, " (the library)" if library.is_file(one.path) else "", one.how))
    if kmpc:
        plan.other = "%s makes calls for another OpenMP runtime (__kmpc_)" % names(kmpc)
    if providers and library.is_file(providers[0].path):
        plan.promises.append("LD_LIBRARY_PATH is enough")
    else:
        plan.wants_first = providers[0].path if providers else closure.program.path
        if not audit.is_known_name(plan.wants_first):
            plan.no_audit = plan.no_audit or "%s has no name of a libgomp" % plan.wants_first


def plan_later(plan, closure, library):
    """No calls yet; plug-ins and extension modules may make them."""
    plan.reasons.append("no GOMP_ or omp_ calls in it or its libraries")
    plan.promises.append("what it opens later by the name libgomp.so.1 is served, a private copy "
                         "is not" + NOT_KNOWN)
    found = closure.later(SONAME)
    if found and not library.is_file(found[0]):
        plan.wants_first = found[0]
        plan.reasons.append("it would open %s (found by %s)" % found)


def plan_packages(plan, program, environment, arguments):
    """Packages of Python and R bring private copies of libgomp.

    LD_AUDIT finds them when they are asked for; for LD_PRELOAD they are looked for now.
    """
    interpreter = program.chain[-1]
    home, slash, _ = interpreter.rpartition("/bin/exec/R")
    if not plan.no_audit and (packages.is_python(interpreter) or slash):
        plan.wants_first = plan.wants_first or interpreter
        plan.reasons.append("its packages may bring private copies of libgomp")
        return
    if packages.is_python(interpreter):
        # behind an interpreter's line the script is the program itself
        words = [program.chain[-2]] if program.is_script else arguments
        copies, others = packages.runtimes_of_python(interpreter, words, environment)
    elif slash:
        copies, others = packages.runtimes_of_r(home, environment)
    else:
        return
    if others:
        plan.other = plan.other or "its packages hold another OpenMP runtime (%s)" % others[0]
    if copies:
        plan.wants_first = copies[0]
        plan.reasons.append("packages bring private copies of libgomp (%s)" % ", ".join(copies))
