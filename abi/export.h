/* export.h - marks what the library exports
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The generated abi_protos.h makes the functions of abi/symbols.def visible. NTH_EXPORT is for
 * those of abi/nth.def, whose prototypes are in the public headers.
 */
#ifndef NTH_ABI_EXPORT_H
#define NTH_ABI_EXPORT_H

#define NTH_EXPORT __attribute__((visibility("default")))

#endif
