# tree.py - what the tests of the checks share: scripts as modules, small trees
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

from common import ROOT

HEAD = "/* x */\n"


def load(name):
    """A script with a hyphen in its name, as a module."""
    path = ROOT / "tools" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class TreeTest(unittest.TestCase):
    """A folder with the files given, and a script run over it."""

    def script(self, name, files, *options):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            command = [sys.executable, str(ROOT / "tools" / name), "--root", folder, *options]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stdout
