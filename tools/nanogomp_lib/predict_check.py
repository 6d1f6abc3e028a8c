# predict_check.py - `nanogomp predict --check`: predicted times against measured ones
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of each program: records, the times that follow from them for 1, 2, ... processors, and those of
runs without the recorder, in turn; the least of each are compared. With one thread CPU time counts,
so that others may use the machine; with several the wall clock. A program with static loops or
constructs is recorded a second time, with several members (see --members). A run while others had
more than BUSY of the CPUs proves nothing: it is shown as `pending` and is no failure."""

import os

from nanogomp_lib import predict
from nanogomp_lib import predict_record as recording
from nanogomp_lib import predict_report as report
from nanogomp_lib import predict_trace as trace

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


class Work:
    """A program with its settings, and what its replays assume. outer: members of the outer level,
    None: one level."""

    def __init__(self, command, env=(), outer=None):
        self.command, self.env, self.outer = command, dict(env), outer


def measure(lib, command, members, env=()):
    """(seconds, part of the CPUs that others had meanwhile)"""
    before = busy_seconds()
    done = recording.run(command, recording.environment(lib, members, env), True)
    others = max(0.0, busy_seconds() - before - done.cpu)
    if done.status != 0:
        raise recording.CannotRecord("%s: exit status %d with %d threads"
                                     % (command[0], done.status, members))
    return (done.cpu if members == 1 else done.wall,
            others / (done.wall * len(os.sched_getaffinity(0))))


def inner_of(work, processors):
    return processors // min(work.outer, processors) if work.outer else 1


def sample(options, machine, lib, work, counts):
    """One round: {processors: (predicted seconds, measured seconds, part of others)}. A program
    that is told the number of processors is recorded for each number."""
    options.command, found, made = work.command, {}, None
    for n in counts:
        if made is None or predict.is_told(work.command):
            made = predict.make_prediction(options, lib, True, n, inner_of(work, n), work.env)
            if made.record.lost:
                raise trace.BadRecord("the record is not whole: %d events had no room (--events)"
                                      % made.record.lost)
        if n > 1 and not work.outer and made.needs_balance():
            most = max(counts)
            command = predict.told(work.command, n)
            made.balance(predict.balance_record(options, lib, command, most, work.env))
        predicted = made.replay(machine, n, work.outer).time / 1e9
        command = predict.told(work.command, n, inner_of(work, n))
        found[n] = (predicted, *measure(lib, command, n, work.env))
    return found


def best(rounds, processors):
    """(predicted, measured, part of others) of samples: the least time counts of each. Rounds in
    which others had the CPUs count only if there are no quiet ones."""
    entries = [entry[processors] for entry in rounds]
    quiet = [entry for entry in entries if entry[2] <= BUSY] or entries
    seconds, others = min(entry[1:] for entry in quiet)
    return min(entry[0] for entry in entries), seconds, others


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


def order(times, tie):
    """The pairs of alternatives whose predicted order is not the measured one. times: {label:
    (predicted, measured)}; measured times that differ by less than `tie` have no order."""
    wrong = []
    for one, (predicted, measured) in times.items():
        for other, (its_predicted, its_measured) in times.items():
            if measured * (1 + tie) < its_measured and predicted >= its_predicted:
                wrong.append((one, other))
    return wrong


def check_one(options, machine, lib, name, command):
    """Rows of the table, and how many failures. Records and runs take turns; the least counts."""
    counts = options.processors or [1, 2]
    here = [n for n in counts if n <= len(os.sched_getaffinity(0))]
    work = Work(command, outer=options.outer)
    try:
        rounds = [sample(options, machine, lib, work, here) for _ in range(options.repeat)]
    except trace.BadRecord as error:
        return [(name, counts[0], "-", "-", "-", str(error))], 1
    lines, failures = [], 0
    for n in counts:
        if n not in here:
            lines.append((name, n, "-", "-", "-", "skipped: not so many CPUs here"))
            continue
        model, seconds, others = best(rounds, n)
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
