/* huge.c - large pages for stacks and pools, where the user asks for them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/mem/huge.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#include "runtime/base/config.h"
#include "runtime/base/os.h"

bool nth_huge_pages;

void nth_huge(void *at, size_t bytes) {
  nth_assert((uintptr_t)at % nth_os_page() == 0);
  int saved = errno;
  if (nth_huge_pages && bytes >= NTH_HUGE_PAGE)
    (void)madvise(at, bytes, MADV_HUGEPAGE);
  errno = saved;
}

/* The C library tells a stack's bounds only by way of malloc. These are near enough: the stack ends
 * less than NTH_REST_BYTES above this frame, and only whole large pages count. */
void nth_huge_stack(size_t bytes) {
  if (!nth_huge_pages || bytes <= NTH_REST_BYTES)
    return;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)(nth_os_page() - 1),
            low = nth_round_up(here - (bytes - NTH_REST_BYTES), nth_os_page());
  if (low < here)
    nth_huge((void *)low, here - low);
}
