/* oacc_data.c - OpenACC's data functions on the host device, which shares the host's memory
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenACC 2.6, sections 3.2.18 to 3.2.35. All host memory is present, at its own address; nothing
 * is counted, moved or attached. So every function of a group does the same, and the asynchronous
 * forms have done it when they return. Sizes are in bytes.
 *
 * acc_malloc, acc_free     device memory, from the heap; NULL: size 0, or there is none. Freeing
 *                          NULL does nothing. 3.2.18, 3.2.19
 * acc_copyin*              data are present from here on, with the host's values, and
 * acc_create*              without: the device address, which is `host`. host NULL or size 0 ends
 *                          the program. 3.2.20, 3.2.21
 * acc_present_or_copyin,   names of OpenACC 2.0 for acc_copyin and acc_create
 * acc_pcopyin, acc_present_or_create, acc_pcreate
 * acc_copyout*             data are needed no more, with the device's values brought back, and
 * acc_delete*              without; _finalize: whatever their reference count. They stay where they
 *                          are; any range will do. 3.2.22, 3.2.23
 * acc_update_device*       the device's copy gets the host's values, and
 * acc_update_self*         the reverse: the copy is the original. 3.2.24, 3.2.25
 * acc_map_data             the device's copy of `host` is to be `device`: another address ends the
 *                          program. 3.2.26
 * acc_unmap_data           undoes that. 3.2.27
 * acc_deviceptr            the device address of a host address, and
 * acc_hostptr              the reverse: the same. 3.2.28, 3.2.29
 * acc_is_present           whether all of a range is present: 1, or 0 for NULL or size 0. 3.2.30
 * acc_memcpy_to_device*    copies size bytes to device memory,
 * acc_memcpy_from_device*  from it, and
 * acc_memcpy_device*       within it. The ranges may overlap. 3.2.31 to 3.2.33
 * acc_attach*, acc_detach* a pointer within device data points to the device's copy of its target
 *                          from here on, or no more: *pointer stays as it is. 3.2.34, 3.2.35
 *
 * The _async forms take a queue, which only attach and detach look at: there a number below
 * acc_async_sync ends the program. Each function gives the calling thread the device; without one,
 * as ACC_DEVICE_TYPE or ACC_DEVICE_NUM is not the host's, the program ends. The status is 1.
 */
#include <stdlib.h>
#include <string.h>

#include "abi_protos.h"

#include "abi/oacc_check.h"

/* --- device memory: the heap --- */

void *acc_malloc(size_t size) {
  nth_oacc_need_device();
  return size > 0 ? malloc(size) : 0;
}

void acc_free(void *device) {
  nth_oacc_need_device();
  free(device);
}

/* --- data lifetimes --- */

/* The device address of data that are to be present; an empty range ends the program. */
static void *enter(void *host, size_t size) {
  struct nth_acc_error error;
  nth_oacc_need_device();
  if (!host || size == 0) {
    snprintf(error.text, sizeof error.text, "[%p,+%zu] is a bad range", host, size);
    nth_abi_fatal(error.text);
  }
  return host;
}

void *acc_copyin(void *host, size_t size) { return enter(host, size); }

void acc_copyin_async(void *host, size_t size, int async) {
  (void)async;
  enter(host, size);
}

void *acc_present_or_copyin(void *host, size_t size) { return enter(host, size); }

void *acc_pcopyin(void *host, size_t size) { return enter(host, size); }

void *acc_create(void *host, size_t size) { return enter(host, size); }

void acc_create_async(void *host, size_t size, int async) {
  (void)async;
  enter(host, size);
}

void *acc_present_or_create(void *host, size_t size) { return enter(host, size); }

void *acc_pcreate(void *host, size_t size) { return enter(host, size); }

void acc_copyout(void *host, size_t size) {
  (void)host, (void)size;
  nth_oacc_need_device();
}

void acc_copyout_async(void *host, size_t size, int async) {
  (void)host, (void)size, (void)async;
  nth_oacc_need_device();
}

void acc_copyout_finalize(void *host, size_t size) {
  (void)host, (void)size;
  nth_oacc_need_device();
}

void acc_copyout_finalize_async(void *host, size_t size, int async) {
  (void)host, (void)size, (void)async;
  nth_oacc_need_device();
}

void acc_delete(void *host, size_t size) {
  (void)host, (void)size;
  nth_oacc_need_device();
}

void acc_delete_async(void *host, size_t size, int async) {
  (void)host, (void)size, (void)async;
  nth_oacc_need_device();
}

void acc_delete_finalize(void *host, size_t size) {
  (void)host, (void)size;
  nth_oacc_need_device();
}

void acc_delete_finalize_async(void *host, size_t size, int async) {
  (void)host, (void)size, (void)async;
  nth_oacc_need_device();
}

/* --- transfers: the two places are one --- */

void acc_update_device(void *host, size_t size) {
  (void)host, (void)size;
  nth_oacc_need_device();
}

void acc_update_device_async(void *host, size_t size, int async) {
  (void)host, (void)size, (void)async;
  nth_oacc_need_device();
}

void acc_update_self(void *host, size_t size) {
  (void)host, (void)size;
  nth_oacc_need_device();
}

void acc_update_self_async(void *host, size_t size, int async) {
  (void)host, (void)size, (void)async;
  nth_oacc_need_device();
}

/* Ranges may overlap. */
static void copy(void *to, const void *from, size_t size) {
  nth_oacc_need_device();
  if (size > 0 && to != from)
    memmove(to, from, size);
}

void acc_memcpy_to_device(void *device, void *host, size_t size) { copy(device, host, size); }

void acc_memcpy_to_device_async(void *device, void *host, size_t size, int async) {
  (void)async;
  copy(device, host, size);
}

void acc_memcpy_from_device(void *host, void *device, size_t size) { copy(host, device, size); }

void acc_memcpy_from_device_async(void *host, void *device, size_t size, int async) {
  (void)async;
  copy(host, device, size);
}

void acc_memcpy_device(void *to, void *from, size_t size) { copy(to, from, size); }

void acc_memcpy_device_async(void *to, void *from, size_t size, int async) {
  (void)async;
  copy(to, from, size);
}

/* --- addresses --- */

void *acc_deviceptr(void *host) {
  nth_oacc_need_device();
  return host;
}

void *acc_hostptr(void *device) {
  nth_oacc_need_device();
  return device;
}

int acc_is_present(void *host, size_t size) {
  nth_oacc_need_device();
  return host && size > 0;
}

void acc_map_data(void *host, void *device, size_t size) {
  (void)size;
  nth_oacc_need_device();
  if (host != device)
    nth_abi_fatal("cannot map data on shared-memory system");
}

void acc_unmap_data(void *host) {
  (void)host;
  nth_oacc_need_device();
}

/* --- pointers in device data: they point to the device's memory as they are --- */

static void attach(void **pointer, int async) {
  (void)pointer;
  nth_oacc_need_device();
  nth_oacc_check_async(async);
}

void acc_attach(void **pointer) { attach(pointer, acc_async_sync); }

void acc_attach_async(void **pointer, int async) { attach(pointer, async); }

void acc_detach(void **pointer) { attach(pointer, acc_async_sync); }

void acc_detach_async(void **pointer, int async) { attach(pointer, async); }

void acc_detach_finalize(void **pointer) { attach(pointer, acc_async_sync); }

void acc_detach_finalize_async(void **pointer, int async) { attach(pointer, async); }
