# profile.cmake - the tool of `nanogomp profile`
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
nth_ompt_tool(profile profile.c profile_count.c profile_events.c profile_line.c profile_papi.c
              profile_path.c profile_process.c profile_region.c profile_site.c profile_store.c)
