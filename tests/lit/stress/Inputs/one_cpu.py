# one_cpu.py - runs a command on the first CPU it may use: taskset, on any machine
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.execvp(sys.argv[1], sys.argv[1:])
