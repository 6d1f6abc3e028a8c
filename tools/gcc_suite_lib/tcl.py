# tcl.py - words of a Tcl command line and of a Tcl list, as far as test directives use them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A directive `{ dg-output "a\\[b" { target lp64 } }` is a Tcl command: words apart by blanks,
"..." with backslash sequences, {...} taken as it stands."""

ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def closing(text, start):
    """Index after the brace that closes the one at `start`; the end when none does."""
    depth, i = 0, start
    while i < len(text):
        if text[i] == "\\":
            i += 1
        elif text[i] == "{":
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return len(text)


def plain(text, start, stops):
    """(word with its backslash sequences replaced, index of the character that ended it)."""
    word, i = [], start
    while i < len(text) and text[i] not in stops:
        if text[i] == "\\" and i + 1 < len(text):
            i += 1
            word.append(ESCAPES.get(text[i], text[i]))
        else:
            word.append(text[i])
        i += 1
    return "".join(word), i


def words(text):
    """The words of a line; braces and quotes are taken off, once."""
    found, i = [], 0
    while i < len(text):
        if text[i].isspace():
            i += 1
        elif text[i] == "{":
            end = closing(text, i)
            found.append(text[i + 1:end - 1])
            i = end
        elif text[i] == '"':
            word, end = plain(text, i + 1, '"')
            found.append(word)
            i = end + 1
        else:
            word, i = plain(text, i, " \t\n{")
            found.append(word)
    return found
