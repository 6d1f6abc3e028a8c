#!/usr/bin/env python3
# test_nodes.py - tools/on-nodes: what it says when it cannot, and a machine where it can
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import unittest

import support

ROOT = os.path.dirname(os.path.dirname(support.TOOL))
ON_NODES = os.path.join(ROOT, "tools", "on-nodes")
KERNELS = os.path.join(ROOT, "build", "nodes", "root", "boot")


def there():
    """Whether a run installs and fetches nothing."""
    return bool(shutil.which("qemu-system-x86_64") and os.path.exists("/bin/busybox")
                and os.path.isdir(KERNELS))


class OnNodes(support.ToolTest):
    def on_nodes(self, *words, env=None):
        return subprocess.run([ON_NODES, *words], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)

    def test_wrong_use(self):
        for words in ([], ["--nodes", "0", "--", "ls"], ["--cpus", "65", "--", "ls"],
                      ["--test", "--", "ls"]):
            self.assertEqual(self.on_nodes(*words).returncode, 2, words)

    def test_no_emulator(self):
        """Not failed: the caller cannot help it."""
        folder = os.path.dirname(shutil.which("python3"))
        path = os.path.join(self.folder, "bin")
        os.mkdir(path)
        os.symlink(os.path.join(folder, "python3"), os.path.join(path, "python3"))
        done = self.on_nodes("--", "ls", env={"PATH": path})
        self.assertEqual(done.returncode, 77)
        self.assertIn("qemu-system-x86 and busybox-static are missing; --install", done.stderr)

    @unittest.skipUnless(there(), "qemu, busybox or the kernel is not there")
    def test_machine(self):
        """Its nodes, the program's status, a file that goes along."""
        script = self.write("script", "cat /sys/devices/system/node/node?/cpulist; exit 5\n")
        done = self.on_nodes("--nodes", "3", "--cpus", "2", "--lib", self.lib, "--with", script,
                             "--", "/bin/busybox", "sh", script)
        self.assertEqual((done.stdout, done.returncode), ("0-1\n2-3\n4-5\n", 5), done.stderr)


if __name__ == "__main__":
    unittest.main()
