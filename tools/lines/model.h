/* model.h - which accesses make a cache line go from one processor to another: MESI
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Model       A processor is a thread. It has a line from its access on until another one stores to
 *             the line, or, if the caches have a shape, until the line has to leave its second
 *             level. Modified, exclusive, shared: whether others have it as well. An access that
 *             loads and stores counts as a store.
 *               fetch   a load of a line that others have and the processor has not
 *               claim   a store to a line that the processor shares with others
 *               take    a store to a line that others have and the processor has not
 *               false   of fetch and take: none of the bytes was stored by the last processor that
 *                       stored to the line, so only the line is shared
 *               miss1, miss2   the line is not in the first level, or in neither
 */
#ifndef NTH_LINES_MODEL_H
#define NTH_LINES_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "cache.h"

enum { MODEL_THREADS = 512 };
enum kind { FETCH, CLAIM, TAKE, FALSE_SHARED, MISS1, MISS2, KINDS };

/* line_bytes: a power of two. shape NULL: caches without end, so no misses. */
void model_begin(uint64_t line_bytes, const struct cache_shape *shape);

/* An access of a thread to `bytes` bytes at `at` in the line with that number. Returns the events,
 * 1 << kind each. */
unsigned model_access(unsigned thread, uint64_t number, uint64_t at, uint64_t bytes, bool store);

#endif
