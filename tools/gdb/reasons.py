# reasons.py - what a thread does or waits for, in words: of gdb's commands, and of NTH_STALL
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows of runtime/omp/told/reasons.h, with the numbers of OpenMP's ompt_state_t. The commands
are used without the sources; tools/check-reasons.py compares both tables. This module needs no gdb.
"""

# state: number, kind, text
STATES = {
    "work_parallel": (0x001, "works", "works"),
    "work_reduction": (0x002, "works", "works"),
    "work_serial": (0x000, "works", "works outside regions"),
    "wait_barrier": (0x010, "barrier", "waits at a barrier"),
    "wait_barrier_explicit": (0x014, "barrier", "waits at a barrier"),
    "wait_barrier_implicit_workshare": (0x012, "barrier", "waits at the end of a work share"),
    "wait_barrier_implicit": (0x013, "barrier", "waits at an implicit barrier"),
    "wait_barrier_implicit_parallel": (0x011, "join", "waits at the end of its region"),
    "wait_taskwait": (0x020, "taskwait", "waits for the tasks that its task made"),
    "wait_taskgroup": (0x021, "taskgroup", "waits for a taskgroup's tasks"),
    "wait_mutex": (0x040, "lock", "waits for a lock, critical or atomic construct"),
    "wait_lock": (0x041, "lock", "waits for a lock"),
    "wait_critical": (0x042, "lock", "waits for a critical construct"),
    "wait_atomic": (0x043, "lock", "waits for an atomic construct"),
    "wait_ordered": (0x044, "ordered", "waits for its turn in a loop"),
    "idle": (0x100, "idle", "is idle"),
}
BY_NUMBER = {row[0]: state for state, row in STATES.items()}


def kind(state):
    return STATES[state][1]


def text(state):
    return STATES[state][2]
