# lit.cfg.py - configuration of the construct tests; README.md explains the parameters
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes
import glob
import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys

import lit.formats

SUITE = os.path.dirname(os.path.abspath(__file__))
SUPPORT = os.path.join(SUITE, "support")
REPOSITORY = os.path.dirname(os.path.dirname(SUITE))

# Signs of our own library in its bytes, so that the suite knows which library it was given.
OWN_MARKS = (b"NTH_1.0", b"NTH_FORK")


asked_for = set()  # names of the parameters that there are


def parameter(name, default, allowed=None):
    asked_for.add(name)
    value = lit_config.params.get(name, default) or default
    if allowed and value not in allowed:
        lit_config.fatal("--param %s=%s: want one of %s" % (name, value, ", ".join(allowed)))
    return value


def compilers_file(compiler, name):
    """The file of that name among those of the compiler, else just the name."""
    return subprocess.run([compiler, "-print-file-name=" + name], stdout=subprocess.PIPE,
                          check=True).stdout.decode().strip()


def system_libgomp():
    """The libgomp.so.1 that the compiler's programs find without LD_LIBRARY_PATH."""
    found = compilers_file(os.environ.get("CC", "gcc"), "libgomp.so.1")
    return os.path.realpath(found) if os.path.isabs(found) else found


def has_text(library, texts):
    """Whether the library's file has one of the texts."""
    if not os.path.isabs(library):
        return False
    with open(library, "rb") as file:
        content = file.read()
    return any(text in content for text in texts)


def valgrind_runs(library):
    """Whether there is a valgrind that knows all of the library's instructions (-march=native)."""
    if not shutil.which("valgrind"):
        return False
    return subprocess.run(["valgrind", "-q", "--tool=none", "true"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, env=dict(os.environ, LD_PRELOAD=library),
                          check=False).returncode == 0


def grammar_tool(folder):
    """Builds the tool that checks the events of a program; support/grammar."""
    sources = os.path.join(SUPPORT, "grammar")
    os.makedirs(folder, exist_ok=True)
    built = os.path.join(folder, "grammar.so")
    mine = "%s.%d" % (built, os.getpid())
    subprocess.run([os.environ.get("CC", "gcc"), "-O2", "-g", "-std=gnu17", "-Wall", "-Wextra",
                    "-shared", "-fPIC", "-pthread", "-I",
                    os.path.join(REPOSITORY, "runtime", "omp", "tool"), "-o", mine] +
                   sorted(os.path.join(sources, name) for name in os.listdir(sources)
                          if name.endswith(".c")), check=True)
    os.replace(mine, built)
    return built


def llvm_omp_tools():
    """LLVM's omp-tools.h: the parameter's, or the newest one that is installed, or None."""
    found = glob.glob("/usr/lib/llvm-*/lib/clang/*/include/omp-tools.h")
    given = parameter("omp_tools", "")
    return given or (max(found, key=lambda path: int(re.search(r"llvm-(\d+)", path).group(1)))
                     if found else None)


def find_filecheck():
    for name in ("filecheck", "FileCheck"):
        beside = os.path.join(os.path.dirname(sys.executable), name)
        if os.access(beside, os.X_OK):
            return beside
        if shutil.which(name):
            return shutil.which(name)
    lit_config.fatal("FileCheck not found: pip install filecheck, or --param filecheck=PATH")


libdir = parameter("libdir", "")
threads = parameter("threads", "2")
policy = parameter("policy", "default", ("active", "passive", "default"))
fork = parameter("fork", "lwd", ("lwd", "gwd"))
domains = parameter("domains", "")
members = parameter("members", "auto", ("auto", "os", "nano", "move"))
berths = parameter("berths", "0", ("0", "1"))
sanitize = parameter("sanitize", "none", ("tsan", "asan", "none"))
timeout = parameter("timeout", "60")
full = parameter("full", "0", ("0", "1"))
tool = parameter("tool", "none", ("none", "grammar"))
emulator = parameter("emulator", "")
werror = parameter("werror", "0", ("0", "1"))
out = os.path.abspath(parameter("out", os.path.join(REPOSITORY, "build", "lit")))
cache = os.path.abspath(parameter("cache", os.path.join(out, "cache")))
filecheck = parameter("filecheck", "") or find_filecheck()

library = system_libgomp()
reference = parameter("reference", library)
if libdir:
    libdir = os.path.abspath(libdir)
    library = os.path.join(libdir, "libgomp.so.1")
    if not os.path.exists(library):
        lit_config.fatal("--param libdir: no file " + library)
own = parameter("nanogomp", "1" if has_text(library, OWN_MARKS) else "0", ("0", "1"))

other_tools = llvm_omp_tools()
for name in sorted(set(lit_config.params) - asked_for):
    lit_config.fatal("--param %s: there is none; README.md has the names: %s"
                     % (name, ", ".join(sorted(asked_for))))

config.name = "nanogomp"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".f90", ".test"]
config.excludes = ["support", "Inputs"]
config.test_source_root = SUITE
key = "-".join((threads, policy, fork, domains or "flat", members,
                *(["berths"] if berths == "1" else []),
                *([tool] if tool != "none" else []), sanitize,
                hashlib.sha256(library.encode()).hexdigest()[:8]))
