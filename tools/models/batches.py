#!/usr/bin/env python3
# batches.py - the cost model of "Introducing Batches of Threads": equations 1 to 8
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Venetis, Papatheodorou, Gao: Handling Massive Parallelism Efficiently: Introducing Batches of
Threads (CAPSL memo 70, 2006), section 3. A master creates N threads and queues them; P - 1 other
processors look them up, start them and run them; then the master joins in.

All times are in one unit, here nanoseconds, and per thread. Each function names its equation.
Without arguments the module prints the model for the costs given by options:

    tools/models/batches.py --create 20 --enqueue 40 --lookup 20 --start 10 --work 0,100,1000
"""

import argparse
import dataclasses
import sys


@dataclasses.dataclass(frozen=True)
class Costs:
    """What a thread costs, ns: T_C, T_E, T_L1, T_S and T_T of the paper."""
    create: float
    enqueue: float
    lookup: float
    start: float
    end: float = 0.0

    def making(self):
        """What the master pays for a thread: T_C + T_E."""
        return self.create + self.enqueue

    def running(self, work):
        """What a processor pays for a thread with `work` ns: T_L1 + T_S + T_W + T_T."""
        return self.lookup + self.start + work + self.end


def lookup_linear(processors, queue):
    """T_L1, equation 1: one of P queues has the thread, each as likely, searched one by one; a
    look at a queue takes `queue`."""
    return (processors + 1) / 2 * queue


def waiting(costs, processors, work):
    """T_L2: how long a processor waits for its next thread; 0 where the master is fast enough."""
    return max(0.0, (processors - 1) * costs.making() - costs.running(work))


def is_fine(costs, processors, work):
    """Whether processors wait for the master: the fine-grained case of section 3."""
    return processors > 1 and waiting(costs, processors, work) > 0


def fine_by_sum(costs, processors, threads, work):
    """T_P, equation 2: threads too small for the master's pace."""
    one = costs.making() + costs.running(work) + waiting(costs, processors, work)
    return threads / (processors - 1) * one + (processors - 1) * costs.making()


def fine(costs, processors, threads):
    """T_P, equation 3: equation 2 where processors wait. Only making threads counts."""
    return (threads * processors / (processors - 1) + processors - 1) * costs.making()


def ended_meanwhile(costs, threads, work):
    """k, equation 4: threads that one processor ends while the master makes all."""
    return (threads - 1) * costs.making() / costs.running(work)


def coarse(costs, processors, threads, work):
    """T_P, equation 5: no processor ever waits for the master."""
    p, n = processors, threads
    return (p * p - p + n - 1) / p * costs.making() + n / p * costs.running(work)


def create_cost(processors, found, queue, allocate, begin):
    """T_C, equations 6 and 7: a descriptor is found in each of P queues with probability
    q = r / (P + 1), r = `found`; a look at a queue takes `queue`, a new descriptor `allocate`,
    filling one in `begin`. ValueError: `found` breaks equation 8."""
    if not 0 <= found <= found_most(processors):
        raise ValueError("r is 0 to 1 + 1/P")
    p = processors
    searching = ((2 - found) * p * p + (2 + found) * p) / (2 * (p + 1)) * queue
    return searching + (1 - p * found / (p + 1)) * allocate + begin


def found_most(processors):
    """The largest r, equation 8: the queues have the descriptor for sure."""
    return 1 + 1 / processors


def overlapped(costs, processors, threads, work):
    """T_P, ours. The paper's two cases have nothing between them: in the fine one its processors
    wait a whole turn of the master, T_C + T_E longer than they need. Here the master makes threads
    while the others run them, then all run what is left; on one processor it does both."""
    making, running = threads * costs.making(), costs.running(work)
    done = min(threads, (processors - 1) * making / running) if running else threads
    return making + (threads - done) * running / processors


def predict(costs, processors, threads, work):
    """T_P by the paper: equation 3 or 5, whichever case it is; ns."""
    if is_fine(costs, processors, work):
        return fine(costs, processors, threads)
    return coarse(costs, processors, threads, work)


def table(costs, processors, threads, works):
    """Lines: work, processors, the case, T_P, speed-up over the same threads' work alone."""
    lines = ["%10s %10s %7s %12s %12s" % ("work ns", "processors", "case", "paper ns", "ours ns")]
    for work in works:
        for p in processors:
            case = "fine" if is_fine(costs, p, work) else "coarse"
            lines.append("%10g %10d %7s %12.1f %12.1f" % (
                work, p, case, predict(costs, p, threads, work) / threads,
                overlapped(costs, p, threads, work) / threads))
    return "\n".join(lines)


def numbers(text):
    return [float(word) for word in text.split(",")]


def main(argv):
    parser = argparse.ArgumentParser(prog="batches.py", description="Time a thread, by the model.")
    for name, value in (("create", 20), ("enqueue", 40), ("lookup", 20), ("start", 10), ("end", 0)):
        parser.add_argument("--" + name, type=float, default=value, metavar="NS",
                            help="default %(default)s")
    parser.add_argument("--work", type=numbers, default=[0.0, 100.0, 1000.0], metavar="NS,..")
    parser.add_argument("--processors", type=numbers, default=[1.0, 2.0, 4.0, 8.0], metavar="P,..")
    parser.add_argument("--threads", type=int, default=1000000, metavar="N")
    options = parser.parse_args(argv)
    costs = Costs(options.create, options.enqueue, options.lookup, options.start, options.end)
    print(table(costs, [int(p) for p in options.processors], options.threads, options.work))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
