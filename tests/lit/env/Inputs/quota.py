# quota.py - lays trees of made-up control groups and looks at what the library makes of them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: quota.py PROGRAM LIBRARY FOLDER

PROGRAM is quota.c. A tree is a dictionary from path to text below NTH_TEST_CGROUP_ROOT.
"""
import math
import os
import re
import shutil
import subprocess
import sys

PROGRAM, LIBRARY, FOLDER = sys.argv[1:4]
CPUS = len(os.sched_getaffinity(0))
V2_MOUNT = "30 20 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
V1_MOUNT = ("31 20 0:27 / /sys/fs/cgroup/cpu,cpuacct rw shared:5 - cgroup cgroup rw,cpu,cpuacct\n"
            "32 20 0:28 / /sys/fs/cgroup/memory rw shared:6 - cgroup cgroup rw,memory\n")
V1_GROUPS = "5:memory:/a/b\n4:cpu,cpuacct:/a/b\n3:cpuset:/other\n1:name=systemd:/a\n0::/a\n"
ROOT = "/sys/fs/cgroup"
V1_ROOT = ROOT + "/cpu,cpuacct"


def v2(group, mount=V2_MOUNT, **quotas):
    """quotas: name of the folder below the mount point, __ for a slash -> text of cpu.max"""
    tree = {"/proc/self/cgroup": "0::%s\n" % group, "/proc/self/mountinfo": mount}
    for folder, text in quotas.items():
        tree["%s/%s/cpu.max" % (ROOT, folder.replace("__", "/"))] = text
    return tree


def v1(group, quota, period="100000\n", more=None):
    tree = {"/proc/self/cgroup": V1_GROUPS, "/proc/self/mountinfo": V1_MOUNT,
            V1_ROOT + group + "/cpu.cfs_quota_us": quota,
            V1_ROOT + group + "/cpu.cfs_period_us": period}
    tree.update(more or {})
    return tree


def container(group, root):
    """A version 2 mount that shows the part of the hierarchy below root."""
    return v2(group, V2_MOUNT.replace(" / /sys", " %s /sys" % root),
              **{".": "25000 100000\n", "inner": "75000 100000\n"})


def container_with(text):
    """Its own group is all that it sees."""
    return v2("/", **{".": text})


# name: (tree, CPUs of the quota as the report writes them or None, folder that it is found in)
CASES = {
    "v2": (v2("/box", box="150000 100000\n"), "1.500", ROOT + "/box"),
    "v2 one": (v2("/box", box="100000 100000\n"), "1.000", ROOT + "/box"),
    "v2 more than one": (v2("/box", box="100001 100000\n"), "1.001", ROOT + "/box"),
    "v2 small": (v2("/box", box="1000 100000\n"), "0.010", ROOT + "/box"),
    "v2 other period": (v2("/box", box="20000 50000\n"), "0.400", ROOT + "/box"),
    "v2 many": (v2("/box", box="6400000 100000\n"), "64.000", ROOT + "/box"),
    "v2 max": (v2("/box", box="max 100000\n"), None, None),
    "v2 none": (v2("/box"), None, None),
    "v2 parent": (v2("/a/b", a="50000 100000\n", a__b="max 100000\n"), "0.500", ROOT + "/a"),
    "v2 child": (v2("/a/b", a="90000 100000\n", a__b="50000 100000\n"), "0.500", ROOT + "/a/b"),
    "v2 far up": (v2("/a/b/c/d", a="70000 100000\n", a__b__c="80000 100000\n"), "0.700",
                  ROOT + "/a"),
    "v2 sibling": (v2("/a", b="50000 100000\n", aa="50000 100000\n"), None, None),
    "v2 no line end": (v2("/box", box="150000 100000"), "1.500", ROOT + "/box"),
    "container, own": (container_with("50000 100000\n"), "0.500", ROOT),
    "container, none": (container_with("max 100000\n"), None, None),
    "container": (container("/docker/x", "/docker/x"), "0.250", ROOT),
    "container, inner": (container("/docker/x/inner", "/docker/x"), "0.250", ROOT),
    "container, not below": (container("/../y", "/docker/x"), "0.250", ROOT),
    "container, name begins alike": (container("/docker/xy", "/docker/x"), "0.250", ROOT),
    "blank in the mount point": (
        {"/proc/self/cgroup": "0::/box\n",
         "/proc/self/mountinfo": V2_MOUNT.replace("/sys/fs/cgroup", r"/my\040groups"),
         "/my groups/box/cpu.max": "50000 100000\n"}, "0.500", "/my groups/box"),
    "colon in the group": (v2("/a:b", **{"a:b": "50000 100000\n"}), "0.500", ROOT + "/a:b"),
    "v1": (v1("/a/b", "150000\n"), "1.500", V1_ROOT + "/a/b"),
    "v1 none": (v1("/a/b", "-1\n"), None, None),
    "v1 parent": (v1("/a", "50000\n", more={V1_ROOT + "/a/b/cpu.cfs_quota_us": "-1\n",
                                            V1_ROOT + "/a/b/cpu.cfs_period_us": "100000\n"}),
                  "0.500", V1_ROOT + "/a"),
    "v1 no period": (v1("/a/b", "50000\n", ""), None, None),
    "v1 beside v2": (
        dict(v1("/a/b", "90000\n"), **{"/proc/self/mountinfo": V1_MOUNT + V2_MOUNT,
                                       ROOT + "/a/cpu.max": "80000 100000\n"}),
        "0.800", ROOT + "/a"),
}
# texts of cpu.max that give no quota
for number, text in enumerate(["", "\n", " ", "x", "-1 100000", "100000", "100000 ", "0 100000",
                               "100000 0", "max", "1e5 100000", "\0\0\0\0", "\xff" * 70, "9" * 400,
                               "50000 -100000"]):
    CASES["bad cpu.max %d" % number] = (v2("/box", box=text), None, None)
# files that lead to no folder
for number, text in enumerate(["", "\n", "0", "0:", "0::", ":::", "x" * 100000,
                               "0::" + "/a" * 9000, "7:cpux,xcpu:/box\n"]):
    CASES["bad cgroup %d" % number] = (
        dict(v2("/box", box="50000 100000\n"), **{"/proc/self/cgroup": text}), None, None)
for number, text in enumerate(["", " - ", "- cgroup2", "1 2 3 - cgroup2 x y",
                               " - cgroup2 x y\n" * 9, "1 2 3 / /sys/fs/cgroup",
                               "1 2 3 / \\ - cgroup2", "\0" * 5000,
                               "1 2 3 / /%s rw - cgroup2 cgroup2 rw" % ("a" * 5000)]):
    CASES["bad mountinfo %d" % number] = (
        {"/proc/self/cgroup": "0::/box\n", "/proc/self/mountinfo": text,
         "/groups/box/cpu.max": "50000 100000\n"}, None, None)

failures = []


def lay(tree):
    """A fresh root with the tree's files."""
    root = os.path.join(FOLDER, "tree")
    shutil.rmtree(root, ignore_errors=True)
    for path, text in tree.items():
        full = os.path.normpath(root + path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(text.encode("latin-1"))
    return root


def environment(root, **settings):
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith(("OMP_", "GOMP_", "NTH_"))}
    clean.update(settings, NTH_TEST_CGROUP_ROOT=root,
                 LD_LIBRARY_PATH=os.path.dirname(LIBRARY))
    return clean


