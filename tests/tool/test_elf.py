#!/usr/bin/env python3
# test_elf.py - the ELF reader against readelf, the loader's search against the loader
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import shutil
import subprocess
import sys
import unittest

import support
from nanogomp_lib import elf, loader, preload


def output_of(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          universal_newlines=True, timeout=support.TIMEOUT_SECONDS, **more).stdout


class Reader(support.ToolTest):
    def files(self):
        program = self.compile("omp", support.OMP_PROGRAM, "-fopenmp", "-Wl,-rpath,/a:/b")
        rpath = self.compile("rpath", support.OMP_PROGRAM, "-fopenmp",
                             "-Wl,--disable-new-dtags,-rpath,$ORIGIN/c")
        no_sections = self.compile("bare", support.OMP_PROGRAM, "-fopenmp")
        return [program, rpath, no_sections, self.library, self.system_libgomp, "/bin/sh",
                os.path.realpath(sys.executable)]

    @unittest.skipUnless(shutil.which("readelf"), "no readelf")
    def test_like_readelf(self):
        for path in self.files():
            image, dynamic = elf.Elf(path), output_of("readelf", "-Wd", path)
            entry = r"\(%s\).*\[(.*)\]"
            self.assertEqual(image.needed, re.findall(entry % "NEEDED", dynamic), path)
            for name in ("SONAME", "RPATH", "RUNPATH"):
                expected = re.findall(entry % name, dynamic)
                self.assertEqual(getattr(image, name.lower()), (expected or [None])[0], path)
            defined, undefined = set(), set()
            for line in output_of("readelf", "-W", "--dyn-syms", path).splitlines():
                words = line.split()
                if len(words) > 7 and re.match("(GOMP|GOACC|omp|__kmpc)_[^.]*(@|$)", words[7]):
                    name = words[7].split("@")[0]
                    (undefined if words[6] == "UND" else defined).add(name)
            self.assertEqual((image.defined, image.undefined), (defined, undefined), path)

    def test_names_without_section_table(self):
        path = self.compile("bare", support.OMP_PROGRAM, "-fopenmp")
        expected = elf.Elf(path).undefined
        with open(path, "r+b") as file:
            file.seek(40)
            file.write(bytes(8))   # e_shoff
            file.seek(60)
            file.write(bytes(2))   # e_shnum
        self.assertIn("GOMP_parallel", expected)
        self.assertEqual(elf.Elf(path).undefined, expected)

    def test_damaged_files(self):
        with open(self.library, "rb") as file:
            whole = file.read()
        for content in (b"", b"\x7fELF", b"#!/bin/sh\n" * 9, whole[:100], whole[:700],
                        whole[:40] + b"\xff" * 20 + whole[60:]):
            path = self.write("damaged", "")
            with open(path, "wb") as file:
                file.write(content)
            try:
                elf.Elf(path)
            except (elf.NotElf, ValueError):
                continue
            self.assertGreater(len(content), 600, "a file of %d bytes was read" % len(content))

    def test_empty_i386(self):
        path = self.write("empty.so", "")
        with open(path, "wb") as file:
            file.write(preload.empty_i386())
        image = elf.Elf(path)
        self.assertEqual((image.bits, image.machine), (32, 3))
        self.assertEqual(image.soname, "libnanogomp-empty.so")


class Search(support.ToolTest):
    def assert_like_loader(self, path, library_path=""):
        """Same files as the loader itself lists."""
        listed = output_of(path, env={"LD_TRACE_LOADED_OBJECTS": "1",
                                      "LD_LIBRARY_PATH": library_path})
        files = re.findall(r"^\t(?:\S+ => )?(/\S+) \(", listed, re.M)
        expected = sorted(map(os.path.realpath, files))
        found = sorted(os.path.realpath(o.path)
                       for o in loader.Closure(elf.Elf(path), library_path).objects[1:]
                       if not o.name.startswith("ld-"))
        self.assertEqual(found, [file for file in expected if "/ld-" not in file])
        return found

    def test_like_the_loader(self):
        tried = 0
        for name in ("python3.11", "gdb", "cmake", "convert-im6.q16", "git", "bash"):
            path = "/usr/bin/" + name
            if os.path.exists(path) and not os.path.islink(path):
                self.assert_like_loader(path)
                tried += 1
        self.assertGreater(tried, 0)

    def test_rpath_and_runpath(self):
        own, other = self.stand_in("own"), self.stand_in("other")
        for name, tags, winner in (("new", "--enable-new-dtags", own),
                                   ("old", "--disable-new-dtags", other)):
            path = self.compile(name, support.OMP_PROGRAM, "-fopenmp",
                                "-Wl,%s,-rpath,$ORIGIN/other" % tags)
            self.assertIn(os.path.join(winner, "libgomp.so.1"), self.assert_like_loader(path, own))

    def test_rpath_of_the_one_that_needs(self):
        """DT_RPATH counts for what lies behind the object; a DT_RUNPATH in between ends that."""
        other = self.stand_in("deep")
        for tags in ("--disable-new-dtags", "--enable-new-dtags"):
            inner = self.compile("libinner.so", "int f(void) {int s=0;\n#pragma omp parallel\ns=1;"
                                 "\nreturn s;}", "-fopenmp", "-shared", "-fPIC",
                                 *(["-Wl,%s,-rpath,/none" % tags]))
            path = self.compile("outer", "int f(void); int main(void) {return !f();}", inner,
                                "-Wl,--disable-new-dtags,-rpath," + other)
            self.assert_like_loader(path)


if __name__ == "__main__":
    unittest.main()
