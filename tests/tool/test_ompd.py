#!/usr/bin/env python3
# test_ompd.py - LLVM's gdb plug-in works with libompd.so; the interface has LLVM's numbers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import os
import re
import shutil
import subprocess
import unittest

import support

# where libomp-19-dev of Debian is, or what NTH_TEST_LLVM says
LLVM = os.environ.get("NTH_TEST_LLVM") or max(
    (path.split("/share/gdb/")[0] for path in
     glob.glob("/usr/lib/llvm-*/share/gdb/python/ompd/__init__.py")), default="")
PLUGIN = os.path.join(LLVM, "share/gdb/python/ompd/__init__.py")

# Two levels; the second member of the inner region is in a task when stop_here() is called.
PROGRAM = r"""
#include <omp.h>
__attribute__((noinline)) void stop_here(void) { __asm__ volatile(""); }
__attribute__((noinline)) void leaf(int i) { if (i == 1) stop_here(); }
int main(void) {
  omp_set_max_active_levels(3);
  omp_set_schedule(omp_sched_guided, 5);
#pragma omp parallel num_threads(3)
  {
#pragma omp barrier
    if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(2)
      {
#pragma omp barrier
        if (omp_get_thread_num() == 1) {
          omp_set_num_threads(6);
#pragma omp task
          leaf(1);
#pragma omp taskwait
        }
      }
    }
  }
  return 0;
}
"""

SHOW = ["start", "ompd init", "break stop_here", "continue", "ompd threads", "ompd parallel",
        "ompd icvs", "ompd bt on", "echo == bt\\n", "bt", "echo == end\\n", "kill"]

# The second region stops in its master while its other members still sleep.
LATE = r"""
#include <omp.h>
__attribute__((noinline)) void between(void) { __asm__ volatile(""); }
__attribute__((noinline)) void stop_here(void) { __asm__ volatile(""); }
int main(int argc, char **argv) {
#pragma omp parallel num_threads(3)
  __asm__ volatile("");
  between();
  if (argc > 1) {
#pragma omp parallel for num_threads(3) schedule(dynamic)
    for (int i = 0; i < 3; i++)
      stop_here();
    return 0;
  }
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 0)
    stop_here();
  return 0;
}
"""
SHOW_LATE = ["break between", "run", "set scheduler-locking on", "break stop_here", "continue",
             "ompd init", "ompd parallel", "kill"]

# Compiled with each of the two headers; both print the same.
NUMBERS = r"""
#include <omp-tools.h>
#include <stddef.h>
#include <stdio.h>
#define SIZE(type) printf(#type " %zu\n", sizeof(type));
#define NUMBER(name) printf(#name " %d\n", (int)name);
#define AT(type, field) printf(#type "." #field " %zu\n", offsetof(type, field));
int main(void) {
  SIZE(ompd_size_t) SIZE(ompd_wait_id_t) SIZE(ompd_addr_t) SIZE(ompd_word_t) SIZE(ompd_seg_t)
  SIZE(ompd_device_t) SIZE(ompd_thread_id_t) SIZE(ompd_icv_id_t) SIZE(ompd_address_t)
  SIZE(ompd_frame_info_t) SIZE(ompd_device_type_sizes_t) SIZE(ompd_callbacks_t)
  SIZE(ompd_scope_t) SIZE(ompd_rc_t)
  AT(ompd_address_t, segment) AT(ompd_address_t, address) AT(ompd_frame_info_t, frame_address)
  AT(ompd_frame_info_t, frame_flag) AT(ompd_device_type_sizes_t, sizeof_pointer)
  AT(ompd_device_type_sizes_t, sizeof_long_long)
  AT(ompd_callbacks_t, alloc_memory) AT(ompd_callbacks_t, free_memory)
  AT(ompd_callbacks_t, print_string) AT(ompd_callbacks_t, sizeof_type)
  AT(ompd_callbacks_t, symbol_addr_lookup) AT(ompd_callbacks_t, read_memory)
  AT(ompd_callbacks_t, write_memory) AT(ompd_callbacks_t, read_string)
  AT(ompd_callbacks_t, device_to_host) AT(ompd_callbacks_t, host_to_device)
  AT(ompd_callbacks_t, get_thread_context_for_thread_id)
  NUMBER(ompd_scope_global) NUMBER(ompd_scope_address_space) NUMBER(ompd_scope_thread)
  NUMBER(ompd_scope_parallel) NUMBER(ompd_scope_implicit_task) NUMBER(ompd_scope_task)
  NUMBER(ompd_rc_ok) NUMBER(ompd_rc_unavailable) NUMBER(ompd_rc_stale_handle)
  NUMBER(ompd_rc_bad_input) NUMBER(ompd_rc_error) NUMBER(ompd_rc_unsupported)
  NUMBER(ompd_rc_needs_state_tracking) NUMBER(ompd_rc_incompatible)
  NUMBER(ompd_rc_device_read_error) NUMBER(ompd_rc_device_write_error) NUMBER(ompd_rc_nomem)
  NUMBER(ompd_rc_incomplete) NUMBER(ompd_rc_callback_error)
  return 0;
}
"""


