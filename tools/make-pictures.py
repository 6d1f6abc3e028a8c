#!/usr/bin/env python3
# make-pictures.py - the pictures of docs/tools.md, from runs of a kernel of the tests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles and traces tests/kernels/quake and photographs the pages: docs/pictures/*.png.

    cmake --preset release && cmake --build --preset release
    tools/setup --browser && tools/make-pictures.py

Ends with 1 where there is no Chromium, or a run or a page fails."""

import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, "tools", "nanogomp")
KERNEL = os.path.join(ROOT, "build", "release", "tests", "kernels", "quake")
# picture: (options of the command, arguments of the kernel, height in pixels)
PICTURES = {
    "profile": (["profile", "-n", "2", "--html", "profile.html"], ["--iters", "200"], 400),
    "trace": (["trace", "-n", "2", "-o", "trace"], ["--iters", "3"], 440),
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def photograph(browser, name, folder):
    command, arguments, height = PICTURES[name]
    program = os.path.join(folder, "quake")
    subprocess.run([sys.executable, TOOL, *command, "--", program, *arguments], cwd=folder,
                   stdout=subprocess.DEVNULL, check=True)
    page = os.path.join(folder, name + ".html")
    with open(page, encoding="utf-8") as file:
        text = file.read().replace(folder + os.sep, "./")
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)
    picture = os.path.join(ROOT, "docs", "pictures", name + ".png")
    subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    "--window-size=1100,%d" % height, "--user-data-dir=" + folder + "/browser",
                    "--screenshot=" + picture, "file://" + page],
                   stderr=subprocess.DEVNULL, check=True)
    print(picture)


def main():
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        print("make-pictures: no Chromium (tools/setup --browser installs it)", file=sys.stderr)
        return 1
    os.makedirs(os.path.join(ROOT, "docs", "pictures"), exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(KERNEL, folder)
        try:
            for name in PICTURES:
                photograph(browser, name, folder)
        except (OSError, subprocess.CalledProcessError) as error:
            print("make-pictures: %s" % error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
