# predict_check.py - `nanogomp predict --check`: predicted times against measured ones
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of each program: a record, the times that follow from it for 1, 2, ... processors, and the best
time of runs without the recorder. With one thread CPU time counts, so that others may use the
machine; with several the wall clock, and a run while others had more than BUSY of the CPUs proves
nothing: it is shown as `pending` and is no failure."""

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


def measure(lib, command, members, repeat):
    """(least seconds, part of the CPUs that others had in that run)"""
    best = None
    for _ in range(repeat):
        before = busy_seconds()
        done = recording.run(command, recording.environment(lib, members), True)
        others = max(0.0, busy_seconds() - before - done.cpu)
        part = others / (done.wall * len(os.sched_getaffinity(0)))
        seconds = done.cpu if members == 1 else done.wall
        if done.status != 0:
            raise recording.CannotRecord("%s: exit status %d with %d threads"
                                         % (command[0], done.status, members))
        if best is None or seconds < best[0]:
            best = seconds, part
    return best


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
    """Rows of the table, and how many failures."""
    options.command, lines, failures = command, [], 0
    made = predict.make_prediction(options, lib, True)
    for members in options.processors or [1, 2]:
        if members > len(os.sched_getaffinity(0)):
            lines.append((name, members, "-", "-", "-", "skipped: not so many CPUs here"))
            continue
        predicted = made.replay(machine, members).time / 1e9
        measured, others = measure(lib, command, members, options.repeat)
        state, failed = verdict(members, predicted, measured, others)
        failures += failed
        lines.append((name, members, report.show_time(predicted * 1e9),
                      report.show_time(measured * 1e9),
                      "%+.1f %%" % (100 * (predicted / measured - 1)), state))
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