@unittest.skipUnless(os.path.exists(PLUGIN), "LLVM's gdb plug-in (libomp-19-dev) is not here")
class Llvm(support.ToolTest):
    def test_numbers(self):
        ours = os.path.join(os.path.dirname(support.TOOLS), "runtime", "omp", "tool")
        theirs = glob.glob(LLVM + "/lib/clang/*/include/omp-tools.h")
        self.assertTrue(theirs, "no omp-tools.h in " + LLVM)
        texts = []
        for name, folder in (("ours", ours), ("theirs", "header")):
            if folder == "header":  # the folder has a compiler's own headers, too
                folder = os.path.join(self.folder, "header")
                os.makedirs(folder)
                shutil.copy(theirs[0], folder)
            program = self.compile(name, NUMBERS, "-I" + folder)
            texts.append(subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout)
        self.assertEqual(texts[0], texts[1])

    def gdb(self, program, library, show=SHOW, debug="enabled", *more):
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith(("OMP_", "GOMP_", "NTH_"))}
        environment.update(DEBUGINFOD_URLS="", LC_ALL="C.UTF-8")
        settings = ["set pagination off", "set width 0", "set env NTH_MEMBERS=os",
                    "set env OMP_DEBUG=" + debug, "set env LD_LIBRARY_PATH=" + library, *more]
        words = [word for line in settings + show for word in ("-ex", line)]
        done = subprocess.run(["gdb", "-nx", "-batch", "-x", PLUGIN, *words, program],
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True,
                              timeout=support.TIMEOUT_SECONDS)
        if "Operation not permitted" in done.stdout:
            self.skipTest("no process may be traced here")
        if "OMPD support could not be loaded" in done.stdout:
            self.skipTest("the plug-in does not load in this gdb: " + done.stdout[:300])
        return done.stdout

    def check_shown(self, text):
        self.assertNotIn("Traceback", text)
        self.assertNotIn("error occur", text)
        self.assertIn("Loaded OMPD lib successfully!", text)
        states = re.findall(r"^Thread \d+ \(\d+\) is an OpenMP thread; state: (\S+)$", text, re.M)
        self.assertEqual(len(states), 4, text)
        self.assertEqual(states.count("ompt_state_work_parallel"), 1, text)
        levels = re.findall(r"^Parallel Region: Nesting Level (\d): Team Size: (\d)$", text, re.M)
        self.assertEqual(levels, [("2", "2"), ("1", "3")])
        rows = re.findall(r"^ +\d \S* *ompt_state_\w+ +\d+ +0x\w+ (main\._omp_fn\.\d) ", text, re.M)
        self.assertEqual(rows, ["main._omp_fn.1"] * 2 + ["main._omp_fn.0"] * 3)
        icvs = dict(re.findall(r"^(\S+-var) +\w+ +(\S+)$", text, re.M))
        for name, value in (("nthreads-var", "6"), ("run-sched-var", "guided,5"),
                            ("levels-var", "2"), ("team-size-var", "2"), ("thread-num-var", "1"),
                            ("max-active-levels-var", "3"), ("implicit-task-var", "0"),
                            ("debug-var", "1"), ("cancel-var", "0")):
            self.assertEqual(icvs.get(name), value, name + "\n" + text)
        stack = text.split("== bt\n")[1].split("== end\n")[0]
        self.assertRegex(stack, r'leaf "#pragma omp task"')
        self.assertRegex(stack, r'main\._omp_fn\.1 "#pragma omp parallel"')
        self.assertNotIn("nth_team_run", stack)
        self.assertNotIn("nth_task_run_one", stack)

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not here")
    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "a build without its own library")
    def test_plugin(self):
        program = self.compile("nested", PROGRAM, "-fopenmp", "-g", "-O0")
        self.check_shown(self.gdb(program, self.lib))
        folder = os.path.join(self.folder, "stripped")  # an installed library
        os.makedirs(folder)
        for name in ("libgomp.so.1", "libompd.so"):
            subprocess.run(["strip", "-s", "-o", os.path.join(folder, name),
                            os.path.join(os.path.dirname(self.library), name)], check=True)
        self.check_shown(self.gdb(program, folder))

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not here")
    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "a build without its own library")
    def test_init_when_threads_exist(self):
        """`ompd parallel` shows members that have not begun, with and without notes."""
        program = self.compile("late", LATE, "-fopenmp", "-g", "-O0")
        for debug in ("enabled", "disabled"):
            for word in ("", "loop"):
                with self.subTest(debug=debug, word=word):
                    text = self.gdb(program, self.lib, SHOW_LATE, debug, "set args " + word)
                    self.assertNotIn("rror occur", text)
                    rows = re.findall(r"^ +(\d) \S* *ompt_state_\w+ +\d+ +0x\w+ "
                                      r"main\._omp_fn\.(\d) ", text, re.M)
                    self.assertEqual([number for number, _ in rows], ["0", "1", "2"], text)
                    self.assertEqual(len({function for _, function in rows}), 1, text)


if __name__ == "__main__":
    unittest.main()
