/* prof_types.h - the types that OpenACC's profiling interface passes between library and tools
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenACC 2.6, section 5. Tools that were compiled with the compiler's acc_prof.h see
 *             these structures and numbers. They have its names, so that one definition serves the
 *             runtime and the prototypes of abi/ (abi/oacc_types.h). tests/abi/check_omp_h.py
 *             compares them with the installed header.
 * Note        Enumerations are int in the structures. valid_bytes counts up to the last member,
 *             without the padding after it.
 */
#ifndef NTH_ACC_PROF_TYPES_H
#define NTH_ACC_PROF_TYPES_H

#include <stddef.h>

enum {
  acc_device_none = 0,
  acc_device_default = 1,
  acc_device_host = 2,
  acc_device_not_host = 4,
  acc_device_nvidia = 5,
  acc_device_radeon = 8,
  acc_device_current = -1
};

enum { acc_async_noval = -1, acc_async_sync = -2 };

/* acc_event_t */
enum {
  acc_ev_none = 0,
  acc_ev_device_init_start = 1,
  acc_ev_device_init_end = 2,
  acc_ev_device_shutdown_start = 3,
  acc_ev_device_shutdown_end = 4,
  acc_ev_runtime_shutdown = 5,
  acc_ev_create = 6,
  acc_ev_delete = 7,
  acc_ev_alloc = 8,
  acc_ev_free = 9,
  acc_ev_enter_data_start = 10,
  acc_ev_enter_data_end = 11,
  acc_ev_exit_data_start = 12,
  acc_ev_exit_data_end = 13,
  acc_ev_update_start = 14,
  acc_ev_update_end = 15,
  acc_ev_compute_construct_start = 16,
  acc_ev_compute_construct_end = 17,
  acc_ev_enqueue_launch_start = 18,
  acc_ev_enqueue_launch_end = 19,
  acc_ev_enqueue_upload_start = 20,
  acc_ev_enqueue_upload_end = 21,
  acc_ev_enqueue_download_start = 22,
  acc_ev_enqueue_download_end = 23,
  acc_ev_wait_start = 24,
  acc_ev_wait_end = 25,
  acc_ev_last = 26
};

/* acc_register_t */
enum { acc_reg = 0, acc_toggle = 1, acc_toggle_per_thread = 2 };

/* acc_construct_t: those that the host device reports */
enum {
  acc_construct_parallel = 0,
  acc_construct_data = 3,
  acc_construct_enter_data = 4,
  acc_construct_exit_data = 5,
  acc_construct_host_data = 6,
  acc_construct_update = 12,
  acc_construct_runtime_api = 15
};

enum { acc_device_api_none = 0 };

struct acc_prof_info {
  int event_type; /* acc_ev_ */
  int valid_bytes;
  int version;     /* of the interface: NTH_ACC_PROF_VERSION */
  int device_type; /* acc_device_ */
  int device_number;
  int thread_id; /* -1: not known, as is all from src_file on */
  long async;    /* acc_async_ or a queue */
  long async_queue;
  const char *src_file;
  const char *func_name;
  int line_no, end_line_no;
  int func_line_no, func_end_line_no;
};
#define NTH_ACC_PROF_VERSION 201711 /* OpenACC 2.6 */

struct acc_data_event_info {
  int event_type;
  int valid_bytes;
  int parent_construct; /* acc_construct_ */
  int implicit;
  void *tool_info;
  const char *var_name;
  unsigned long bytes;
  const void *host_ptr;
  const void *device_ptr;
};

struct acc_launch_event_info {
  int event_type;
  int valid_bytes;
  int parent_construct;
  int implicit;
  void *tool_info;
  const char *kernel_name;
  unsigned long num_gangs, num_workers, vector_length;
};

struct acc_other_event_info {
  int event_type;
  int valid_bytes;
  int parent_construct;
  int implicit;
  void *tool_info; /* w: callbacks of the start event; r: those of the end event */
};

union acc_event_info {
  int event_type;
  struct acc_data_event_info data_event;
  struct acc_launch_event_info launch_event;
  struct acc_other_event_info other_event;
};

struct acc_api_info {
  int device_api; /* acc_device_api_none: the host has none */
  int valid_bytes;
  int device_type;
  int vendor; /* -1: not known */
  const void *device_handle;
  const void *context_handle;
  const void *async_handle;
};

_Static_assert(sizeof(struct acc_prof_info) == 72, "acc_prof_info");
_Static_assert(sizeof(struct acc_data_event_info) == 56, "acc_data_event_info");
_Static_assert(sizeof(struct acc_launch_event_info) == 56, "acc_launch_event_info");
_Static_assert(sizeof(struct acc_other_event_info) == 24, "acc_other_event_info");
_Static_assert(sizeof(struct acc_api_info) == 40, "acc_api_info");

#endif
