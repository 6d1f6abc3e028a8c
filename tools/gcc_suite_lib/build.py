# build.py - compiles the tests once per source, options and compiler, into the cache
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several runners may share a cache: a program is made under a name of its own and moved into its
place in one step."""

import hashlib
import os
import shutil
import subprocess
import tempfile

COMPILERS = {"c": ("CC", "gcc"), "c++": ("CXX", "g++"), "fortran": ("FC", "gfortran")}
SECONDS = 600


def named(wanted, environ):
    """{language: compiler}. `wanted`: a version ("16"), a gcc ("/opt/gcc/bin/gcc-16",
    "x86_64-linux-gnu-gcc"), whose kin are beside it, or empty ($CC, $CXX and $FC, else gcc, g++
    and gfortran)."""
    if not wanted:
        return {language: environ.get(variable) or name
                for language, (variable, name) in COMPILERS.items()}
    gcc = "gcc-" + wanted if wanted[0].isdigit() else wanted
    folder, name = os.path.split(gcc)
    if "gcc" not in name:
        raise ValueError("--compiler: a version of gcc or the name of one, not %r" % wanted)
    before, after = name.rsplit("gcc", 1)
    return {language: os.path.join(folder, before + kin + after)
            for language, (_, kin) in COMPILERS.items()}


class Compilers:
    def __init__(self, wanted="", environ=os.environ):
        self.names = named(wanted, environ)
        self.identities = {language: self.ask(name) for language, name in self.names.items()}

    @staticmethod
    def ask(name):
        """Path, version and time of a compiler; None when there is none."""
        path = shutil.which(name)
        if not path:
            return None
        path = os.path.realpath(path)
        version = subprocess.run([name, "-dumpfullversion"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL).stdout.decode().strip()
        return "%s %s %d" % (path, version, os.stat(path).st_mtime_ns)

    def major(self):
        version = (self.identities["c"] or "").split(" ")
        return version[1].split(".")[0] if len(version) > 1 else ""


class Builder:
    def __init__(self, cache, root, identity, compilers):
        self.folder = os.path.join(cache, "programs")
        self.root, self.identity, self.compilers = root, identity, compilers

    def command(self, test):
        plan = test.plan
        place = os.path.dirname(test.path)
        sources = [test.path] + [os.path.join(place, name) for name in plan.sources]
        include = ["-I", os.path.join(self.root, "libgomp"),
                   "-I", os.path.join(self.root, "include")]
        if test.openacc:
            include += ["-I", os.path.join(self.root, "libgomp", "testsuite",
                                           "libgomp.oacc-c-c++-common")]
        compiler = self.compilers.names[test.language]
        return [compiler] + plan.all_options() + include + sources + ["-lm"], sources

    def key(self, command, sources, language):
        # the sources' own place doesn't count: caches may lie anywhere
        words = [word.replace(self.root, "") for word in command]
        digest = hashlib.sha256(repr((words, self.identity,
                                      self.compilers.identities[language])).encode())
        for name in sources:
            with open(name, "rb") as file:
                digest.update(file.read())
        return digest.hexdigest()[:24]

    def place(self, test):
        """(key, path of the program, path of the compiler's complaint) of a test."""
        command, sources = self.command(test)
        key = self.key(command, sources, test.language)
        folder = os.path.join(self.folder, key[:2], key)
        stem = os.path.splitext(os.path.basename(test.path))[0]
        return key, os.path.join(folder, stem + ".exe"), os.path.join(folder, "failed")

    def build(self, test):
        """(key, program or None, the compiler's complaint): from the cache, else compiled."""
        try:
            key, program, failed = self.place(test)
        except OSError as reason:
            return None, None, str(reason)
        if os.path.exists(program):
            return key, program, ""
        if os.path.exists(failed):
            with open(failed, errors="replace") as file:
                return key, None, file.read()
        return (key,) + self.compile(test, program, failed)

    def compile(self, test, program, failed):
        os.makedirs(os.path.dirname(program), exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="new.", dir=os.path.dirname(program)) as scratch:
            made = os.path.join(scratch, "program")
            try:
                done = subprocess.run(self.command(test)[0] + ["-o", made], cwd=scratch,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, timeout=SECONDS)
                text = done.stdout.decode(errors="replace")
            except subprocess.TimeoutExpired:
                return None, "the compiler needed more than %d s" % SECONDS
            if done.returncode == 0:
                os.replace(made, program)
                return program, ""
            if done.returncode < 0 or "Killed" in text or "No space left" in text:
                return None, "the compiler was killed: " + text   # not kept: try again
            complaint = os.path.join(scratch, "failed")
            with open(complaint, "w") as file:
                file.write(text)
            os.replace(complaint, failed)
            return None, text
