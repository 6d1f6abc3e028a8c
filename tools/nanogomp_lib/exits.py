# exits.py - the exit statuses of all commands
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A command that starts a program ends as that one does; if_written() has the exception. The
others, and what comes before a program's start, have these. `nanogomp run` imports this module, so
it imports none."""

DONE, PARTLY, USAGE, CANNOT, REFUSED, NOT_FOUND = 0, 1, 2, 125, 126, 127

# In the manual page. tests/tool/test_exits.py asks the commands.
ROWS = (
    (DONE, "done"),
    (PARTLY, "not all that was asked for: the program ended with 0, but profile, lines, predict or "
             "trace could not write a file that was named, or a format; standard output is full; "
             "share got no answer in time, stacks found no open way, predict --check is more than "
             "10 % off"),
    (USAGE, "bad usage: an option or its value is wrong"),
    (CANNOT, "nothing can be done: the library is missing, there is no such process or it does not "
             "run on the library, a file to read is missing or none of ours"),
    (REFUSED, "the program was found and is refused"),
    (NOT_FOUND, "the program was not found"),
)


def if_written(status, written):
    """The program's status. Where that is 0 and a file that was asked for by name is not there or
    not complete: PARTLY. A script that takes the file next must learn of it."""
    return status or (DONE if written else PARTLY)
