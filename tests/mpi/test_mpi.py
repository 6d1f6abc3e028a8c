#!/usr/bin/env python3
# test_mpi.py - two MPI ranks of two threads each: masks, answers, who burns whose CPU
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Open MPI's mpicc and mpirun (openmpi-bin, libopenmpi-dev). What docs/mpi.md claims is shown here.
NTH_TEST_LIB is the folder of our library."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools", "nanogomp")
sys.path.insert(0, os.path.dirname(TOOL))
from nanogomp_lib import share_table  # noqa: E402

LIB = os.environ.get("NTH_TEST_LIB")
SKIPPED = 77
TIMEOUT = 120
GRACE = 20  # seconds that mpirun has to end its ranks
RANKS = 2
ALLOWED = sorted(os.sched_getaffinity(0))
DEFAULT, NONE, PE = (), ("--bind-to", "none"), ("--map-by", "slot:pe=1")
# Spinning of a docked member ends after some ms (NTH_DOCK_CAP_NS); the rest is for a busy machine.
IDLE_SECONDS, IDLE_MOST = 0.6, 0.1


def missing():
    """Why the test cannot run here, or None."""
    for tool, package in (("mpicc", "libopenmpi-dev"), ("mpirun", "openmpi-bin")):
        if not shutil.which(tool):
            return "no %s (%s)" % (tool, package)
    said = subprocess.run(["mpirun", "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=TIMEOUT, universal_newlines=True).stdout
    if "Open MPI" not in said:
        return "mpirun is not Open MPI's"
    return None if LIB else "no library (NTH_TEST_LIB)"


def end_session(leader):
    """Kills what is left of a session. mpirun puts each rank in a process group of its own."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid, encoding="utf-8", errors="replace") as file:
                session = int(file.read().rpartition(")")[2].split()[3])
            if session == leader:
                os.kill(int(pid), signal.SIGKILL)
        except (OSError, ValueError):
            pass  # it has ended


def run_ranks(command, env, limit):
    """Runs mpirun in a session of its own: (output, errors, status, whether the time was over).
    When it is, mpirun is asked to end its ranks; what does not end is killed, with the ranks."""
    process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, universal_newlines=True,
                               start_new_session=True)
    late = False
    try:
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            late = True
            os.killpg(process.pid, signal.SIGTERM)
            try:
                out, err = process.communicate(timeout=GRACE)
            except subprocess.TimeoutExpired:
                end_session(process.pid)
                out, err = process.communicate()
    except BaseException:  # the test is broken off
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(GRACE)
        finally:
            end_session(process.pid)
        raise
    end_session(process.pid)
    return out, err, process.returncode, late


def cores_of(cpus):
    """How many cores the CPUs are: Open MPI has a slot for each, however many hardware threads."""
    cores = set()
    for cpu in cpus:
        try:
            with open("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list" % cpu) as file:
                cores.add(file.read())
        except OSError:
            cores.add(cpu)
    return len(cores)


def values_of(text):
    """[{key: value}] by rank"""
    ranks = {}
    for rank, key, value in re.findall(r"^rank (\d+) (\S+) (.*)$", text, re.MULTILINE):
        ranks.setdefault(int(rank), {})[key] = value
    return [ranks[r] for r in sorted(ranks)]


def cpus_of(text):
    return {int(cpu) for cpu in text.split(",")}


class Watch(threading.Thread):
    """Counts the processes of a shared table (NTH_SHARE=NAME) while others run."""

    def __init__(self, name):
        super().__init__(daemon=True)
        self.name_of_table, self.most, self.last = name, 0, 0
        self.over = threading.Event()

    def tables(self):
        return [t for t in share_table.tables() if t.name == self.name_of_table]

    def left(self):
        return sum(len(list(table.rows())) for table in self.tables())

    def run(self):
        while not self.over.wait(0.003):
            self.most = max(self.most, self.left())

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()
        self.last = self.left()
        for table in self.tables():
            share_table.libc.shmctl(table.segment, 0, None)  # IPC_RMID


class Hybrid(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="nth-mpi-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.program = os.path.join(cls.folder, "hybrid")
        made = subprocess.run(
            ["mpicc", "-std=gnu17", "-O2", "-Wall", "-Wextra", "-fopenmp",
             os.path.join(HERE, "hybrid.c"), "-o", cls.program, "-ldl"],
            env=dict(os.environ, OMPI_CC=os.environ.get("NTH_TEST_CC", "gcc")),
            stderr=subprocess.PIPE, timeout=TIMEOUT, universal_newlines=True)
        if made.returncode:
            raise AssertionError("mpicc: " + made.stderr)

    def mpirun(self, binding, *command, program=None, count=RANKS, **settings):
        """The ranks' values after so many ranks have ended well."""
        env = {name: value for name, value in os.environ.items()
               if not name.startswith(("OMP_", "GOMP_", "NTH_", "LD_"))}
        env.update(LD_LIBRARY_PATH=LIB, OMP_NUM_THREADS="2", OMPI_MCA_btl="self,vader",
                   OMPI_MCA_plm="isolated", TMPDIR=self.folder)
        for name, value in settings.items():
            env.pop(name, None)
            if value is not None:
                env[name] = value
        call = ["mpirun", "-n", str(count), *binding]
        if os.geteuid() == 0:
            call.insert(1, "--allow-run-as-root")
        if cores_of(ALLOWED) < count:
            call.insert(1, "--oversubscribe")
        out, err, status, late = run_ranks(call + list(program or [self.program]) + list(command),
                                           env, TIMEOUT)
        if status == SKIPPED:
            self.skipTest("MPI offers no such thread support")
        self.assertEqual((status, late), (0, False), out + err)
        self.assertNotIn("nanogomp:", err)
        ranks = values_of(out)
        self.assertEqual(len(ranks), count, out + err)
        return ranks

    def where(self, binding, **settings):
        ranks = self.mpirun(binding, "where", **settings)
        for rank in ranks:
            self.assertEqual((rank["outside"], rank["beyond"]), ("0", "0"), rank)
            self.assertEqual(os.path.realpath(os.path.dirname(rank["library"])),
                             os.path.realpath(LIB))
            self.assertEqual(int(rank["procs"]), len(cpus_of(rank["mask"])))
        return ranks

    def test_none_is_left(self):
        """A run that is broken off leaves no process behind."""
        mark = "NTH_TEST_MARK=%d" % os.getpid()
        call = ["mpirun", "--allow-run-as-root"] if os.geteuid() == 0 else ["mpirun"]
        env = dict(os.environ, OMPI_MCA_plm="isolated", TMPDIR=self.folder)
        *_, late = run_ranks(call + ["-n", "2", "--oversubscribe", "env", mark, "sleep", "600"],
                             env, 3)
        self.assertTrue(late)
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/environ" % pid, "rb") as file:
                    self.assertNotIn(mark.encode(), file.read().split(b"\0"))
            except OSError:
                pass  # another user's, or gone

    def need_two_cores(self):
        if cores_of(ALLOWED) < RANKS:
            self.skipTest("one core")

    def test_a_core_each_by_default(self):
        """Open MPI binds two ranks to a core each; two members share it."""
        self.need_two_cores()
        a, b = self.where(DEFAULT)
        self.assertFalse(cpus_of(a["mask"]) & cpus_of(b["mask"]))
        self.assertEqual((a["members"], b["members"]), ("2", "2"))

    def test_pe_list(self):
        self.need_two_cores()
        a, b = self.where(PE)
        self.assertFalse(cpus_of(a["mask"]) & cpus_of(b["mask"]))

    def test_not_bound(self):
        for rank in self.where(NONE):
            self.assertEqual(cpus_of(rank["mask"]), set(ALLOWED))

    def test_teams_follow_the_mask(self):
        """Without OMP_NUM_THREADS a rank's team has as many members as its mask has CPUs."""
        for binding in (DEFAULT, NONE):
            for rank in self.where(binding, OMP_NUM_THREADS=None):
                self.assertEqual(int(rank["members"]), len(cpus_of(rank["mask"])))

    def test_places_lie_in_the_mask(self):
        for binding in (DEFAULT, NONE, PE):
            for policy in ("close", "spread"):
                self.where(binding, OMP_PLACES="cores", OMP_PROC_BIND=policy)

    def test_started_by_the_tool(self):
        """mpirun nanogomp run -- program, as docs/running.md tells."""
        ranks = self.mpirun(NONE, "where", LD_LIBRARY_PATH=None, program=[
            sys.executable, TOOL, "run", "--lib", LIB, "-n", "2", "--", self.program])
        for rank in ranks:
            self.assertEqual(rank["members"], "2")
            self.assertEqual(os.path.realpath(os.path.dirname(rank["library"])),
                             os.path.realpath(LIB))

    def test_masters_exchange(self):
        for binding in (DEFAULT, NONE, PE):
            for rank in self.mpirun(binding, "halo", "funneled"):
                self.assertEqual(rank["wrong"], "0")

    def test_members_exchange(self):
        for binding in (DEFAULT, NONE, PE):
            for rank in self.mpirun(binding, "halo", "multiple"):
                self.assertEqual(rank["wrong"], "0")

    def test_ranks_share(self):
        """NTH_SHARE: each rank has a slot of one table while all are there, and right answers."""
        own = "mpi-test-%d" % os.getpid()  # nobody else has this table

        def exchange(count, share):
            for level in ("funneled", "multiple"):
                for rank in self.mpirun(NONE, "halo", level, count=count, NTH_SHARE=share):
                    self.assertEqual(rank["wrong"], "0")
        for count in (2, 4):
            with self.subTest(ranks=count):
                exchange(count, "auto")
                with Watch(own) as watch:
                    exchange(count, own)
                self.assertEqual(watch.most, count)
                self.assertEqual(watch.last, 0)

    def test_each_wait_policy(self):
        for policy in ("active", "passive"):
            for rank in self.mpirun(NONE, "halo", "funneled", OMP_WAIT_POLICY=policy):
                self.assertEqual(rank["wrong"], "0")

    @unittest.skipUnless(os.path.exists("/proc/self/schedstat"), "no schedstat")
    def test_idle_members_sleep(self):
        """One rank computes, the other's master waits in MPI, which polls; its slaves sleep."""
        for binding in (DEFAULT, NONE, PE):
            _, waits = self.mpirun(binding, "idle", "%d" % (1000 * IDLE_SECONDS))
            self.assertGreater(float(waits["wall"]), 0.9 * IDLE_SECONDS)
            self.assertGreater(float(waits["master"]), 0, waits)  # so time is counted at all
            self.assertGreaterEqual(float(waits["slaves"]), 0)
            self.assertLess(float(waits["slaves"]), IDLE_MOST, waits)


if __name__ == "__main__":
    REASON = missing()
    if REASON:
        print("skipped: " + REASON)
        sys.exit(SKIPPED)
    unittest.main()
