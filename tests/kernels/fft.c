/* fft.c - fast Fourier transform by recursion: two tasks a node, then a taskloop
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tasks       the transforms of the even and of the odd samples, a taskwait, and a taskloop over
 *             the butterflies that join them.
 * Cut-off     transforms of up to N samples are serial, and a task of the taskloop has N / 2
 *             butterflies.
 * Check       the samples are a chirp, whose spectrum is known in full: x(j) = exp(i pi j^2 / n)
 *             -> X(k) = sqrt(n) exp(i pi / 4 - i pi k^2 / n), n even. All samples and all of the
 *             spectrum are of one size, so that any butterfly left out or done too early shows.
 */
#include "kernel.h"

#include <complex.h>

static const double PI = 3.14159265358979323846;

static double complex unit(double angle) { return cos(angle) + sin(angle) * I; }

/* exp(i pi k^2 / n), exact in its argument: k^2 counts modulo 2 n. */
static double complex chirp(long k, long n) {
  return unit(PI * (double)(k * k % (2 * n)) / (double)n);
}

/* By hand: C's own product looks for infinities. */
static double complex times(double complex a, double complex b) {
  return creal(a) * creal(b) - cimag(a) * cimag(b) +
         (creal(a) * cimag(b) + cimag(a) * creal(b)) * I;
}

/* Joins the half transforms in `to` and `to + half` at frequency k. */
static void butterfly(double complex *to, long half, long k, double complex root) {
  double complex even = to[k], odd = times(root, to[half + k]);
  to[k] = even + odd;
  to[half + k] = even - odd;
}

/* to = transform of from[0], from[stride], ... (n samples). `roots` are those of the whole
 * transform, of n * stride samples: exp(-2 pi i k / (n stride)). */
static void fft_serial(double complex *to, const double complex *from, long n, long stride,
                       const double complex *roots) {
  if (n == 1) {
    to[0] = from[0];
    return;
  }
  long half = n / 2;
  fft_serial(to, from, half, 2 * stride, roots);
  fft_serial(to + half, from + stride, half, 2 * stride, roots);
  for (long k = 0; k < half; k++) {
    butterfly(to, half, k, roots[k * stride]);
  }
}

static void fft_tasks(double complex *to, const double complex *from, long n, long stride,
                      const double complex *roots, long cutoff) {
  if (n <= 1 || n <= cutoff) {
    fft_serial(to, from, n, stride, roots);
    return;
  }
  long half = n / 2, grain = cutoff > 2 ? cutoff / 2 : 1;
#pragma omp task
  fft_tasks(to, from, half, 2 * stride, roots, cutoff);
#pragma omp task
  fft_tasks(to + half, from + stride, half, 2 * stride, roots, cutoff);
#pragma omp taskwait
#pragma omp taskloop grainsize(grain)
  for (long k = 0; k < half; k++) {
    butterfly(to, half, k, roots[k * stride]);
  }
}

/* X(k) to ten digits; the chirp of k, conjugate, is in the samples already. */
static bool verify(const double complex *spectrum, const double complex *samples, long n) {
  double complex scale = sqrt((double)n) * unit(PI / 4);
  long wrong = 0;
  for (long k = 0; k < n; k++) {
    double complex error = spectrum[k] - times(scale, conj(samples[k]));
    double square = creal(error) * creal(error) + cimag(error) * cimag(error);
    wrong += !(square <= 1e-20 * (double)n); /* so that NaN is wrong */
  }
  return kern_check(wrong == 0, "%ld of %ld frequencies", wrong, n);
}

static double checksum(const double complex *spectrum, long n) {
  double sum = 0;
  for (long k = 0; k < n; k++) {
    sum += (double)(k % 13 + 1) * (creal(spectrum[k]) + 2 * cimag(spectrum[k]));
  }
  return sum;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "fft",
      .what = "fast Fourier transform by recursion, tasks and taskloops",
      .size_means = "samples, a power of two from 2 to 2^30",
      .iters_means = "transforms, one after the other",
      .full = {1L << 20, 32},
      .brief = {1L << 12, 2},
  };
  long cutoff = 1024;
  bool serial = false;
  const struct kern_option extra[] = {
      {"cutoff", "N: up to N samples are serial; 0: tasks down to one (1024)", &cutoff, NULL},
      KERN_SERIAL(&serial),
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  long n = k.size;
  kern_require(&k, n >= 2 && n <= 1L << 30 && (n & (n - 1)) == 0 && k.iters >= 1,
               "the size is a power of two, 2 to 2^30");

  double complex *samples = kern_alloc((size_t)n, sizeof *samples);
  double complex *roots = kern_alloc((size_t)n, sizeof *roots);
  double complex *spectrum = kern_alloc((size_t)n, sizeof *spectrum);
  for (long j = 0; j < n; j++) {
    samples[j] = chirp(j, n);
    roots[j] = unit(-2 * PI * (double)j / (double)n);
  }
  kern_warm(serial);
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    double seconds = 0;
    for (long i = 0; i < k.iters; i++) {
      memset(spectrum, 0xff, (size_t)n * sizeof *spectrum);
      double start = kern_now();
      if (serial) {
        fft_serial(spectrum, samples, n, 1, roots);
      } else {
#pragma omp parallel
#pragma omp single
        fft_tasks(spectrum, samples, n, 1, roots, cutoff);
      }
      seconds += kern_now() - start;
      ok &= verify(spectrum, samples, n);
    }
    best = fmin(best, seconds);
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld/%ld", n, k.iters, cutoff);
  return kern_report(serial ? "fft-serial" : "fft", size, best, ok, "%.9e", checksum(spectrum, n));
}