config.test_exec_root = os.path.join(out, key)

# Nothing of the caller's environment reaches the programs but what the parameters say.
for name in list(config.environment):
    if name.startswith(("OMP_", "GOMP_", "NTH_", "ACC_", "HWLOC_")):
        del config.environment[name]
config.environment["LC_ALL"] = "C"
config.environment["OMP_NUM_THREADS"] = threads
config.environment["NTH_FORK"] = fork
if members != "auto":
    config.environment["NTH_MEMBERS"] = "nano" if members == "move" else members
if members == "move":
    config.environment["NTH_TEST_MOVE"] = "1"
if berths == "1":
    config.environment["NTH_TEST_BERTHS"] = "1"
if domains:
    config.environment["NTH_DOMAINS"] = domains
if policy != "default":
    config.environment["OMP_WAIT_POLICY"] = policy
for name in ("CC", "CXX", "FC", "TSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if sanitize == "tsan":  # first in the list: the caller's own settings win
    config.environment["TSAN_OPTIONS"] = "%s:suppressions='%s':%s" % (
        "die_after_fork=0:use_sigaltstack=0", os.path.join(SUITE, "support", "tsan.supp"),
        os.environ.get("TSAN_OPTIONS", ""))
elif sanitize == "asan":
    config.environment["ASAN_OPTIONS"] = "use_sigaltstack=0:" + os.environ.get("ASAN_OPTIONS", "")

if tool == "grammar":
    config.environment["OMP_TOOL_LIBRARIES"] = grammar_tool(config.test_exec_root)
    config.environment["GRAMMAR_LOG"] = os.path.join(config.test_exec_root, "grammar.log")
    config.available_features.add("tool")
if own == "1":
    config.available_features.add("nanogomp")
    if has_text(library, [b"internal check failed"]):  # runtime/base/check.c
        config.available_features.add("asserts")
    if platform.machine() in ("x86_64", "aarch64"):
        config.available_features.add("members-nano")
if other_tools:
    config.available_features.add("omp-tools-of-llvm")
elif os.path.isdir(os.path.join(SUITE, "ompt")) and own == "1":
    lit_config.note("no omp-tools.h of LLVM (libomp-19-dev): ompt/numbers.test is not run")
if full == "1":
    config.available_features.add("full")
# Tests that do not depend on threads, policy, fork and domains run in one configuration only.
if (threads, policy, fork, domains, members, tool) == ("2", "default", "lwd", "", "auto", "none"):
    config.available_features.add("base")
if sanitize != "none":
    config.available_features.update((sanitize, "sanitizer"))
if emulator:
    config.available_features.add("emulated")
else:
    config.available_features.add(platform.machine())
if {0, 1} <= os.sched_getaffinity(0) and shutil.which("taskset"):
    config.available_features.add("cpus-0-1")  # places can be named by number
try:
    if not emulator:
        ctypes.CDLL("libhwloc.so.15")
        config.available_features.add("hwloc")
except OSError:
    pass
if sanitize == "none" and not emulator and valgrind_runs(library):
    config.available_features.add("valgrind")
if sanitize == "none" and not emulator and platform.machine() == "x86_64" and \
        shutil.which("ld.gold"):
    config.available_features.add("split-stack")  # only gold prepares programs for it
cxx = os.environ.get("CXX", "g++")
if sanitize != "tsan" and not emulator and shutil.which(cxx) and \
        os.path.isabs(compilers_file(cxx, "libasan.so")):
    config.available_features.add("address-sanitizer")
if shutil.which(os.environ.get("FC", "gfortran")):
    config.available_features.add("fortran")
else:
    config.suffixes.remove(".f90")

python = shlex.quote(sys.executable) + " -I -S "
build = python + " ".join(map(shlex.quote, (
    os.path.join(SUPPORT, "omp-build"), "--cache", cache, "--sanitize", sanitize)))
if emulator:
    build += " --emulator " + shlex.quote(emulator)
if werror == "1":
    build += " --werror"
run = python + " ".join(map(shlex.quote, (
    os.path.join(SUPPORT, "run-limited"), "--seconds", timeout, "--whose", "--param timeout")))
if libdir:
    run += " --libdir " + shlex.quote(libdir)
config.substitutions += [
    ("%omp_test", "%omp_build %s -o %t && %omp_run %t"),
    ("%omp_build", build),
    ("%omp_run", run),
    ("%FileCheck", shlex.quote(filecheck)),
    ("%python", shlex.quote(sys.executable)),
    ("%library", shlex.quote(library)),
    ("%reference", shlex.quote(reference)),
    ("%threads", threads),
    ("%own", own),
    ("%llvm_omp_tools", shlex.quote(other_tools or "none")),
    ("%ompt", os.path.join(REPOSITORY, "runtime", "omp", "tool")),
    ("%stress_seconds", "60" if full == "1" else "5"),
    ("%mix_seconds", "20" if full == "1" else "2"),
]
