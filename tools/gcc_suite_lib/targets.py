# targets.py - which target selectors hold: this machine, no offload device
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A selector is `x86_64-*-* i?86-*-*` (one of them), a name such as lp64, or an expression of these
with !, && and || in braces. The names are properties of the compiler, machine and test."""

import fnmatch
import platform

from . import tcl

HOLD = {
    "fd_truncate", "fopenmp", "fpic", "shared", "lto", "tls", "tls_native", "tls_runtime",
    "pthread", "size32plus", "size20plus", "ptr32plus", "sync_int_long", "sync_char_short", "alias",
    "weak_undefined", "vect_simd_clones", "large_double", "large_long_double", "fortran_large_real",
    "fortran_real_16", "fortran_integer_16", "int128", "__float128", "float128", "c99_runtime",
    "wchar", "non_strict_align", "alloca", "global_constructor", "exceptions", "double64plus",
    "int32plus", "bitint", "init_priority", "nonstandard_math_functions", "stdint_types",
    "trampolines", "label_values", "indirect_jumps", "untyped_assembly",
    # a region that falls back to the host sees the host's memory
    "offload_device_shared_as",
}
FAIL = {
    "offload_device", "offload_device_nonshared_as", "offload_device_nvptx", "offload_device_gcn",
    "offload_device_intel_mic", "offload_device_any_intel_mic", "offload_target_nvptx",
    "offload_target_amdgcn", "offload_target_intelmic", "offload_target_any", "offloading_enabled",
    "offload_gcn", "offload_nvptx", "openacc_nvidia_accel_present", "openacc_nvidia_accel_selected",
    "openacc_radeon_accel_present", "openacc_radeon_accel_selected", "openacc_cuda",
    "openacc_cublas", "openacc_cudart", "openacc_libcublas", "openacc_libcudart",
    "offload_target_amdgcn_with_xnack", "gomp_hip_header_amd", "gomp_hip_header_nvidia",
    "gomp_hipfort_module", "gomp_libamdhip64", "gomp_libhipblas", "run_expensive_tests",
    "skip-all-targets", "aarch64_tiny",
    "ilp32", "ia32", "x32", "simulator", "hsa_offloading_selected", "iN-VAl-Id",
    "this-really-should-fail", "freestanding", "omp_usm", "omp_managedmem", "this-is-no-target",
}
# a name and the flag of /proc/cpuinfo that it asks for
CPU_FLAGS = {"sse2_runtime": "sse2", "avx_runtime": "avx", "avx2_runtime": "avx2", "sse2": "sse2",
             "avx": "avx", "avx2": "avx2", "avx512f_runtime": "avx512f", "avx512f": "avx512f"}


class UnknownTarget(Exception):
    """A name that is in none of the tables."""


def read_cpu_flags():
    try:
        with open("/proc/cpuinfo") as cpuinfo:
            for line in cpuinfo:
                if line.startswith(("flags", "Features")):
                    return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()


class Machine:
    def __init__(self, triplet=None, cpu_flags=None):
        self.triplet = triplet or platform.machine() + "-pc-linux-gnu"
        self.cpu_flags = read_cpu_flags() if cpu_flags is None else cpu_flags


class Context:
    """What a selector may ask: machine, language (c, c++, fortran), options, OpenACC or not."""

    def __init__(self, machine, language="c", options=(), openacc=False):
        self.machine, self.language = machine, language
        self.options, self.openacc = list(options), openacc

    def optimizes(self):
        levels = [option for option in self.options if option.startswith("-O")]
        return bool(levels) and levels[-1] != "-O0"

    def name_holds(self, name):
        if name in HOLD:
            return True
        if name in FAIL:
            return False
        if name in CPU_FLAGS:
            return CPU_FLAGS[name] in self.machine.cpu_flags
        if name in ("c", "c++", "fortran"):
            return name == self.language
        if name == "lp64":
            return self.machine.triplet.startswith(
                ("x86_64", "aarch64", "ppc64", "riscv64", "s390x"))
        if name == "__OPTIMIZE__":
            return self.optimizes()
        if name == "openacc_host_selected":
            return self.openacc
        if "-" in name and "*" in name or name.count("-") >= 2:
            return fnmatch.fnmatchcase(self.machine.triplet, name)
        if name == "native":
            return True
        raise UnknownTarget(name)

    def holds(self, selector):
        """Whether the selector (a word of a directive, without its braces) applies."""
        items = tcl.words(selector)
        if not items:
            return True
        if len(items) == 1:
            item = items[0]
            return self.holds(item) if item != selector.strip() else self.name_holds(item)
        if items[0] == "!":
            # `! a && b` negates a only
            rest = selector.strip()[1:]
            if not {"&&", "||"} & set(items):
                return not self.holds(rest)
        for operator, combine in (("||", any), ("&&", all)):
            if operator in items:
                return combine([self.holds(part) for part in split(selector, operator)])
        return any([self.holds(item) for item in items])


def split(selector, operator):
    """The parts of a selector between an operator that stands outside braces."""
    parts, start, depth, i = [], 0, 0, 0
    while i < len(selector):
        if selector[i] in "{}":
            depth += 1 if selector[i] == "{" else -1
        elif depth == 0 and selector.startswith(operator, i):
            parts.append(selector[start:i])
            i += len(operator)
            start = i
            continue
        i += 1
    return parts + [selector[start:]]
