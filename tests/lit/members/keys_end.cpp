/* keys_end.cpp - destructors when the root thread of a team ends */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that, when a thread of the program that had a region of eight ends, the destructors of
// pthread keys and thread_local objects run once for each member, with the member's own values.
// RUN: %members_test
#include "members.h"
#include <atomic>

static std::atomic<int> keys_ended{0}, objects_ended{0}, made{0};
static pthread_key_t key;

struct object {
  long id = 0;
  pthread_t self;
  ~object() {
    CHECK(id > 0);
    CHECK(pthread_equal(self, pthread_self()));
    id = 0;
    objects_ended++;
  }
};
static thread_local object mine;

struct value {
  long id;
  pthread_t self;
};

static void key_end(void *pointer) {
  value *v = static_cast<value *>(pointer);
  CHECK(pthread_equal(v->self, pthread_self()));
  delete v;
  keys_ended++;
}

static void *root(void *number) {
  long base = 100 * reinterpret_cast<intptr_t>(number);
#pragma omp parallel num_threads(MEMBERS)
  {
    long id = base + 1 + omp_get_thread_num();
    CHECK_EQ(mine.id, 0);
    CHECK(pthread_getspecific(key) == NULL);
    mine.id = id;
    mine.self = pthread_self();
    CHECK_EQ(pthread_setspecific(key, new value{id, pthread_self()}), 0);
    made++;
    for (unsigned way = 0; way < 12; way++) {
      pass_alone(way);
      pass_together(way);
      CHECK_EQ(mine.id, id);
      CHECK_EQ(static_cast<value *>(pthread_getspecific(key))->id, id);
    }
  }
  return NULL;
}

int main() {
  CHECK_EQ(pthread_key_create(&key, key_end), 0);
  for (intptr_t round = 1; round <= 10; round++) {
    pthread_t threads[2];
    int roots = 1 + round % 2;
    for (int i = 0; i < roots; i++)
      CHECK_EQ(pthread_create(&threads[i], NULL, root, reinterpret_cast<void *>(2 * round + i)), 0);
    for (int i = 0; i < roots; i++)
      CHECK_EQ(pthread_join(threads[i], NULL), 0);
    CHECK_WAIT_UNTIL(keys_ended == made && objects_ended == made);
  }
  CHECK_EQ(made, 15 * MEMBERS);
  check_sleep_ms(20);
  CHECK_EQ(keys_ended, made);
  CHECK_EQ(objects_ended, made);
  members_end();
  return 0;
}
