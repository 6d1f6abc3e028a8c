/* omp_types.h - types and constants of the OpenMP API as libgomp.so.1 lays them out
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * These sizes and numbers are built into programs that were compiled with GCC's omp.h. tests/abi
 * compares them with the installed omp.h. Enumerations that omp.h forces to pointer size are 8
 * bytes.
 */
#ifndef NTH_ABI_OMP_TYPES_H
#define NTH_ABI_OMP_TYPES_H

#include <stdint.h>

/* The lock itself, one word; 0: free. Fortran: INTEGER(4), the integer is the lock. */
typedef struct {
  uint32_t word;
} omp_lock_t;
_Static_assert(sizeof(omp_lock_t) == 4 && _Alignof(omp_lock_t) == 4, "omp_lock_t");

/* The nestable lock from OMP_3.0 on. Fortran: INTEGER(8) that holds a pointer to one. */
typedef struct {
  uint32_t word;
  int32_t count;
  void *owner; /* task */
} omp_nest_lock_t;
_Static_assert(sizeof(omp_nest_lock_t) == 16 && _Alignof(omp_nest_lock_t) == 8, "omp_nest_lock_t");

/* The nestable lock of OMP_1.0, owned by a thread; 8 bytes. Fortran: the integer is the lock. */
typedef struct {
  int32_t owner; /* thread id */
  int32_t count;
} nth_omp_nest_lock_10_t;
_Static_assert(sizeof(nth_omp_nest_lock_10_t) == 8, "OMP_1.0 omp_nest_lock_t");

typedef enum {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4,
  omp_sched_monotonic = 0x80000000U
} omp_sched_t;
_Static_assert(sizeof(omp_sched_t) == 4, "omp_sched_t");

typedef enum {
  omp_proc_bind_false = 0,
  omp_proc_bind_true = 1,
  omp_proc_bind_primary = 2,
  omp_proc_bind_master = omp_proc_bind_primary,
  omp_proc_bind_close = 3,
  omp_proc_bind_spread = 4
} omp_proc_bind_t;
_Static_assert(sizeof(omp_proc_bind_t) == 4, "omp_proc_bind_t");

