/* report.h - what the library tells of itself
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

/* Writes lines "key: value":
 *   version
 *   commit                     of the sources; "-dirty" follows if the library's sources differ
 *                              from that commit; "none" outside a git tree
 *   abi_done, abi_total        exported and existing symbols; one line "abi missing: NAME@NODE" for
 *                              each that is missing
 *   abi_own                    nanogomp's own functions, at version node NTH_1.0
 *   cpus_allowed, cpus_why     the number of CPUs, and why
 *   the ICVs                   by their OpenMP names, then other settings
 *   domains, domains_from      the machine's memory domains; domain, cores, groups and seats: see
 *                              tools/nanogomp_lib/machine.py
 *   ready                      "DEPTH PUT TAKEN": tasks and nano-threads that went through the
 *                              queues of domains at that depth, where these were used
 * Other keys may be added. The call makes the library ask for the machine's topology, which takes
 * some ms once.
 * Returns the length of the whole text without its terminator. As with snprintf, what does not fit
 * in size bytes is cut. */
int nth_report(char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
