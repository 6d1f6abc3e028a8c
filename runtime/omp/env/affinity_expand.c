/* affinity_expand.c - expands the fields of an affinity format
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Grammar     field := '%' [ '0' ] [ '.' ] [ width ] ( letter | '{' name '}' ) | '%%'
 *             A width pads on the right; with '.' it pads on the left, with '0.' numbers are padded
 *             with zeros.
 */
#include <pthread.h>
#include <unistd.h>

#include "runtime/omp/env/affinity_format.h"
#include "runtime/place/cpus/cpuset.h"

#define HOST_SIZE 256 /* HOST_NAME_MAX is 64 */

struct cursor {
  const char *at, *end;
};

struct field {
  bool zeros, right;
  size_t width;
  char letter;
};

static const struct {
  char letter;
  const char *name;
} fields[] = {{'t', "team_num"},       {'T', "num_teams"},   {'L', "nesting_level"},
              {'n', "thread_num"},     {'N', "num_threads"}, {'a', "ancestor_tnum"},
              {'H', "host"},           {'P', "process_id"},  {'i', "native_thread_id"},
              {'A', "thread_affinity"}};

#define FIELDS (sizeof fields / sizeof fields[0])

/* --- values --- */

/* How many columns a value of that length lacks to the field's width. */
static size_t padding(const struct field *f, size_t length) {
  return f->width > length ? f->width - length : 0;
}

static void put_text(struct nth_text *t, const struct field *f, const char *s, size_t n) {
  if (f->right)
    nth_text_repeat(t, ' ', padding(f, n));
  nth_text_bytes(t, s, n);
  if (!f->right)
    nth_text_repeat(t, ' ', padding(f, n));
}

/* Adds a number. Its prefix, a sign or 0x, stands before padding zeros. */
static void put_number(struct nth_text *t, const struct field *f, const char *prefix,
                       uint64_t value, unsigned base) {
  char digits[40];
  struct nth_text d = {digits, sizeof digits, 0};
  if (!f->zeros)
    nth_text_add(&d, prefix);
  nth_text_base(&d, value, base);
  if (f->zeros) {
    nth_text_add(t, prefix);
    nth_text_repeat(t, '0', padding(f, d.length + strlen(prefix)));
    nth_text_bytes(t, digits, d.length);
  } else
    put_text(t, f, digits, d.length);
}

static void put_signed(struct nth_text *t, const struct field *f, int64_t value) {
  put_number(t, f, value < 0 ? "-" : "", value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 10);
}

static void put_host(struct nth_text *t, const struct field *f) {
  char name[HOST_SIZE] = "";
  if (gethostname(name, sizeof name - 1) != 0)
    name[0] = 0;
  put_text(t, f, name, strlen(name));
}

/* The CPUs that the calling thread may run on now. */
static void put_affinity(struct nth_text *t, const struct field *f) {
  struct nth_cpuset set;
  if (!nth_cpuset_affinity(&set, 0)) {
    put_text(t, f, "0", 1);
    return;
  }
  struct nth_text measure = {0, 0, 0};
  nth_cpus_text(&measure, set.word, set.words, false);
  if (f->right)
    nth_text_repeat(t, ' ', padding(f, measure.length));
  nth_cpus_text(t, set.word, set.words, false);
  if (!f->right)
    nth_text_repeat(t, ' ', padding(f, measure.length));
  nth_cpuset_free(&set);
}

static void put(struct nth_text *t, const struct field *f, const struct nth_affinity_facts *facts) {
  switch (f->letter) {
  case 't': put_signed(t, f, facts->team_num); break;
  case 'T': put_signed(t, f, facts->num_teams); break;
  case 'L': put_signed(t, f, facts->level); break;
  case 'n': put_signed(t, f, facts->thread_num); break;
  case 'N': put_signed(t, f, facts->num_threads); break;
  case 'a': put_signed(t, f, facts->ancestor); break;
  case 'P': put_signed(t, f, getpid()); break;
  case 'i': put_number(t, f, "0x", (uint64_t)pthread_self(), 16); break;
  case 'H': put_host(t, f); break;
  default: put_affinity(t, f); break;
  }
}

/* --- fields --- */

/* The message is before, n bytes of s, after. If it is too long, s is cut. */
static bool fail(struct nth_affinity_error *error, const char *before, const char *s, size_t n,
                 const char *after) {
  struct nth_text t = {error->text, sizeof error->text, 0};
  size_t most = sizeof error->text - 1 - strlen(before) - strlen(after);
  nth_text_add(&t, before);
  nth_text_bytes(&t, s, n < most ? n : most);
  nth_text_add(&t, after);
  nth_text_end(&t);
  return false;
}

static char peek(const struct cursor *c) { return c->at < c->end ? *c->at : 0; }

static bool take(struct cursor *c, char wanted) {
  bool there = c->at < c->end && *c->at == wanted;
  c->at += there;
  return there;
}

static bool parse_long_name(struct cursor *c, struct field *f, struct nth_affinity_error *error) {
  const char *name = c->at;
  const char *close = memchr(name, '}', (size_t)(c->end - name));
  size_t n = (size_t)((close ? close : c->end) - name);
  if (!close)
    return fail(error, "unterminated long type name '", name, n, "' in affinity format");
  c->at = close + 1;
  for (size_t i = 0; i < FIELDS; i++)
    if (strlen(fields[i].name) == n && !memcmp(fields[i].name, name, n)) {
      f->letter = fields[i].letter;
      return true;
    }
  return fail(error, "unsupported long type name '", name, n, "' in affinity format");
}

/* Parses what stands after the percent sign. */
static bool parse_field(struct cursor *c, struct field *f, struct nth_affinity_error *error) {
  *f = (struct field){0};
  f->zeros = take(c, '0');
  if (f->zeros && peek(c) != '.')
    return fail(error, "leading zero not followed by dot in affinity format", "", 0, "");
  f->right = take(c, '.');
  bool sized = peek(c) >= '1' && peek(c) <= '9';
  for (; peek(c) >= '0' && peek(c) <= '9' && sized; c->at++) {
    size_t digit = (size_t)(*c->at - '0');
    f->width = f->width > (SIZE_MAX / 2 - digit) / 10 ? SIZE_MAX / 2 : f->width * 10 + digit;
  }
  if (f->right && !sized)
    return fail(error, "leading zero or right justification in affinity format requires size", "",
                0, "");
  if (take(c, '{'))
    return parse_long_name(c, f, error);
  for (size_t i = 0; i < FIELDS; i++)
    if (take(c, fields[i].letter)) {
      f->letter = fields[i].letter;
      return true;
    }
  return fail(error, "unsupported type ", c->at, c->at < c->end, " in affinity format");
}

bool nth_affinity_expand(struct nth_text *t, const char *format, size_t length,
                         const struct nth_affinity_facts *facts, struct nth_affinity_error *error) {
  struct cursor c = {format, format + length};
  while (c.at < c.end) {
    const char *percent = memchr(c.at, '%', (size_t)(c.end - c.at));
    const char *stop = percent ? percent : c.end;
    nth_text_bytes(t, c.at, (size_t)(stop - c.at));
    if (!percent)
      return true;
    c.at = percent + 1;
    struct field f;
    if (take(&c, '%'))
      nth_text_bytes(t, "%", 1);
    else if (parse_field(&c, &f, error))
      put(t, &f, facts);
    else
      return false;
  }
  return true;
}
