/* strassen.c - Strassen's product of square matrices: seven tasks a node, which allocate
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tasks       each product of a node is a task, which allocates and adds up its two factors; a
 *             taskwait, then the node adds up the products.
 * Cut-off     matrices of up to N x N are multiplied by the serial version, which itself leaves
 *             off at LEAF x LEAF for the plain product.
 * Check       entries are small integers, so all is exact: C x = A (B x) for four vectors of
 *             random integers. A wrong row of C passes with a chance of less than 1 in 10^12.
 */
#include "kernel.h"

enum { QUADRANTS = 4, PRODUCTS = 7, LEAF = 64, VECTORS = 4 };

/* Product p = (sum of left[q] A_q) (sum of right[q] B_q), and C_q = sum of into[q] times product.
 * Quadrants: upper left, upper right, lower left, lower right. */
static const struct product {
  int left[QUADRANTS], right[QUADRANTS], into[QUADRANTS];
} products[PRODUCTS] = {
    {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}},  {{0, 0, 1, 1}, {1, 0, 0, 0}, {0, 0, 1, -1}},
    {{1, 0, 0, 0}, {0, 1, 0, -1}, {0, 1, 0, 1}}, {{0, 0, 0, 1}, {-1, 0, 1, 0}, {1, 0, 1, 0}},
    {{1, 1, 0, 0}, {0, 0, 0, 1}, {-1, 1, 0, 0}}, {{-1, 0, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 1}},
    {{0, 1, 0, -1}, {0, 0, 1, 1}, {1, 0, 0, 0}},
};

/* to += weight * from, of n x n entries; a stride is the length of a row in memory. */
static void add(double *to, long to_stride, const double *from, long from_stride, long n,
                int weight) {
  for (long i = 0; weight != 0 && i < n; i++) {
    for (long j = 0; j < n; j++) {
      to[i * to_stride + j] += weight * from[i * from_stride + j];
    }
  }
}

/* Where quadrant q of a matrix of 2 half x 2 half entries begins. */
static long quadrant(int q, long half) { return (q / 2 * 2 * half + q % 2) * half; }

typedef void multiply_function(double *c, const double *a, const double *b, long n, long cutoff);

/* result = product p of the quadrants of a and b, whose factors the function multiplies. */
static void multiply_one(const struct product *p, double *result, const double *a, const double *b,
                         long half, long cutoff, multiply_function *multiply) {
  double *left = kern_doubles(2 * half * half), *right = left + half * half;
  for (int q = 0; q < QUADRANTS; q++) {
    add(left, half, a + quadrant(q, half), 2 * half, half, p->left[q]);
    add(right, half, b + quadrant(q, half), 2 * half, half, p->right[q]);
  }
  multiply(result, left, right, half, cutoff);
  free(left);
}

/* c = what the seven results, one after the other in memory, add up to. */
static void add_up(double *c, const double *results, long half) {
  memset(c, 0, (size_t)(4 * half * half) * sizeof *c);
  for (int p = 0; p < PRODUCTS; p++) {
    for (int q = 0; q < QUADRANTS; q++) {
      add(c + quadrant(q, half), 2 * half, results + p * half * half, half, half,
          products[p].into[q]);
    }
  }
}

static void multiply_plain(double *c, const double *a, const double *b, long n) {
  memset(c, 0, (size_t)(n * n) * sizeof *c);
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < n; k++) {
      for (long j = 0; j < n; j++) {
        c[i * n + j] += a[i * n + k] * b[k * n + j];
      }
    }
  }
}

static void multiply_serial(double *c, const double *a, const double *b, long n, long cutoff) {
  if (n <= LEAF) {
    multiply_plain(c, a, b, n);
    return;
  }
  long half = n / 2;
  double *results = kern_doubles(PRODUCTS * half * half);
  for (int p = 0; p < PRODUCTS; p++) {
    multiply_one(&products[p], results + p * half * half, a, b, half, cutoff, multiply_serial);
  }
  add_up(c, results, half);
  free(results);
}

static void multiply_tasks(double *c, const double *a, const double *b, long n, long cutoff) {
  if (n <= 1 || n <= cutoff) {
    multiply_serial(c, a, b, n, cutoff);
    return;
  }
  long half = n / 2;
  double *results = kern_doubles(PRODUCTS * half * half);
  for (int p = 0; p < PRODUCTS; p++) {
#pragma omp task
    multiply_one(&products[p], results + p * half * half, a, b, half, cutoff, multiply_tasks);
  }
#pragma omp taskwait
  add_up(c, results, half);
  free(results);
}

/* ---- the rest is serial ---- */

static void fill(double *matrix, long n, uint64_t seed) {
  for (long i = 0; i < n * n; i++) {
    matrix[i] = (double)(kern_hash(seed + (uint64_t)i) % 7) - 3;
  }
}

static void apply(double *y, const double *matrix, const double *x, long n) {
  for (long i = 0; i < n; i++) {
    y[i] = 0;
    for (long j = 0; j < n; j++) {
      y[i] += matrix[i * n + j] * x[j];
    }
  }
}

static bool verify(const double *c, const double *a, const double *b, long n) {
  double *x = kern_doubles(4 * n), *bx = x + n, *abx = bx + n, *cx = abx + n;
  long wrong = 0;
  for (long v = 0; v < VECTORS; v++) {
    for (long i = 0; i < n; i++) {
      x[i] = (double)(kern_hash((uint64_t)(2 * n * n + v * n + i)) % 2001) - 1000;
    }
    apply(bx, b, x, n);
    apply(abx, a, bx, n);
    apply(cx, c, x, n);
    for (long i = 0; i < n; i++) {
      wrong += cx[i] != abx[i];
    }
  }
  free(x);
  return kern_check(wrong == 0, "%ld of %d x %ld rows differ", wrong, VECTORS, n);
}

static double checksum(const double *c, long n) {
  double sum = 0;
  for (long i = 0; i < n * n; i++) {
    sum += c[i] * (double)(i % 13 + 1);
  }
  return sum;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "strassen",
      .what = "Strassen's matrix product, seven tasks a node",
      .size_means = "rows of a matrix, a power of two up to 4096",
      .iters_means = "products, one after the other",
      .full = {1024, 4},
      .brief = {128, 1},
  };
  long cutoff = 64;
  bool serial = false;
  const struct kern_option extra[] = {
      {"cutoff", "N: up to N x N is serial; 0: tasks down to 1 x 1 (64)", &cutoff, NULL},
      KERN_SERIAL(&serial),
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.size <= 4096 && (k.size & (k.size - 1)) == 0 && k.iters >= 1,
               "the size is a power of two, 1 to 4096");

  long n = k.size;
  double *a = kern_doubles(n * n), *b = kern_doubles(n * n), *c = kern_doubles(n * n);
  fill(a, n, 0);
  fill(b, n, (uint64_t)(n * n));
  kern_warm(serial);
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    double seconds = 0;
    for (long i = 0; i < k.iters; i++) {
      memset(c, 0xff, (size_t)(n * n) * sizeof *c);
      double start = kern_now();
      if (serial) {
        multiply_serial(c, a, b, n, cutoff);
      } else {
#pragma omp parallel
#pragma omp single
        multiply_tasks(c, a, b, n, cutoff);
      }
      seconds += kern_now() - start;
      ok &= verify(c, a, b, n);
    }
    best = fmin(best, seconds);
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld/%ld", n, k.iters, cutoff);
  return kern_report(serial ? "strassen-serial" : "strassen", size, best, ok, "%.0f",
                     checksum(c, n));
}
