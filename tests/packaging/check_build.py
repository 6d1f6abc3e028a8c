#!/usr/bin/env python3
# check_build.py - the library built with other flags: no warning, all exports, what they promise
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check_build.py NAME --cc COMPILER --out FOLDER [--flag=FLAG ...]

Builds the library in FOLDER/NAME as a packager does: by CMAKE_C_FLAGS and a build type without
flags. Then:

every name      compiler and linker gave no warning; exports, nodes and dynamic section are as in
                the table
with -flto      the objects hold what the linker optimizes
-fcf-protection x86-64: every object, the assembler's too, and what is linked from them is marked
                IBT and SHSTK; functions that others call begin with endbr64. The library itself is
                marked where the C library's own start files are.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIP = 77
LTO = (".gnu.lto_", "LLVM IR bitcode")
MARKS = ("IBT", "SHSTK")


def run(*command, ok=True):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, errors="replace",
                          timeout=550, check=False)
    if ok and done.returncode != 0:
        print(done.stdout[-6000:])
        sys.exit("%s ended with %d" % (" ".join(map(str, command))[:200], done.returncode))
    return done.stdout


def build(args, folder):
    """The folder is new each time: what is there may be of other flags."""
    shutil.rmtree(folder, ignore_errors=True)
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", "-S", ROOT, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=None", "-DNTH_TESTS=OFF",
        "-DNTH_WERROR=OFF", "-DCMAKE_C_COMPILER=" + args.cc,
        "-DCMAKE_C_FLAGS=" + " ".join(args.flag))
    said = run("cmake", "--build", folder, "--target", "nanogomp", "-j", "2").splitlines()
    words = sorted({line for line in said if re.search(r"\b(warning|error): ", line)})
    return ["the build says: " + word for word in words[:10]]


def marks(path):
    """Of IBT and SHSTK those that the file's note names."""
    text = run("readelf", "-n", path)
    found = re.search(r"x86 feature: (.*)", text)
    return set(re.split(r",\s*", found[1].strip())) & set(MARKS) if found else set()


def without_landing(path, *option):
    """Global functions that readelf shows with the option and that do not begin with endbr64."""
    code = run("objdump", "-d", "--no-show-raw-insn", path)
    landings = {int(at, 16) for at in re.findall(r"^\s*([0-9a-f]+):\s+endbr64", code, re.MULTILINE)}
    cells = [line.split() for line in run("readelf", "-W", *option, path).splitlines()]
    return sorted(cell[7] for cell in cells if len(cell) >= 8 and cell[6] != "UND" and
                  cell[3:5] == ["FUNC", "GLOBAL"] and int(cell[1], 16) not in landings)


def protection_errors(args, folder, objects, library):
    errors = ["%s is not marked %s" % (path.name, mark)
              for path in objects for mark in MARKS if mark not in marks(path)]
    for path in objects:
        if path.name.endswith(".S.o"):
            errors += ["%s: %s begins without endbr64" % (path.name, name)
                       for name in without_landing(path, "-s")]
    alone = folder / "alone.so"
    script = "-Wl,--version-script=%s" % (folder / "gen" / "nanogomp.map")
    run(args.cc, "-shared", "-nostartfiles", "-nostdlib", script, *objects, "-o", alone)
    errors += ["linked without start files: not marked " + mark
               for mark in MARKS if mark not in marks(alone)]
    starts = [run(args.cc, "-print-file-name=" + name).strip()
              for name in ("crti.o", "crtbeginS.o")]
    missing = set(MARKS) - marks(library)
    if missing and all(marks(path) == set(MARKS) for path in starts):
        errors.append("the library is not marked " + ", ".join(sorted(missing)))
    return errors + [name + " begins without endbr64"
                     for name in without_landing(library, "--dyn-syms")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--flag", action="append", default=[])
    args = parser.parse_args()
    for tool in ("cmake", "readelf", "objdump"):
        if not shutil.which(tool):
            print("skipped: no " + tool)
            return SKIP
    folder = args.out.resolve() / args.name
    errors = build(args, folder)
    library = folder / "lib" / "nanogomp" / "libgomp.so.1.0.0"
    objects = sorted(path for part in ("nth_runtime", "nth_abi")
                     for path in (folder / "CMakeFiles" / (part + ".dir")).rglob("*.o"))
    said = run(sys.executable, ROOT / "tests" / "abi" / "check_exports.py", library, ok=False)
    errors += [line for line in said.splitlines() if not line.startswith("ok:")]
    if any(flag.startswith("-flto") for flag in args.flag):
        text = run("readelf", "-SW", objects[0], ok=False) + run("file", objects[0], ok=False)
        if not any(sign in text for sign in LTO):
            errors.append(objects[0].name + " holds nothing for the linker to optimize")
    if "-fcf-protection" in args.flag and "x86_64" in run(args.cc, "-dumpmachine"):
        errors += protection_errors(args, folder, objects, library)
    for error in errors:
        print("error: " + error)
    print("%d errors" % len(errors) if errors else "ok: %d objects, %s" % (len(objects), library))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
