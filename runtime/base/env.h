/* env.h - parsers of what stands in an environment variable
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The grammars of OpenMP variables share a few pieces. They know nothing of OpenMP's
 *             state, need no memory and take any bytes (tests/fuzz/env_fuzz.c).
 * Use         Each takes a cursor into a terminated string. When the item is there the cursor
 *             moves past it and the blanks after it, and the result is true. Otherwise the cursor
 *             stays at the item's first non-blank: that is what a message shows as not
 *             understood.
 *             A variable is good when its items are and nth_env_end() holds after them.
 *             Numbers are decimal, also in other locales; blanks are the C locale's.
 */
#ifndef NTH_BASE_ENV_H
#define NTH_BASE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool nth_env_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Blanks, then the terminator. Moves past the blanks. */
bool nth_env_end(const char **at);

/* One character. */
bool nth_env_char(const char **at, char c);

/* [+] digits, at most max; of negative numbers only -0. */
bool nth_env_unsigned(const char **at, uint64_t *value, uint64_t max);

/* [+|-] digits. */
bool nth_env_signed(const char **at, int64_t *value);

/* word in any case, not followed by a letter, digit or underscore. word is in small letters. */
bool nth_env_word(const char **at, const char *word);

/* The index of the word that stands there, or -1. */
int nth_env_choice(const char **at, const char *const *words, size_t count);

/* The whole rest: numbers >= 1 separated by commas. The first `capacity` of them are stored, *count
 * is how many there are. On failure the cursor is at the number that is wrong. */
bool nth_env_unsigned_list(const char **at, uint64_t *items, size_t capacity, size_t *count);

/* number [B|K|M|G], K without a letter, in bytes. */
bool nth_env_size(const char **at, uint64_t *bytes);

/* number [k|m|g|t] in decimal thousands, saturating; infinite | infinity: UINT64_MAX. */
bool nth_env_spin(const char **at, uint64_t *count);

#endif
