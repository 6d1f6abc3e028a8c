/* env_fuzz.c - any bytes as values of environment variables: no crash, no hang, no contradiction
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One input is tried on all grammars: the pieces of base/env.h, OMP_PLACES, GOMP_CPU_AFFINITY, CPU
 * lists, affinity formats, and every variable of env_vars.c. What is accepted is shown and read
 * again: both must agree.
 *
 * libFuzzer:  clang -fsanitize=fuzzer,address,undefined -DNTH_LIBFUZZER ... env_fuzz.c
 * else:       env_fuzz [inputs [seed]] makes random inputs of likely words and of bytes; a failure
 *             shows its input. ctest runs this (unit/env_fuzz).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/env.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/env/affinity_format.h"
#include "runtime/omp/env/env_vars.h"
#include "runtime/omp/memory/allocator.h"
#include "runtime/place/places/place_parse.h"
#include "runtime/place/places/places.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *input; /* for the report */

static void failed(const char *what, int line) {
  fprintf(stderr, "env_fuzz.c:%d: %s does not hold for input:", line, what);
  for (const char *s = input; *s; s++)
    fprintf(stderr, " %02x", (unsigned char)*s);
  fprintf(stderr, "\n%s\n", input);
  abort();
}
#define CHECK(c) ((c) ? (void)0 : failed(#c, __LINE__))

/* --- messages go nowhere, but are formatted --- */

bool nth_verbose;

static void swallow(const char *format, va_list args) {
  char line[256];
  CHECK(vsnprintf(line, sizeof line, format, args) >= 0);
}

void nth_msg(const char *format, ...) {
  va_list args;
  va_start(args, format);
  swallow(format, args);
  va_end(args);
}

void nth_msg_verbose(const char *format, ...) {
  va_list args;
  va_start(args, format);
  swallow(format, args);
  va_end(args);
}

void nth_msg_libgomp(const char *format, ...) {
  va_list args;
  va_start(args, format);
  swallow(format, args);
  va_end(args);
}

void nth_msg_vlibgomp(const char *format, va_list args) { swallow(format, args); }

void nth_msg_raw(const char *text) { (void)text; }

/* --- pieces --- */

static void check_cursor(const char *text, const char *at) {
  CHECK(at >= text && at <= text + strlen(text));
}

static void try_numbers(const char *text) {
  uint64_t value = 7;
  int64_t number = 7;
  const char *at = text;
  if (nth_env_unsigned(&at, &value, 1000))
    CHECK(value <= 1000 && at > text);
  else
    CHECK(value == 7);
  check_cursor(text, at);
  at = text;
  if (nth_env_signed(&at, &number))
    CHECK(number == strtoll(text, 0, 10));
  check_cursor(text, at);
  at = text;
  if (nth_env_size(&at, &value))
    CHECK(at > text);
  check_cursor(text, at);
  at = text;
  if (nth_env_spin(&at, &value))
    CHECK(at > text);
  check_cursor(text, at);
}

static void try_list(const char *text) {
  uint64_t few[2] = {0, 0}, many[64] = {0};
  size_t count = 0, again = 0;
  const char *at = text;
  bool good = nth_env_unsigned_list(&at, few, 2, &count);
  check_cursor(text, at);
  at = text;
  CHECK(nth_env_unsigned_list(&at, many, 64, &again) == good && again == count);
  if (!good)
    return;
  CHECK(*at == 0 && count > 0 && many[0] > 0 && few[0] == many[0] && few[1] == many[1]);
  size_t commas = 0;
  for (const char *c = text; *c; c++)
    commas += *c == ',';
  CHECK(commas == count - 1);
}

/* --- CPU sets --- */

static void try_cpus(const char *text) {
  uint64_t set[3] = {0}, again[3] = {0};
  char list[2048];
  if (!nth_cpus_parse(set, 3, text))
    return;
  struct nth_text t = {list, sizeof list, 0};
  nth_cpus_text(&t, set, 3, false);
  CHECK(nth_text_end(&t) < sizeof list);
  CHECK(nth_cpus_parse(again, 3, list) && !memcmp(set, again, sizeof set));
}

