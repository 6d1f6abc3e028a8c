/* oacc_data.c - OpenACC's data functions on the host device, which shares the host's memory
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenACC 2.6, sections 3.2.18 to 3.2.35. All host memory is present, at its own address. Nothing
 * is counted, moved or attached, so all functions of a group do the same. The asynchronous forms
 * have done it when they return. Sizes are in bytes.
 *
 * acc_malloc, acc_free     device memory, from the heap; NULL: size 0, or there is none. Freeing
 *                          NULL does nothing. 3.2.18, 3.2.19
 * acc_copyin*              make data present, with the host's values. They return the device
 *                          address, which is `host`. host NULL or size 0 ends the program. 3.2.20
 * acc_create*              make data present, without values; otherwise as acc_copyin*. 3.2.21
 * acc_present_or_copyin,   names of OpenACC 2.0 for acc_copyin and acc_create
 * acc_pcopyin, acc_present_or_create, acc_pcreate
 * acc_copyout*             end the use of data and bring the device's values back; _finalize:
 *                          whatever their reference count. Data stay where they are; any range is
 *                          allowed. 3.2.22
 * acc_delete*              end the use of data; otherwise as acc_copyout*. 3.2.23
 * acc_update_device*       give the device's copy the host's values. The copy is the original.
 *                          3.2.24
 * acc_update_self*         give the host's data the device's values. 3.2.25
 * acc_map_data             makes `device` the device's copy of `host`; another address than `host`
 *                          ends the program. 3.2.26
 * acc_unmap_data           undoes acc_map_data. 3.2.27
 * acc_deviceptr            the device address of a host address: the same address. 3.2.28
 * acc_hostptr              the host address of a device address: the same address. 3.2.29
 * acc_is_present           whether all of a range is present: 1, or 0 for NULL or size 0. 3.2.30
 * acc_memcpy_to_device*    copy size bytes to device memory. 3.2.31
 * acc_memcpy_from_device*  copy size bytes from device memory. 3.2.32
 * acc_memcpy_device*       copy size bytes within device memory. In all three the ranges may
 *                          overlap. 3.2.33
 * acc_attach*, acc_detach* make a pointer within device data point to the device's copy of its
 *                          target, or undo that: *pointer stays as it is. 3.2.34, 3.2.35
 *
 * The _async forms take a queue. Only attach and detach check it: a number below acc_async_sync
 * ends the program. Each function gives the calling thread the device. If ACC_DEVICE_TYPE or
 * ACC_DEVICE_NUM is not the host's, the program ends. The status is 1.
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

/* Makes data present and returns their device address; an empty range ends the program. */
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

/* --- transfers: source and target are one --- */

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

/* --- pointers in device data: they already point to the device's memory --- */

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
