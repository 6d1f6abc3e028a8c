# folders.py - folders that a command keeps the files of a run's processes in, one command at a time
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import fcntl
import itertools
import os


def lock(folder):
    """Whether no other command writes its files there. The lock lasts until this command ends. A
    file system without locks is trusted."""
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        return False
    except OSError:
        pass
    return True


def new_folder(wanted):
    """Makes a folder. Its name is `wanted`; a number stands behind if that name is taken."""
    os.makedirs(os.path.dirname(wanted) or ".", exist_ok=True)
    for number in itertools.count(1):
        path = wanted if number == 1 else "%s.%d" % (wanted, number)
        try:
            os.mkdir(path)
        except FileExistsError:
            continue
        if lock(path):
            return path


def kept_folder(wanted, what, say):
    """A folder for files that stay: `wanted`, or a new one beside it while another command writes
    there. what: the files, for say()."""
    os.makedirs(wanted, exist_ok=True)
    if not lock(wanted):
        path = new_folder(wanted)
        say("%s: another command writes its %s there; these are in %s" % (wanted, what, path))
        return path
    if not os.access(wanted, os.W_OK | os.X_OK):
        raise PermissionError(13, "Permission denied", wanted)
    return wanted
