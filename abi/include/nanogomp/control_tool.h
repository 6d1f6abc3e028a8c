/* control_tool.h - commands of a program to the tool that watches it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 18.14: omp_control_tool(), which gcc's omp.h lacks before gcc 17. In
 * libgomp.so.1 at version node OMP_6.0. A program that must run on an earlier libgomp, too,
 * declares it weak and looks whether it is there.
 *
 *   if (omp_control_tool(omp_control_tool_pause, 0, NULL) < 0)
 *     puts("no tool listens");
 */
#ifndef NANOGOMP_CONTROL_TOOL_H
#define NANOGOMP_CONTROL_TOOL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 17
#include <omp.h> /* declares the types and the function */
#else

/* Commands; from 64 on they are the tool's own. */
typedef enum omp_control_tool_t {
  omp_control_tool_start = 1, /* go on watching; nothing happens to a tool that does */
  omp_control_tool_pause = 2,
  omp_control_tool_flush = 3, /* write what has been collected */
  omp_control_tool_end = 4    /* stop for good */
} omp_control_tool_t;

/* Answers; from 64 on they are the tool's own. */
typedef enum omp_control_tool_result_t {
  omp_control_tool_notool = -2,
  omp_control_tool_nocallback = -1, /* the tool takes no commands */
  omp_control_tool_success = 0,
  omp_control_tool_ignored = 1
} omp_control_tool_result_t;

/* Tells the tool. modifier, arg: as the tool wants them. */
int omp_control_tool(int command, int modifier, void *arg);
#endif
/* As Fortran calls it: integer function omp_control_tool(command, modifier). */
int32_t omp_control_tool_(const int32_t *command, const int32_t *modifier);

#ifdef __cplusplus
}
#endif

#endif
