/* hwloc.c - runtime/place/cpus/hwloc_abi.h against hwloc's own header, and the library that is here
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "runtime/place/cpus/hwloc_abi.h"
#include "runtime/place/cpus/survey.h"

/* A compiler for another processor may find the first one, which is for all, without the second. */
#if __has_include(<hwloc.h>) && __has_include(<hwloc/autogen/config.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include <hwloc.h>
#pragma GCC diagnostic pop

#define SAME_PLACE(field)                                                                          \
  unit_check(offsetof(struct hwloc_obj, field) == offsetof(struct nth_hwloc_obj, field))
#define SAME_VALUE(theirs, ours) unit_check((int)(theirs) == (int)(ours))

static void header(void) {
  unit_check(HWLOC_API_VERSION >> 16 == NTH_HWLOC_MAJOR);
  SAME_PLACE(type);
  SAME_PLACE(os_index);
  SAME_PLACE(logical_index);
  SAME_PLACE(parent);
  SAME_PLACE(cpuset);
  SAME_VALUE(HWLOC_OBJ_PACKAGE, NTH_HWLOC_PACKAGE);
  SAME_VALUE(HWLOC_OBJ_CORE, NTH_HWLOC_CORE);
  SAME_VALUE(HWLOC_OBJ_PU, NTH_HWLOC_PU);
  SAME_VALUE(HWLOC_OBJ_L2CACHE, NTH_HWLOC_L2);
  SAME_VALUE(HWLOC_OBJ_L3CACHE, NTH_HWLOC_L3);
  SAME_VALUE(HWLOC_OBJ_NUMANODE, NTH_HWLOC_NUMA);
  SAME_VALUE(HWLOC_OBJ_GROUP, NTH_HWLOC_GROUP);
  SAME_VALUE(HWLOC_OBJ_DIE, NTH_HWLOC_DIE);
  SAME_VALUE(HWLOC_TYPE_DEPTH_NUMANODE, NTH_HWLOC_NUMA_DEPTH);
  SAME_VALUE(HWLOC_TYPE_FILTER_KEEP_ALL, NTH_HWLOC_KEEP_ALL);
  SAME_VALUE(HWLOC_TYPE_FILTER_KEEP_NONE, NTH_HWLOC_KEEP_NONE);
  SAME_VALUE(HWLOC_TYPE_FILTER_KEEP_STRUCTURE, NTH_HWLOC_KEEP_STRUCTURE);
#if HWLOC_API_VERSION >= 0x00020800
  unit_check(HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING == NTH_HWLOC_KEEP_BINDING);
  unit_check(HWLOC_TOPOLOGY_FLAG_NO_DISTANCES == NTH_HWLOC_NO_DISTANCES);
  unit_check(HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS == NTH_HWLOC_NO_MEMATTRS);
#endif
}
#else
static void header(void) { printf("  left out: no hwloc.h here (libhwloc-dev)\n"); }
#endif

static bool here(void) {
  void *file = dlopen(NTH_HWLOC_SONAME, RTLD_NOW | RTLD_LOCAL);
  if (file)
    dlclose(file);
  else
    printf("  left out: no %s here (libhwloc15)\n", NTH_HWLOC_SONAME);
  return file != 0;
}

/* A survey of that machine, "pack:2 core:2" or the like. */
static bool survey(struct nth_survey *s, const char *machine, char *why, size_t size) {
  setenv("HWLOC_SYNTHETIC", machine, 1);
  bool good = nth_hwloc_survey(s, 0, why, size);
  unsetenv("HWLOC_SYNTHETIC");
  return good;
}

static void machines(void) {
  struct nth_survey s;
  char why[200];
  if (!here())
    return;
  unit_check(survey(&s, "pack:2 numa:2 l3:1 core:2 pu:2", why, sizeof why) && s.count == 16);
  unit_check(s.pretended && strstr(why, "HWLOC_SYNTHETIC"));
  for (uint32_t p = 0; p < 16; p++) {
    unit_check(s.cpu[p] == p && s.shared[NTH_SHARE_CORE][p] == p / 2);
    unit_check(s.shared[NTH_SHARE_PACKAGE][p] == p / 8 && s.shared[NTH_SHARE_NUMA][p] == p / 4);
    unit_check(s.shared[NTH_SHARE_L3][p] == p / 4 && s.shared[NTH_SHARE_L2][p] == NTH_SHARE_NONE);
  }
  nth_survey_free(&s);
  nth_survey_cpus = "3-5,15";
  unit_check(survey(&s, "pack:2 core:8 pu:1", why, sizeof why) && s.count == 4);
  unit_check(s.cpu[3] == 15 && s.shared[NTH_SHARE_PACKAGE][3] == 1);
  nth_survey_free(&s);
  nth_survey_cpus = 0;
}

static void allowed(void) {
  uint64_t word = 2;
  struct nth_cpuset one = {&word, 1};
  struct nth_survey s;
  char why[200];
  if (!here())
    return;
  setenv("HWLOC_THISSYSTEM", "1", 1); /* what is said of this machine is cut to the mask */
  setenv("HWLOC_SYNTHETIC", "pack:2 core:2 pu:1", 1);
  unit_check(nth_hwloc_survey(&s, &one, why, sizeof why) && s.count == 1 && s.cpu[0] == 1);
  unit_check(!s.pretended);
  nth_survey_free(&s);
  word = UINT64_C(1) << 40;
  unit_check(!nth_hwloc_survey(&s, &one, why, sizeof why) && strstr(why, "none of the CPUs"));
  unsetenv("HWLOC_THISSYSTEM");
  unsetenv("HWLOC_SYNTHETIC");
}

static void refused(void) {
  struct nth_survey s;
  char why[200];
  const char *name = nth_hwloc_file;
  nth_hwloc_file = "libnothere.so.15";
  unit_check(!nth_hwloc_survey(&s, 0, why, sizeof why) && strstr(why, "libnothere.so.15"));
  nth_hwloc_file = "libm.so.6";
  unit_check(!nth_hwloc_survey(&s, 0, why, sizeof why) && strstr(why, "it has no hwloc_"));
  nth_hwloc_file = name;
  if (here())
    unit_check(!survey(&s, "rubbish", why, sizeof why) &&
               strstr(why, "makes no machine of \"rubbish\""));
}

int main(void) {
  unit_begin();
  unit_run(header);
  unit_run(machines);
  unit_run(allowed);
  unit_run(refused);
  return 0;
}