def run(root, mode, **settings):
    done = subprocess.run([PROGRAM, mode], env=environment(root, **settings), timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 0 or done.stderr:
        failures.append("%s: status %d: %s" % (mode, done.returncode, done.stderr))
    return dict(line.split(": ", 1) for line in done.stdout.splitlines())


def expect(name, got, wanted):
    if got != wanted:
        failures.append("%s: %r, wanted %r" % (name, got, wanted))


def check_case(name, tree, quota, folder):
    said = run(lay(tree), "why")
    threads = max(1, min(CPUS, math.ceil(float(quota)))) if quota else CPUS
    tail = "quota of %s CPUs in %s" % (quota, folder) if quota else "no quota"
    expect(name + ", why", re.sub("^.*; ", "", said.get("cpus_why", "")), tail)
    expect(name + ", allowed", said.get("cpus_allowed"), str(threads))
    expect(name + ", team", said.get("threads"), "%d %d" % (threads, threads))


def check_size_given():
    said = run(lay(v2("/box", box="50000 100000\n")), "why", OMP_NUM_THREADS="3")
    expect("OMP_NUM_THREADS wins", (said.get("threads"), said.get("cpus_allowed")), ("3 3", "1"))
    said = run(lay(v2("/box", box="50000 100000\n")), "why", OMP_NUM_THREADS="3",
               OMP_DYNAMIC="true")
    expect("unless it may be changed", said.get("threads", "").split()[1:], ["1"])


def check_waiting():
    """20 waits. OMP_WAIT_POLICY=active: waiters spin to the end unless they are crowded, as they
    also are where other processes take the CPUs. So one of ten runs has to be right."""
    for text, least, most in ("150000 100000\n", 15, 10**6), ("max 100000\n", 0, 5):
        root = lay(container_with(text))
        for _ in range(10):
            sleeps = int(run(root, "wait", OMP_WAIT_POLICY="active").get("sleeps", "-1"))
            if least <= sleeps <= most:
                break
        else:
            failures.append("cpu.max %s: %d sleeps in 20 waits, wanted %d to %d"
                            % (text.strip(), sleeps, least, most))


def check_change():
    """A quota that is lifted while the program runs is followed, but not by the default team's
    size; one that is set where there was none is not."""
    for before, after, sizes in ("100000 100000\n", "max 100000\n", ["1 1", "%d 1" % CPUS]), \
                                ("max 100000\n", "100000 100000\n", ["%d %d" % (CPUS, CPUS)] * 2):
        root = lay(v2("/box", box=before))
        child = subprocess.Popen([PROGRAM, "watch"], env=environment(root), stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, universal_newlines=True)
        first = child.stdout.readline()
        with open(root + ROOT + "/box/cpu.max", "w") as file:
            file.write(after)
        rest, _ = child.communicate("\n", timeout=300)
        expect("changed from %s" % before.strip(), [first.strip(), rest.strip()], sizes)


for case, (files, cpus, where) in CASES.items():
    check_case(case, files, cpus, where)
check_size_given()
if CPUS > 1:
    check_waiting()
    check_change()
shutil.rmtree(os.path.join(FOLDER, "tree"), ignore_errors=True)
print("\n".join(failures) or "%d trees" % len(CASES))
sys.exit(1 if failures else 0)
