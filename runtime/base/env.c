/* env.c - parsers for the values of environment variables
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/env.h"

#include <string.h>

#include "runtime/base/check.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }
static bool is_word(char c) {
  return is_digit(c) || c == '_' || (lower(c) >= 'a' && lower(c) <= 'z');
}

static const char *skip_blanks(const char *s) {
  while (nth_env_blank(*s))
    s++;
  return s;
}

bool nth_env_end(const char **at) {
  *at = skip_blanks(*at);
  return **at == 0;
}

bool nth_env_char(const char **at, char c) {
  *at = skip_blanks(*at);
  if (c == 0 || **at != c)
    return false;
  *at = skip_blanks(*at + 1);
  return true;
}

/* Sign and digits; the cursor moves only on success, except past blanks. */
static bool magnitude(const char **at, bool *negative, uint64_t *value) {
  const char *s = *at = skip_blanks(*at);
  *negative = *s == '-';
  if (*s == '+' || *s == '-')
    s++;
  if (!is_digit(*s))
    return false;
  uint64_t sum = 0;
  for (; is_digit(*s); s++) {
    uint64_t digit = (uint64_t)(*s - '0');
    if (sum > (UINT64_MAX - digit) / 10)
      return false;
    sum = sum * 10 + digit;
  }
  *value = sum;
  *at = skip_blanks(s);
  return true;
}

bool nth_env_unsigned(const char **at, uint64_t *value, uint64_t max) {
  const char *s = *at = skip_blanks(*at);
  bool negative;
  uint64_t v;
  if (!magnitude(&s, &negative, &v) || v > max || (negative && v != 0))
    return false;
  *value = v;
  *at = s;
  return true;
}

bool nth_env_signed(const char **at, int64_t *value) {
  const char *s = *at = skip_blanks(*at);
  bool negative;
  uint64_t v;
  if (!magnitude(&s, &negative, &v) || v > (uint64_t)INT64_MAX + (negative ? 1 : 0))
    return false;
  *value = negative ? (int64_t)(0 - v) : (int64_t)v;
  *at = s;
  return true;
}

bool nth_env_word(const char **at, const char *word) {
  const char *s = *at = skip_blanks(*at);
  nth_assert(is_word(*word) && lower(*word) == *word);
  for (; *word; word++, s++)
    if (lower(*s) != *word)
      return false;
  if (is_word(*s))
    return false;
  *at = skip_blanks(s);
  return true;
}

int nth_env_choice(const char **at, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (nth_env_word(at, words[i]))
      return (int)i;
  return -1;
}

bool nth_env_unsigned_list(const char **at, uint64_t *items, size_t capacity, size_t *count) {
  size_t n = 0;
  nth_assert(items || capacity == 0);
  for (;; n++) {
    const char *s = *at = skip_blanks(*at);
    uint64_t value;
    if (!nth_env_unsigned(&s, &value, INT64_MAX) || value == 0 || (*s != ',' && *s != 0))
      return false;
    if (n < capacity)
      items[n] = value;
    if (*s == 0) {
      *at = s;
      *count = n + 1;
      return true;
    }
    *at = s + 1;
  }
}

bool nth_env_size(const char **at, uint64_t *bytes) {
  const char *s = *at = skip_blanks(*at);
  uint64_t value;
  if (!nth_env_unsigned(&s, &value, UINT64_MAX))
    return false;
  unsigned shift = 10;
  bool letter = true;
  switch (lower(*s)) {
  case 'b': shift = 0; break;
  case 'k': break;
  case 'm': shift = 20; break;
  case 'g': shift = 30; break;
  default: letter = false; break;
  }
  s += letter;
  if (is_word(*s) || value > UINT64_MAX >> shift)
    return false;
  *bytes = value << shift;
  *at = skip_blanks(s);
  return true;
}

bool nth_env_spin(const char **at, uint64_t *count) {
  if (nth_env_word(at, "infinite") || nth_env_word(at, "infinity")) {
    *count = UINT64_MAX;
    return true;
  }
  const char *s = *at = skip_blanks(*at);
  bool negative;
  uint64_t value, unit = 1;
  if (!magnitude(&s, &negative, &value))
    return false;
  switch (lower(*s)) {
  case 't': unit *= 1000; /* fall through */
  case 'g': unit *= 1000; /* fall through */
  case 'm': unit *= 1000; /* fall through */
  case 'k':
    unit *= 1000;
    s++;
    break;
  default: break;
  }
  if (is_word(*s))
    return false;
  /* libgomp takes -1 for the largest number, and users write it */
  bool huge = value > UINT64_MAX / unit || (negative && value != 0);
  *count = huge ? UINT64_MAX : value * unit;
  *at = skip_blanks(s);
  return true;
}

/* --- how values are shown --- */

const char *nth_env_printable(char *buffer, size_t size, const char *from, size_t length) {
  size_t n = 0;
  for (; n < length && n < size - 1; n++) {
    unsigned char c = (unsigned char)from[n];
    buffer[n] = c < 0x20 || c == 0x7f ? '?' : (char)c;
  }
  buffer[n] = 0;
  return buffer;
}

const char *nth_env_shown(char buffer[NTH_ENV_SHOWN], const char *value) {
  return nth_env_printable(buffer, NTH_ENV_SHOWN, value, strlen(value));
}
