# debian.py - another release of Debian, in a folder made by debootstrap
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A newer GCC comes with a newer libc, so it is installed beside that libc, in a root folder of its
own. Its mounts are of a mount namespace that ends with the run: deleting the folder never reaches
what was mounted in it."""

import os
import shlex
import shutil
import subprocess

from . import sources

ARCHIVE = "http://deb.debian.org/debian"
# gdb shows the stacks of what hangs, xz-utils unpacks the testsuite, python3 runs it
PACKAGES = ["gcc", "g++", "gfortran", "libc6-dev", "python3", "xz-utils", "gdb"]
BARE_PACKAGES = ["git", "ca-certificates"]
SETTINGS = ("Acquire::http::", "Acquire::https::", "Acquire::ftp::", "Acquire::Retries",
            "Acquire::Check-", "Acquire::ForceIPv")
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
OWN_CERTIFICATES = "/usr/local/share/ca-certificates"  # of proxies and the like
SECONDS = 1800           # for one step of setting it up
READY = "nanogomp-suite.ready"


def way_to_archive(dumped):
    """Of `apt-config dump`: how this machine reaches archives (proxies and the like)."""
    lines = [line for line in dumped.splitlines()
             if line.startswith(SETTINGS) and not line.endswith(' "";')]
    return "".join(line + "\n" for line in lines)


def archive_of(listed):
    """Debian's archive of this machine, of lines "URI ORIGIN LABEL"; the general one if none is."""
    for line in listed.splitlines():
        if line.split()[1:] == ["Debian", "Debian"]:
            return line.split()[0]
    return ARCHIVE


def output_of(*command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False).stdout.decode(errors="replace")
    except OSError:
        return ""


def places(folders):
    """The folders without those that lie within another one."""
    found = []
    for folder in sorted(set(folders)):
        if not any(folder.startswith(above.rstrip("/") + "/") for above in found):
            found.append(folder)
    return found


def entry(root, folders):
    """A shell script that mounts what programs need in the root, and runs its arguments there."""
    place = shlex.quote(root)
    lines = ["set -e",
             "mount --bind /proc %s/proc" % place,
             "mount --rbind /sys %s/sys" % place,
             "mount --bind /dev %s/dev" % place,
             "if [ -d /dev/shm ]; then mount --bind /dev/shm %s/dev/shm; fi" % place]
    for folder in folders:
        inside = shlex.quote(root + folder)
        lines += ["mkdir -p %s" % inside, "mount --bind %s %s" % (shlex.quote(folder), inside)]
    return "\n".join(lines + ['exec chroot %s "$@"' % place])


def inside(root, folders, command):
    """The command that runs another one in the root, its mounts in a namespace of their own."""
    return ["unshare", "--mount", "sh", "-c", entry(root, folders), "sh"] + command


def environment():
    """The caller's, but for what names files and languages of this machine's own Debian."""
    return dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C",
                PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")


def step(what, log, ended):
    if ended.returncode:
        raise sources.Missing("%s failed, see %s" % (what, log.name))


def install(root, packages, log):
    """Installs packages in the root."""
    for arguments in (["update"], ["install", "-y", "--no-install-recommends"] + packages):
        step("apt-get " + arguments[0], log, subprocess.run(
            inside(root, [], ["apt-get", "-q"] + arguments), stdin=subprocess.DEVNULL, stdout=log,
            stderr=log, env=environment(), check=False, timeout=SECONDS))


def bootstrap(release, root, log):
    """A new root, with this machine's way to the archive."""
    archive = archive_of(output_of("apt-get", "indextargets", "--format",
                                   "$(REPO_URI) $(ORIGIN) $(LABEL)", "Created-By: Packages"))
    step("debootstrap", log, subprocess.run(
        ["unshare", "--mount", "debootstrap", "--variant=minbase", release, root, archive],
        stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False, timeout=SECONDS))
    with open(os.path.join(root, "etc/apt/apt.conf.d/90nanogomp"), "w") as file:
        file.write(way_to_archive(output_of("apt-config", "dump")))
        # what a power cut spoils is made anew
        file.write('DPkg::Options:: "--force-unsafe-io";\n')
    if os.path.exists(CERTIFICATES):
        os.makedirs(root + os.path.dirname(CERTIFICATES), exist_ok=True)
        shutil.copyfile(CERTIFICATES, root + CERTIFICATES)
    if os.path.isdir(OWN_CERTIFICATES):     # the package ca-certificates adds them to its own
        shutil.copytree(OWN_CERTIFICATES, root + OWN_CERTIFICATES, dirs_exist_ok=True)


def demand(is_root=None):
    """Says what this machine lacks to make another release."""
    if not (os.geteuid() == 0 if is_root is None else is_root):
        raise sources.Missing("another release of Debian can be set up by root only")
    for tool, package in (("unshare", "util-linux"), ("chroot", "coreutils"),
                          ("debootstrap", "debootstrap (tools/setup --suite)")):
        if not shutil.which(tool):
            raise sources.Missing("no %s here: install %s" % (tool, package))


def make(release, root, packages, log):
    """A new root with these packages, in place of a half-made one."""
    shutil.rmtree(root, ignore_errors=True)
    bootstrap(release, root, log)
    install(root, packages, log)


def add_gcc(root, version, log):
    """Installs that gcc ("": the release's own) and its testsuite; its version."""
    major = version or output_of(
        *inside(root, [], ["gcc", "-dumpversion"])).strip().split(".")[0]
    install(root, [name % major for name in (
        "gcc-%s", "g++-%s", "gfortran-%s", "gcc-%s-source")], log)
    return major


def ready_for(root, words, what, steps):
    """Has the steps, functions of a log that give a word, taken, unless the words say: done
    before."""
    ready = os.path.join(root, READY)
    known = open(ready).read().split() if os.path.exists(ready) else []
    if known and (not words or set(words) & set(known)):
        return
    os.makedirs(os.path.dirname(root), exist_ok=True)
    print("%s in %s" % (what, root), flush=True)
    try:
        with open(root + ".log", "w") as log:
            word = steps(log, bool(known))
    except subprocess.TimeoutExpired as late:
        raise sources.Missing("%s took over %d s" % (late.cmd[-1], SECONDS)) from None
    with open(ready, "a") as file:
        file.write(word + "\n")


def make_bare(release, root):
    """Makes a root with nothing but what clones a project, once."""
    demand()

    def steps(log, _):
        make(release, root, BARE_PACKAGES, log)
        return "bare"
    ready_for(root, [], "on-debian: setting up a bare Debian %s (0.3 GB)" % release, steps)


def set_up(release, root, compiler, is_root=None):
    """Makes the root ready for the suite with a version of gcc, once; "": the release's own."""
    demand(is_root)

    def steps(log, is_there):
        if not is_there:
            make(release, root, PACKAGES, log)
        return add_gcc(root, compiler, log)
    ready_for(root, [compiler] if compiler else [],
              "gcc-suite: setting up Debian %s (1 GB)" % release, steps)


def run(release, root, folders, compiler, arguments):
    """Runs gcc-suite with the arguments in the root; its exit status."""
    set_up(release, root, compiler)
    process = subprocess.Popen(inside(root, places(folders), ["python3", "-B"] + arguments),
                               stdin=subprocess.DEVNULL, env=environment())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.terminate()     # it still says what it has found
