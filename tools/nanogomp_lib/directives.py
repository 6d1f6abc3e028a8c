# directives.py - which directive of the source a call into the library belongs to
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gcc gives calls that begin or end work-sharing constructs the line of any code before them. So
the directive is looked for in the source: in the lines of the function that has the call, by what
the construct's directive says. Without the source a line stays as it is."""

import functools
import re

DIRECTIVE = re.compile(r"\s*(?:#\s*pragma\s+omp\b|[!cC*]\$omp\b)", re.IGNORECASE)
CONTINUES = re.compile(r"(?:\\|&)\s*(?:!(?!\$).*)?$")  # on the next line
CONTINUED = re.compile(r"\s*[!cC*]\$omp\s*&|[cC*!]\$omp[^\s0]", re.IGNORECASE)
ABOVE = 12  # lines between a directive and what it is about, its continuation lines among them
BELOW = 4   # lines by which a call may be given the place of something before it
# what the directives of work-sharing constructs say
NEAR = {"loop": ("for", "do", "loop"), "sections": ("sections",), "single": ("single",),
        "distribute": ("distribute",), "scope": ("scope",), "ordered": (r"omp\s+ordered",)}
# which loops call the library at their begin; what has no barrier, and one of its own; where a
# function ends
CALLS = re.compile(r"\bschedule\s*\((?:[\w\s,]*:)?\s*(?:dynamic|guided|runtime)\b|\bordered\b|"
                   r"\breduction\s*\(\s*(?:task|inscan)\b", re.IGNORECASE)
NOWAIT = re.compile(r"\bnowait\b", re.IGNORECASE)
COPIES = re.compile(r"\b(?:copyprivate|reduction)\b", re.IGNORECASE)
PARALLEL = re.compile(r"\b(?:parallel|end)\b", re.IGNORECASE)
BARRIER = re.compile(r"\bbarrier\b", re.IGNORECASE)
ENDS = re.compile(r"\}|\s*end\s*(?:subroutine|function|program)\b", re.IGNORECASE)


@functools.lru_cache(maxsize=64)
def source_lines(file):
    try:
        with open(file, encoding="utf-8", errors="replace") as source:
            return source.read().splitlines()
    except OSError:
        return []


def directive_line(file, line):
    """The line of the directive whose construct begins at this line, as far as the source is there:
    a construct that consists of one call begins with that call."""
    lines = source_lines(file)
    for back, text in enumerate(reversed(lines[max(0, line - ABOVE):line])):
        if DIRECTIVE.match(text):
            return begin_of(lines, line - back)
    return line


def begin_of(lines, line):
    """The first line of the directive of which this is a line."""
    while line > 1 and DIRECTIVE.match(lines[line - 2]) and (
            CONTINUED.match(lines[line - 1]) or CONTINUES.search(lines[line - 2])):
        line -= 1
    return line


def text_at(file, line):
    """The directive that begins at a line, with its continuation lines; "": there is none."""
    lines = source_lines(file)
    if not 0 < line <= len(lines) or not DIRECTIVE.match(lines[line - 1]):
        return ""
    text = lines[line - 1:line]
    while line < len(lines) and len(text) < ABOVE and CONTINUES.search(text[-1]):
        text.append(lines[line])
        line += 1
    return " ".join(text)


def has_words(text, words):
    return re.search(r"\b(?:%s)\b" % "|".join(words), text, re.IGNORECASE)


def nearest_directive(file, line, words):
    """The line of the nearest directive with one of the words; `line` without the source."""
    lines = source_lines(file)
    near = [n for n in range(max(1, line - ABOVE), min(line + BELOW, len(lines)) + 1)
            if DIRECTIVE.match(lines[n - 1]) and has_words(lines[n - 1], words)]
    return min(near, key=lambda n: (abs(n - line), n > line), default=line)


@functools.lru_cache(maxsize=4096)
def directives_of(file, begin, end):
    """[(line, text)] of those that begin in lines of a file."""
    lines, found = source_lines(file), []
    for line in range(max(1, begin), min(end, len(lines)) + 1):
        if DIRECTIVE.match(lines[line - 1]) and begin_of(lines, line) == line:
            found.append((line, text_at(file, line)))
    return found


def end_after(file, line):
    """The last line in which a directive may stand of a function whose last line with code is this:
    a call may have the line of code before its directive."""
    below = source_lines(file)[line:line + BELOW]
    return line + next((i for i, text in enumerate(below) if ENDS.match(text)), len(below))


def fitting(file, begin, end, kind):
    """The lines of the directives of such constructs in a function. Those with `parallel` stand for
    a function of their own, unless they are where this one begins. Of loops those that call the
    library, as far as the directives tell."""
    found = [(line, text) for line, text in directives_of(file, begin, end)
             if has_words(text, NEAR[kind]) and (line == begin or not PARALLEL.search(text))]
    calls = [line for line, text in found if CALLS.search(text)] if kind == "loop" else []
    return calls or [line for line, _ in found]


def inlined_line(file, line, kind, but):
    """The directive in a function that was put into another one, near a line of it. None: no
    directive is there, or it is one of the outer function's lines (`but`)."""
    at = nearest_directive(file, line, NEAR[kind])
    between = source_lines(file)[min(at, line) - 1:max(at, line) - 1]
    fits = has_words(text_at(file, at), NEAR[kind]) and at not in but
    return at if fits and not any(ENDS.match(text) for text in between) else None


def chosen(lines, hint, used):
    """Of directives that of a call, whose line is `hint` or before its construct: one that stands
    just above, else the next one, else the last one before it. One that no call has yet, if any."""
    free = [line for line in lines if line not in used] or lines
    for fits in (lambda n: 0 <= hint - n <= 2, lambda n: n > hint):
        found = [line for line in free if fits(line)]
        if found:
            return min(found, key=lambda n: abs(n - hint))
    return free[-1]


def lines_of(file, begin, end, kind, hints):
    """The lines of the directives of such constructs of a function, in the order of their calls.
    hints: of each call its lines, [(file, line)], the innermost one first. None: not found."""
    lines, found, rest = fitting(file, begin, end, kind), {}, []
    for i, hint in enumerate(hints):
        inner = [(frame[0], inlined_line(*frame, kind, range(begin, end + 1)))
                 for frame in hint[:-1]]
        found[i] = next((place for place in inner if place[1]), None)
        if not found[i] and lines:
            rest.append(i)
    used = set()
    for turn, i in enumerate(rest):
        line = lines[turn] if len(rest) == len(lines) else chosen(lines, hints[i][-1][1], used)
        used.add(line)
        found[i] = (file, line)
    return [found.get(i) for i in range(len(hints))]


def ends_by(kind, file, line):
    """The kind of barrier at the end of a construct whose directive is there; None: no barrier."""
    text = text_at(file, line)
    if kind in ("distribute", "ordered") or NOWAIT.search(text):
        return None
    plain = kind in ("single", "scope") and not COPIES.search(text)
    return "barrier" if plain else "implicit barrier"


def is_barrier(file, line):
    return bool(BARRIER.search(text_at(file, line)))