/* Reads the list as it is shown. */
static void check_places_text(const struct nth_places *p, const struct nth_cpuset *usable) {
  struct nth_text t = {0, 0, 0};
  nth_places_text(&t, p);
  char *shown = malloc(t.length + 1);
  CHECK(shown);
  t = (struct nth_text){shown, t.length + 1, 0};
  nth_places_text(&t, p);
  nth_text_end(&t);
  struct nth_place_result r;
  nth_place_parse(&r, shown, usable);
  CHECK(r.kind == NTH_PLACES_LIST && r.places->count == p->count);
  CHECK(!memcmp(r.places->bits, p->bits, (size_t)p->count * p->words * 8));
  nth_heap_free(r.places);
  free(shown);
}

static void check_result(const struct nth_place_result *r, const uint64_t *usable, uint32_t words) {
  CHECK((r->kind == NTH_PLACES_LIST) == (r->places != 0));
  if (r->fault != NTH_PLACE_OK)
    CHECK(r->kind == NTH_PLACES_NONE);
  if (!r->places)
    return;
  const struct nth_places *p = r->places;
  CHECK(p->count > 0 && p->count <= NTH_MAX_PLACES && p->words == words);
  for (uint32_t i = 0; i < p->count; i++) {
    const uint64_t *set = nth_places_set(p, i);
    CHECK(nth_cpus_count(set, words) > 0);
    for (uint32_t w = 0; w < words; w++)
      CHECK((set[w] & ~usable[w]) == 0);
  }
}

static void try_places(const char *text) {
  uint64_t some[2] = {0x00000000ffff00ffu, 0xf}, all[2] = {~UINT64_C(0), ~UINT64_C(0)};
  struct nth_cpuset usable = {some, 2}, any = {all, 2};
  struct nth_place_result r;
  nth_place_parse(&r, text, &usable);
  check_result(&r, some, 2);
  if (r.places)
    check_places_text(r.places, &any);
  nth_heap_free(r.places);
  nth_place_parse_cpus(&r, text, 2);
  check_result(&r, all, 2);
  if (r.places)
    check_places_text(r.places, &any);
  nth_heap_free(r.places);
}

/* --- affinity formats --- */

static void try_format(const char *text) {
  struct nth_affinity_facts facts = {1, -2, 3, 4000000000, 5, -1};
  struct nth_affinity_error error = {""};
  char small[16], large[4096];
  memset(small, '#', sizeof small);
  struct nth_text none = {0, 0, 0}, few = {small, sizeof small - 1, 0},
                  many = {large, sizeof large, 0};
  size_t length = strlen(text);
  bool good = nth_affinity_expand(&none, text, length, &facts, &error);
  CHECK(good == (error.text[0] == 0) && memchr(error.text, 0, sizeof error.text));
  CHECK(nth_affinity_expand(&few, text, length, &facts, &error) == good);
  CHECK(nth_affinity_expand(&many, text, length, &facts, &error) == good);
  CHECK(nth_text_end(&few) == none.length && nth_text_end(&many) == none.length);
  CHECK(small[sizeof small - 1] == '#' && !strncmp(small, large, strlen(small)));
}

/* --- variables --- */

static struct nth_env fresh(void) {
  return (struct nth_env){.initial = {.thread_limit = UINT32_MAX, .max_active_levels = 1},
                          .wait_policy = -1,
                          .affinity_format = 0,
                          .allocator_name = ""};
}

static void drop(struct nth_env *env) {
  nth_heap_free(env->nthreads_list);
  nth_heap_free(env->bind_list);
  nth_heap_free(env->affinity_format);
  nth_heap_free((char *)(uintptr_t)env->acc_device_type);
  nth_heap_free((char *)(uintptr_t)env->acc_proflib);
  if (env->initial.default_allocator > NTH_ALLOCATOR_MANAGED) { /* made from a memory space */
    nth_heap_free((char *)(uintptr_t)env->allocator_name);
    nth_allocator_destroy(env->initial.default_allocator);
  }
}

