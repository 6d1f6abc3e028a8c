# mechanisms.py - what the papers describe beside their experiments, and where it is here
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each entry: paper, section, mechanism, state, page of docs or header."""

HERE, OTHERWISE = "there", "otherwise"

MECHANISMS = (
    ("nano-threads", "3", "descriptor with counter and successor, ready queue, scheduling loop",
     HERE, "nth.md"),
    ("nano-threads", "3", "descriptor and stack in one structure", OTHERWISE, "design/mem.md"),
    ("nano-threads", "4.2", "a processor is released at a safe point, else stolen after a time",
     HERE, "nth.md#fewer-processors"),
    ("nano-threads", "4.2", "processors taken by suspending threads, or by priorities", OTHERWISE,
     "../tests/kernels/README.md"),
    ("fork/join", "3.1", "global and local work descriptors (GWD, LWD)", HERE, "design/struct.md"),
    ("fork/join", "3.2", "distributed join structure, PJV", HERE, "design/struct.md"),
    ("fork/join", "3.1", "processor groups", HERE, "design/sched.md"),
    ("pools", "3.1", "pools a processor and a domain, a central one behind", HERE, "design/mem.md"),
    ("pools", "3.2", "a tree of ready queues laid along the machine", HERE, "design/sched.md"),
    ("batches", "4.1", "the calls nth_batch_*", HERE, "nth.md"),
    ("batches", "4.2", "taking a batch from the recycling queues at once", HERE, "design/mem.md"),
    ("batches", "4.2", "a batch of a taskloop is a chain of descriptors", OTHERWISE,
     "design/tasks.md"),
    ("T-holder", "Our Implementation", "threads are held, wait for work, end after a time", HERE,
     "tholder.md"),
    ("T-holder", "Our Implementation", "a pool that doubles", OTHERWISE, "design/hold.md"),
)


def rows():
    """[head, row, ...] for the page; links are relative to docs."""
    return [["paper", "section", "mechanism", "state", "where"]] + [
        [paper, section, what, state, "[%s](%s)" % (where, where)]
        for paper, section, what, state, where in MECHANISMS]
