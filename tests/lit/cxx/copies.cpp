/* copies.cpp - C++ objects in clauses: copies, assignments and destructions balance */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks firstprivate, lastprivate, copyprivate, copyin and task firstprivate of class objects:
// values right, objects' own addresses kept, every constructed object destroyed once.
// RUN: %omp_test
#include "check.h"
#include <atomic>
#include <string>

static std::atomic<long> live, copies;

struct object {
  object *self;
  std::string text;
  explicit object(const char *t = "") : self(this), text(t) { live++; }
  object(const object &other) : self(this), text(other.text) {
    CHECK(other.self == &other);
    live++;
    copies++;
  }
  object &operator=(const object &other) {
    CHECK(other.self == &other && self == this);
    text = other.text;
    return *this;
  }
  ~object() {
    CHECK(self == this);
    self = nullptr;
    live--;
  }
};

struct plain {
  std::string text = "threadprivate";
};
extern plain own;
#pragma omp threadprivate(own)
plain own;

static void tasks() {
  object block("a text too long for the small string buffer of std::string");
  std::atomic<int> done{0};
  for (int k = 0; k < 100; k++) {
    block.text = "task number " + std::to_string(k) + " with a text that is long enough";
#pragma omp task firstprivate(block, k) shared(done) if (k % 5)
    {
      CHECK(block.self == &block);
      CHECK(block.text == "task number " + std::to_string(k) + " with a text that is long enough");
      done++;
    }
    block.text = "changed after creation";
  }
#pragma omp taskwait
  CHECK_EQ(done, 100);
}

int main() {
  for (int round = 0; round < 10; round++) {
    long before = live;
    {
      object first("firstprivate value"), last("none"), all("nothing");
#pragma omp parallel firstprivate(first) num_threads(3)
      {
        CHECK(first.self == &first);
        CHECK_STREQ(first.text.c_str(), "firstprivate value");
        first.text += " changed";
#pragma omp for lastprivate(last) schedule(dynamic)
        for (int i = 0; i < 20; i++)
          last.text = std::to_string(i);
        object mine("old");
#pragma omp single copyprivate(mine)
        mine.text = "given to all by member";
        CHECK_STREQ(mine.text.c_str(), "given to all by member");
      }
      CHECK_STREQ(first.text.c_str(), "firstprivate value");
      CHECK_STREQ(last.text.c_str(), "19");
    }
    CHECK_EQ(live, before);
    own.text = "round " + std::to_string(round);
#pragma omp parallel num_threads(3)
    CHECK(!own.text.empty()); /* gcc constructs it at the first use, but not for copyin */
#pragma omp parallel copyin(own) num_threads(3)
    CHECK(own.text == "round " + std::to_string(round));
    before = live;
#pragma omp parallel
#pragma omp single
    tasks();
    CHECK_EQ(live, before);
  }
  CHECK(copies > 0);
  return 0;
}