/* Parses NAME=TEXT; *shown, from malloc, is how the value is shown, or NULL. */
static bool try_text(uint32_t id, const char *text, char **shown) {
  const struct nth_env_variable *v = &nth_env_variables[id];
  struct nth_env env = fresh(), before = fresh();
  size_t name = strlen(v->name), length = strlen(text);
  char *entry = malloc(name + length + 3);
  CHECK(entry);
  memcpy(entry, v->name, name);
  entry[name] = '=';
  memcpy(entry + name + 1, text, length + 1);
  struct nth_env_entry e = {entry, entry + name + 1};
  bool good = v->parse(&env, &e);
  if (!good)
    CHECK(!memcmp(&env, &before, sizeof env));
  *shown = 0;
  if (good && v->show) {
    struct nth_text t = {0, 0, 0};
    v->show(&t, &env);
    *shown = malloc(t.length + 2);
    CHECK(*shown);
    t = (struct nth_text){*shown, t.length + 2, 0};
    v->show(&t, &env);
    nth_text_add(&t, id == NTH_ENV_STACKSIZE ? "B" : "");
    nth_text_end(&t);
  }
  drop(&env);
  free(entry);
  return good;
}

static void try_variables(const char *text) {
  for (uint32_t id = 0; id < NTH_ENV_COUNT; id++) {
    char *shown, *again;
    if (!nth_env_variables[id].parse || !try_text(id, text, &shown) || !shown)
      continue;
    CHECK(try_text(id, shown, &again) && again && !strcmp(shown, again));
    free(shown);
    free(again);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  text[size] = 0;
  input = text;
  try_numbers(text);
  try_list(text);
  try_cpus(text);
  try_places(text);
  try_format(text);
  try_variables(text);
  free(text);
  return 0;
}

#ifndef NTH_LIBFUZZER
/* --- known answers --- */

static const struct {
  uint32_t id;
  const char *text, *shown; /* NULL: not accepted */
} known[] = {
    {NTH_ENV_NUM_THREADS, " 4 ,\t3", "4,3"},
    {NTH_ENV_NUM_THREADS, "4x3", 0},
    {NTH_ENV_NUM_THREADS, "4,", 0},
    {NTH_ENV_SCHEDULE, "static", "STATIC"},
    {NTH_ENV_SCHEDULE, "dynamic", "DYNAMIC"},
    {NTH_ENV_SCHEDULE, "static,1", "STATIC,1"},
    {NTH_ENV_SCHEDULE, "monotonic:static,2", "STATIC,2"},
    {NTH_ENV_SCHEDULE, "nonmonotonic:static", "NONMONOTONIC:STATIC"},
    {NTH_ENV_SCHEDULE, "monotonic : Guided , 1", "MONOTONIC:GUIDED"},
    {NTH_ENV_SCHEDULE, "dynamic,2147483648", 0},
    {NTH_ENV_PROC_BIND, "master, close,SPREAD", "MASTER,CLOSE,SPREAD"},
    {NTH_ENV_PROC_BIND, "true,close", 0},
    {NTH_ENV_STACKSIZE, "64", "65536B"},
    {NTH_ENV_STACKSIZE, "2 m", "2097152B"},
    {NTH_ENV_STACKSIZE, "1G", "1073741824B"},
    {NTH_ENV_STACKSIZE, "20000b", "20000B"},
    {NTH_ENV_THREAD_LIMIT, "4294967296", "4294967295"},
    {NTH_ENV_MAX_ACTIVE_LEVELS, "256", "255"},
    {NTH_ENV_NUM_TEAMS, "0", 0},
    {NTH_ENV_DEFAULT_DEVICE, "2147483648", 0},
};

static const struct {
  const char *text;
  enum nth_place_fault fault;
  uint32_t count;
} known_places[] = {
    {"{0:4},{4:4}:2:4", NTH_PLACE_OK, 3},
    {"0:3", NTH_PLACE_OK, 3},
    {"{0},{1},!{0}", NTH_PLACE_OK, 1},
    {"{127}", NTH_PLACE_OK, 1},
    {"{128}", NTH_PLACE_OUT_OF_RANGE, 0},
    {"{0}:2:128", NTH_PLACE_SHIFT_OUT_OF_RANGE, 0},
    {"{0}:2:-1", NTH_PLACE_SHIFT_OUT_OF_RANGE, 0},
    {"{0},!{1}", NTH_PLACE_NO_SUCH_PLACE, 0},
    {"{0,!1}", NTH_PLACE_NOT_IN_SET, 0},
    {"{0},!{0}", NTH_PLACE_ALL_REMOVED, 0},
    {"{0,!0}", NTH_PLACE_NONE_USABLE, 0},
    {"{0}:65535:0,{0}:1:0", NTH_PLACE_OK, 65536},
    {"{0}:65535:0,{0}:2:0", NTH_PLACE_TOO_MANY, 0},
    {"{0:99999999999:0}", NTH_PLACE_OK, 1},
    {"threads(0)", NTH_PLACE_SYNTAX, 0},
    {"{0},", NTH_PLACE_SYNTAX, 0},
};

static const struct {
  const char *format, *line; /* NULL: error */
} known_formats[] = {
    {"%t|%T|%L|%n|%N|%a|%%", "1|-2|3|4000000000|5|-1|%"},
    {"[%4L][%.4L][%0.4L][%0.4a]", "[3   ][   3][0003][-001]"},
    {"%{team_num}%{nesting_level}", "13"},
    {"%0L", 0},
    {"%.L", 0},
    {"%{team_num", 0},
    {"%", 0},
};

static void check_known(void) {
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    char *shown;
    input = known[i].text;
    bool good = try_text(known[i].id, input, &shown);
    CHECK(good == (known[i].shown != 0) && (!good || !strcmp(shown, known[i].shown)));
    free(shown);
  }
  uint64_t all[2] = {~UINT64_C(0), ~UINT64_C(0)};
  struct nth_cpuset usable = {all, 2};
  for (size_t i = 0; i < sizeof known_places / sizeof known_places[0]; i++) {
    struct nth_place_result r;
    input = known_places[i].text;
    nth_place_parse(&r, input, &usable);
    CHECK(r.fault == known_places[i].fault);
    CHECK(known_places[i].count == (r.places ? r.places->count : 0));
    nth_heap_free(r.places);
  }
  struct nth_affinity_facts facts = {1, -2, 3, 4000000000, 5, -1};
  struct nth_affinity_error error;
  for (size_t i = 0; i < sizeof known_formats / sizeof known_formats[0]; i++) {
    char line[128];
    struct nth_text t = {line, sizeof line, 0};
    input = known_formats[i].format;
    bool good = nth_affinity_expand(&t, input, strlen(input), &facts, &error);
    nth_text_end(&t);
    CHECK(good == (known_formats[i].line != 0) && (!good || !strcmp(line, known_formats[i].line)));
  }
}

