/* memory.c - memory nodes, pages, blocks and noted pointers: results and limits
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/omp/memory/allocation.h"
#include "runtime/omp/memory/allocator.h"
#include "runtime/omp/memory/noted.h"
#include "runtime/place/cpus/memory_nodes.h"
#include "runtime/place/cpus/sysfile.h"

/* --- memory nodes, over a tree of the test's own --- */

static char tree[] = "/tmp/nth-unit-memory-XXXXXX";

static void lay_file(const char *path, const char *text) {
  char full[512];
  snprintf(full, sizeof full, "%s/sys/devices/system/node/%s", tree, path);
  for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(full, 0700);
    *slash = '/';
  }
  FILE *f = fopen(full, "w");
  unit_check(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void lay_bandwidth(unsigned node, const char *text) {
  char path[96];
  snprintf(path, sizeof path, "node%u/access0/initiators/read_bandwidth", node);
  lay_file(path, text);
}

static struct nth_memory_nodes nodes(void) {
  struct nth_memory_nodes n;
  nth_memory_nodes_read(&n);
  return n;
}

static void memory_nodes(void) {
  unit_check(mkdtemp(tree));
  nth_sysfile_root = tree;
  unit_check(nodes().count == 0 && nodes().fast == 0);
  lay_file("has_memory", "0\n");
  unit_check(nodes().count == 1 && nodes().all[0] == 1);
  lay_file("has_memory", "0-1,4,1023\n");
  unit_check(nodes().count == 4 && nodes().all[0] == 0x13 && nodes().all[15] == UINT64_C(1) << 63);
  unit_check(nodes().fast == 0);
  lay_bandwidth(0, "200000\n");
  lay_bandwidth(1, "210000\n");
  lay_bandwidth(4, "600000\n");
  unit_check(nodes().fast == 0); /* one figure is missing */
  lay_bandwidth(1023, "290000\n");
  unit_check(nodes().fast == 1 && nodes().high[0] == 0x10 && nodes().high[15] == 0);
  lay_bandwidth(1023, "300000\n");
  unit_check(nodes().fast == 2 && nodes().high[15] == UINT64_C(1) << 63);
  lay_bandwidth(0, "fast\n");
  unit_check(nodes().fast == 0);
  lay_file("has_memory", "0-x\n");
  unit_check(nodes().count == 0 && nodes().all[0] == 0);
  char command[256];
  snprintf(command, sizeof command, "rm -rf %s", tree);
  unit_check(system(command) == 0);
  nth_sysfile_root = "";
}

/* --- blocks --- */

static void is_block(const unsigned char *p, size_t size, size_t align) {
  unit_check(p && (uintptr_t)p % (align < 16 ? 16 : align) == 0);
  const struct nth_allocation *b = (const struct nth_allocation *)(const void *)p - 1;
  unit_check(nth_allocation_size(b) == size && nth_allocation_align(b) == align && b->owner == 77);
}

static void blocks(void) {
  static const struct nth_pages_how ordinary = {NTH_PARTITION_ENVIRONMENT, false, false};
  for (int where = 0; where < 2; where++)
    for (size_t align = 1; align <= 65536; align *= 2)
      for (size_t size = 1; size < 300000; size = size * 5 + 3) {
        const struct nth_pages_how *how = where ? &ordinary : 0;
        unsigned char *p = nth_allocation_make(size, align, true, how, 77, false);
        is_block(p, size, align);
        for (size_t i = 0; i < size; i++)
          unit_check(p[i] == 0);
        memset(p, 9, size);
        static const size_t others[] = {1, 100, 4095, 4097, 20000};
        size_t had = size;
        for (int k = 0; k < 5; k++) {
          p = nth_allocation_resize(p, others[k], how);
          is_block(p, others[k], align);
          had = had < others[k] ? had : others[k];
          unit_check(p[0] == 9 && p[had - 1] == 9);
        }
        nth_allocation_end(p);
      }
}

/* --- noted pointers, against an array --- */

static void noted(void) {
  enum { COUNT = 5000 };
  static bool is_noted[COUNT];
  uint64_t state = 1;
  char *base = malloc(COUNT * 16);
  for (int turn = 0; turn < 300000; turn++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    size_t i = (state >> 33) % (turn < 150000 ? COUNT : 50);
    if (state >> 63) {
      unit_check(nth_noted_add(base + i * 16));
      is_noted[i] = true;
    } else {
      unit_check(nth_noted_take(base + i * 16) == is_noted[i]);
      is_noted[i] = false;
    }
  }
  for (size_t i = 0; i < COUNT; i++)
    unit_check(nth_noted_take(base + i * 16) == is_noted[i]);
  unit_check(!nth_noted_take(base) && !nth_noted_take(0));
  free(base);
}

/* --- a destroyed allocator, whose last blocks are given back by many --- */

static uintptr_t pool;
static _Atomic(uint32_t) ready;

static void give_back(unsigned number) {
  void *mine[20];
  for (int i = 0; i < 20; i++) {
    bool fatal = false;
    unit_check((mine[i] = nth_memory_take(number + 1, 0, pool, false, &fatal)) && !fatal);
  }
  if (nth_add_acqrel(&ready, 1) == UNIT_MAX_THREADS - 1)
    nth_allocator_destroy(pool);
  for (int i = 0; i < 20; i++)
    nth_memory_give_back(mine[i]);
}

static void destroyed(void) {
  static const struct nth_trait traits[] = {{NTH_TRAIT_POOL_SIZE, 1 << 20},
                                            {NTH_TRAIT_FALLBACK, NTH_FALLBACK_NULL}};
  for (int turn = 0; turn < 30; turn++) {
    nth_store_rlx(&ready, 0);
    unit_check((pool = nth_allocator_make(NTH_SPACE_DEFAULT, 2, traits)));
    unit_threads(UNIT_MAX_THREADS, give_back);
  }
}

int main(void) {
  unit_begin();
  unit_run(memory_nodes);
  unit_run(blocks);
  unit_run(noted);
  unit_run(destroyed);
  return 0;
}
