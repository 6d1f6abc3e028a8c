/* msg.h - prints the runtime's messages
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each message goes to stderr in one write, so that lines of several threads do not mix. Three
 * other files write: sched/nano/overflow.c, in a handler of a thread whose stack is used up;
 * omp/tool/tool.c and omp/process/structures.c, what the user asks for, into the file that he
 * names.
 */
#ifndef NTH_BASE_MSG_H
#define NTH_BASE_MSG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Prints "nanogomp: TEXT". The text says what happened, why, and what is used instead. */
void nth_msg(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, only with NTH_VERBOSE set. */
void nth_msg_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a line in libgomp's form (newline, "libgomp: ", TEXT, newline), for messages that users
 * and test suites know. */
void nth_msg_libgomp(const char *format, ...) __attribute__((format(printf, 1, 2)));
void nth_msg_vlibgomp(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* The same for TEXT and then any bytes of the program's. */
void nth_msg_libgomp_bytes(const char *text, const char *bytes, size_t length);

/* Prints TEXT as it is. */
void nth_msg_raw(const char *text);
void nth_msg_vplain(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Whether NTH_VERBOSE asks for more than warnings. Set while the environment is read. */
extern bool nth_verbose;

#endif
