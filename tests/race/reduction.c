/* reduction: of a number, an array and a type of the program. */
#include "race.h"

struct pair {
  long a, b, c;
};
static void add(struct pair *to, const struct pair *from) {
  to->a += from->a;
  to->b += from->b;
  to->c += from->c;
}
#pragma omp declare reduction(pairs : struct pair : add(&omp_out, &omp_in))                        \
    initializer(omp_priv = {0})

int main(void) {
  struct pair p = {0};
  long sum = 0, cells[8] = {0};
#ifdef RACY
#pragma omp parallel for reduction(+ : sum)
#else
#pragma omp parallel for reduction(+ : sum, cells) reduction(pairs : p)
#endif
  for (int i = 0; i < 400; i++) {
    struct pair one = {1, i, 0};
    sum += i;
    cells[i % 8]++;
    add(&p, &one);
  }
  return check(sum == p.b && cells[0] == 50 && p.a == 400);
}
