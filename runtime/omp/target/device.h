/* device.h - device numbers on a machine that has only the host
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A device clause and the device routines name the host in several ways, and GCC passes
 *             a clause's number in a coding of its own.
 * How         OpenMP 5.2, sections 1.2.1, 13.2: conforming numbers are omp_initial_device and 0 to
 *             the number of devices. That number is 0 and stands for the host as well.
 *             OMP_TARGET_OFFLOAD decides what any other number means.
 */
#ifndef NTH_OMP_DEVICE_H
#define NTH_OMP_DEVICE_H

enum {
  NTH_DEVICE_HOST = 0,     /* omp_get_num_devices(): the host comes after the devices */
  NTH_DEVICE_INITIAL = -1, /* omp_initial_device */
  NTH_DEVICE_INVALID = -4, /* omp_invalid_device */
  NTH_DEVICE_DEFAULT = -5  /* omp_default_device */
};

/* What the compiler passes for a construct. */
enum { NTH_CLAUSE_NONE = -1, NTH_CLAUSE_HOST = -2 }; /* other numbers are as above */

enum nth_device {
  NTH_DEVICE_IS_HOST,
  NTH_DEVICE_UNKNOWN, /* no such device: constructs run on the host, routines fail */
  NTH_DEVICE_ENDS     /* the program ends with the text */
};

/* The device of a number as programs give it to a routine, and as a construct passes it. *text: set
 * for NTH_DEVICE_ENDS. */
enum nth_device nth_device_of_routine(int number, const char **text);
enum nth_device nth_device_of_clause(int number, const char **text);

#endif
