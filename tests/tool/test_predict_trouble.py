#!/usr/bin/env python3
# test_predict_trouble.py - a program is recorded where that is not possible
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import resource
import shutil
import subprocess
import unittest

import predict_records
import support
from nanogomp_lib import library
from nanogomp_lib import predict_record as recording
from predict_records import HEAD

MEMORY = HEAD + r"""
#include <sys/resource.h>
int main(int argc, char **argv) { /* argv[1]: bytes beyond the space that is in use */
  long pages = 0, count = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (argc < 2) pages = -1;
  else if (!file || fscanf(file, "%ld", &pages) != 1) return 1;
  fclose(file);
  struct rlimit all;
  getrlimit(RLIMIT_AS, &all);
  all.rlim_cur = (rlim_t)pages * 4096 + (rlim_t)atol(argc > 1 ? argv[1] : "0");
  if (argc > 1) setrlimit(RLIMIT_AS, &all);
  for (int i = 0; i < 300000; i++) {
#pragma omp critical
    count++;
  }
  printf("%ld\n", count);
}
"""


class Trouble(predict_records.Recording):
    """One line, and the program goes on as without the recorder."""

    def goes_on(self, folder, prepare=None, lines=1):
        program = self.compile("trouble", MEMORY, "-fopenmp")
        made = recording.environment(library.Library(self.lib), 1, {
            "LD_PRELOAD": recording.recorder_of(library.Library(self.lib)),
            "NTH_RECORD_SERIAL": "1", "NTH_RECORD_DIR": folder})
        done = subprocess.run([program], env=made, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, check=False, preexec_fn=prepare,
                              timeout=support.TIMEOUT_SECONDS)
        self.assertEqual((done.returncode, done.stdout), (0, "300000\n"), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), lines, done.stderr)
        self.assertIn("the program goes on unrecorded", done.stderr)
        return done.stderr

    def test_recorder_with_a_blank_in_its_path(self):
        folder = os.path.join(self.folder, "a library")
        shutil.copytree(self.lib, folder, symlinks=True)
        program = self.compile("trouble", MEMORY, "-fopenmp")
        done = self.tool("predict", "--lib", folder, "--", program)
        self.assertEqual(done.returncode, 125)
        self.assertRegex(done.stderr, "a library/.*: LD_PRELOAD cannot hold a path with blanks")

    def test_program_in_another_root_directory(self):
        program = self.compile("elsewhere", HEAD + r"""
#include <unistd.h>
int main(int argc, char **argv) { return argc < 2 || chroot(argv[1]); }
""", "-fopenmp")
        done = self.tool("predict", "--lib", self.lib, "--", program, self.folder_of("root"))
        if "exit status 0" not in done.stderr:
            self.skipTest("may not change the root directory")
        self.assertEqual(done.returncode, 125)
        self.assertIn("changed its user or root directory", done.stderr)

    def folder_of(self, name):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        return folder

    def test_no_folder(self):
        self.assertIn("/no/such/folder: No such file", self.goes_on("/no/such/folder"))

    def test_file_cannot_be_written(self):
        """RLIMIT_FSIZE: no signal ends the program."""
        folder = self.folder_of("limited")
        said = self.goes_on(folder, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)))
        self.assertRegex(said, "cannot write the record .*: File too large")
        self.assertEqual(os.listdir(folder), [])

    def test_disk_is_full(self):
        folder = self.folder_of("tmpfs")
        mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "none", folder]
        if subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("may not mount")
        try:
            self.assertIn("No space left", self.goes_on(folder))
            self.assertEqual(os.listdir(folder), [])
        finally:
            subprocess.run(["umount", folder], check=True)

    def test_no_memory(self):
        """mmap refuses the events' memory: the limit leaves some for the program itself."""
        folder = self.folder_of("memory")
        for room in (400, 1000):
            program = self.compile("room", MEMORY, "-fopenmp")
            made = recording.environment(library.Library(self.lib), 1, {
                "LD_PRELOAD": recording.recorder_of(library.Library(self.lib)),
                "NTH_RECORD_SERIAL": "1", "NTH_RECORD_DIR": folder})
            done = subprocess.run([program, str(room * 1000)], env=made, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, universal_newlines=True, check=False,
                                  timeout=support.TIMEOUT_SECONDS)
            self.assertEqual((done.returncode, done.stdout), (0, "300000\n"), done.stderr)
            self.assertEqual(done.stderr.splitlines(), [
                "nanogomp predict: no memory for events: Cannot allocate memory; the program goes "
                "on unrecorded"])


if __name__ == "__main__":
    unittest.main()
