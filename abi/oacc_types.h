/* oacc_types.h - types of the OpenACC API and the Fortran array descriptor, for the prototypes
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Numbers and structures that the runtime uses too stand in runtime/acc/prof_types.h.
 */
#ifndef NTH_ABI_OACC_TYPES_H
#define NTH_ABI_OACC_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/acc/prof_types.h"

typedef int acc_device_t;

/* Numbers of properties, profiling events and registrations: 4 bytes each. */
typedef int acc_device_property_t;
typedef int acc_event_t;
typedef int acc_register_t;

/* acc_device_property_t; from acc_property_name on the properties are strings */
enum {
  acc_property_memory = 1,
  acc_property_free_memory = 2,
  acc_property_name = 0x10001,
  acc_property_vendor = 0x10002,
  acc_property_driver = 0x10003
};

typedef struct acc_prof_info acc_prof_info;
typedef union acc_event_info acc_event_info;
typedef struct acc_api_info acc_api_info;
typedef void (*acc_prof_callback)(acc_prof_info *, acc_event_info *, acc_api_info *);
typedef void (*acc_prof_reg)(acc_event_t, acc_prof_callback, acc_register_t);
typedef void (*acc_query_fn)(void);
typedef acc_query_fn (*acc_prof_lookup_func)(const char *);

struct goacc_thread;
struct goacc_asyncqueue;

/* gfortran's array descriptor (gcc 8 and later), which dimension(..) passes. */
struct nth_farray_dim {
  ptrdiff_t stride; /* in elements */
  ptrdiff_t lower;
  ptrdiff_t upper;
};

struct nth_farray {
  void *address;
  size_t offset;
  size_t element_size; /* bytes */
  int version;
  signed char rank;
  signed char type;
  short attribute;
  ptrdiff_t span;
  struct nth_farray_dim dim[15];
};
_Static_assert(offsetof(struct nth_farray, rank) == 28, "array descriptor");
_Static_assert(offsetof(struct nth_farray, dim) == 40, "array descriptor");

static inline void *nth_farray_address(const struct nth_farray *array) { return array->address; }

/* Bytes of a contiguous array; an empty dimension (upper < lower) makes it 0. */
static inline size_t nth_farray_size(const struct nth_farray *array) {
  size_t size = array->element_size;
  for (int i = 0; i < array->rank; i++) {
    ptrdiff_t extent = array->dim[i].upper - array->dim[i].lower + 1;
    size *= extent > 0 ? (size_t)extent : 0;
  }
  return size;
}

#endif
