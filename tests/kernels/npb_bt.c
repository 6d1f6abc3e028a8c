/* npb_bt.c - NAS BT: gas flow by implicit time steps with block tridiagonal systems
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel      as specified in the NAS report RNR-94-007, section 3: flow (nas_adi.h), right-hand
 *             side (nas_adi_rhs.h) and systems (nas_adi_bt.h) by parallel loops over planes of
 *             lines, seven a step (nas_adi_run.h). bt.c has a smaller equation of the same form,
 *             and pipelines.
 * Check       published norms; bit by bit against one thread (nas_adi_run.h)
 */
#include "nas_adi_bt.h"
#include "nas_adi_run.h"

/* The published norms (NAS Parallel Benchmarks, BT verification). */
static const struct nas_norms norms_s = {
    {1.7034283709541311e-1, 1.2975252070034097e-2, 3.2527926989486055e-2, 2.6436421275166801e-2,
     1.9211784131744430e-1},
    {4.9976913345811579e-4, 4.5195666782961927e-5, 7.3973765172921357e-5, 7.3821238632439731e-5,
     8.9269630987491446e-4},
};
static const struct nas_norms norms_w = {
    {0.1125590409344e3, 0.1180007595731e2, 0.2710329767846e2, 0.2469174937669e2, 0.2638427874317e3},
    {0.4419655736008e1, 0.4638531260002, 0.1011551749967e1, 0.9235878729944, 0.1018045837718e2},
};
static const struct nas_norms norms_a = {
    {1.0806346714637264e2, 1.1319730901220813e1, 2.5974354511582465e1, 2.3665622544678910e1,
     2.5278963211748344e2},
    {4.2348416040525025, 4.4390282496995698e-1, 9.6692480136345650e-1, 8.8302063039765474e-1,
     9.7379901770829278},
};

static const struct nas_class classes[] = {
    {'S', 12, 12, 1, 1, 60, 0.01, &norms_s},
    {'W', 24, 24, 1, 1, 200, 0.0008, &norms_w},
    {'A', 64, 64, 1, 1, 200, 0.0008, &norms_a},
    {0},
};

int main(int argc, char **argv) {
  static const struct nas_solver solver = {
      .name = "npb_bt",
      .what = "NAS BT, gas flow by block tridiagonal systems",
      .classes = classes,
      .implicit = bt_line,
  };
  return nas_main(&solver, argc, argv);
}
