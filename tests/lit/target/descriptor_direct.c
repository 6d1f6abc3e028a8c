/* descriptor_direct.c - firstprivate arrays as gfortran 16 passes them to GOMP_target_ext */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a copied descriptor points to the copied data, with nowait too, of several arrays, at
// any alignment, of size 0, absent and not allocated, and that nothing of the program's changes.
// nanogomp-only: libgomp 12 does not know the third item; libgomp 16 with nowait overwrites the
// program's own descriptor.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
#include "check.h"

extern void GOMP_target_ext(int, void (*)(void *), size_t, void **, size_t *, unsigned short *,
                            unsigned, void **, void **);

/* What gfortran's descriptors begin with, and something behind it that must stay. */
struct descriptor {
  int *data;
  size_t offset, length, more[5];
};

/* Low byte: 0x0c firstprivate, 0x50 attach, 0x0d the value itself, 0x03 tofrom. */
enum { FIRST = 0x30c, ALIGNED = 0x60c, ATTACH = 0x50, VALUE = 0x30d, MAPPED = 0x303, LENGTH = 7 };

static int total;

/* One array is three items: descriptor, data, and the address of the element of `host` that holds
 * the descriptor's address. */
static void put(void **host, size_t *sizes, unsigned short *kinds, int at, struct descriptor *d) {
  host[at] = d;
  host[at + 1] = d ? d->data : NULL;
  host[at + 2] = d ? &host[at] : NULL;
  sizes[at] = sizeof *d;
  sizes[at + 1] = d && d->data ? d->length * sizeof(int) : 0;
  sizes[at + 2] = 0;
  kinds[at] = FIRST;
  kinds[at + 1] = ALIGNED;
  kinds[at + 2] = ATTACH;
}

static void use(struct descriptor *d, int *data) {
  CHECK(d->data == data);
  CHECK_EQ(d->more[4], 44);
  for (size_t i = 0; i < d->length; i++) {
#pragma omp atomic
    total += d->data[i];
    d->data[i] = -1;
  }
  d->data = NULL;
  d->length = 0;
}

/* Items: array a; a value; array b; array c of size 0; one not allocated; one absent; total. */
static void body(void *p) {
  void **h = p;
  use(h[0], h[1]);
  CHECK((intptr_t)h[3] == 77);
  use(h[4], h[5]);
  CHECK(((uintptr_t)h[1] | (uintptr_t)h[5]) % 64 == 0);
  struct descriptor *empty = h[7], *none = h[10];
  CHECK(empty->data == h[8] && empty->data != NULL);
  CHECK(none->data == NULL && h[11] == NULL);
  CHECK(h[13] == NULL && h[14] == NULL);
  CHECK(h[16] == &total);
}

static void region(unsigned flags) {
  enum { ITEMS = 17 };
  int a[LENGTH], b[LENGTH], zero = 5;
  void *host[ITEMS], *before[ITEMS], *words[1] = {NULL};
  size_t sizes[ITEMS] = {0};
  unsigned short kinds[ITEMS];
  struct descriptor da = {a, 0, LENGTH, {[4] = 44}}, db = {b, 3, LENGTH - 2, {[4] = 44}},
                    dc = {&zero, 0, 0, {0}}, dd = {NULL, 1, 9, {0}}, all[4] = {da, db, dc, dd};
  for (int i = 0; i < LENGTH; i++) {
    a[i] = 1;
    b[i] = 10;
  }
  put(host, sizes, kinds, 0, &da);
  host[3] = (void *)77;
  kinds[3] = VALUE;
  put(host, sizes, kinds, 4, &db);
  put(host, sizes, kinds, 7, &dc);
  put(host, sizes, kinds, 10, &dd);
  put(host, sizes, kinds, 13, NULL);
  host[16] = &total;
  sizes[16] = sizeof total;
  kinds[16] = MAPPED;
  memcpy(before, host, sizeof host);
  GOMP_target_ext(-1, body, ITEMS, host, sizes, kinds, flags, NULL, words);
  if (flags) { /* a task has captured all of it */
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
#pragma omp taskwait
  }
  for (int i = 0; i < LENGTH; i++) {
    CHECK_EQ(a[i], flags ? 0 : 1);
    CHECK_EQ(b[i], flags ? 0 : 10);
  }
  CHECK_EQ(zero, 5);
  CHECK(da.data == a && db.data == b && dc.data == &zero && dd.data == NULL);
  CHECK(memcmp(&da, &all[0], sizeof da) == 0 && memcmp(&db, &all[1], sizeof db) == 0);
  CHECK(memcmp(&dc, &all[2], sizeof dc) == 0 && memcmp(&dd, &all[3], sizeof dd) == 0);
  CHECK(memcmp(host, before, sizeof host) == 0);
}

