/* npb_bt_mz.c - NAS BT-MZ: gas flow in zones of unequal size, an inner team for each zone
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel      BT (npb_bt.c) on the zones of the report NAS-03-010 (nas_adi_zones.h). In class W the
 *             largest zone has 23 times the points of the smallest, in class S 9 times. bt_mz.c has
 *             a smaller equation of the same form.
 * Check       published norms of classes S and W; bit by bit against one thread
 *             (nas_adi_zones_run.h)
 */
#include "nas_adi_bt.h"
#include "nas_adi_zones_run.h"

/* The published norms (NPB-MZ, BT-MZ verification). */
static const struct nas_norms norms_s = {
    {0.1047687395830e4, 0.9419911314792e2, 0.2124737403068e3, 0.1422173591794e3, 0.1135441572375e4},
    {0.1775416062982e3, 0.1875540250835e2, 0.3863334844506e2, 0.2634713890362e2, 0.1965566269675e3},
};
static const struct nas_norms norms_w = {
    {0.5562611195402e5, 0.5151404119932e4, 0.1080453907954e5, 0.6576058591929e4, 0.4528609293561e5},
    {0.7185154786403e4, 0.7040472738068e3, 0.1437035074443e4, 0.8570666307849e3, 0.5991235147368e4},
};

static const struct nas_class classes[] = {
    {'S', 24, 6, 2, 3, 60, 0.01, &norms_s},
    {'W', 64, 8, 4, 4.5, 200, 0.0008, &norms_w},
    {0},
};

int main(int argc, char **argv) {
  static const struct nas_solver solver = {
      .name = "npb_bt_mz",
      .what = "NAS BT-MZ, gas flow in zones of unequal size, an inner team a zone",
      .classes = classes,
      .implicit = bt_line,
  };
  return zones_main(&solver, argc, argv);
}
