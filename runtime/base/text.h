/* text.h - builds a text piece by piece in a buffer that may be too small
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Displays, affinity lines and reports are made of many pieces, without allocation and
 *             without a format. They need the contract of snprintf: always terminated, and the
 *             needed length returned.
 * Use         struct nth_text t = {buffer, size, 0}; add pieces; length = nth_text_end(&t). length
 *             grows past size, so a first run can measure.
 */
#ifndef NTH_BASE_TEXT_H
#define NTH_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runtime/base/check.h"

struct nth_text {
  char *at;      /* may be NULL when size is 0 */
  size_t size;   /* bytes of the buffer */
  size_t length; /* characters added so far, fitting or not; stops at SIZE_MAX */
};

/* Characters that still fit, without the terminator. */
static inline size_t nth_text_room(const struct nth_text *t) {
  return t->size > 0 && t->length < t->size - 1 ? t->size - 1 - t->length : 0;
}

static inline void nth_text_count(struct nth_text *t, size_t n) {
  t->length = n > SIZE_MAX - t->length ? SIZE_MAX : t->length + n;
}

static inline void nth_text_bytes(struct nth_text *t, const char *from, size_t n) {
  size_t room = nth_text_room(t);
  nth_assert(t->at || t->size == 0);
  if (n > 0 && room > 0)
    memcpy(t->at + t->length, from, n < room ? n : room);
  nth_text_count(t, n);
}

static inline void nth_text_add(struct nth_text *t, const char *s) {
  nth_text_bytes(t, s, strlen(s));
}

static inline void nth_text_repeat(struct nth_text *t, char c, size_t n) {
  size_t room = nth_text_room(t);
  if (n > 0 && room > 0)
    memset(t->at + t->length, c, n < room ? n : room);
  nth_text_count(t, n);
}

/* An unsigned number in base 10 or 16, no prefix. */
static inline void nth_text_base(struct nth_text *t, uint64_t value, unsigned base) {
  char digits[24];
  size_t first = sizeof digits;
  nth_assert(base == 10 || base == 16);
  do {
    digits[--first] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value != 0);
  nth_text_bytes(t, digits + first, sizeof digits - first);
}

static inline void nth_text_unsigned(struct nth_text *t, uint64_t value) {
  nth_text_base(t, value, 10);
}

static inline void nth_text_signed(struct nth_text *t, int64_t value) {
  if (value < 0)
    nth_text_repeat(t, '-', 1);
  nth_text_unsigned(t, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* Terminates the part that fitted. Returns the length of the whole text. */
static inline size_t nth_text_end(struct nth_text *t) {
  if (t->size > 0)
    t->at[t->length < t->size ? t->length : t->size - 1] = 0;
  return t->length;
}

#endif
