/* api_target.c - device routines: the host is the only device
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 18.7 and 18.8; omp_target_memset and device UIDs: OpenMP 6.0, sections 24
 * and 25. The host's device number is 0, the number of devices, or omp_initial_device. A routine
 * fails if its device number is not the host's. omp_invalid_device ends the program; with
 * OMP_TARGET_OFFLOAD=mandatory so does every number but the host's. Sizes and offsets are in bytes.
 *
 * omp_get_num_devices       devices besides the host: 0. 18.7.3
 * omp_get_initial_device    the host's number: 0. 18.7.6
 * omp_get_device_num        the number of the device that the caller runs on, the host's. 18.7.4
 * omp_is_initial_device     whether the caller runs on the host: 1. 18.7.5
 * omp_get_default_device    default-device-var of the current task. 18.7.2
 * omp_set_default_device    sets that variable; it takes any number, which is checked where it is
 *                           used. 18.7.1
 * omp_get_uid_from_device   a device's unique text, a constant; NULL: no such device. No number
 *                           ends the program here
 * omp_get_device_from_uid   the number of the device with that text, omp_initial_device for the
 *                           host; omp_invalid_device: none has it, or uid is NULL
 * omp_get_device_distances  how far each of the devices is from the caller: the host 0, any other
 *                           -1: not known. OpenMP 6.1
 *
 * omp_target_alloc,         memory of the heap; NULL: no memory, or no such device. Freeing NULL,
 * omp_target_free           or for no such device, does nothing. 18.8.1, 18.8.2
 * omp_target_is_present     whether the object at ptr is mapped: 1 for the host. 18.8.3
 * omp_target_is_accessible  whether the device can access the size bytes: 1 for the host. 18.8.4
 * omp_get_mapped_ptr        the address that ptr has on the device: ptr for the host. 18.8.11
 *                           For no such device, NULL or size 0 these three give 0 or NULL. With
 *                           NULL or size 0 the number is not checked, so none ends the program
 * omp_target_*associate_ptr EINVAL: on the host no memory is the counterpart of other memory.
 *                           18.8.9, 18.8.10
 *
 * omp_target_memcpy         copies length bytes from src + src_offset to dst + dst_offset; they may
 *                           overlap. 0; EINVAL: no such device, or NULL with length > 0. 18.8.5
 * omp_target_memcpy_rect    copies a block of num_dims dimensions. volume, offsets and dimensions
 *                           of the arrays have num_dims numbers, in elements of element_size
 *                           bytes, outermost first. 0; EINVAL: no such device, NULL with a block
 *                           that is not empty, num_dims < 1, or a size beyond the address space.
 *                           dst and src NULL: returns the greatest num_dims. 18.8.6
 * omp_target_memset         sets count bytes to the low byte of value and returns ptr, even if
 *                           there is no such device. ptr NULL: nothing is set
 * omp_target_*_async        as without _async, after the depobj_count dependences of depobj_list
 *                           (0: none) are fulfilled; done when the call returns. 18.8.7, 18.8.8. If
 *                           there is no memory for a long list the program ends
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "abi_protos.h"

#include "abi/depend_check.h"
#include "abi/device.h"
#include "abi/tool.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/target/target.h"
#include "runtime/omp/tasks/depend.h"

/* --- devices --- */

int omp_get_num_devices(void) { return 0; }

int omp_get_initial_device(void) { return 0; }

int omp_get_device_num(void) { return 0; }

int omp_is_initial_device(void) { return 1; }

int omp_get_default_device(void) { return nth_icv_read()->default_device; }

/* omp_default_device would set the variable to itself. */
void omp_set_default_device(int device) {
  if (device != omp_default_device)
    nth_icv_mine()->default_device = device;
}

static const char host_uid[] = "OMP_INITIAL_DEVICE";

/* NULL: no such device. */
const char *omp_get_uid_from_device(int device) {
  if (device == omp_default_device)
    device = nth_icv_read()->default_device;
  bool host = device == NTH_DEVICE_HOST || device == NTH_DEVICE_INITIAL;
  return host ? host_uid : 0;
}

int omp_get_device_from_uid(const char *uid) {
  return uid && !strcmp(uid, host_uid) ? NTH_DEVICE_INITIAL : NTH_DEVICE_INVALID;
}

void omp_get_device_distances(int count, const int *devices, int *distances) {
  const char *text;
  for (int i = 0; i < count; i++)
    distances[i] = nth_device_of_routine(devices[i], &text) == NTH_DEVICE_IS_HOST ? 0 : -1;
}

/* --- memory and mappings --- */

/* NULL: no memory, or no such device. */
void *omp_target_alloc(size_t size, int device) {
  return nth_abi_is_host(device) ? malloc(size) : 0;
}