/* An attach of anything but the object before it to a copied descriptor changes nothing. */
static void *given[4];
static struct descriptor seen;

static void look(void *p) {
  memcpy(given, p, sizeof given);
  seen = *(struct descriptor *)given[0];
}

static void others(void) {
  int a[2] = {5, 6}, b[2] = {7, 8};
  struct descriptor d = {a, 0, 2, {1, 2, 3, 4, 5}}, was = d;
  void *room[6] = {NULL}, **host = room + 1, *words[1] = {NULL};
  void *places[] = {&d,        &host[1], &host[2],         &host[3], &host[4],
                    &host[-1], NULL,     (char *)host + 4, &d.data,  b};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    for (int before = 0; before < 3; before++) {
      host[0] = &d;
      host[1] = a;
      host[2] = places[i];
      host[3] = b;
      size_t sizes[4] = {sizeof d, sizeof a, 0, sizeof b};
      unsigned short kinds[4] = {FIRST,
                                 before == 0   ? FIRST
                                 : before == 1 ? MAPPED
                                               : VALUE,
                                 ATTACH, FIRST};
      GOMP_target_ext(-1, look, 4, host, sizes, kinds, 0, NULL, words);
      CHECK(memcmp(&seen, &was, sizeof d) == 0 && memcmp(&d, &was, sizeof d) == 0);
      CHECK(a[0] == 5 && a[1] == 6 && b[0] == 7 && b[1] == 8);
      CHECK(given[0] != &d && (given[1] == a) == (before > 0) && given[3] != b);
    }
}

/* The bias is the offset of the descriptor's pointer; one behind its end is none. */
static void bias(void) {
  int a[2] = {5, 6};
  void *host[4], *words[1] = {NULL};
  size_t biases[] = {0,
                     8,
                     sizeof(struct descriptor) - 8,
                     sizeof(struct descriptor) - 7,
                     sizeof(struct descriptor),
                     4096,
                     SIZE_MAX - 7};
  for (size_t i = 0; i < sizeof biases / sizeof *biases; i++) {
    struct descriptor d = {a, 0, 2, {1, 2, 3, 4, 5}};
    host[0] = &d;
    host[1] = a;
    host[2] = host;
    host[3] = NULL;
    size_t sizes[4] = {sizeof d, sizeof a, biases[i], 0};
    unsigned short kinds[4] = {FIRST, FIRST, ATTACH, VALUE};
    GOMP_target_ext(-1, look, 4, host, sizes, kinds, 0, NULL, words);
    if (i < 3)
      memcpy((char *)&d + biases[i], &given[1], sizeof(void *));
    CHECK(memcmp(&seen, &d, sizeof d) == 0);
  }
}

int main(void) {
  for (unsigned flags = 0; flags < 2; flags++) {
    total = 0;
    region(flags);
    CHECK_EQ(total, 57);
  }
  others();
  bias();
  total = 0;
  int members = 0;
#pragma omp parallel reduction(+ : members)
  {
    members++;
    for (unsigned i = 0; i < 20; i++)
      region(i & 1);
  }
  CHECK_EQ(total, 20 * 57 * members);
  return 0;
}
