# nthbench_option.py - what the values of the bench's options have to be
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from nanogomp_lib import output  # noqa: E402


def positive(text):
    """The type of an option that counts."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("%r: want a number from 1 on" % text)
    return int(text)


def writable(path):
    """The type of an option that names a file: what cannot be written is refused before the run."""
    why = "No such file or directory" if not path else output.why_not_writable(path)
    if why:
        raise argparse.ArgumentTypeError("%s: %s" % (path, why))
    return path


def split_words(parser, options, **known):
    """Makes lists of the options NAME,.. that may have these names; an error for any other."""
    for option, names in known.items():
        words = getattr(options, option).split(",")
        if not set(words) <= set(names):
            parser.error("--%s wants some of %s" % (option, ",".join(names)))
        setattr(options, option, words)
