/* ompd-tools.h - OMPD: the interface between a debugger and libompd.so
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why     A debugger knows OS threads and stacks. libompd.so tells it which OpenMP threads, regions
 *         and tasks there are in a process or core file, and what their ICVs are.
 * Use     The debugger loads a file of ompd_dll_locations, calls ompd_initialize() with its
 *         callbacks, then ompd_process_initialize(). The library reads the process through the
 *         callbacks only. Each handle is released by the debugger.
 * Source  OpenMP 5.2, chapter 20, whose sections say what each function and argument means; the
 *         names and numbers are the specification's. docs/debuggers.md tells what this library does
 *         with them. omp-tools.h includes this file.
 */
#ifndef NANOGOMP_OMPD_TOOLS_H
#define NANOGOMP_OMPD_TOOLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- types (20.3) --- */

typedef uint64_t ompd_size_t;
typedef uint64_t ompd_wait_id_t;
typedef uint64_t ompd_addr_t;
typedef int64_t ompd_word_t;
typedef uint64_t ompd_seg_t;
typedef uint64_t ompd_device_t;
typedef uint64_t ompd_thread_id_t;
typedef uint64_t ompd_icv_id_t;

#define ompd_segment_none 0
#define ompd_icv_undefined 0

/* Kinds of thread identifiers, and of device identifiers. */
#define OMPD_THREAD_ID_PTHREAD 0
#define OMPD_THREAD_ID_LWP 1
#define OMPD_THREAD_ID_WINTHREAD 2
#define OMPD_DEVICE_KIND_HOST 1

/* 20.3.3, 20.3.4: an address and a frame in the process. */
typedef struct ompd_address_t {
  ompd_seg_t segment;
  ompd_addr_t address;
} ompd_address_t;
typedef struct ompd_frame_info_t {
  ompd_address_t frame_address;
  ompd_word_t frame_flag; /* ompt_frame_flag_t */
} ompd_frame_info_t;

typedef enum ompd_scope_t {
  ompd_scope_global = 1,
  ompd_scope_address_space = 2,
  ompd_scope_thread = 3,
  ompd_scope_parallel = 4,
  ompd_scope_implicit_task = 5,
  ompd_scope_task = 6
} ompd_scope_t;

typedef enum ompd_rc_t {
  ompd_rc_ok = 0,
  ompd_rc_unavailable = 1,
  ompd_rc_stale_handle = 2,
  ompd_rc_bad_input = 3,
  ompd_rc_error = 4,
  ompd_rc_unsupported = 5,
  ompd_rc_needs_state_tracking = 6,
  ompd_rc_incompatible = 7,
  ompd_rc_device_read_error = 8,
  ompd_rc_device_write_error = 9,
  ompd_rc_nomem = 10,
  ompd_rc_incomplete = 11,
  ompd_rc_callback_error = 12
} ompd_rc_t;

/* Handles are the library's, contexts the debugger's. */
typedef struct _ompd_aspace_handle ompd_address_space_handle_t;
typedef struct _ompd_thread_handle ompd_thread_handle_t;
typedef struct _ompd_parallel_handle ompd_parallel_handle_t;
typedef struct _ompd_task_handle ompd_task_handle_t;
typedef struct _ompd_aspace_cont ompd_address_space_context_t;
typedef struct _ompd_thread_cont ompd_thread_context_t;

typedef struct ompd_device_type_sizes_t {
  uint8_t sizeof_char, sizeof_short, sizeof_int, sizeof_long, sizeof_long_long, sizeof_pointer;
} ompd_device_type_sizes_t;

/* --- what the debugger gives (20.4) --- */

typedef ompd_rc_t (*ompd_callback_memory_alloc_fn_t)(ompd_size_t nbytes, void **ptr);
typedef ompd_rc_t (*ompd_callback_memory_free_fn_t)(void *ptr);
typedef ompd_rc_t (*ompd_callback_get_thread_context_for_thread_id_fn_t)(
    ompd_address_space_context_t *address_space_context, ompd_thread_id_t kind,
    ompd_size_t sizeof_thread_id, const void *thread_id, ompd_thread_context_t **thread_context);
