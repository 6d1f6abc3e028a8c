/* env_own.c - nanogomp's own variables: their grammars
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For a bad value of one of these there is no line of libgomp's.
 */
#include <assert.h>
#include <string.h>

#include "runtime/base/env.h"
#include "runtime/mem/pool.h"
#include "runtime/omp/env/env_vars.h"
#include "runtime/place/domains/tree.h"

/* The index of the word that is the whole value, else -1. Prints no line of libgomp's. */
static int parse_word(const struct nth_env_entry *e, const char *const *words, size_t count) {
  const char *at = e->text;
  int found = nth_env_choice(&at, words, count);
  return nth_env_end(&at) ? found : -1;
}

/* *second: the value is the second of two words. */
static bool parse_either(const struct nth_env_entry *e, const char *const words[2], bool *second) {
  int found = parse_word(e, words, 2);
  if (found >= 0)
    *second = found == 1;
  return found >= 0;
}

bool nth_env_parse_fork(struct nth_env *env, const struct nth_env_entry *e) {
  static const char *const words[] = {"lwd", "gwd"};
  return parse_either(e, words, &env->fork_gwd);
}

bool nth_env_parse_pool(struct nth_env *env, const struct nth_env_entry *e) {
  int found = parse_word(e, nth_pool_policies, 3);
  if (found >= 0)
    env->pool_policy = (uint8_t)found;
  return found >= 0;
}

static const char *const off_on[] = {"off", "on"};

bool nth_env_parse_price(struct nth_env *env, const struct nth_env_entry *e) {
  return parse_either(e, off_on, &env->price);
}

bool nth_env_parse_huge_pages(struct nth_env *env, const struct nth_env_entry *e) {
  return parse_either(e, off_on, &env->huge_pages);
}

bool nth_env_parse_ranges(struct nth_env *env, const struct nth_env_entry *e) {
  return parse_either(e, off_on, &env->ranges);
}

bool nth_env_parse_claims(struct nth_env *env, const struct nth_env_entry *e) {
  static const char *const words[] = {"several", "single"};
  return parse_either(e, words, &env->single_chunks);
}

const char *const nth_env_members_words[] = {"os", "nano", "auto"};
bool nth_env_parse_members(struct nth_env *env, const struct nth_env_entry *e) {
  int found = parse_word(e, nth_env_members_words, 3);
  if (found >= 0)
    env->members = (uint8_t)found;
  return found >= 0;
}

bool nth_env_parse_untied(struct nth_env *env, const struct nth_env_entry *e) {
  static const char *const words[] = {"leave", "stay"};
  return parse_either(e, words, &env->untied_stays);
}

static bool parse_test(const struct nth_env_entry *e, bool *test) {
  *test = e->text[0] == '1';
  return true;
}
bool nth_env_parse_test_move(struct nth_env *env, const struct nth_env_entry *e) {
  return parse_test(e, &env->test_move);
}
bool nth_env_parse_test_berths(struct nth_env *env, const struct nth_env_entry *e) {
  return parse_test(e, &env->test_berths);
}
bool nth_env_parse_test_brief(struct nth_env *env, const struct nth_env_entry *e) {
  return parse_test(e, &env->test_brief);
}

static_assert(NTH_DOMAINS_MOST == 128, "the rule of NTH_DOMAINS says the number");

bool nth_env_parse_domains(struct nth_env *env, const struct nth_env_entry *e) {
  const char *at = e->text;
  (void)env; /* the tree is no ICV; it goes to nth_domains */
  bool good = nth_domains_parse(&nth_domains, &at);
  if (good)
    nth_tree_by_hand();
  else
    nth_env_say_invalid(e, e->text); /* the whole value: "NTH_DOMAINS=2: 4y" is hard to read */
  return good;
}

bool nth_env_parse_verbose(struct nth_env *env, const struct nth_env_entry *e) {
  const char *at = e->text;
  uint64_t value;
  bool good = nth_env_unsigned(&at, &value, 2) && nth_env_end(&at);
  if (good) {
    env->verbose = value >= 1;
    env->counters = value == 2;
  }
  return good;
}
