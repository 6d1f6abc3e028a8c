/* machines.c - trees of machines that hwloc describes, and the groups of an OMP_NUM_THREADS list on
 * them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the report's lines for machines that are not here, for CPUs that a mask or cpuset leaves
// over, and that what cannot be understood or had is said, with one domain in its place.
// nanogomp-only: libgomp has no domains.
// REQUIRES: base, nanogomp, hwloc
// RUN: %omp_build %s -o %t
// RUN: env HWLOC_SYNTHETIC="pack:2 core:16 pu:1" OMP_NUM_THREADS=4,8 %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=TWO
// TWO-NOT: nanogomp:
// TWO: {{^domains: 2x16$}}
// TWO-NEXT: {{^domains_from: hwloc 2\.[0-9]+, HWLOC_SYNTHETIC: another machine than this one$}}
// TWO-NEXT: {{^domain: 0 0 machine\+numa:0 0-31 0-31$}}
// TWO-NEXT: {{^domain: 1 0 package:0 0-15 0-15$}}
// TWO-NEXT: {{^domain: 2 0 package:1 16-31 16-31$}}
// TWO-NEXT: {{^groups: 1 4 0-31$}}
// TWO-NEXT: {{^groups: 2 8 0-7 8-15 16-23 24-31$}}
// TWO-NOT: {{.}}
// RUN: env HWLOC_SYNTHETIC="numa:4 core:8 pu:2" OMP_NUM_THREADS=3,2,4 %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=FOUR
// FOUR: {{^domains: 4x8x2$}}
// FOUR: {{^domain: 10 0 numa:1 16-31 16-31$}}
// FOUR-NEXT: {{^domain: 11 10 core:8 16-17 16-17$}}
// FOUR: {{^domain: 36 28 core:31 62-63 62-63$}}
// FOUR-NEXT: {{^groups: 1 3 0-63$}}
// FOUR-NEXT: {{^groups: 2 2 0-19 20-41 42-63$}}
// FOUR-NEXT: {{^groups: 3 4 0-9 10-19 20-29 30-41 42-51 52-63$}}
// RUN: env HWLOC_SYNTHETIC="pack:2 numa:4 l3:2 core:8 pu:2" OMP_NUM_THREADS=16,16 %omp_run %t \
// RUN:   2>&1 | %FileCheck %s --check-prefix=BIG
// BIG: {{^domains: 2x4x2x16$}}
// BIG: {{^domain: 26 24 L3:15 240-255 240-255$}}
// BIG: {{^groups: 1 16 0-255$}}
// BIG-NEXT: {{^groups: 2 16 0-15 16-31 .* 224-239 240-255$}}
// RUN: env HWLOC_XMLFILE=%S/Inputs/hybrid.xml OMP_NUM_THREADS=2,8 %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=HYBRID
// HYBRID: {{^domains: \(4x2\+2x4\)$}}
// HYBRID-NEXT: {{^domains_from: hwloc 2\.[0-9]+, HWLOC_XMLFILE: another}}
// HYBRID: {{^domain: 4 0 L2\+core:3 6-7 6-7$}}
// HYBRID-NEXT: {{^domain: 5 0 L2:4 8-11 8-11$}}
// HYBRID: {{^cores: 0 8-15$}}
// HYBRID-NEXT: {{^cores: 1 0-7$}}
// HYBRID-NEXT: {{^groups: 1 2 0-15$}}
// HYBRID-NEXT: {{^groups: 2 8 0-7 8-15$}}
// RUN: env HWLOC_SYNTHETIC="pack:2 core:16 pu:1" NTH_TEST_CPUS=0-15,20-23 %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=CUT
// CUT: {{^domains: \(16\+4\)$}}
// CUT: {{^domain: 2 0 package:1 16-19 20-23$}}
// CUT-NEXT: {{^groups: 1 2 0-19$}}
// RUN: env HWLOC_SYNTHETIC="pack:2 core:16 pu:1" NTH_DOMAINS=3x2 %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=HAND
// HAND: {{^domains: 3x2$}}
// HAND-NEXT: {{^domains_from: NTH_DOMAINS$}}
// HAND-NEXT: {{^domain: 0 0 machine:0 0-5 -$}}
// HAND-NEXT: {{^domain: 1 0 domain:0 0-1 -$}}
// RUN: env HWLOC_SYNTHETIC="ten of them" %omp_run %t 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: {{^nanogomp: HWLOC_SYNTHETIC: hwloc makes no machine of "ten of them";}}
// BAD-SAME: one memory domain is used{{$}}
// BAD-NEXT: {{^domains: 1$}}
// BAD-NEXT: {{^domains_from: one domain: HWLOC_SYNTHETIC:}}
// BAD-SAME: hwloc makes no machine of "ten of them"{{$}}
// RUN: env HWLOC_XMLFILE=%s %omp_run %t 2>&1 | %FileCheck %s --check-prefix=XML
// XML: {{^nanogomp: HWLOC_XMLFILE: hwloc makes no machine of ".*machines\.c";}}
// XML-SAME: one memory domain is used{{$}}
// XML: {{^domains: 1$}}
// RUN: env NTH_TEST_HWLOC=libnothere.so.15 %omp_run %t 2>&1 | %FileCheck %s --check-prefix=QUIET
// QUIET-NOT: nanogomp:
// QUIET: {{^domains: 1$}}
// QUIET-NEXT: {{^domains_from: one domain: libnothere\.so\.15: cannot open shared object file}}
// RUN: env NTH_TEST_HWLOC=libnothere.so.15 NTH_VERBOSE=1 %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=MISSING
// MISSING: {{^nanogomp: memory domains: the topology is not known \(libnothere\.so\.15: .*\);}}
// MISSING-SAME: one domain is used{{$}}
// MISSING: {{^domains: 1$}}
// RUN: env HWLOC_SYNTHETIC="pack:2 core:16 pu:1" NTH_VERBOSE=1 %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=FOUND
// FOUND: {{^nanogomp: memory domains: 2x16 \(hwloc 2\.[0-9]+, HWLOC_SYNTHETIC:}}
// FOUND-SAME: another machine than this one){{$}}
// RUN: env HWLOC_SYNTHETIC="pack:2 core:2 pu:1" HWLOC_THISSYSTEM=1 %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=MINE
// MINE: {{^domains_from: hwloc 2\.[0-9]+, HWLOC_SYNTHETIC$}}
#include "check.h"

extern int nth_report(char *buffer, size_t size) __attribute__((weak));

int main(void) {
  static const char *const keys[] = {"domain", "cores: ", "groups: "};
  static char text[100000];
  CHECK(nth_report && nth_report(text, sizeof text) < (int)sizeof text);
  for (const char *at = strtok(text, "\n"); at; at = strtok(0, "\n"))
    for (int k = 0; k < 3; k++)
      if (!strncmp(at, keys[k], strlen(keys[k])))
        puts(at);
  return 0;
}
