/* support.c - the other end of the bridge in each harness: plain accesses, failed checks, fences
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Harnesses are compiled with -fsanitize=thread but not linked with its library: the compiler's
 * calls at each plain access come here. An atomic access that does not go by the names of
 * runtime/base/atomic.h has no function here, so it does not link.
 */
#include "tests/model/model.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/os.h"

__attribute__((visibility("default"))) const struct nth_model_bridge *nth_model_bridge;

_Noreturn void nth_check_failed(const char *text, const char *file, int line) {
  nth_model_bridge->fail(text, file, line);
  __builtin_unreachable();
}

/* A fence in all threads and the light one that it stands against are full fences here. */
bool nth_os_fences_all = true;
_Atomic(bool) nth_os_fences_lost;
bool nth_os_fence_all(void) {
  nth_fence_full();
  return true;
}

#define ACCESS(size)                                                                               \
  void __tsan_read##size(const void *at);                                                          \
  void __tsan_write##size(const void *at);                                                         \
  void __tsan_unaligned_read##size(const void *at);                                                \
  void __tsan_unaligned_write##size(const void *at);                                               \
  void __tsan_read##size(const void *at) { nth_model_bridge->plain(at, size, false); }             \
  void __tsan_write##size(const void *at) { nth_model_bridge->plain(at, size, true); }             \
  void __tsan_unaligned_read##size(const void *at) { nth_model_bridge->plain(at, size, false); }   \
  void __tsan_unaligned_write##size(const void *at) { nth_model_bridge->plain(at, size, true); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void __tsan_read_range(const void *at, size_t size);
void __tsan_write_range(const void *at, size_t size);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_init(void);

void __tsan_read_range(const void *at, size_t size) {
  nth_model_bridge->plain(at, (uint32_t)size, false);
}
void __tsan_write_range(const void *at, size_t size) {
  nth_model_bridge->plain(at, (uint32_t)size, true);
}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_init(void) {}
