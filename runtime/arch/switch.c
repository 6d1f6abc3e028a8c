/* switch.c - what the switch needs to know of the machine
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/arch/switch.h"

#include <sys/auxv.h>

bool nth_switch_direct;

void nth_switch_begin(void) {
#if defined(__x86_64__)
  nth_switch_direct = (getauxval(AT_HWCAP2) & 2) != 0; /* HWCAP2_FSGSBASE */
#else
  nth_switch_direct = true;
#endif
}

#if !NTH_SWITCH /* no context is ever made */
void nth_switch(void **save, void *to, uintptr_t pointer) { (void)save, (void)to, (void)pointer; }
void *nth_switch_make(void *top, void (*f)(void *), void *arg, uint64_t control) {
  return (void)top, (void)f, (void)arg, (void)control, (void *)0;
}
uint64_t nth_switch_control(void) { return 0; }
uintptr_t nth_switch_pointer(void) { return 0; }
#endif
