/* show.c - prints the place list as programs see it */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n = omp_get_num_places();
  printf("bind %d, %d places", omp_get_proc_bind(), n);
  for (int i = 0; i < n; i++) {
    int count = omp_get_place_num_procs(i);
    int *ids = malloc(((size_t)count + 1) * sizeof *ids);
    omp_get_place_proc_ids(i, ids);
    printf(" {");
    for (int k = 0; k < count; k++)
      printf(" %d", ids[k]);
    printf(" }");
    free(ids);
  }
  printf("\n");
  return 0;
}
