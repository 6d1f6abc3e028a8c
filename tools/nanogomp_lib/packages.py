# packages.py - which OpenMP runtimes the packages of a Python interpreter, or of R, bring
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wheels (scikit-learn, PyTorch, ...) bring copies of libgomp under names of their own, which the
interpreter's file does not show. They lie in folders of its search path, which is told here as
site(3) makes it: the interpreter's own, the user's, PYTHONPATH, *.pth files, the script's folder.
"""

import os

# Entries of a folder that are looked through: of package folders, and of the script's or current
# one, which may be a home directory.
MOST_ENTRIES, MOST_OTHER_ENTRIES = 4000, 300
INNER = ("lib", ".libs", "libs", "lib64")


def is_private_copy(name):
    """libgomp-a34b3233.so.1.0.0 and the like"""
    return name.startswith("libgomp") and (name.endswith(".so") or ".so." in name)


def is_other_runtime(name):
    """libomp.so, libomp-7c85b1e2.so.5, libiomp5.so"""
    return name.startswith(("libomp.", "libomp-", "libomp5", "libiomp5.", "libiomp5-")) and (
        name.endswith(".so") or ".so." in name)


def is_python(path):
    name = os.path.basename(path)
    for start in ("python", "pypy"):
        if name.startswith(start):
            return not name[len(start):].strip("0123456789.")
    return False


def runtimes_in(folder):
    """Files of OpenMP runtimes in a package folder: pkg.libs/, pkg/, pkg/lib/, pkg/.libs/."""
    found = []
    for package in listing(folder):
        if package.endswith((".dist-info", ".py", ".egg-info", ".pth", ".so", ".txt")):
            continue
        path = os.path.join(folder, package)
        names = listing(path)
        found += runtimes_of(path, names)
        for inner in INNER:
            if inner in names:
                path = os.path.join(folder, package, inner)
                found += runtimes_of(path, listing(path))
    return found


def runtimes_of(folder, names):
    return [os.path.join(folder, name) for name in names
            if is_private_copy(name) or is_other_runtime(name)]


def listing(folder):
    """Names in a folder; empty for what is no folder, or no package folder."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return names if len(names) <= MOST_ENTRIES else []


def version_folders(base, version):
    """Package folders below a prefix's lib: python3.11/site-packages, python3/dist-packages."""
    for lib in ("lib", "lib64"):
        for name in listing(os.path.join(base, lib)):
            if name.startswith(("python", "pypy")) and (
                    not version or name in ("python3", version)):
                for packages in ("site-packages", "dist-packages"):
                    yield os.path.join(base, lib, name, packages)


def flags_of(arguments):
    """(letters of the interpreter's options, the script or None)"""
    letters, skip = "", False
    for word in arguments:
        if skip:
            skip = False
        elif word in ("-c", "-m"):
            return letters, None
        elif word.startswith("-") and len(word) > 1:
            letters += word[1:] if not word.startswith("--") else ""
            skip = word in ("-X", "-W")
        else:
            return letters, word
    return letters, None


def read_settings(prefix):
    """pyvenv.cfg of a virtual environment as a dictionary; None where there is none."""
    try:
        with open(os.path.join(prefix, "pyvenv.cfg")) as file:
            rows = [line.partition("=") for line in file]
    except OSError:
        return None
    return {key.strip().lower(): value.strip() for key, _, value in rows}


def site_folders(interpreter, letters, environment):
    """Package folders of the interpreter, without those of PYTHONPATH."""
    real = os.path.realpath(interpreter)
    prefix = os.path.dirname(os.path.dirname(os.path.abspath(interpreter)))
    version = os.path.basename(real)
    version = version if "." in version else ""
    settings, prefixes = read_settings(prefix), [prefix]
    user = not (environment.get("PYTHONNOUSERSITE") or "s" in letters or "I" in letters)
    if settings is None or settings.get("include-system-site-packages") == "true":
        prefixes.append(os.path.dirname(os.path.dirname(real)))
        if settings and settings.get("home"):
            prefixes.append(os.path.dirname(settings["home"]))
        if "/usr" in prefixes:
            prefixes.append("/usr/local")  # where pip puts packages on Debian
        base = environment.get("PYTHONUSERBASE") or os.path.join(environment.get("HOME", ""),
                                                                 ".local")
        if user and base:
            prefixes.append(base)
    for one in prefixes:
        for folder in version_folders(one, version):
            yield folder


def pth_folders(folder):
    """Folders that the *.pth files of a package folder add: editable installations."""
    for name in listing(folder):
        if name.endswith(".pth"):
            try:
                with open(os.path.join(folder, name), errors="replace") as file:
                    lines = [line.strip() for line in file]
            except OSError:
                continue
            for line in lines:
                if line and not line.startswith(("#", "import ", "import\t")):
                    yield os.path.join(folder, line)


def search_folders(interpreter, arguments, environment):
    """Folders in which the interpreter will look for packages, each once; not the script's."""
    letters, _ = flags_of(arguments)
    folders = []
    if "S" not in letters:
        for folder in site_folders(interpreter, letters, environment):
            folders += [folder] + list(pth_folders(folder))
    if "E" not in letters and "I" not in letters:
        folders += [f for f in environment.get("PYTHONPATH", "").split(":") if f]
    seen = {}
    for folder in folders:
        if os.path.isdir(folder):
            seen[os.path.realpath(folder)] = None  # lib64 is often a link to lib
    return list(seen)


def r_folders(home, environment):
    """Package folders of R: its own, those of variables, the distribution's, the user's."""
    folders = [os.path.join(home, "library")]
    for name in ("R_LIBS", "R_LIBS_USER", "R_LIBS_SITE"):
        folders += environment.get(name, "").split(":")
    folders += ["/usr/local/lib/R/site-library", "/usr/lib/R/site-library"]
    own = os.path.join(environment.get("HOME", ""), "R")
    for platform in listing(own):
        folders += [os.path.join(own, platform, v) for v in listing(os.path.join(own, platform))]
    return [folder for folder in dict.fromkeys(folders) if os.path.isdir(folder)]


def runtimes_of_r(home, environment):
    """As runtimes_of_python(), of the packages of an R whose R_HOME is `home`."""
    return parted([path for folder in r_folders(home, environment) for path in runtimes_in(folder)])


def parted(found):
    copies = [path for path in found if is_private_copy(os.path.basename(path))]
    return copies, [path for path in found if path not in copies]


def runtimes_beside(arguments):
    """Private copies in the folder of the script, which is searched for packages first.

    Not a file that is plainly named libgomp.so.1: that may be anybody's.
    """
    letters, script = flags_of(arguments)
    try:
        folder = os.path.dirname(os.path.realpath(script)) if script else os.getcwd()
    except OSError:
        return []  # the current folder was removed
    if "I" in letters or len(listing(folder)) > MOST_OTHER_ENTRIES:
        return []
    return [path for path in runtimes_in(folder)
            if os.path.basename(path).startswith("libgomp-")]


def runtimes_of_python(interpreter, arguments, environment):
    """(private copies of libgomp, other runtimes) that packages of an interpreter bring."""
    found = [path for folder in search_folders(interpreter, arguments, environment)
             for path in runtimes_in(folder)] + runtimes_beside(arguments)
    # a wheel of libiomp5 alone puts it beside the interpreter's own libraries
    beside = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(interpreter))), "lib")
    if not beside.startswith("/usr/lib"):
        found += [path for path in runtimes_of(beside, listing(beside))
                  if is_other_runtime(os.path.basename(path))]
    return parted(found)
