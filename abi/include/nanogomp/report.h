/* report.h - what the library says of itself
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A nanogomp library exports nth_report; another libgomp.so.1 does not (look it up with dlsym).
 */
#ifndef NANOGOMP_REPORT_H
#define NANOGOMP_REPORT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes lines "key: value": version; commit (that of the sources, "-dirty" behind it when the
 * library's differ from it, "none" outside a git tree); abi_done and abi_total (exported and
 * existing symbols), a line "abi missing: NAME@NODE" for each that is missing; abi_own (functions
 * of nanogomp's own, at version node NTH_1.0); cpus_allowed and cpus_why; the internal
 * control variables by their OpenMP names, how the runtime works, and the machine's memory domains
 * (domains, domains_from; domain, cores, groups, seats: tools/nanogomp_lib/machine.py), and where
 * queues of domains were used lines "ready: DEPTH PUT TAKEN": tasks and nano-threads that went
 * through those at a depth. Makes the library look at the machine's topology, which takes some ms
 * once. Other keys may come.
 * Returns the length of the whole text without its terminator; what does not fit in size bytes is
 * cut, as with snprintf. */
int nth_report(char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
