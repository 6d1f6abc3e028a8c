#!/usr/bin/env python3
# test_tasks.py - blocking calls of MPI in tasks: they end, with right answers, errors and statuses
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Open MPI's mpicc, mpifort and mpirun. NTH_TEST_LIB is the folder of our library, and of
libnanogomp-mpi.so. Each run has a time limit."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import test_mpi

HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "abi", "include")
LIB = test_mpi.LIB
FILE = "libnanogomp-mpi.so"
TIMEOUT, HANGS, TIMED_OUT = 120, 5, 124
CASES = ("pairs", "loops", "kinds", "collectives", "errors", "cancel", "forks", "plain", "bind",
         "asleep")


def missing():
    reason = test_mpi.missing()
    if not reason and not os.path.exists(os.path.join(LIB, FILE)):
        reason = "no " + FILE
    return reason


class Tasks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="nth-mpi-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.plain = cls.build("plain", "mpicc", "tasks.c", "-std=gnu17")
        cls.linked = cls.build("linked", "mpicc", "tasks.c", "-std=gnu17", "-DWITH_BIND",
                               "-I", HEADERS, "-L", LIB, "-Wl,--no-as-needed", "-lnanogomp-mpi")

    @classmethod
    def build(cls, name, compiler, source, *flags):
        """flags come before MPI's libraries, which the compiler adds."""
        path = os.path.join(cls.folder, name)
        made = subprocess.run(
            [compiler, "-O2", "-fopenmp", os.path.join(HERE, source), "-o", path, *flags],
            cwd=cls.folder, stderr=subprocess.PIPE, timeout=TIMEOUT, universal_newlines=True,
            env=dict(os.environ, OMPI_CC=os.environ.get("NTH_TEST_CC", "gcc")))
        if made.returncode:
            raise AssertionError(compiler + ": " + made.stderr)
        return path

    def start(self, ranks, program, *words, library=LIB, limit=None, tool=True, **settings):
        """The run by `nanogomp run --mpi-tasks` of each rank, or without tool on the library alone;
        tool "before": of mpirun. limit: after so many seconds mpirun is told to end its ranks."""
        env = {name: value for name, value in os.environ.items()
               if not name.startswith(("OMP_", "GOMP_", "NTH_", "LD_"))}
        env.update({"OMP_NUM_THREADS": "2", "OMP_CANCELLATION": "true",
                    "OMPI_MCA_btl": "self,vader", "OMPI_MCA_plm": "isolated",
                    "TMPDIR": self.folder, **settings})
        if library:
            env["LD_LIBRARY_PATH"] = library
        call = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
        if os.geteuid() == 0:
            call.insert(1, "--allow-run-as-root")
        by_tool = [sys.executable, test_mpi.TOOL, "run", "--lib", LIB, "--mpi-tasks", "--"]
        if tool == "before":
            call = by_tool + call
        elif tool:
            call += by_tool
        call += [program, *words]
        out, err, status, late = test_mpi.run_ranks(call, env, limit or TIMEOUT)
        return subprocess.CompletedProcess(call, TIMED_OUT if late else status, out, err)

    def good(self, ranks, *words, **how):
        done = self.start(ranks, *words, **how)
        if done.returncode == test_mpi.SKIPPED:
            self.skipTest("MPI offers no MPI_THREAD_MULTIPLE")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count(" ok"), ranks, done.stdout + done.stderr)
        return done

    def test_cases(self):
        for ranks in (2, 4):
            for case in CASES:
                with self.subTest(case=case, ranks=ranks):
                    done = self.good(ranks, self.linked, case, tool=False)
                    self.assertNotIn("nanogomp:", done.stderr)

    def test_teams_of_one(self):
        """There tasks run one after the other, unless they can be suspended."""
        for case in ("pairs", "loops"):
            with self.subTest(case=case):
                self.good(2, self.linked, case, tool=False, OMP_NUM_THREADS="1")

    def test_by_the_tool(self):
        """A program that was not linked with the library."""
        for case in ("pairs", "kinds", "collectives"):
            with self.subTest(case=case):
                self.assertNotIn("nanogomp:", self.good(2, self.plain, case).stderr)

    def test_spawned_ranks(self):
        """MPI starts them with the environment of mpirun."""
        done = self.start(1, self.plain, "spawn", tool="before", OMPI_MCA_btl="self,tcp")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count(" ok"), 3, done.stdout + done.stderr)

    def test_hangs_without(self):
        """Both ranks' threads wait for tasks that have none: on any library that blocks."""
        for library in (LIB, None):
            done = self.start(2, self.plain, "pairs", library=library, limit=HANGS, tool=False)
            self.assertEqual(done.returncode, TIMED_OUT, done.stdout + done.stderr)

    def test_nano_members(self):
        """More members than CPUs, each of which blocks in MPI itself."""
        self.good(2, self.plain, "members", NTH_MEMBERS="nano", OMP_NUM_THREADS="12")

    def test_thread_level(self):
        done = self.good(2, self.plain, "single")
        self.assertEqual(done.stderr.count("MPI was not initialized with MPI_THREAD_MULTIPLE"), 1)

    def test_finalize_while_pending(self):
        done = self.good(2, self.linked, "pending", tool=False)
        self.assertIn("MPI_Finalize was called while 1 MPI calls", done.stderr)

    @unittest.skipUnless(shutil.which("mpifort"), "no mpifort")
    def test_fortran(self):
        """By `use mpi` and by `use mpi_f08`."""
        for module, flags in (("mpi", ()), ("mpi_f08", ("-DF08",))):
            with self.subTest(module=module):
                program = self.build(module, "mpifort", "tasks.F90", *flags)
                self.assertNotIn("nanogomp:", self.good(2, program).stderr)

    @unittest.skipUnless(shutil.which("mpifort"), "no mpifort")
    def test_fortran_bind(self):
        """nth_mpi_bind of Fortran: several requests, none, one that is null."""
        program = self.build("bind", "mpifort", "bind.f90", "-L", LIB, "-Wl,--no-as-needed",
                             "-lnanogomp-mpi")
        for ranks in (2, 4):
            with self.subTest(ranks=ranks):
                self.assertNotIn("nanogomp:", self.good(ranks, program, tool=False).stderr)

    @unittest.skipUnless(shutil.which("mpifort"), "no mpifort")
    def test_fortran_in_a_plugin(self):
        """MPI's Fortran library comes with it, and its names are nobody else's."""
        plugin = self.build("hidden.so", "mpifort", "hidden.f90", "-shared", "-fPIC")
        done = self.start(2, self.build("hidden", "gcc", "hidden.c", "-ldl"), plugin)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("got 7", done.stdout)

    def test_stencil(self):
        """Borders exchanged in tasks: the points of serial steps, bit by bit."""
        program = self.build("stencil", "mpicc", "../kernels/mpi_stencil.c", "-std=gnu17",
                             "-ffp-contract=off", "-lm")
        for ranks, *words in ((2,), (4,), (3, "--blocks", "1"), (4, "--uneven", "60")):
            for threads in ("1", "2", "5"):
                with self.subTest(ranks=ranks, words=words, threads=threads):
                    done = self.start(ranks, program, "--small", *words, OMP_NUM_THREADS=threads)
                    if done.returncode == test_mpi.SKIPPED:
                        self.skipTest("MPI offers no MPI_THREAD_MULTIPLE")
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertIn("check=ok", done.stdout)


if __name__ == "__main__":
    REASON = missing()
    if REASON:
        print("skipped: " + REASON)
        sys.exit(test_mpi.SKIPPED)
    unittest.main()
