#!/usr/bin/env python3
# make-completion.py - completion of the nanogomp command for bash, from the commands' help texts
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: make-completion.py OUTPUT

The options of each command are those that its --help lists, with their values: {a,b} is a choice,
{a,b},... a list of such words with commas; FILE, DIR and PATH are names of files. Commands that run
a program complete it after their options.
"""
import importlib.util
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
OPTION = re.compile(r"^ {2}(-\w(?: \S+)?, )?(--[\w-]+)(?: (\S+))?(?: {2}|$)", re.M)
PROGRAM = "[--] program"
FILES = ("FILE", "DIR", "PATH")

TEMPLATE = """# nanogomp - completion for bash, made by tools/make-completion.py
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Answers with the words that begin as the current one does.
_nanogomp_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
}

# The same for the last word of a list with commas.
_nanogomp_list() {
  mapfile -t COMPREPLY < <(compgen -P "${word%"${word##*,}"}" -W "$1" -- "${word##*,}")
}

_nanogomp_files() {
  compopt -o filenames 2> /dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$word")
}

# The program and its arguments: as the shell completes them by itself.
_nanogomp_program() {
  if declare -F _command_offset > /dev/null; then
    _command_offset "$1"
  elif [ "$1" -eq "$COMP_CWORD" ]; then
    _nanogomp_files -c
    [ ${#COMPREPLY[@]} -gt 0 ] || _nanogomp_files -f
  else
    _nanogomp_files -f
  fi
}

# The values of option $2 of command $1. Status 1: it takes none.
_nanogomp_value() {
  case "$1 $2" in
@VALUES@
    *) return 1 ;;
  esac
}

_nanogomp() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options='' at
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _nanogomp_words '@COMMANDS@ --help --version'
    return
  fi
  case $command in
@OPTIONS@
    *) return ;;
  esac
  case $command in @PROGRAMS@)
    for ((at = 2; at < COMP_CWORD; at++)); do
      case ${COMP_WORDS[at]} in
        --) _nanogomp_program $((at + 1)); return ;;
        -*) (_nanogomp_value "$command" "${COMP_WORDS[at]}") > /dev/null && ((at++)) ;;
        *) _nanogomp_program "$at"; return ;;
      esac
    done ;;
  esac
  _nanogomp_value "$command" "${COMP_WORDS[COMP_CWORD - 1]}" && return
  case $command in @PROGRAMS@)
    [[ $word == -* ]] || { _nanogomp_program "$COMP_CWORD"; return; } ;;
  esac
  _nanogomp_words "$options"
} && complete -F _nanogomp nanogomp
"""


def man():
    """make-man.py, which asks the command."""
    spec = importlib.util.spec_from_file_location("make_man", HERE / "make-man.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def action(metavar):
    """What completes a value; a choice's words, files, or nothing."""
    choice = re.fullmatch(r"\{(.*)\}(,\.\.\.)?", metavar)
    if choice:
        return "_nanogomp_%s '%s'" % ("list" if choice[2] else "words",
                                      choice[1].replace(",", " "))
    if metavar == "DIR":
        return "_nanogomp_files -d"
    return "_nanogomp_files -f" if metavar in FILES else ":"


def made():
    asked = man()
    names = asked.commands()
    options, values, programs = [], [], []
    for name in names:
        text = asked.said(name, "--help")
        found = OPTION.findall(text)
        short = [first.split()[0].rstrip(",") for first, _, _ in found if first]
        options.append("    %s) options='%s' ;;" % (
            name, " ".join(short + [option for _, option, _ in found])))
        for first, option, metavar in found:
            if metavar and not metavar.startswith("["):
                words = [option] + ([first.split()[0].rstrip(",")] if first else [])
                values.append("    %s) %s ;;" % (
                    " | ".join("'%s %s'" % (name, word) for word in words), action(metavar)))
        if PROGRAM in text.partition("\n\n")[0]:
            programs.append(name)
    text = TEMPLATE.replace("@COMMANDS@", " ".join(names))
    text = text.replace("@OPTIONS@", "\n".join(options)).replace("@VALUES@", "\n".join(values))
    return text.replace("@PROGRAMS@", " | ".join(programs))


def main():
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__)
        return 0
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    pathlib.Path(sys.argv[1]).write_text(made(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
