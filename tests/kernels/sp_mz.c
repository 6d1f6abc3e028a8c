/* sp_mz.c - NAS SP-MZ: gas flow in zones of equal size, an inner team for each zone
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel      SP (npb_sp.c) on the zones of the report NAS-03-010 (nas_adi_zones.h). All zones are
 *             equal: 4 in class S, 16 in class W.
 * Check       published norms of classes S and W; bit by bit against one thread
 *             (nas_adi_zones_run.h)
 */
#include "nas_adi_sp.h"
#include "nas_adi_zones_run.h"

/* The published norms (NPB-MZ, SP-MZ verification). */
static const struct nas_norms norms_s = {
    {0.7698876173566e1, 0.1517766790280e1, 0.2686805141546e1, 0.1893688083690e1, 0.1369739859738e2},
    {0.9566808043467e1, 0.3894109553741e1, 0.4516022447464e1, 0.4099103995615e1, 0.7776038881521e1},
};
static const struct nas_norms norms_w = {
    {0.1887636218359e3, 0.1489637963542e2, 0.4851711701400e2, 0.3384633608154e2, 0.4036632495857e3},
    {0.2975895149929e2, 0.1341508175806e2, 0.1585310846491e2, 0.1450916426713e2, 0.5854137431023e2},
};

static const struct nas_class classes[] = {
    {'S', 24, 6, 2, 1, 100, 0.015, &norms_s},
    {'W', 64, 8, 4, 1, 400, 0.0015, &norms_w},
    {0},
};

int main(int argc, char **argv) {
  static const struct nas_solver solver = {
      .name = "sp_mz",
      .what = "NAS SP-MZ, gas flow in zones of equal size, an inner team a zone",
      .classes = classes,
      .implicit = sp_line,
  };
  return zones_main(&solver, argc, argv);
}
