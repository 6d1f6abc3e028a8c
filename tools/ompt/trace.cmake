# trace.cmake - the recorder of `nanogomp trace`
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
nth_ompt_tool(trace trace_events.c trace_file.c trace_row.c)