typedef ompd_rc_t (*ompd_callback_sizeof_fn_t)(ompd_address_space_context_t *address_space_context,
                                               ompd_device_type_sizes_t *sizes);
typedef ompd_rc_t (*ompd_callback_symbol_addr_fn_t)(
    ompd_address_space_context_t *address_space_context, ompd_thread_context_t *thread_context,
    const char *symbol_name, ompd_address_t *symbol_addr, const char *file_name);
typedef ompd_rc_t (*ompd_callback_memory_read_fn_t)(
    ompd_address_space_context_t *address_space_context, ompd_thread_context_t *thread_context,
    const ompd_address_t *addr, ompd_size_t nbytes, void *buffer);
typedef ompd_rc_t (*ompd_callback_memory_write_fn_t)(
    ompd_address_space_context_t *address_space_context, ompd_thread_context_t *thread_context,
    const ompd_address_t *addr, ompd_size_t nbytes, const void *buffer);
typedef ompd_rc_t (*ompd_callback_device_host_fn_t)(
    ompd_address_space_context_t *address_space_context, const void *input, ompd_size_t unit_size,
    ompd_size_t count, void *output);
typedef ompd_rc_t (*ompd_callback_print_string_fn_t)(const char *string, int category);

typedef struct ompd_callbacks_t {
  ompd_callback_memory_alloc_fn_t alloc_memory;
  ompd_callback_memory_free_fn_t free_memory;
  ompd_callback_print_string_fn_t print_string;
  ompd_callback_sizeof_fn_t sizeof_type;
  ompd_callback_symbol_addr_fn_t symbol_addr_lookup;
  ompd_callback_memory_read_fn_t read_memory;
  ompd_callback_memory_write_fn_t write_memory;
  ompd_callback_memory_read_fn_t read_string;
  ompd_callback_device_host_fn_t device_to_host, host_to_device;
  ompd_callback_get_thread_context_for_thread_id_fn_t get_thread_context_for_thread_id;
} ompd_callbacks_t;

/* --- what the debugger calls (20.5): ompd_rc_t ompd_<name>(arguments) --- */

