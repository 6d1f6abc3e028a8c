#!/usr/bin/env python3
# test_wheels.py - scikit-learn, lightgbm, xgboost and faiss of PyPI in one process, one libgomp
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of tools/check --full: a virtual environment is made in the build folder, and kept there."""
import json
import os
import subprocess
import sys
import unittest

import support

PACKAGES = ["scikit-learn", "lightgbm", "xgboost", "faiss-cpu", "threadpoolctl"]
PROGRAM = r'''
import json, multiprocessing, os, sys
import numpy
import faiss, lightgbm, sklearn, xgboost, threadpoolctl
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier

def openmp():
    names = {line.split()[-1] for line in open("/proc/self/maps") if "/" in line}
    kinds = ("libgomp", "libomp", "libiomp")
    return sorted(n for n in names if os.path.basename(n).startswith(kinds))

def threads():
    return len(os.listdir("/proc/self/task"))

def answers(_=0):
    rng = numpy.random.default_rng(0)
    x = rng.normal(size=(2000, 8)).astype("float32")
    y = (x[:, 0] + x[:, 1] > 0).astype(int)
    trees = HistGradientBoostingClassifier(max_iter=10).fit(x, y).score(x, y)
    inertia = KMeans(3, n_init=1, random_state=0).fit(x).inertia_
    light = lightgbm.train({"objective": "binary", "verbose": -1}, lightgbm.Dataset(x, y), 10)
    xg = xgboost.train({"objective": "binary:logistic"}, xgboost.DMatrix(x, y), 10)
    index = faiss.IndexFlatL2(8)
    index.add(x)
    nearest = index.search(x, 1)[1][:, 0]
    return [round(float(trees), 3), round(float(inertia), 0),
            round(float(((light.predict(x) > .5) == y).mean()), 3),
            round(float(((xg.predict(xgboost.DMatrix(x)) > .5) == y).mean()), 3),
            bool((nearest == numpy.arange(2000)).all())]

def limits():
    return [i["num_threads"] for i in threadpoolctl.threadpool_info() if i["user_api"] == "openmp"]

seen = {"before": threads(), "answers": answers(), "after": threads(), "openmp": openmp()}
if len(sys.argv) > 1:  # GCC's libgomp hangs in children
    with multiprocessing.get_context("fork").Pool(2) as pool:
        seen["children"] = pool.map(answers, [0, 0])
    seen["limits"] = [limits()]
    with threadpoolctl.threadpool_limits(1, user_api="openmp"):
        seen["limits"].append(limits())
    seen["limits"].append(limits())
print(json.dumps(seen))
'''


class Wheels(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        build = os.environ.get("NTH_TEST_BUILD") or cls.folder
        venv = os.path.join(build, "wheels")
        cls.python = os.path.join(venv, "bin", "python")
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        made = subprocess.run([cls.python, "-m", "pip", "install", "-q", *PACKAGES],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if made.returncode != 0:
            raise unittest.SkipTest("no packages: " + made.stdout.decode()[-200:])

    def test_one_process(self):
        script = self.write("four.py", PROGRAM)
        plain = subprocess.run([self.python, script], stdout=subprocess.PIPE, check=True,
                               timeout=support.TIMEOUT_SECONDS)
        plain = json.loads(plain.stdout)
        done = self.nanogomp_run("-n", "2", "--", self.python, script, "all")
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads(done.stdout)
        print(plain, seen, sep="\n", file=sys.stderr)
        self.assertGreater(len(plain["openmp"]), 1)  # else there is nothing to show
        self.assertEqual(seen["openmp"], [self.library])
        self.assertEqual(seen["answers"], plain["answers"])
        self.assertEqual(seen["children"], [plain["answers"]] * 2)
        self.assertLessEqual(seen["after"], seen["before"] + 1)
        self.assertEqual(seen["limits"], [[2], [1], [2]])


if __name__ == "__main__":
    unittest.main()
