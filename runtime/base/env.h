/* env.h - parsers for the values of environment variables
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The grammars of OpenMP's variables share a few pieces. These parsers know nothing of
 *             OpenMP's state, need no memory and take any bytes (tests/fuzz/env_fuzz.c).
 * Use         Each parser takes a cursor into a terminated string. If the item is there, the cursor
 *             moves past it and the blanks after it, and the result is true. Otherwise the cursor
 *             stays at the item's first non-blank, which a message shows as not understood.
 *             A variable is good when its items are good and nth_env_end() holds after them.
 *             Numbers are decimal in every locale; blanks are those of the C locale.
 */
#ifndef NTH_BASE_ENV_H
#define NTH_BASE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool nth_env_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Only blanks up to the terminator. Moves past the blanks. */
bool nth_env_end(const char **at);

/* This character. */
bool nth_env_char(const char **at, char c);

/* [+] digits, at most max; the only negative number taken is -0. */
bool nth_env_unsigned(const char **at, uint64_t *value, uint64_t max);

/* [+|-] digits. */
bool nth_env_signed(const char **at, int64_t *value);

/* This word in upper or lower case, not followed by a letter, digit or underscore. `word` itself is
 * in lower case. */
bool nth_env_word(const char **at, const char *word);

/* Returns the index of the word that stands there, or -1. */
int nth_env_choice(const char **at, const char *const *words, size_t count);

/* The whole rest: numbers >= 1, separated by commas. Stores the first `capacity` of them; *count is
 * the number of all. On failure the cursor is at the number that is wrong. */
bool nth_env_unsigned_list(const char **at, uint64_t *items, size_t capacity, size_t *count);

/* number [B|K|M|G]; no letter means K. *bytes is in bytes. */
bool nth_env_size(const char **at, uint64_t *bytes);

/* number [k|m|g|t], decimal: k is 1000. UINT64_MAX if it is larger than that, and for infinite |
 * infinity. */
bool nth_env_spin(const char **at, uint64_t *count);

/* Copies the first length bytes of a text, as far as they fit, with unprintable bytes replaced.
 * Returns buffer. */
const char *nth_env_printable(char *buffer, size_t size, const char *from, size_t length);
enum { NTH_ENV_SHOWN = 41 }; /* bytes of a value that a message has room for, and one */
const char *nth_env_shown(char buffer[NTH_ENV_SHOWN], const char *value);

#endif
