# sources.py - finds and unpacks GCC's libgomp testsuite, lists its tests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The testsuite comes from Debian's packages gcc-N-source. It is unpacked into the cache only."""

import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile

from . import directives
from .targets import Context

ARCHIVES = "/usr/src/gcc-%s/gcc-[0-9]*.tar.xz"
# the tests, and the files outside that they include
MEMBERS = ["*/libgomp/testsuite/libgomp.*", "*/libgomp/libgomp_g.h", "*/include/gomp-constants.h",
           "*/gcc/testsuite/*/goacc/cache-1.*",
           "*/gcc/testsuite/*/goacc/firstprivate-mappings-1.*"]
# stands for what configuring libgomp would have made
MADE_HEADERS = {"config.h": "#define HAVE_PTHREAD_AFFINITY_NP 1\n",
                "gstdint.h": "#include <stdint.h>\n"}
C, CXX, FORTRAN = r"\.c$", r"\.C$", r"\.[fF](90|95|03|08)?$"
# folder, language it is compiled as, its files, OpenACC
FOLDERS = [
    ("libgomp.c", "c", C, False),
    ("libgomp.c-c++-common", "c", C, False),
    ("libgomp.c-c++-common", "c++", C, False),
    ("libgomp.c++", "c++", CXX, False),
    ("libgomp.fortran", "fortran", FORTRAN, False),
    ("libgomp.graphite", "c", C, False),
    ("libgomp.oacc-c", "c", C, True),
    ("libgomp.oacc-c-c++-common", "c", C, True),
    ("libgomp.oacc-c-c++-common", "c++", C, True),
    ("libgomp.oacc-c++", "c++", CXX, True),
    ("libgomp.oacc-fortran", "fortran", FORTRAN, True),
]
GRAPHITE = ["-ansi", "-pedantic-errors", "-O2", "-ftree-parallelize-loops=4",
            "-floop-parallelize-all", "-fno-loop-strip-mine", "-fno-loop-block"]
OPENACC = ["-fopenacc", "-DACC_DEVICE_TYPE_host=1", "-DACC_MEM_SHARED=1"]


class Missing(Exception):
    """No testsuite here; the text says what to do."""


class Test:
    """One program to build: a source file in a language at a level of optimization."""

    def __init__(self, folder, language, path, openacc, level, name):
        self.folder, self.language, self.path = folder, language, path
        self.openacc, self.level, self.name = openacc, level, name
        self.plan = None
        self.unsupported = None    # why it isn't run
        self.group = "%s (%s)" % (folder, language) if folder.endswith("common") else folder

    def read_plan(self, machine):
        base = (OPENACC if self.openacc else ["-fopenmp"]) + ["-foffload=disable"]
        default = []
        if self.folder == "libgomp.graphite":
            default = GRAPHITE
        elif self.level:
            base = base + [self.level]
        else:
            default = ["-O2"]
        with open(self.path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        try:
            self.plan = directives.read(text, Context(machine, self.language, base, self.openacc),
                                        base, default)
            for name in self.plan.output_files:
                self.plan.outputs.append("^%s$" % self.text_beside(name))
            if self.openacc:
                self.plan.environment.setdefault("ACC_DEVICE_TYPE", "host")
        except directives.Unsupported as reason:
            self.unsupported = str(reason)

    def text_beside(self, name):
        """A file beside the test, as a regular expression."""
        path = os.path.join(os.path.dirname(self.path), name)
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                return re.escape(file.read())
        except OSError:
            raise directives.Unsupported("no file " + name) from None


def installed():
    """{major version: archive}"""
    found = {}
    for path in sorted(glob.glob(ARCHIVES % "*")):
        found[path.split("/")[3][4:]] = path
    return found


def choose(wanted, compiler_major):
    """The archive or unpacked folder: `wanted` is a version, a path or empty (the compiler's)."""
    if wanted and os.path.exists(wanted):
        return os.path.abspath(wanted)
    archives = installed()
    name = wanted or compiler_major
    if name in archives:
        return archives[name]
    if archives and not wanted:
        return archives[max(archives, key=lambda major: int(re.match(r"\d+|", major)[0] or 0))]
    raise Missing("GCC's libgomp testsuite is not here: install gcc-%s-source "
                  "(tools/setup --suite)" % name)


def unpack(archive, cache):
    """The folder that has libgomp/testsuite, unpacked once; and a text that identifies it."""
    if os.path.isdir(archive):
        return archive, archive
    identity = "%s %d" % (os.path.basename(archive), os.path.getsize(archive))
    folder = os.path.join(cache, "sources-" + hashlib.sha256(
        (identity + repr(MEMBERS) + repr(MADE_HEADERS)).encode()).hexdigest()[:12])
    if os.path.isdir(folder):
        return folder, identity
    scratch = tempfile.mkdtemp(prefix="unpack.", dir=cache)
    try:
        done = subprocess.run(["tar", "-xJf", archive, "-C", scratch, "--strip-components=1",
                               "--wildcards"] + MEMBERS, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
        # a member that this version lacks is no harm
        if not os.path.isdir(os.path.join(scratch, "libgomp", "testsuite", "libgomp.c")):
            raise Missing("can't unpack %s: %s" % (archive,
                                                   done.stderr.decode(errors="replace").strip()))
        for name, text in MADE_HEADERS.items():
            with open(os.path.join(scratch, "libgomp", name), "w") as file:
                file.write(text)
        try:
            os.rename(scratch, folder)
        except OSError:
            if not os.path.isdir(folder):   # else another runner was first
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return folder, identity


def files_of(folder, pattern):
    """Paths of the tests in a folder and below it, sorted."""
    found = []
    for place, _, names in os.walk(folder):
        found += [os.path.join(place, name) for name in names if re.search(pattern, name)]
    return sorted(found)


def list_tests(root, levels, machine):
    """Every Test of the suite, its plan read. `levels` are for Fortran and OpenACC."""
    tests, suite = [], os.path.join(root, "libgomp", "testsuite")
    for folder, language, pattern, openacc in FOLDERS:
        torture = openacc or language == "fortran"
        for path in files_of(os.path.join(suite, folder), pattern):
            name = os.path.relpath(path, suite)
            if folder.endswith("common"):
                name += ":" + language
            variants = []
            for level in (levels if torture else [None]):
                variants.append(Test(folder, language, path, openacc, level,
                                     name + (":" + level[1:] if level else "")))
                variants[-1].read_plan(machine)
            # several test nothing but another level: one skipped at all those asked for runs at it
            if torture and all((test.unsupported or "").startswith("dg-skip-if")
                               for test in variants):
                test = Test(folder, language, path, openacc, "-O0", name + ":O0")
                test.read_plan(machine)
                if not test.unsupported:
                    variants = [test]
            tests += variants
    return tests


def sample(tests, part, parts):
    """Part `part` (from 1) of `parts` of the tests that can run: as many of each folder.

    By a hash of the name within a folder, so that relatives (scan-1, scan-2) are parted."""
    if parts <= 1:
        return tests
    chosen, groups = [], {}
    for test in tests:
        groups.setdefault(test.group, []).append(test)
    for group in groups.values():
        can_run = [test for test in group if not test.unsupported]
        can_run.sort(key=lambda test: hashlib.sha256(test.name.encode()).hexdigest())
        kept = {test.name for test in can_run[part - 1::parts]}
        chosen += [test for test in group if test.name in kept]
    return chosen
