/* env_schedule.c - OMP_SCHEDULE: its grammar, and how it is shown
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <limits.h>

#include "runtime/base/env.h"
#include "runtime/base/msg.h"
#include "runtime/omp/env/env_vars.h"

enum { KINDS = 7 };
static const char *const words[KINDS] = {"static",    "dynamic",  "guided", "auto",
                                         "trapezoid", "affinity", "gss"};
static const char *const shown[KINDS] = {"STATIC",    "DYNAMIC",  "GUIDED", "AUTO",
                                         "TRAPEZOID", "AFFINITY", "GSS"};
static const uint32_t numbers[KINDS] = {NTH_SCHED_STATIC, NTH_SCHED_DYNAMIC,   NTH_SCHED_GUIDED,
                                        NTH_SCHED_AUTO,   NTH_SCHED_TRAPEZOID, NTH_SCHED_AFFINITY,
                                        NTH_SCHED_GSS};

/* 0: none of the words. */
static uint32_t parse_kind(const char **at) {
  int found = nth_env_choice(at, words, KINDS);
  return found < 0 ? 0 : numbers[found];
}

bool nth_env_parse_schedule(struct nth_env *env, const struct nth_env_entry *e) {
  static const char *const modifiers[] = {"monotonic", "nonmonotonic"};
  const char *at = e->text, *rest;
  nth_env_end(&at);
  rest = at;
  int modifier = nth_env_choice(&at, modifiers, 2);
  if (modifier >= 0 && nth_env_char(&at, ':'))
    rest = at;
  uint32_t kind = at == rest ? parse_kind(&at) : 0;
  if (kind == 0 || (*at != ',' && *at != 0)) {
    nth_env_say_invalid(e, rest);
    return false;
  }
  uint64_t chunk = 0;
  if (nth_env_char(&at, ',')) {
    rest = at;
    if (!nth_env_unsigned(&at, &chunk, INT_MAX) || !nth_env_end(&at)) {
      nth_env_say("Invalid value for chunk size in environment variable", e, rest, rest);
      return false;
    }
  }
  if (kind == NTH_SCHED_AFFINITY && modifier == 0) {
    nth_msg("OMP_SCHEDULE: affinity gives out chunks in no order, so it cannot be monotonic; "
            "static is used, which gives each thread the same iterations in each loop");
    kind = NTH_SCHED_STATIC;
    chunk = 0;
  }
  bool monotonic = modifier == 0 || (modifier < 0 && kind == NTH_SCHED_STATIC);
  env->initial.run_sched = kind | (monotonic ? NTH_SCHED_MONOTONIC : 0);
  env->initial.run_chunk = chunk == 0 ? nth_sched_chunk(kind) : (int32_t)chunk;
  return true;
}

void nth_show_schedule(struct nth_text *t, const struct nth_env *env) {
  uint32_t kind = env->initial.run_sched & ~NTH_SCHED_MONOTONIC;
  bool monotonic = (env->initial.run_sched & NTH_SCHED_MONOTONIC) != 0;
  int32_t chunk = env->initial.run_chunk;
  bool is_static = kind == NTH_SCHED_STATIC;
  if (monotonic != is_static) /* else the modifier is the kind's default */
    nth_text_add(t, is_static ? "NONMONOTONIC:" : "MONOTONIC:");
  for (size_t i = 0; i < KINDS; i++)
    if (numbers[i] == kind)
      nth_text_add(t, shown[i]);
  if (kind != NTH_SCHED_AUTO && chunk != nth_sched_chunk(kind)) {
    nth_text_add(t, ",");
    nth_text_signed(t, chunk);
  }
}
