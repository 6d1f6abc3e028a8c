# directives.py - reads a test program's dg directives into a plan: how to compile, run and judge it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The directives stand in comments, one a line: `{ dg-do run }`. The GCC internals manual (chapter
Test Directives) and DejaGnu's manual describe them."""

import re

from . import tcl
from .targets import UnknownTarget

DIRECTIVE = re.compile(r"\{[ \t]+(dg-[-a-z]+)[ \t]+(.*)[ \t]+\}[^}\n]*$", re.MULTILINE)

# What the compiler says and the dumps it leaves are its own tests' matter.
IGNORED = {"dg-warning", "dg-bogus", "dg-message", "dg-note", "dg-line", "dg-optimized",
           "dg-missed", "dg-final", "dg-prune-output", "dg-excess-errors", "dg-xfail-if",
           "dg-xfail-run-if", "dg-regexp", "dg-begin-multiline-output", "dg-end-multiline-output",
           "dg-enable-nn-line-numbers", "dg-allow-blank-lines-in-output", "dg-require-alias",
           "dg-require-weak", "dg-require-fork", "dg-require-visibility", "dg-additional-files",
           "dg-lto-options", "dg-ice",
           # for the compilers of offload devices
           "dg-set-compiler-env-var",
           # seconds of a quiet machine; ours is told by --timeout
           "dg-timeout"}


class Unsupported(Exception):
    """This machine or this tool can't do what the test asks for; the text says what."""


class Plan:
    """How to build, run and judge one test."""

    def __init__(self, options):
        self.do = "run"
        self.selected = None       # whether a dg-do's selector held, None: no dg-do
        self.base = list(options)  # options of the folder and level, always given
        self.default = []          # those that dg-options replaces
        self.options = []
        self.sources = []          # additional ones, beside the test
        self.environment = {}
        self.outputs = []          # Tcl regular expressions; joined they must match the output
        self.output_files = []     # beside the test; the output must be their text
        self.should_fail = False
        self.timeout_factor = 1.0
        self.replaced = False      # dg-options has been seen

    def all_options(self):
        return self.base + ([] if self.replaced else self.default) + self.options


def find(text):
    """[(name, arguments as text)] in the order of the file."""
    return [(match.group(1), match.group(2)) for match in DIRECTIVE.finditer(text)]


def target_of(word, context):
    """Whether `target S`, or `xfail S` (expected to fail: not asked for), holds; None: neither."""
    items = word.split(None, 1)
    if items and items[0] == "target":
        return context.holds(items[1] if len(items) > 1 else "")
    if items and items[0] == "xfail":
        return not context.holds(items[1] if len(items) > 1 else "")
    return None


def applies(arguments, context):
    """Whether every target selector among the arguments holds."""
    return all(target_of(word, context) is not False for word in arguments)


def matches_options(patterns, options):
    """Whether one of the patterns holds: "*" always, "" never, else all its words are options."""
    for pattern in patterns:
        parts = pattern.split()
        if parts == ["*"] or parts and all(part in options for part in parts):
            return True
    return False


def condition(arguments, plan, context):
    """The condition of dg-skip-if and dg-shouldfail: comment, selector, options with, without."""
    selector = arguments[1] if len(arguments) > 1 else ""
    if not context.holds(selector):
        return False
    options = plan.all_options()
    include = tcl.words(arguments[2]) if len(arguments) > 2 else ["*"]
    exclude = tcl.words(arguments[3]) if len(arguments) > 3 else []
    return matches_options(include, options) and not matches_options(exclude, options)


def do(plan, arguments, context):
    # an earlier one whose selector held stays
    if plan.selected:
        return
    plan.do = arguments[0]
    plan.selected = applies(arguments[1:], context)


def options(plan, arguments, context):
    if applies(arguments[1:], context):
        plan.replaced = True
        plan.options = arguments[0].split()


def additional_options(plan, arguments, context):
    if applies(arguments[1:], context):
        plan.options = plan.options + arguments[0].split()


def additional_sources(plan, arguments, context):
    if applies(arguments[1:], context):
        plan.sources = plan.sources + arguments[0].split()


def require_effective_target(plan, arguments, context):
    if applies(arguments[1:], context) and not context.holds(arguments[0]):
        raise Unsupported("needs effective target " + arguments[0])


def skip_if(plan, arguments, context):
    if condition(arguments, plan, context):
        where = " ".join(" ".join(word.split()) for word in arguments[1:] if word.split() != ["*"])
        raise Unsupported("dg-skip-if: %s" % (arguments[0] or where))


def should_fail(plan, arguments, context):
    if condition(arguments, plan, context):
        plan.should_fail = True


def output(plan, arguments, context):
    if applies(arguments[1:], context):
        plan.outputs = plan.outputs + [arguments[0]]


def output_file(plan, arguments, context):
    if applies(arguments[1:], context):
        plan.output_files = plan.output_files + [arguments[0]]


def set_target_env_var(plan, arguments, context):
    if applies(arguments[2:], context):
        plan.environment[arguments[0]] = arguments[1]


def timeout_factor(plan, arguments, context):
    if applies(arguments[1:], context):
        plan.timeout_factor = float(arguments[0])


def error(plan, arguments, context):
    if applies(arguments[1:], context):
        raise Unsupported("expects the compiler's error")


def add_options(plan, arguments, context):
    # the types and instructions that these options are for are there on x86-64 without them
    if arguments[0] not in ("__float128", "float128", "float64x", "float16", "tls", "ieee",
                            "c99_runtime"):
        raise Unsupported("dg-add-options " + arguments[0])


HANDLERS = {
    "dg-do": do, "dg-options": options, "dg-additional-options": additional_options,
    "dg-additional-sources": additional_sources, "dg-skip-if": skip_if,
    "dg-require-effective-target": require_effective_target, "dg-shouldfail": should_fail,
    "dg-output": output,
    "dg-output-file": output_file, "dg-set-target-env-var": set_target_env_var,
    "dg-timeout-factor": timeout_factor, "dg-error": error, "dg-add-options": add_options,
}


def read(text, context, base, default=()):
    """The Plan of a test's text; raises Unsupported. `context.options` follows the plan's."""
    plan = Plan(base)
    plan.default = list(default)
    for name, rest in find(text):
        if name in IGNORED:
            continue
        if name not in HANDLERS:
            raise Unsupported("unknown directive " + name)
        context.options = plan.all_options()
        try:
            HANDLERS[name](plan, tcl.words(rest), context)
        except UnknownTarget as unknown:
            raise Unsupported("unknown effective target %s" % unknown)
        except (IndexError, ValueError):
            raise Unsupported("can't read { %s %s }" % (name, rest))
    if plan.selected is False:
        raise Unsupported("dg-do %s: not this target" % plan.do)
    if plan.do not in ("run", "link"):
        raise Unsupported("dg-do %s: the compiler's matter" % plan.do)
    return plan


def output_regex(outputs):
    """One Python regular expression from the texts of dg-output.

    In Tcl's a dot matches a line's end too and $ the very end only."""
    text, in_class, python, i = "".join(outputs), False, [], 0
    while i < len(text):
        char = text[i]
        if char == "\\" and i + 1 < len(text):
            python.append(text[i:i + 2])
            i += 2
            continue
        if char == "[" and not in_class:
            in_class = True
        elif char == "]" and in_class:
            in_class = False
        elif char == "$" and not in_class:
            char = r"\Z"
        python.append(char)
        i += 1
    return re.compile("".join(python), re.DOTALL)
