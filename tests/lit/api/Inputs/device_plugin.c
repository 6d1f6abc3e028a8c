/* device_plugin.c - a shared object that is linked with the names for device plugins */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>

void *GOMP_PLUGIN_malloc_cleared(size_t size);
void *GOMP_PLUGIN_realloc(void *p, size_t size);
void GOMP_PLUGIN_debug(int level, const char *format, ...);
void *GOMP_PLUGIN_acc_thread(void);
int GOMP_PLUGIN_acc_default_dim(unsigned i);
void GOMP_PLUGIN_target_task_completion(void *task);
void *GOMP_PLUGIN_goacc_thread(void);

int device_plugin_work(void);

int device_plugin_work(void) {
  int sum = 0, *cells = GOMP_PLUGIN_malloc_cleared(5 * sizeof *cells);
  cells = GOMP_PLUGIN_realloc(cells, 10 * sizeof *cells);
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 10; i++) {
    cells[i] = i;
    sum += cells[i];
  }
  free(cells);
  if (GOMP_PLUGIN_acc_thread() || GOMP_PLUGIN_goacc_thread())
    GOMP_PLUGIN_target_task_completion(0); /* never: only linked */
  return GOMP_PLUGIN_acc_default_dim(0) >= 0 ? sum : -1;
}
