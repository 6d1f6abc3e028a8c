/* npb_sp.c - NAS SP: gas flow by implicit time steps with scalar pentadiagonal systems
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel      as specified in the NAS report RNR-94-007, section 3: flow (nas_adi.h), right-hand
 *             side (nas_adi_rhs.h) and systems (nas_adi_sp.h) by parallel loops over planes of
 *             lines, seven a step (nas_adi_run.h). Along z, planes are cut across those of x and y:
 *             most data go from CPU to CPU twice a step.
 * Check       published norms; bit by bit against one thread (nas_adi_run.h)
 */
#include "nas_adi_run.h"
#include "nas_adi_sp.h"

/* The published norms (NAS Parallel Benchmarks, SP verification). */
static const struct nas_norms norms_s = {
    {2.7470315451339479e-2, 1.0360746705285417e-2, 1.6235745065095532e-2, 1.5840557224455615e-2,
     3.4849040609362460e-2},
    {2.7289258557377227e-5, 1.0364446640837285e-5, 1.6154798287166471e-5, 1.5750704994480102e-5,
     3.4177666183390531e-5},
};
static const struct nas_norms norms_w = {
    {0.1893253733584e-2, 0.1717075447775e-3, 0.2778153350936e-3, 0.2887475409984e-3,
     0.3143611161242e-2},
    {0.7542088599534e-4, 0.6512852253086e-5, 0.1049092285688e-4, 0.1128838671535e-4,
     0.1212845639773e-3},
};
static const struct nas_norms norms_a = {
    {2.4799822399300195, 1.1276337964368832, 1.5028977888770491, 1.4217816211695179,
     2.1292113035138280},
    {1.0900140297820550e-4, 3.7343951769282091e-5, 5.0092785406541633e-5, 4.7671093939528255e-5,
     1.3621613399213001e-4},
};

static const struct nas_class classes[] = {
    {'S', 12, 12, 1, 1, 100, 0.015, &norms_s},
    {'W', 36, 36, 1, 1, 400, 0.0015, &norms_w},
    {'A', 64, 64, 1, 1, 400, 0.0015, &norms_a},
    {0},
};

int main(int argc, char **argv) {
  static const struct nas_solver solver = {
      .name = "npb_sp",
      .what = "NAS SP, gas flow by scalar pentadiagonal systems",
      .classes = classes,
      .implicit = sp_line,
  };
  return nas_main(&solver, argc, argv);
}
