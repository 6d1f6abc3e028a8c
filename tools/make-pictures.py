#!/usr/bin/env python3
# make-pictures.py - the pictures of docs/tools.md, from runs of a kernel of the tests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles and traces tests/kernels/quake and photographs the pages: docs/pictures/*.png.

    cmake --preset release && cmake --build --preset release
    tools/setup --browser && tools/make-pictures.py
    tools/make-pictures.py --check [--root FOLDER]    # no run: the pictures are those of the page

Commands and descriptions are those of docs/tools.md: of each picture the line of code before it,
and its alternative text. Each picture has them in it, and the height of its page, as text; --check
compares. Ends with 1 where something differs, there is no Chromium, or a run or a page fails."""

import argparse
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, "tools", "nanogomp")
KERNEL = os.path.join(ROOT, "build", "release", "tests", "kernels", "quake")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
WIDTH, MARGIN = 1100, 16
PICTURE = re.compile(r"^```\nnanogomp (.*)\n```\n(?:(?!```|!\[)[^\n]*\n)*"
                     r"!\[(.*)\]\(pictures/(.*)\.png\)$", re.MULTILINE)
# The page's last script: its title becomes its height.
MEASURE = ("<script>document.title = "
           "Math.ceil(document.body.getBoundingClientRect().bottom)</script>")
SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Wrong(Exception):
    pass


def wanted(root):
    """{picture: (command, description)} of docs/tools.md."""
    with open(os.path.join(root, "docs", "tools.md"), encoding="utf-8") as file:
        text = file.read()
    found = {name: (command, alt) for command, alt, name in PICTURE.findall(text)}
    missing = set(re.findall(r"\(pictures/(.*)\.png\)", text)) - set(found)
    if missing or not found:
        raise Wrong("docs/tools.md: no command before %s" % (", ".join(sorted(missing)) or "any"))
    return found


# --- PNG ---


def chunks(png):
    if not png.startswith(SIGNATURE):
        raise Wrong("it is no PNG")
    at = len(SIGNATURE)
    while at < len(png):
        (size,) = struct.unpack(">I", png[at:at + 4])
        yield png[at + 4:at + 8], png[at + 8:at + 8 + size]
        at += 12 + size


def texts(png):
    """What the generator has written into the picture, and the picture's height."""
    found = {}
    for kind, data in chunks(png):
        if kind == b"tEXt":
            name, _, text = data.decode("latin-1").partition("\0")
            found[name] = text
        elif kind == b"IHDR":
            found["pixels"] = str(struct.unpack(">II", data[:8])[1])
    return found


def with_texts(png, **more):
    """The same picture with these texts in it."""
    added = b""
    for name, text in more.items():
        data = b"tEXt" + name.encode("latin-1") + b"\0" + text.encode("latin-1")
        added += struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data))
    end = png.rindex(b"IEND") - 4
    return png[:end] + added + png[end:]


# --- the check ---


def faults(root):
    found = []
    for name, (command, description) in sorted(wanted(root).items()):
        path = os.path.join("docs", "pictures", name + ".png")
        try:
            with open(os.path.join(root, path), "rb") as file:
                has = texts(file.read())
        except (Wrong, KeyError, struct.error) as error:
            found.append("%s: is no whole PNG (%s)" % (path, error))
            continue
        for what, should in (("command", command), ("description", description),
                             ("height", has["pixels"])):
            if has.get(what) != should:
                found.append("%s: its %s is '%s', not '%s'" % (path, what, has.get(what), should))
    return found


def check(root):
    try:
        found = faults(root)
    except (OSError, Wrong) as error:
        found = [str(error)]
    for fault in found:
        print("error: %s; tools/make-pictures.py makes it anew" % fault)
    print("%d errors" % len(found) if found else "ok: %d pictures" % len(wanted(root)))
    return 1 if found else 0


# --- photographs ---


def browse(browser, folder, page, *options):
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu",
                           "--hide-scrollbars", "--user-data-dir=" + folder + "/browser",
                           *options, "file://" + page],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return done.stdout.decode("utf-8", "replace")


def height_of(browser, folder, page, text):
    measured = page[:-5] + "-measured.html"
    with open(measured, "w", encoding="utf-8") as file:
        file.write(text + MEASURE)
    dom = browse(browser, folder, measured, "--window-size=%d,400" % WIDTH, "--dump-dom")
    found = re.search(r"<title>(\d+)</title>", dom)
    if not found:
        raise Wrong("the height of %s is not known" % page)
    return int(found.group(1)) + MARGIN


def photograph(browser, name, command, description, folder):
    """The command writes NAME.html."""
    subprocess.run([sys.executable, TOOL, *shlex.split(command)], cwd=folder,
                   stdout=subprocess.DEVNULL, check=True)
    page = os.path.join(folder, name + ".html")
    with open(page, encoding="utf-8") as file:
        text = file.read().replace(folder + os.sep, "./")
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)
    height = height_of(browser, folder, page, text)
    picture = os.path.join(folder, name + ".png")
    browse(browser, folder, page, "--window-size=%d,%d" % (WIDTH, height),
           "--screenshot=" + picture)
    with open(picture, "rb") as file:
        png = file.read()
    path = os.path.join(ROOT, "docs", "pictures", name + ".png")
    with open(path, "wb") as file:
        file.write(with_texts(png, command=command, description=description, height=str(height)))
    print(path)


def make():
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        print("make-pictures: no Chromium (tools/setup --browser installs it)", file=sys.stderr)
        return 1
    os.makedirs(os.path.join(ROOT, "docs", "pictures"), exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        try:
            shutil.copy(KERNEL, folder)
            for name, (command, description) in wanted(ROOT).items():
                photograph(browser, name, command, description, folder)
        except (OSError, subprocess.CalledProcessError, Wrong) as error:
            print("make-pictures: %s" % error, file=sys.stderr)
            return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare, and run nothing")
    parser.add_argument("--root", default=ROOT, help="the tree that --check looks at")
    options = parser.parse_args()
    return check(options.root) if options.check else make()


if __name__ == "__main__":
    sys.exit(main())
