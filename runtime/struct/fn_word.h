/* fn_word.h - a word of a table by functions: a function's address and a number
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         What is learned of a construct is kept by the function that the compiler made for it.
 *             A table has few rows, so functions share them: a word tells whose number it has. It
 *             is one word, so that threads read and write both at once.
 * Use         row() chooses the word; number() reads it, word() makes the new one
 * Invariants  I1  the number is in the lowest 16 bits, the address without its highest 16 above. So
 *                 two functions whose addresses are equal in 48 bits are taken for one
 * Cost        a few instructions; rows is a constant
 * Tested by   tests/unit/brief.c
 */
#ifndef NTH_STRUCT_FN_WORD_H
#define NTH_STRUCT_FN_WORD_H

#include <stdbool.h>
#include <stdint.h>

#define NTH_FN_NUMBER_MOST UINT64_C(0xffff)

/* The row of a function, which begins at a multiple of 16. rows: a power of two. */
static inline uint32_t nth_fn_row(uintptr_t fn, uint32_t rows) {
  return (uint32_t)(fn >> 4 ^ fn >> 10) & (rows - 1);
}

static inline uint64_t nth_fn_word(void (*fn)(void *), uint64_t number) {
  return (uint64_t)(uintptr_t)fn << 16 | number;
}

/* Whether a word is the function's. */
static inline bool nth_fn_has(uint64_t word, void (*fn)(void *)) {
  return (word & ~NTH_FN_NUMBER_MOST) == nth_fn_word(fn, 0);
}

/* The function's number in a word, 0 if the word is another's. */
static inline uint64_t nth_fn_number(uint64_t word, void (*fn)(void *)) {
  return nth_fn_has(word, fn) ? word & NTH_FN_NUMBER_MOST : 0;
}

#endif
