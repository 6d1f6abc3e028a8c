# store.py - keeps what was measured, a file an experiment, so that a broken run goes on
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kept result counts again where library, machine, number of rounds and processes are the same;
otherwise the experiment is measured anew."""

import json
import os

import nthbench_report as report


def path_of(folder, experiment):
    return os.path.join(folder, experiment.name + ".json")


def key_of(experiment, session, ours, rounds):
    """What must be the same for a result to count."""
    about = session.identities.get(ours, {})
    return {"commit": about.get("commit"), "library": about.get("sha256"),
            "cpu": session.machine.get("cpu"), "cpus": len(session.cpus), "rounds": rounds,
            "runs": [run.name() for run in experiment.runs]}


def is_result(content):
    """Whether what a file holds has the form of what save() is given."""
    rounds = content.get("rounds") if isinstance(content, dict) else None
    return (isinstance(rounds, list) and isinstance(content.get("about"), dict) and
            all(isinstance(one, dict) for one in rounds))


def load(folder, experiment, key=None):
    """The result, or None: there is none, or not of this key, or the file holds something else."""
    try:
        with open(path_of(folder, experiment), encoding="utf-8") as file:
            result = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    if not is_result(result):
        return None
    return result if key is None or result.get("key") == key else None


def save(folder, experiment, result):
    os.makedirs(folder, exist_ok=True)
    report.write_json(path_of(folder, experiment), result)