typedef enum {
  omp_sync_hint_none = 0,
  omp_lock_hint_none = omp_sync_hint_none,
  omp_sync_hint_uncontended = 1,
  omp_lock_hint_uncontended = omp_sync_hint_uncontended,
  omp_sync_hint_contended = 2,
  omp_lock_hint_contended = omp_sync_hint_contended,
  omp_sync_hint_nonspeculative = 4,
  omp_lock_hint_nonspeculative = omp_sync_hint_nonspeculative,
  omp_sync_hint_speculative = 8,
  omp_lock_hint_speculative = omp_sync_hint_speculative
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;
_Static_assert(sizeof(omp_sync_hint_t) == 4, "omp_sync_hint_t");

typedef enum { omp_pause_soft = 1, omp_pause_hard = 2 } omp_pause_resource_t;
_Static_assert(sizeof(omp_pause_resource_t) == 4, "omp_pause_resource_t");

/* address, kind: 1 in, 2 out, 3 inout, 4 mutexinoutset, 5 inoutset */
typedef struct {
  void *address;
  uintptr_t kind;
} omp_depend_t;
_Static_assert(sizeof(omp_depend_t) == 16 && _Alignof(omp_depend_t) == 8, "omp_depend_t");

typedef uintptr_t omp_event_handle_t;

typedef enum {
  omp_initial_device = -1,
  omp_invalid_device = -4,
  omp_default_device = -5
} nth_omp_device_t;

typedef enum {
  omp_default_mem_space = 0,
  omp_large_cap_mem_space = 1,
  omp_const_mem_space = 2,
  omp_high_bw_mem_space = 3,
  omp_low_lat_mem_space = 4,
  ompx_gnu_managed_mem_space = 200,
  nth_omp_memspace_is_pointer_sized = (long)(~0UL >> 1)
} omp_memspace_handle_t;
_Static_assert(sizeof(omp_memspace_handle_t) == 8, "omp_memspace_handle_t");

typedef enum {
  omp_null_allocator = 0,
  omp_default_mem_alloc = 1,
  omp_large_cap_mem_alloc = 2,
  omp_const_mem_alloc = 3,
  omp_high_bw_mem_alloc = 4,
  omp_low_lat_mem_alloc = 5,
  omp_cgroup_mem_alloc = 6,
  omp_pteam_mem_alloc = 7,
  omp_thread_mem_alloc = 8,
  ompx_gnu_pinned_mem_alloc = 200,
  ompx_gnu_managed_mem_alloc = 201,
  nth_omp_allocator_is_pointer_sized = (long)(~0UL >> 1)
} omp_allocator_handle_t;
_Static_assert(sizeof(omp_allocator_handle_t) == 8, "omp_allocator_handle_t");

typedef enum {
  omp_atk_sync_hint = 1,
  omp_atk_alignment = 2,
  omp_atk_access = 3,
  omp_atk_pool_size = 4,
  omp_atk_fallback = 5,
  omp_atk_fb_data = 6,
  omp_atk_pinned = 7,
  omp_atk_partition = 8
} omp_alloctrait_key_t;
_Static_assert(sizeof(omp_alloctrait_key_t) == 4, "omp_alloctrait_key_t");

/* A trait's value, which may also be a number or a pointer: 8 bytes. */
typedef uintptr_t omp_alloctrait_value_t;
enum nth_omp_alloctrait_value {
  omp_atv_false = 0,
  omp_atv_true = 1,
  omp_atv_contended = 3,
  omp_atv_uncontended = 4,
  omp_atv_serialized = 5,
  omp_atv_sequential = omp_atv_serialized,
  omp_atv_private = 6,
  omp_atv_all = 7,
  omp_atv_thread = 8,
  omp_atv_pteam = 9,
  omp_atv_cgroup = 10,
  omp_atv_default_mem_fb = 11,
  omp_atv_null_fb = 12,
  omp_atv_abort_fb = 13,
  omp_atv_allocator_fb = 14,
  omp_atv_environment = 15,
  omp_atv_nearest = 16,
  omp_atv_blocked = 17,
  omp_atv_interleaved = 18
};
#define omp_atv_default (~(omp_alloctrait_value_t)0)
_Static_assert(sizeof(omp_alloctrait_value_t) == 8, "omp_alloctrait_value_t");

typedef struct {
  omp_alloctrait_key_t key;
  omp_alloctrait_value_t value;
} omp_alloctrait_t;
_Static_assert(sizeof(omp_alloctrait_t) == 16 && _Alignof(omp_alloctrait_t) == 8,
               "omp_alloctrait_t");

typedef intptr_t omp_intptr_t;
typedef uintptr_t omp_interop_t;
#define omp_interop_none ((omp_interop_t)0)

typedef enum {
  omp_ifr_cuda = 1,
  omp_ifr_cuda_driver = 2,
  omp_ifr_opencl = 3,
  omp_ifr_sycl = 4,
  omp_ifr_hip = 5,
  omp_ifr_level_zero = 6,
  omp_ifr_hsa = 7,
  omp_ifr_last = omp_ifr_hsa
} omp_interop_fr_t;
_Static_assert(sizeof(omp_interop_fr_t) == 4, "omp_interop_fr_t");

typedef enum {
  omp_ipr_fr_id = -1,
  omp_ipr_fr_name = -2,
  omp_ipr_vendor = -3,
  omp_ipr_vendor_name = -4,
  omp_ipr_device_num = -5,
  omp_ipr_platform = -6,
  omp_ipr_device = -7,
  omp_ipr_device_context = -8,
  omp_ipr_targetsync = -9,
  omp_ipr_first = omp_ipr_targetsync
} omp_interop_property_t;
_Static_assert(sizeof(omp_interop_property_t) == 4, "omp_interop_property_t");

typedef enum {
  omp_irc_no_value = 1,
  omp_irc_success = 0,
  omp_irc_empty = -1,
  omp_irc_out_of_range = -2,
  omp_irc_type_int = -3,
  omp_irc_type_ptr = -4,
  omp_irc_type_str = -5,
  omp_irc_other = -6
} omp_interop_rc_t;
_Static_assert(sizeof(omp_interop_rc_t) == 4, "omp_interop_rc_t");

#endif