#define OMPD_FUNCTIONS(X)                                                                          \
  X(initialize, ompd_word_t api_version, const ompd_callbacks_t *callbacks)                        \
  X(get_api_version, ompd_word_t *version)                                                         \
  X(get_version_string, const char **string)                                                       \
  X(finalize, void)                                                                                \
  X(process_initialize, ompd_address_space_context_t *context,                                     \
    ompd_address_space_handle_t **handle)                                                          \
  X(device_initialize, ompd_address_space_handle_t *process_handle,                                \
    ompd_address_space_context_t *device_context, ompd_device_t kind, ompd_size_t sizeof_id,       \
    void *id, ompd_address_space_handle_t **device_handle)                                         \
  X(get_device_thread_id_kinds, ompd_address_space_handle_t *device_handle,                        \
    ompd_thread_id_t *kind, ompd_size_t *thread_id_size, int *more)                                \
  X(rel_address_space_handle, ompd_address_space_handle_t *handle)                                 \
  X(get_omp_version, ompd_address_space_handle_t *address_space, ompd_word_t *omp_version)         \
  X(get_omp_version_string, ompd_address_space_handle_t *address_space, const char **string)       \
  X(get_thread_in_parallel, ompd_parallel_handle_t *parallel_handle, int thread_num,               \
    ompd_thread_handle_t **thread_handle)                                                          \
  X(get_thread_handle, ompd_address_space_handle_t *handle, ompd_thread_id_t kind,                 \
    ompd_size_t sizeof_thread_id, const void *thread_id, ompd_thread_handle_t **thread_handle)     \
  X(rel_thread_handle, ompd_thread_handle_t *thread_handle)                                        \
  X(thread_handle_compare, ompd_thread_handle_t *thread_handle_1,                                  \
    ompd_thread_handle_t *thread_handle_2, int *cmp_value)                                         \
  X(get_thread_id, ompd_thread_handle_t *thread_handle, ompd_thread_id_t kind,                     \
    ompd_size_t sizeof_thread_id, void *thread_id)                                                 \
  X(get_device_from_thread, ompd_thread_handle_t *thread_handle,                                   \
    ompd_address_space_handle_t **device)                                                          \
  X(get_curr_parallel_handle, ompd_thread_handle_t *thread_handle,                                 \
    ompd_parallel_handle_t **parallel_handle)                                                      \
  X(get_enclosing_parallel_handle, ompd_parallel_handle_t *parallel_handle,                        \
    ompd_parallel_handle_t **enclosing_parallel_handle)                                            \
  X(get_task_parallel_handle, ompd_task_handle_t *task_handle,                                     \
    ompd_parallel_handle_t **task_parallel_handle)                                                 \
  X(rel_parallel_handle, ompd_parallel_handle_t *parallel_handle)                                  \
  X(parallel_handle_compare, ompd_parallel_handle_t *parallel_handle_1,                            \
    ompd_parallel_handle_t *parallel_handle_2, int *cmp_value)                                     \
  X(get_curr_task_handle, ompd_thread_handle_t *thread_handle, ompd_task_handle_t **task_handle)   \
  X(get_generating_task_handle, ompd_task_handle_t *task_handle,                                   \
    ompd_task_handle_t **generating_task_handle)                                                   \
  X(get_scheduling_task_handle, ompd_task_handle_t *task_handle,                                   \
    ompd_task_handle_t **scheduling_task_handle)                                                   \
  X(get_task_in_parallel, ompd_parallel_handle_t *parallel_handle, int thread_num,                 \
    ompd_task_handle_t **task_handle)                                                              \
  X(rel_task_handle, ompd_task_handle_t *task_handle)                                              \
  X(task_handle_compare, ompd_task_handle_t *task_handle_1, ompd_task_handle_t *task_handle_2,     \
    int *cmp_value)                                                                                \
  X(get_task_function, ompd_task_handle_t *task_handle, ompd_address_t *entry_point)               \
  X(get_task_frame, ompd_task_handle_t *task_handle, ompd_frame_info_t *exit_frame,                \
    ompd_frame_info_t *enter_frame)                                                                \
  X(enumerate_states, ompd_address_space_handle_t *address_space_handle,                           \
    ompd_word_t current_state, ompd_word_t *next_state, const char **next_state_name,              \
    ompd_word_t *more_enums)                                                                       \
  X(get_state, ompd_thread_handle_t *thread_handle, ompd_word_t *state, ompd_wait_id_t *wait_id)   \
  X(get_display_control_vars, ompd_address_space_handle_t *address_space_handle,                   \
    const char *const **control_vars)                                                              \
  X(rel_display_control_vars, const char *const **control_vars)                                    \
  X(enumerate_icvs, ompd_address_space_handle_t *handle, ompd_icv_id_t current,                    \
    ompd_icv_id_t *next_id, const char **next_icv_name, ompd_scope_t *next_scope, int *more)       \
  X(get_icv_from_scope, void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,                    \
    ompd_word_t *icv_value)                                                                        \
  X(get_icv_string_from_scope, void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,             \
    const char **icv_string)                                                                       \
  X(get_tool_data, void *handle, ompd_scope_t scope, ompd_word_t *value, ompd_address_t *ptr)

#define OMPD_DECLARE(name, ...) ompd_rc_t ompd_##name(__VA_ARGS__);
OMPD_FUNCTIONS(OMPD_DECLARE)
#undef OMPD_DECLARE

/* --- what the process has (20.2.2, 20.2.3, 20.6) --- */

extern const char **ompd_dll_locations;
void ompd_dll_locations_valid(void);
void ompd_bp_parallel_begin(void);
void ompd_bp_parallel_end(void);
void ompd_bp_teams_begin(void);
void ompd_bp_teams_end(void);
void ompd_bp_task_begin(void);
void ompd_bp_task_end(void);
void ompd_bp_thread_begin(void);
void ompd_bp_thread_end(void);
void ompd_bp_target_begin(void);
void ompd_bp_target_end(void);
void ompd_bp_device_begin(void);
void ompd_bp_device_end(void);

#ifdef __cplusplus
}
#endif

#endif
