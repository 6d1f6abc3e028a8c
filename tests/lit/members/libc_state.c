/* libc_state.c - functions of the C library with a thread's or hidden state */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that qsort with waits inside the comparison, strerror's buffers, strtok,
// localtime, the locale of a thread, printf with floating point and stdio's locks work over waits.
// RUN: %members_test
#include "members.h"
#include <locale.h>

static FILE *scratch;

static int compare(const void *a, const void *b) {
  static __thread unsigned calls;
  int x = *(const int *)a, y = *(const int *)b;
  if (++calls % 50 == 0)
    pass_alone(calls / 50);
  return (x > y) - (x < y);
}

static void sort(int me) {
  int numbers[300];
  uint64_t random = (uint64_t)me + 1;
  long before = 0, after = 0;
  for (int i = 0; i < 300; i++)
    before += numbers[i] = (int)(check_random(&random) % 1000) * MEMBERS + me;
  qsort(numbers, 300, sizeof *numbers, compare);
  for (int i = 0; i < 300; i++) {
    after += numbers[i];
    CHECK_EQ(numbers[i] % MEMBERS, me);
    CHECK(i == 0 || numbers[i - 1] <= numbers[i]);
  }
  CHECK_EQ(after, before);
}

/* The text for an unknown number lies in a buffer; a thread's own since glibc 2.32. */
static void error_text(int me, unsigned way) {
  char want[60], buffer[60];
  snprintf(want, sizeof want, "Unknown error %d", 10000 + me);
#if __GLIBC_PREREQ(2, 32)
  const char *text = strerror(10000 + me);
  pass_alone(way);
  CHECK_STREQ(text, want);
#endif
  CHECK_STREQ(strerror_r(10000 + me, buffer, sizeof buffer), want);
  pass_alone(way);
  CHECK_STREQ(strerror(ENOENT), "No such file or directory");
}

static void words(int me) {
  char line[40], again[40], *rest;
  snprintf(line, sizeof line, "a%d b%d c%d", me, me, me);
  memcpy(again, line, sizeof line);
  int n = 0;
  for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest), n++) {
    pass_alone((unsigned)n);
    CHECK_EQ(word[0], 'a' + n);
    CHECK_EQ(atoi(word + 1), me);
  }
  CHECK_EQ(n, 3);
#pragma omp critical(static_state) /* strtok and localtime have one state for all */
  {
    n = 0;
    for (char *word = strtok(again, " "); word; word = strtok(NULL, " "), n++) {
      pass_alone(0);
      CHECK_EQ(atoi(word + 1), me);
    }
    time_t day = 86400L * 365 * me + 43200;
    struct tm *tm = localtime(&day), own;
    pass_alone(0);
    CHECK(localtime_r(&day, &own) == &own);
    CHECK(tm->tm_year == own.tm_year && tm->tm_yday == own.tm_yday && tm->tm_hour == 12);
  }
  CHECK_EQ(n, 3);
}

static void locale_of_thread(int me, unsigned way) {
  locale_t mine = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  CHECK(mine);
  CHECK(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  if (me % 2)
    uselocale(mine);
  pass_together(way);
  CHECK(uselocale((locale_t)0) == (me % 2 ? mine : LC_GLOBAL_LOCALE));
  pass_alone(way);
  CHECK(uselocale(LC_GLOBAL_LOCALE) == (me % 2 ? mine : LC_GLOBAL_LOCALE));
  freelocale(mine);
}

static void print(int me) {
  char text[100];
  double value = me + 0.1, back;
  snprintf(text, sizeof text, "%d %.17g %s", me, value, "end");
  pass_alone((unsigned)me);
  int number, used = 0;
  CHECK_EQ(sscanf(text, "%d %lf end%n", &number, &back, &used), 2);
  CHECK(number == me && back == value && used > 0);
  flockfile(scratch); /* recursive; its owner is the thread */
  fprintf(scratch, "%d ", me);
  check_busy(100);
  fprintf(scratch, "%d\n", me);
  funlockfile(scratch);
}

/* One member has the stream over a barrier. */
static void stream_held(int me, int owner) {
#pragma omp barrier
  if (me == owner)
    flockfile(scratch);
#pragma omp barrier
  if (me == owner)
    fprintf(scratch, "%d %d\n", me, me);
  else
    CHECK(ftrylockfile(scratch) != 0);
#pragma omp barrier
  if (me == owner)
    funlockfile(scratch);
#pragma omp barrier
}

int main(void) {
  long printed = 0, lines = 0;
  scratch = tmpfile();
  CHECK(scratch);
  setenv("TZ", "UTC", 1);
  tzset();
  double end = check_seconds() + 1;
  for (int region = 0; region < 10 && (region == 0 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS) reduction(+ : printed)
    {
      int me = omp_get_thread_num();
      sort(me);
      for (unsigned way = 0; way < 6; way++) {
        error_text(me, way);
        locale_of_thread(me, way);
        print(me);
        printed++;
      }
      words(me);
      stream_held(me, region % MEMBERS);
    }
    printed++;
  }
  rewind(scratch);
  for (int a, b; fscanf(scratch, "%d %d", &a, &b) == 2; lines++)
    CHECK_EQ(a, b);
  CHECK_EQ(lines, printed);
  members_end();
  return 0;
}
