/* stubs_held.h - what the files of created threads call in their model
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Part of holders.h, behind its `w`.
 */
#ifndef NTH_MODEL_STUBS_HELD_H
#define NTH_MODEL_STUBS_HELD_H

void nth_msg(const char *format, ...) { (void)format; }
uint64_t nth_os_cpu_of(int thread) { return (uint64_t)thread; }
void nth_huge_stack(size_t bytes) { (void)bytes; }
int nth_os_tid(void) { return (int)model_thread(); }
bool nth_os_offer_cpu(void) { return false; }
/* Where a thread runs does not matter. */
void nth_called(struct nth_held *h) { (void)h; }
void nth_called_comes(const struct nth_held *h) { (void)h; }
void nth_called_bring(void) {}
void nth_called_send(void) {}
unsigned nth_allowed_find(void) { return 1; }
void nth_apart_lost(struct nth_apart *a, uint64_t now) { (void)a, (void)now; }
void nth_apart_kept(struct nth_apart *a) { (void)a; }
/* Nobody polls for long. */
bool nth_wait_tick(struct nth_wait *wait) { return wait->polls--, false; }
void nth_wait_learn(struct nth_wait *wait) { (void)wait; }
uint64_t nth_switch_control(void) { return 0; }
uint32_t nth_fresh_look(void) { return nth_load_rlx(&w.which); }
void nth_fresh_begin(struct nth_fresh *f, const struct nth_traits *t) { (void)f, (void)t; }
void nth_fresh_start(struct nth_fresh *f, const struct nth_traits_given *g) { (void)f, (void)g; }
bool nth_fresh_again(struct nth_fresh *f, uint32_t which) {
  (void)f, (void)which;
  return nth_load_rlx(&w.stays);
}
struct nth_traits_given nth_fresh_given(uint32_t which) {
  (void)which;
  return (struct nth_traits_given){0};
}
void nth_fresh_end(struct nth_fresh *f) { (void)f; }
void nth_traits_read(struct nth_traits *t, uint32_t which) { (void)which, memset(t, 0, sizeof *t); }
bool nth_traits_attributes(const pthread_attr_t *a, size_t *stack, size_t *guard) {
  return (void)a, *stack = *guard = 0, true;
}
bool nth_crowd_is_left(uint32_t others) { return (void)others, false; }
uint64_t nth_traits_mask(void) { return 0; }
uint64_t nth_traits_block(void) { return 0; }
void nth_traits_set_mask(uint64_t mask) { (void)mask; }

#ifndef MODEL_JOINER
/* No joiner runs a created thread. */
bool nth_carried_may(uint32_t which) { return (void)which, false; }
enum nth_carried nth_carried_run(struct nth_errand *e, bool passes) {
  return (void)e, (void)passes, NTH_CARRIED_NOT;
}
void nth_carried_learn(uint64_t made_at) { (void)made_at; }
bool nth_carried_at_once(void) { return false; }
void nth_carried_park(struct nth_held *h) { (void)h; }
void nth_carried_unpark(struct nth_held *h) { (void)h; }
bool nth_carried_watches(struct nth_held *h) { return (void)h, false; }
bool nth_carried_is_late(uint64_t now) { return (void)now, false; }
bool nth_carried_sleep(struct nth_held *h, uint64_t limit) {
  bool over = nth_futex_wait(&h->word, NTH_HELD_IDLE, limit);
  uint32_t word = NTH_HELD_IDLE;
  (void)nth_cas_acq(&h->word, &word, NTH_HELD_LOOKS);
  return over;
}
void nth_carried_come_home(struct nth_held *h) { (void)h; }
#endif

int model_key_create(pthread_key_t *k, void (*end)(void *)) {
  model_check(end == leave);
  return *k = 0, 0;
}
int model_setspecific(pthread_key_t k, const void *value) {
  return w.mine[model_tls()] = (void *)value, (int)k;
}
void *model_getspecific(pthread_key_t k) { return (void)k, w.mine[model_tls()]; }
int model_setcanceltype(int type, int *old) {
  if (old)
    *old = 0;
  return (void)type, 0;
}

pthread_t model_pthread_self(void) { return model_tls(); }
int model_pthread_detach(pthread_t thread) { return (void)thread, 0; }
/* Only a thread that has not ended may be cancelled. */
int model_pthread_cancel(pthread_t thread) {
  model_check(nth_load_rlx(&w.ended[thread]) == 0);
  nth_add_rlx(&w.cancels, 1);
  return 0;
}
int model_pthread_join(pthread_t thread, void **result) {
  while (nth_load_acq(&w.ended[thread]) == 0)
    nth_futex_wait(&w.ended[thread], 0, 0);
  return *result = 0, 0;
}

int model_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                         void *arg) {
  (void)attributes;
  if (nth_add_rlx(&w.tries, 1) + 1 == nth_load_rlx(&w.refused))
    return EAGAIN;
  uint32_t i = nth_add_rlx(&w.made, 1) + 1;
  if (i > nth_load_rlx(&w.limit))
    return EAGAIN;
  w.run[i] = run;
  w.of[i] = arg;
  *thread = i;
  (void)nth_xchg_rel(&w.begun[i], 1);
  nth_futex_wake(&w.begun[i], 1);
  return 0;
}

#endif
