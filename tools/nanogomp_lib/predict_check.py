# predict_check.py - `nanogomp predict --check`: predicted times against measured ones
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of each program: records, the times that follow from them for 1, 2, ... processors, and those of
runs without the recorder, in turn; the least of each are compared. With one thread CPU time counts,
so that others may use the machine; with several the wall clock. A program with static loops or
constructs is recorded a second time, with several members (see --members). A run while others had
more than BUSY of the CPUs proves nothing: it is shown as `pending` and is no failure.
The host of a virtual machine moves its CPUs: at one time a line goes between them in 50 ns, at
another in 250. A caller that can measure this time passes a Lines. Rounds with the CPUs at another
distance than that of the costs then do not count."""

import os
import time

from nanogomp_lib import predict
from nanogomp_lib import predict_record as recording
from nanogomp_lib import predict_report as report
from nanogomp_lib import predict_trace as trace

TOLERANCE = 0.10
BUSY = 0.05
ALIKE = 0.25      # lines that differ by less are the same distance
PATIENCE = 20     # looks at the lines before a run, a quarter of a second each
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


class Lines:
    """How far the CPUs are from each other. probe: () -> ns of a line's round trip, None: not
    known; expected: that of the costs in ns."""

    def __init__(self, probe, expected):
        self.probe, self.expected = probe, expected

    def off(self):
        """The round trip's part beyond, or below, that of the costs."""
        found = self.probe()
        return abs(found / self.expected - 1) if found else 0.0

    def wait(self):
        """Until the CPUs are as near as the costs say, or patience ends."""
        for _ in range(PATIENCE):
            if self.off() <= ALIKE:
                return
            time.sleep(0.25)


NO_LINES = Lines(lambda: None, 1.0)


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


def sample(options, machine, lib, work, counts, lines=NO_LINES):
    """One round: {processors: (predicted seconds, measured seconds, part of others, how far the
    lines were off)}. A program that is told the number of processors is recorded for each
    number."""
    options.command, found, made = work.command, {}, None
    for n in counts:
        off = 0.0
        if made is None or predict.is_told(work.command):
            made = predict.make_prediction(options, lib, True, n, inner_of(work, n), work.env)
            if made.record.lost:
                raise trace.BadRecord("the record is not whole: %d events had no room (--events)"
                                      % made.record.lost)
        if n > 1:
            lines.wait()
        if n > 1 and not work.outer and made.needs_balance():
            most = max(counts)
            command = predict.told(work.command, n)
            made.balance(predict.balance_record(options, lib, command, most, work.env))
            off = lines.off()
        predicted = made.replay(machine, n, work.outer).time / 1e9
        command = predict.told(work.command, n, inner_of(work, n))
        seconds, others = measure(lib, command, n, work.env)
        found[n] = (predicted, seconds, others, max(off, lines.off()) if n > 1 else 0.0)
    return found


def best(rounds, processors):
    """(predicted, measured, part of others, how far the lines were off) of samples: the least time
    counts of each. Rounds with the CPUs at another distance than that of the costs, and rounds in
    which others had the CPUs, count only if there are no better ones."""
    entries = [entry[processors] for entry in rounds]
    entries = [entry for entry in entries if entry[3] <= ALIKE] or entries
    quiet = [entry for entry in entries if entry[2] <= BUSY] or entries
    seconds, others, off = min(entry[1:] for entry in quiet)
    return min(entry[0] for entry in entries), seconds, others, off


def commands(options):
    """[(name, command)]"""
    if not options.kernels:
        return [(os.path.basename(options.command[0]), options.command)]
    names = options.match.split(",") if options.match else KERNELS
    return [(name, [os.path.join(options.kernels, name), *options.command]) for name in names]


def verdict(members, predicted, measured, others, lines=0.0):
    """(state, whether it is a failure)"""
    off = predicted / measured - 1
    if abs(off) <= TOLERANCE:
        return "ok", False
    if members > 1 and others > BUSY:
        return "pending: others had %.0f %% of the CPUs" % (100 * others), False
    if lines > ALIKE:
        return "pending: lines were %.0f %% off those of the costs" % (100 * lines), False
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
    except (trace.BadRecord, recording.CannotRecord) as error:
        if not options.kernels or getattr(error, "ended", 0):
            raise  # there are no others, or whoever sent the signal wants an end
        return [(name, counts[0], "-", "-", "-", str(error))], 1
    lines, failures = [], 0
    for n in counts:
        if n not in here:
            lines.append((name, n, "-", "-", "-", "skipped: not so many CPUs here"))
            continue
        model, seconds, others, _ = best(rounds, n)
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
