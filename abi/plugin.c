/* plugin.c - the functions that libgomp offers to its device plugins
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * This library loads no plugin: the host is the only device. But other libraries may have been
 * linked with libgomp's plugin names: a device plugin that a program loads itself, a profiling
 * tool. So the names are here, and do what is right without a device. They are not
 * part of a specification; the prototypes are libgomp's, the nodes GOMP_PLUGIN_1.0 to 1.4.
 */
#include <inttypes.h>

#include "abi_protos.h"

#include "abi/fatal.h"
#include "runtime/acc/prof.h"
#include "runtime/omp/types/icv.h"

/* --- memory: never NULL. Freed by free(). --- */

static void *or_fatal(void *p, size_t size) {
  if (p)
    return p;
  nth_msg_libgomp("Out of memory allocating %zu bytes", size);
  exit(EXIT_FAILURE);
}

/* size bytes of memory with any content. Ends the program if there is no memory. */
void *GOMP_PLUGIN_malloc(size_t size) { return or_fatal(malloc(size + !size), size); }

/* size bytes of zeroed memory. Ends the program if there is no memory. */
void *GOMP_PLUGIN_malloc_cleared(size_t size) { return or_fatal(calloc(1, size + !size), size); }

/* Resizes the block p (NULL: a new one) to size bytes, perhaps at another address. Ends the program
 * if there is no memory. */
void *GOMP_PLUGIN_realloc(void *p, size_t size) { return or_fatal(realloc(p, size + !size), size); }

/* --- messages: printf's formats and arguments --- */

/* Prints a plugin's line on stderr, whatever the level, if GOMP_DEBUG is not 0. */
void GOMP_PLUGIN_debug(int level, const char *format, ...) {
  (void)level;
  if (nth_env.debug == 0)
    return;
  va_list args;
  va_start(args, format);
  nth_msg_vplain(format, args);
  va_end(args);
}

/* Prints "libgomp: TEXT" on stderr. */
void GOMP_PLUGIN_error(const char *format, ...) {
  va_list args;
  va_start(args, format);
  nth_msg_vlibgomp(format, args);
  va_end(args);
}

/* Prints "libgomp: TEXT" on stderr, then ends the program with status 1; exit handlers run. */
void GOMP_PLUGIN_fatal(const char *format, ...) {
  va_list args;
  va_start(args, format);
  nth_msg_vlibgomp(format, args);
  va_end(args);
  exit(EXIT_FAILURE);
}

/* --- OpenACC --- */

/* The plugin's data of the calling thread, and the thread's OpenACC state: NULL, as for a thread
 * that uses no device. */
void *GOMP_PLUGIN_acc_thread(void) { return 0; }
struct goacc_thread *GOMP_PLUGIN_goacc_thread(void) { return 0; }

/* The default number of gangs, workers or vector lanes (i = 0, 1, 2) by GOMP_OPENACC_DIM; 0: it
 * gives none. Any other i ends the program. */
int GOMP_PLUGIN_acc_default_dim(unsigned i) {
  if (i < sizeof nth_env.acc_dims / sizeof nth_env.acc_dims[0])
    return nth_env.acc_dims[i];
  nth_msg_libgomp("invalid dimension argument: %d", (int)i);
  exit(EXIT_FAILURE);
}

/* Ends the program, as in libgomp: plugins must not call it any longer. */
void GOMP_PLUGIN_async_unmap_vars(void *data, int async) {
  (void)data;
  (void)async;
  nth_abi_fatal("invalid plugin function");
}

/* Calls the OpenACC profiling callbacks that are registered for a plugin's event. */
void GOMP_PLUGIN_goacc_profiling_dispatch(acc_prof_info *prof_info, acc_event_info *event_info,
                                          acc_api_info *api_info) {
  if (nth_acc_prof_active())
    nth_acc_prof_dispatch(prof_info, event_info, api_info);
}

/* --- OpenMP target regions on a device --- */

/* A target task has run on its device. No task is ever given to a device, so it only prints a
 * message. */
void GOMP_PLUGIN_target_task_completion(void *task) {
  nth_msg("GOMP_PLUGIN_target_task_completion: no task %p runs on a device; ignored", task);
}

/* A device asks the host to run the function at fn, with mapnum addresses, sizes and kinds in the
 * device's memory. Ends the program, since no code is ever loaded into a device. */
void GOMP_PLUGIN_target_rev(uint64_t fn, uint64_t mapnum, uint64_t addresses, uint64_t sizes,
                            uint64_t kinds, int device, struct goacc_asyncqueue *queue) {
  (void)mapnum;
  (void)addresses;
  (void)sizes;
  (void)kinds;
  (void)queue;
  nth_msg_libgomp("reverse offload of 0x%" PRIx64 " from device %d: no such device", fn, device);
  exit(EXIT_FAILURE);
}
