#!/usr/bin/env python3
# check-links.py - documents and comments name files that exist, and the index leaves none out
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks at all Markdown files of the source tree, and at the comments of its C files.

links     [text](target): the file, and the heading behind #, exist; likewise <img src="...">
names     a path in backticks that begins with a folder of the tree (lit/ stands for tests/lit/),
          or with one of the document's own folder, exists; * stands for any part of a name.
          So does each word of a command in backticks that begins with a folder of the tree
index     docs/index.md, or but for documents a page of docs/ that it links, links every header of
          runtime/, or names it in backticks; likewise each source file
          without a header, each script of tools/, each document, each folder of tests/ and
          tests/lit/
comments  a file that a comment of runtime/, abi/, ompd/ or tests/ names, with all or the last ones
          of its folders or with none, exists
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
INDEX = "docs/index.md"
SHORT = {"lit": "tests/lit", "omp": "runtime/omp"}
SKIPPED = {"build", ".git"}

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
IMAGE = re.compile(r"""<img\b[^>]*?\bsrc=["']([^"']+)""")
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"\.?[\w*.-]+(?:/[\w*.-]+)+/?")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
FILE = re.compile(r"(?<![\w./<%*-])((?:[\w-]+/)*[\w-]+\.(?:[chS]|py|md|def))\b(?![\w.>(-])")
# Names of files that are no files of the tree: generated, or others' headers.
OTHERS = {"abi_protos.h", "omp.h", "openacc.h", "acc_prof.h"}
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def documents(root):
    """Markdown files, relative to root."""
    for path in sorted(root.rglob("*.md")):
        relative = path.relative_to(root)
        if not SKIPPED & set(relative.parts):
            yield relative


def slug(heading):
    """A heading's anchor, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(text):
    return {slug(line.lstrip("#")) for line in text.splitlines() if line.startswith("#")}


def link_error(root, document, target):
    """Why a link is dead, or None."""
    if re.match(r"[a-z]+:", target):
        return None
    name, _, anchor = target.partition("#")
    path = (root / document.parent / name).resolve() if name else root / document
    if not path.exists():
        return "dead link " + target
    if anchor and path.suffix == ".md" and anchor not in anchors(path.read_text(encoding="utf-8")):
        return "no such heading " + target
    return None


def name_error(root, document, name):
    """Why a path is not one, or None; words that are no path of the tree are left alone."""
    first, _, rest = name.partition("/")
    if first in SKIPPED:
        return None
    if first in SHORT:
        name = SHORT[first] + "/" + rest
    elif not (root / first).is_dir():
        if not (root / document.parent / first).is_dir():
            return None
        name = str(document.parent / name)
    return None if any(root.glob(name.rstrip("/"))) else "no such file " + name


def indexed(root):
    """What docs/index.md has to name, relative to root."""
    runtime = root / "runtime"
    rooms = [path for room in ("omp", "place", "sched")
             for path in runtime.glob(f"{room}/*/*.[ch]")]
    for path in sorted([*runtime.glob("*/*.[chS]"), *rooms]):
        if path.suffix == ".h" or not path.with_suffix(".h").exists():
            yield path.relative_to(root)
    for path in sorted((root / "tools").iterdir()):
        if path.is_file():
            yield path.relative_to(root)
    yield from (path for path in documents(root)
                if path.parts[0] == "docs" and str(path) != INDEX)
    for folder in ("tests", "tests/lit"):
        for path in sorted((root / folder).iterdir()):
            if path.is_dir() and not path.name.startswith((".", "_")):
                yield path.relative_to(root)


def linked(root, document):
    """Paths of the files that a document links."""
    text = (root / document).read_text(encoding="utf-8")
    return {(root / document).parent.joinpath(target.partition("#")[0]).resolve()
            for target in LINK.findall(text) if not re.match(r"[a-z]+:", target)}


def index_errors(root):
    near = linked(root, INDEX)
    pages = [root / INDEX, *sorted(path for path in near
                                   if root / "docs" in path.parents and path.suffix == ".md"
                                   and path.exists())]
    quoted = {text.rstrip("/") for page in pages
              for text in QUOTED.findall(page.read_text(encoding="utf-8"))}
    words = {word for text in quoted for word in re.findall(r"[\w.-]+", text)}
    far = set().union(*(linked(root, page) for page in pages))
    paths = list(indexed(root))
    names = [path.name for path in paths]
    for path in paths:
        is_page = path.parts[0] == "docs"
        named = path.name in words and names.count(path.name) == 1 and not is_page
        if (root / path).is_dir():  # the whole of a text: its name alone is a word like others
            named = str(path) in quoted or path.name in quoted
        if root / path not in (near if is_page else far) and not named:
            yield f"{path} is left out"


def comment_errors(root):
    """Errors, and the number of files that comments name."""
    folders = ("runtime", "abi", "ompd", "tests", "tools", "docs", "cmake")
    files = [path.relative_to(root) for folder in folders
             for path in (root / folder).rglob("*") if path.is_file()]
    endings = {"/".join(path.parts[i:]) for path in files for i in range(len(path.parts))}
    errors, count = [], 0
    for path in sorted(files):
        if path.parts[0] in folders[:4] and path.suffix in (".c", ".h", ".S", ".cpp"):
            text = STRING.sub('""', (root / path).read_text(encoding="utf-8"))
            names = [name for comment in COMMENT.findall(text) for name in FILE.findall(comment)]
            count += len(names)
            errors += [f"{path}: no such file {name}" for name in names
                       if name not in endings and name not in OTHERS]
    return errors, count


def check(root):
    errors, count = comment_errors(root)
    for document in documents(root):
        text = (root / document).read_text(encoding="utf-8")
        prose = FENCE.sub("", text)
        found = [link_error(root, document, target)
                 for target in LINK.findall(prose) + IMAGE.findall(prose)]
        for quoted in QUOTED.findall(prose):
            found += [name_error(root, document, name) for name in PATH.findall(quoted)
                      if quoted.startswith(name)]
            found += [name_error(root, document, word) for word in quoted.split()[1:]
                      if PATH.fullmatch(word) and word[0] != "."
                      and (root / word.partition("/")[0]).is_dir()]
        count += len(found)
        errors += [f"{document}: {error}" for error in found if error]
    errors += [f"{INDEX}: {error}" for error in index_errors(root)]
    return errors, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the source tree")
    args = parser.parse_args()
    errors, count = check(args.root.resolve())
    for error in errors:
        print(f"error: {error}")
    print(f"{len(errors)} errors" if errors else f"ok: {count} links and names")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
