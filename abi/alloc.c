/* alloc.c - memory allocators and memory from them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 18.13, and the allocate clause and directive (sections 6.5 and 6.6).
 * The allocator omp_null_allocator means the current task's default allocator. Sizes and alignments
 * are in bytes. An alignment of 0 is none; one that is no power of two becomes the next power of
 * two. Size 0 gives NULL. If there is no memory the fallback trait decides; with abort_fb the
 * program ends with a message and status 1.
 */
#include "abi_protos.h"

#include "abi/fatal.h"
#include "runtime/omp/memory/allocator.h"
#include "runtime/omp/memory/noted.h"

_Static_assert(sizeof(omp_alloctrait_t) == sizeof(struct nth_trait) &&
                   _Alignof(omp_alloctrait_t) == _Alignof(struct nth_trait) &&
                   offsetof(omp_alloctrait_t, value) == offsetof(struct nth_trait, value),
               "the same in two names");

_Noreturn static void out_of_memory(size_t size) {
  nth_msg_libgomp("Out of memory allocating %lu bytes", (unsigned long)size);
  exit(EXIT_FAILURE);
}

static inline void *take(size_t size, size_t align, omp_allocator_handle_t allocator, bool zero) {
  bool fatal = false;
  void *p = nth_memory_take(size, align, (uintptr_t)allocator, zero, &fatal);
  if (nth_unlikely(!p) && fatal)
    out_of_memory(size);
  return p;
}

/* n * size; a product that does not fit becomes SIZE_MAX, which no allocator can give. */
static size_t times(size_t n, size_t size) {
  size_t all;
  return __builtin_mul_overflow(n, size, &all) ? SIZE_MAX : all;
}

/* --- allocators --- */

/* 18.13.2. Makes an allocator; omp_null_allocator: a space, trait or value does not exist. */
omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int count,
                                          const omp_alloctrait_t *traits) {
  return (omp_allocator_handle_t)nth_allocator_make((uintptr_t)space, count,
                                                    (const struct nth_trait *)traits);
}

/* 18.13.3. Ends an allocator, unless it is predefined. Its memory may be given back later. */
void omp_destroy_allocator(omp_allocator_handle_t allocator) {
  nth_allocator_destroy((uintptr_t)allocator);
}

/* --- memory --- */

/* 18.13.6. Memory for size bytes, aligned for any object. */
void *omp_alloc(size_t size, omp_allocator_handle_t allocator) {
  return take(size, 0, allocator, false);
}

/* 18.13.6. Memory for size bytes, aligned for any object and to `align`. */
void *omp_aligned_alloc(size_t align, size_t size, omp_allocator_handle_t allocator) {
  return take(size, align, allocator, false);
}

/* 18.13.8. Zeroed memory for n elements of size bytes, aligned for any object. */
void *omp_calloc(size_t n, size_t size, omp_allocator_handle_t allocator) {
  return take(times(n, size), 0, allocator, true);
}

/* 18.13.8. Zeroed memory for n elements of size bytes, aligned for any object and to `align`. */
void *omp_aligned_calloc(size_t align, size_t n, size_t size, omp_allocator_handle_t allocator) {
  return take(times(n, size), align, allocator, true);
}

/* 18.13.9. Resizes the memory at p, which keeps its alignment, and moves it to `allocator`;
 * omp_null_allocator: it stays with its own. If it returns NULL, p is as it was, but size 0 gives p
 * back. p NULL: as omp_alloc. free_allocator is not needed, since p's header names its
 * allocator. */
void *omp_realloc(void *p, size_t size, omp_allocator_handle_t allocator,
                  omp_allocator_handle_t free_allocator) {
  (void)free_allocator;
  bool fatal = false;
  void *other = nth_memory_resize(p, size, (uintptr_t)allocator, &fatal);
  if (nth_unlikely(!other) && fatal)
    out_of_memory(size);
  return other;
}

/* 18.13.7. Gives memory back; p's header names its allocator. p NULL: does nothing. */
void omp_free(void *p, omp_allocator_handle_t allocator) {
  (void)allocator;
  nth_memory_give_back(p);
}

/* --- allocate clause and directive --- */

/* Memory for a variable. The variable must have it: if there is none the program ends. */
void *GOMP_alloc(size_t align, size_t size, uintptr_t allocator) {
  void *p = take(size, align, (omp_allocator_handle_t)allocator, false);
  if (nth_unlikely(!p) && size > 0)
    out_of_memory(size);
  return p;
}

/* Gives a variable's memory back. p NULL: does nothing. */
void GOMP_free(void *p, uintptr_t allocator) {
  (void)allocator;
  nth_memory_give_back(p);
}

/* gfortran -fopenmp-allocators: notes that an allocatable's memory came from an allocator. */
void GOMP_add_alloc(void *p) {
  if (!nth_noted_add(p))
    nth_abi_fatal("Out of memory noting an allocation");
}

/* Whether p was noted; forgets p, since the program frees it next. */
bool GOMP_is_alloc(void *p) { return nth_noted_take(p); }
