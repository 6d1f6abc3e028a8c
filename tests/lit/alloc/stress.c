/* stress.c - all memory routines by sixteen threads, memory given back by another one */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks contents of blocks that change hands through a table, with allocators of every kind that
// is had everywhere: predefined, aligned, pooled with null_fb and with a fallback chain.
// RUN: %omp_test
#include "check.h"

#define BLOCKS 64

struct block {
  unsigned char *p;
  size_t size;
};

static struct block table[BLOCKS];
static omp_lock_t lock[BLOCKS];
static omp_allocator_handle_t allocators[6];

static omp_allocator_handle_t make(omp_uintptr_t pool, omp_uintptr_t align,
                                   omp_alloctrait_value_t fallback, omp_allocator_handle_t next) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, (omp_alloctrait_value_t)pool},
                               {omp_atk_alignment, (omp_alloctrait_value_t)align},
                               {omp_atk_fallback, fallback},
                               {omp_atk_fb_data, (omp_alloctrait_value_t)next}};
  return omp_init_allocator(omp_default_mem_space, 4, traits);
}

static void holds(const struct block *b) {
  for (size_t i = 0; i < b->size; i++)
    CHECK_EQ(b->p[i], (unsigned char)(b->size + i));
}

static void turn(unsigned i, uint64_t *state) {
  struct block *b = &table[i];
  size_t size = check_random(state) % 600 + 1;
  omp_allocator_handle_t a = allocators[check_random(state) % 6];
  unsigned char *p = NULL;
  if (b->p && check_random(state) % 2) {
    holds(b);
    p = omp_realloc(b->p, size, a, omp_null_allocator);
    if (!p)
      return;
    for (size_t k = 0; k < size && k < b->size; k++)
      CHECK_EQ(p[k], (unsigned char)(b->size + k));
  } else {
    if (b->p)
      holds(b);
    omp_free(b->p, omp_null_allocator);
    b->p = NULL;
    if (check_random(state) % 2)
      p = omp_aligned_alloc(64, size, a);
    else if ((p = omp_calloc(size, 1, a)))
      for (size_t k = 0; k < size; k++)
        CHECK_EQ(p[k], 0);
  }
  *b = (struct block){p, p ? size : 0};
  for (size_t k = 0; k < b->size; k++)
    p[k] = (unsigned char)(size + k);
}

int main(void) {
  allocators[0] = omp_default_mem_alloc;
  allocators[1] = omp_low_lat_mem_alloc;
  allocators[2] = make(omp_atv_default, 256, omp_atv_default_mem_fb, omp_null_allocator);
  allocators[3] = make(5000, 1, omp_atv_null_fb, omp_null_allocator);
  allocators[4] = make(3000, 32, omp_atv_allocator_fb, allocators[3]);
  allocators[5] = make(2000, 1, omp_atv_default_mem_fb, omp_null_allocator);
  for (int i = 0; i < BLOCKS; i++)
    omp_init_lock(&lock[i]);
#pragma omp parallel num_threads(16)
  {
    uint64_t state = (uint64_t)omp_get_thread_num() * 77 + 1;
    for (int n = 0; n < CHECK_TIMES(5000); n++) {
      unsigned i = check_random(&state) % BLOCKS;
      omp_set_lock(&lock[i]);
      turn(i, &state);
      omp_unset_lock(&lock[i]);
    }
  }
  for (int i = 0; i < BLOCKS; i++) {
    omp_free(table[i].p, omp_null_allocator);
    omp_destroy_lock(&lock[i]);
  }
  void *p = omp_alloc(5000 - 32, allocators[3]), *q = omp_alloc(3000 - 64, allocators[4]);
  CHECK(p && q);
  omp_free(p, allocators[3]);
  omp_free(q, allocators[4]);
  for (int i = 5; i > 1; i--)
    omp_destroy_allocator(allocators[i]);
  return 0;
}