/* --- random inputs --- */

/* clang-format off */
static const char *const words[] = {
    "0", "1", "2", "7", "64", "65535", "99999999999999999999", "-", "+", ",", ":", "{", "}", "!",
    "(", ")", " ", "\t", "=", "{0}", "{1:2}", "{0:4:2}", ":65535:0", "4,3", "threads", "cores(2)",
    "sockets", "ll_caches", "numa_domains", "true", "FALSE", "static", "dynamic", "guided", "auto",
    "monotonic:", "nonmonotonic", "primary", "close,", "spread", "active", "passive", "verbose",
    "16M", "512k", "B", "G", "1t", "infinite", "default", "mandatory", "omp_default_mem_alloc",
    "omp_high_bw_mem_space", "alignment=64", "fallback=null_fb", "%", "%n", "%0.8L", "%.9{host}",
    "%{thread_affinity}", "%A", "lwd", "hier"};
/* clang-format on */

static uint64_t state;

static uint64_t next_random(void) { /* splitmix64 */
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* Words in a row, now and then a byte of any value; seldom the same over and over. */
static size_t make_input(uint8_t *buffer, size_t size) {
  size_t used = 0, parts = next_random() % 12;
  for (size_t i = 0; i < parts; i++) {
    const char *word = words[next_random() % (sizeof words / sizeof words[0])];
    size_t n = strlen(word);
    if (used + n + 1 > size)
      break;
    memcpy(buffer + used, word, n);
    used += n;
    if (next_random() % 16 == 0)
      buffer[used++] = (uint8_t)next_random();
  }
  if (used > 0 && next_random() % 8 == 0)
    buffer[next_random() % used] = (uint8_t)next_random();
  if (used > 0 && next_random() % 64 == 0)
    for (size_t once = used; used < size; used++)
      buffer[used] = buffer[used - once];
  return used;
}

int main(int argc, char **argv) {
  unsigned long inputs = argc > 1 ? strtoul(argv[1], 0, 10) : 50000;
  state = argc > 2 ? strtoul(argv[2], 0, 10) : 1;
  uint8_t buffer[3000];
  check_known();
  for (unsigned long i = 0; i < inputs; i++)
    LLVMFuzzerTestOneInput(buffer, make_input(buffer, sizeof buffer));
  printf("%lu inputs\n", inputs);
  return 0;
}
#endif