void omp_target_free(void *ptr, int device) {
  if (ptr && nth_abi_is_host(device))
    free(ptr);
}

/* These three test for NULL and size 0 before they check the number. */
int omp_target_is_present(const void *ptr, int device) { return ptr && nth_abi_is_host(device); }

int omp_target_is_accessible(const void *ptr, size_t size, int device) {
  return ptr && size > 0 && nth_abi_is_host(device);
}

void *omp_get_mapped_ptr(const void *ptr, int device) {
  return ptr && nth_abi_is_host(device) ? (void *)(uintptr_t)ptr : 0;
}

/* Host memory has no counterpart: EINVAL, as for a device that does not exist. */
int omp_target_associate_ptr(const void *host_ptr, const void *device_ptr, size_t size,
                             size_t device_offset, int device) {
  (void)host_ptr;
  (void)device_ptr;
  (void)size;
  (void)device_offset;
  (void)nth_abi_is_host(device);
  return EINVAL;
}

int omp_target_disassociate_ptr(const void *ptr, int device) {
  (void)ptr;
  (void)nth_abi_is_host(device);
  return EINVAL;
}

/* --- copies: 0, or EINVAL --- */

int omp_target_memcpy(void *dst, const void *src, size_t length, size_t dst_offset,
                      size_t src_offset, int dst_device, int src_device) {
  if (!nth_abi_is_host(dst_device) || !nth_abi_is_host(src_device))
    return EINVAL;
  if (length == 0)
    return 0;
  if (!dst || !src)
    return EINVAL;
  memmove((char *)dst + dst_offset, (const char *)src + src_offset, length);
  return 0;
}

/* dst and src NULL: returns the greatest num_dims. */
int omp_target_memcpy_rect(void *dst, const void *src, size_t element_size, int num_dims,
                           const size_t *volume, const size_t *dst_offsets,
                           const size_t *src_offsets, const size_t *dst_dimensions,
                           const size_t *src_dimensions, int dst_device, int src_device) {
  if (!dst && !src)
    return INT_MAX;
  if (!nth_abi_is_host(dst_device) || !nth_abi_is_host(src_device) || num_dims < 1)
    return EINVAL;
  struct nth_target_array to = {dst, dst_offsets, dst_dimensions};
  struct nth_target_array from = {(char *)(uintptr_t)src, src_offsets, src_dimensions};
  return nth_target_copy_block(&to, &from, element_size, volume, num_dims) ? 0 : EINVAL;
}

/* Returns ptr. As for constructs, the host stands in for a device that does not exist. */
void *omp_target_memset(void *ptr, int value, size_t count, int device) {
  (void)nth_abi_is_host(device);
  return ptr && count ? memset(ptr, value, count) : ptr;
}

/* --- copies as tasks: they run at once, after the tasks on which they depend --- */

/* Waits for depend objects: makes an array of the new format (omp/tasks/depend.h) of them. */
static void wait_for(int count, omp_depend_t *objects) {
  if (count <= 0 || !objects)
    return;
  void *few[32], **depend = count <= 27 ? few : malloc((5 + (size_t)count) * sizeof(void *));
  if (!depend)
    nth_abi_fatal("Out of memory waiting for dependences");
  depend[0] = depend[2] = depend[3] = depend[4] = 0;
  depend[1] = (void *)(uintptr_t)count;
  for (int i = 0; i < count; i++)
    depend[5 + i] = &objects[i];
  nth_abi_check_depend(depend);
  NTH_DEPEND_WAIT(nth_member_get(), depend);
  if (depend != few)
    free(depend);
}

int omp_target_memcpy_async(void *dst, const void *src, size_t length, size_t dst_offset,
                            size_t src_offset, int dst_device, int src_device, int depobj_count,
                            omp_depend_t *depobj_list) {
  wait_for(depobj_count, depobj_list);
  return omp_target_memcpy(dst, src, length, dst_offset, src_offset, dst_device, src_device);
}

int omp_target_memcpy_rect_async(void *dst, const void *src, size_t element_size, int num_dims,
                                 const size_t *volume, const size_t *dst_offsets,
                                 const size_t *src_offsets, const size_t *dst_dimensions,
                                 const size_t *src_dimensions, int dst_device, int src_device,
                                 int depobj_count, omp_depend_t *depobj_list) {
  if (dst || src)
    wait_for(depobj_count, depobj_list);
  return omp_target_memcpy_rect(dst, src, element_size, num_dims, volume, dst_offsets, src_offsets,
                                dst_dimensions, src_dimensions, dst_device, src_device);
}

void *omp_target_memset_async(void *ptr, int value, size_t count, int device, int depobj_count,
                              omp_depend_t *depobj_list) {
  wait_for(depobj_count, depobj_list);
  return omp_target_memset(ptr, value, count, device);
}
