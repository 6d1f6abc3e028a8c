/* headroom.c - mappings held back while many threads are made
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/mem/headroom.h"

#include <stddef.h>
#include <sys/mman.h>

#include "runtime/base/os.h"

static size_t bytes(void) { return NTH_HEADROOM_MAPS * nth_os_page(); }

/* Pages with unlike protection are mappings of their own. */
bool nth_headroom_hold(struct nth_headroom *h) {
  size_t page = nth_os_page();
  char *at = mmap(0, bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  h->at = at == MAP_FAILED ? 0 : at;
  for (size_t i = 0; h->at && i < NTH_HEADROOM_MAPS; i += 2)
    if (mprotect(at + i * page, page, PROT_READ) != 0)
      nth_headroom_free(h);
  return h->at != 0;
}

void nth_headroom_free(struct nth_headroom *h) {
  if (h->at)
    munmap(h->at, bytes());
  h->at = 0;
}
