# predict_support.py - small programs and machines for tests of the simulator
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import support  # noqa: F401  (finds the command's modules)
from nanogomp_lib import predict_machine as machines
from nanogomp_lib import predict_program as programs
from nanogomp_lib import predict_trace as trace

FREE = {name: 0 for name in machines.COSTS}
FREE["spin"] = 1e18


def free_machine(size, per_domain=None, **costs):
    """A machine on which nothing costs anything but `costs`."""
    return machines.Machine(size, per_domain, {**FREE, **costs})


def region(*steps):
    made = trace.Region()
    made.steps = list(steps)
    return made


def work(ns, share=trace.MASTER):
    return (trace.WORK, ns, share)


def task(*steps, depend=()):
    made = trace.Task(dependences=depend)
    made.steps = list(steps)
    return (trace.TASK, made)


def loop(schedule, times, chunk=1):
    made = trace.Loop(schedule, len(times), chunk)
    made.pieces = [(1, [work(ns)]) for ns in times]
    return made


def replay(steps, machine, processors, outer=None, **settings):
    return programs.Replay(machine, processors, programs.Settings(**settings), outer).run(steps)


def time_of(steps, machine, processors, **more):
    return replay(steps, machine, processors, **more).time
