# explain.cmake - the tool of `nanogomp run --explain`
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
nth_ompt_tool(explain explain.c explain_file.c explain_table.c explain_work.c)
