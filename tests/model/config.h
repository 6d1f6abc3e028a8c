/* config.h - included first in every model: small sizes, no spinning, memory that is watched
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_CONFIG_H
#define NTH_MODEL_CONFIG_H

#include <stdlib.h>

#include "runtime/base/config.h"
#include "tests/model/bridge.h"

/* Two slots are lapped at the third descriptor. */
#undef NTH_WD_SLOTS
#define NTH_WD_SLOTS 2

/* Every poll asks nth_wait_tick, which a harness defines: it sleeps at once. */
#undef NTH_SPIN_POLLS
#define NTH_SPIN_POLLS 1

#define malloc(size) nth_model_bridge->alloc(size)
#define free(memory) nth_model_bridge->free(memory)

#endif
