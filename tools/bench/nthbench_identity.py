# nthbench_identity.py - which version of a runtime was measured: our commit, the others' packages
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A figure without these cannot be told from one of last year."""

import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys

import nthbench_host as host

LIMIT_SECONDS = 20
# prints what nth_report says; nothing for a library that has none
REPORT = """
import ctypes, sys
report = getattr(ctypes.CDLL(sys.argv[1]), "nth_report", None)
if report:
    text = ctypes.create_string_buffer(1 << 20)
    report(text, ctypes.c_size_t(1 << 20))
    sys.stdout.write(text.value.decode(errors="replace"))
"""


def output_of(command):
    """What a command prints, or "" when it fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, timeout=LIMIT_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""


def report_of(path):
    """{key: value} of nth_report; {} for another library."""
    lines = output_of([sys.executable, "-I", "-c", REPORT, path]).splitlines()
    return dict((key, value.strip()) for key, _, value in (line.partition(":") for line in lines))


def debian_package(path):
    """"libgomp1 12.2.0-14" of the package that a file came with, or None."""
    if not shutil.which("dpkg-query"):
        return None
    # a path below /lib may be the package's /usr/lib or the other way round
    for name in (path, os.path.join("/usr", path.lstrip("/")), path.replace("/usr/", "/", 1)):
        package = output_of(["dpkg-query", "-S", name]).partition(": ")[0]
        if package and "," not in package:
            shown = output_of(["dpkg-query", "-W", "-f", "${Package} ${Version}", package])
            return shown or None
    return None


def python_package(path):
    """"intel_openmp 2026.2.0" of the PyPI package beside a library of a venv, or None."""
    folder = os.path.dirname(path)
    for packages in [folder] + glob.glob(os.path.join(folder, "python*", "site-packages")):
        for record in glob.glob(os.path.join(packages, "*.dist-info", "RECORD")):
            with open(record, errors="replace") as file:
                if re.search(r"(^|/)%s," % re.escape(os.path.basename(path)), file.read(), re.M):
                    name = os.path.basename(os.path.dirname(record))[:-len(".dist-info")]
                    return name.replace("-", " ", 1)
    return None


def hash_of(path):
    """Of the file, or None. Builds of one commit differ in it: other options, uncommitted lines."""
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return None


def identity(runtime):
    """What the JSON says of a runtime."""
    facts = {"path": runtime.path, "env": runtime.env, "sha256": hash_of(runtime.path)}
    report = report_of(runtime.path)
    if "version" in report:
        facts.update(version=report["version"], commit=report.get("commit", "none"))
    else:
        facts["version"] = debian_package(runtime.path) or python_package(runtime.path)
    return facts
