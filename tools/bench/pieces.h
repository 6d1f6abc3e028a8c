/* pieces.h - work in pieces of one size, and how much of it the machine does
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For programs that say what share of the machine's work a runtime does: nthbench-allow, -share.
 */
#ifndef NTHBENCH_PIECES_H
#define NTHBENCH_PIECES_H

/* Turns of bench_work() in a piece, 100 us. w: main, by bench_calibrate_piece(); r: all */
extern long bench_piece;

/* Finds bench_piece: some ms. Before there are other threads. */
void bench_calibrate_piece(void);

/* Pieces per ns that threads without OpenMP do, one for each of so many CPUs. Takes 0.25 s. */
double bench_rate(int cpus);

#endif
