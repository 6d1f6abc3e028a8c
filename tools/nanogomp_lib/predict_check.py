# predict_check.py - `nanogomp predict --check`: predicted times against measured ones
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of each program: records, the times that follow from them for 1, 2, ... processors, and those of
runs without the recorder, in turn; the least of each are compared. With one thread CPU time counts,
so that others may use the machine; with several the wall clock. A run while others had more than
BUSY of the CPUs proves nothing: it is shown as `pending` and is no failure."""

import os

from nanogomp_lib import predict
from nanogomp_lib import predict_record as recording
from nanogomp_lib import predict_report as report

TOLERANCE = 0.10
BUSY = 0.05
KERNELS = ("ep", "cg", "mg", "swim", "jacobi", "fft", "strassen", "sparselu", "nqueens")
TICK = os.sysconf("SC_CLK_TCK")


def busy_seconds():
    """CPU seconds that all processes have used on the CPUs of this one."""
    total, allowed = 0.0, os.sched_getaffinity(0)
    with open("/proc/stat", encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[0][:3] == "cpu" and words[0][3:].isdigit() and int(words[0][3:]) in allowed:
                user, nice, system, _, _, irq, soft = (int(word) for word in words[1:8])
                total += (user + nice + system + irq + soft) / TICK
    return total


def measure(lib, command, members):
    """(seconds, part of the CPUs that others had meanwhile)"""
    before = busy_seconds()
    done = recording.run(command, recording.environment(lib, members), True)
    others = max(0.0, busy_seconds() - before - done.cpu)
    if done.status != 0:
        raise recording.CannotRecord("%s: exit status %d with %d threads"
                                     % (command[0], done.status, members))
    return (done.cpu if members == 1 else done.wall,
            others / (done.wall * len(os.sched_getaffinity(0))))


def commands(options):
    """[(name, command)]"""
    if not options.kernels:
        return [(os.path.basename(options.command[0]), options.command)]
    names = options.match.split(",") if options.match else KERNELS
    return [(name, [os.path.join(options.kernels, name), *options.command]) for name in names]


def verdict(members, predicted, measured, others):
    """(state, whether it is a failure)"""
    off = predicted / measured - 1
    if abs(off) <= TOLERANCE:
        return "ok", False
    if members > 1 and others > BUSY:
        return "pending: others had %.0f %% of the CPUs" % (100 * others), False
    return "OFF", True


def check_one(options, machine, lib, name, command):
    """Rows of the table, and how many failures. Records and runs take turns; the least counts."""
    options.command = command
    counts = options.processors or [1, 2]
    here = [n for n in counts if n <= len(os.sched_getaffinity(0))]
    predicted, measured = {n: [] for n in here}, {n: [] for n in here}
    for _ in range(options.repeat):
        made = predict.make_prediction(options, lib, True)
        for n in here:
            predicted[n].append(made.replay(machine, n).time / 1e9)
            measured[n].append(measure(lib, command, n))
    lines, failures = [], 0
    for n in counts:
        if n not in here:
            lines.append((name, n, "-", "-", "-", "skipped: not so many CPUs here"))
            continue
        model, (seconds, others) = min(predicted[n]), min(measured[n])
        state, failed = verdict(n, model, seconds, others)
        failures += failed
        lines.append((name, n, report.show_time(model * 1e9), report.show_time(seconds * 1e9),
                      "%+.1f %%" % (100 * (model / seconds - 1)), state))
    return lines, failures


def main(options, machine, lib):
    failures = 0
    print("%-12s %7s %11s %11s %9s  state" % ("program", "threads", "predicted", "measured", "off"))
    for name, command in commands(options):
        lines, failed = check_one(options, machine, lib, name, command)
        failures += failed
        for line in lines:
            print("%-12s %7d %11s %11s %9s  %s" % line, flush=True)
    return 1 if failures else 0
