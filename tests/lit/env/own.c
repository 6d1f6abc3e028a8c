/* own.c - NTH_FORK, NTH_POOL, NTH_PRICE, NTH_MEMBERS, NTH_DOMAINS: values, complaints */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that good values are shown by nth_report, in any case and with blanks around, and that a
// bad one gets one line with the rule and what is used instead.
// nanogomp-only: the variables are its own.
// Without hwloc (NTH_TEST_HWLOC) a machine is one domain; what it makes of machines: lit/topology.
// REQUIRES: base, nanogomp
// RUN: %omp_build %s -o %t
// RUN: env -u NTH_FORK NTH_TEST_HWLOC=none %omp_run %t 2>&1 | %FileCheck %s --check-prefix=UNSET
// UNSET-NOT: takes
// UNSET: {{^fork: lwd$}}
// UNSET-NEXT: {{^pool: hier$}}
// UNSET-NEXT: {{^members: auto$}}
// UNSET-NEXT: {{^domains: 1$}}
// RUN: env NTH_MEMBERS=nano %omp_run %t 2>&1 | %FileCheck %s --check-prefix=NANO
// NANO: {{^members: nano$}}
// RUN: env "NTH_MEMBERS= OS" %omp_run %t 2>&1 | %FileCheck %s --check-prefix=OS
// OS: {{^members: os$}}
// RUN: env NTH_FORK=gwd NTH_POOL=local %omp_run %t 2>&1 | %FileCheck %s --check-prefix=LOCAL
// LOCAL-NOT: takes
// LOCAL: {{^fork: gwd$}}
// LOCAL-NEXT: {{^pool: local$}}
// RUN: env "NTH_POOL= Central " %omp_run %t 2>&1 | %FileCheck %s --check-prefix=CENTRAL
// CENTRAL-NOT: takes
// CENTRAL: {{^pool: central$}}
// RUN: env NTH_POOL=hier %omp_run %t 2>&1 | %FileCheck %s --check-prefix=HIER
// HIER-NOT: takes
// HIER: {{^pool: hier$}}
// RUN: env NTH_DOMAINS=2x4 %omp_run %t 2>&1 | %FileCheck %s --check-prefix=TWO
// TWO-NOT: takes
// TWO: {{^domains: 2x4$}}
// RUN: env "NTH_DOMAINS= 4 X 2x 2 " %omp_run %t 2>&1 | %FileCheck %s --check-prefix=DEEP
// DEEP-NOT: takes
// DEEP: {{^domains: 4x2x2$}}
// RUN: env NTH_TEST_HWLOC=none NTH_DOMAINS=2x4y %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=TREE
// TREE: {{^libgomp: Invalid value for environment variable NTH_DOMAINS: 2x4y$}}
// TREE-NEXT: {{^nanogomp: NTH_DOMAINS takes numbers from 1 on with x between,}}
// TREE-SAME: the last of processors: 2x4 is two domains of 4 processors,
// TREE-SAME: 4x2x2 four domains of two such; 128 domains at most;
// TREE-SAME: the machine's domains are used{{$}}
// TREE: {{^domains: 1$}}
// The whole value is shown, wherever it goes wrong.
// RUN: env NTH_TEST_HWLOC=none NTH_DOMAINS=2x %omp_run %t 2>&1 | %FileCheck %s --check-prefix=ENDS
// ENDS: {{^libgomp: Invalid value for environment variable NTH_DOMAINS: 2x$}}
// RUN: env NTH_TEST_HWLOC=none "NTH_DOMAINS=2x4 5" %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=MORE
// MORE: {{^libgomp: Invalid value for environment variable NTH_DOMAINS: 2x4 5$}}
// RUN: env NTH_TEST_HWLOC=none NTH_DOMAINS=2x0 %omp_run %t 2>&1 | %FileCheck %s --check-prefix=ZERO
// ZERO: {{^libgomp: Invalid value for environment variable NTH_DOMAINS: 2x0$}}
// RUN: env NTH_TEST_HWLOC=none NTH_DOMAINS=64x64x2 %omp_run %t 2>&1 | \
// RUN:   %FileCheck %s --check-prefix=MANY
// MANY: {{^libgomp: Invalid value for environment variable NTH_DOMAINS: 64x64x2$}}
// MANY: {{^domains: 1$}}
// RUN: env NTH_PRICE=cheap %omp_run %t 2>&1 | %FileCheck %s --check-prefix=PRICE
// PRICE: {{^nanogomp: NTH_PRICE takes on or off; on is used$}}
// RUN: env NTH_FORK=x NTH_POOL=x %omp_run %t 2>&1 | %FileCheck %s --check-prefix=BAD
// RUN: env NTH_FORK= NTH_POOL= %omp_run %t 2>&1 | %FileCheck %s --check-prefix=BAD
// RUN: env NTH_FORK=lwd,gwd "NTH_POOL=hier x" %omp_run %t 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: {{^nanogomp: NTH_FORK takes lwd or gwd; lwd is used$}}
// BAD-NEXT: {{^nanogomp: NTH_POOL takes hier, local or central; hier is used$}}
// BAD: {{^fork: lwd$}}
// BAD-NEXT: {{^pool: hier$}}
#include "check.h"

extern int nth_report(char *buffer, size_t size) __attribute__((weak));

int main(void) {
  static char text[100000];
  CHECK(nth_report && nth_report(text, sizeof text) < (int)sizeof text);
  for (const char *at = strtok(text, "\n"); at; at = strtok(0, "\n"))
    if (!strncmp(at, "fork: ", 6) || !strncmp(at, "pool: ", 6) || !strncmp(at, "members: ", 9) ||
        !strncmp(at, "domains: ", 9))
      puts(at);
  return 0;
}
