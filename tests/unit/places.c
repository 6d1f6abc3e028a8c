/* places.c - places and seats of a machine with four sockets, laid as a tree of files
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * CPU numbers as Linux gives them: core c of 32 has the CPUs c and c + 32; eight cores a socket,
 * which is a memory node; four cores share a cache.
 */
#include "tests/unit/unit.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/mem/heap.h"
#include "runtime/place/cpus/sysfile.h"
#include "runtime/place/domains/tree.h"
#include "runtime/place/places/assign.h"
#include "runtime/place/places/topology.h"

enum { CORES = 32, CPUS = 64, SOCKETS = 4, PER_SOCKET = 8, PER_CACHE = 4 };

static char root[PATH_MAX];

/* Writes a file under root and the folders on the way to it. */
static void lay(const char *path, const char *text) {
  char full[PATH_MAX + 256];
  snprintf(full, sizeof full, "%s/sys/devices/system/%s", root, path);
  for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(full, 0700);
    *slash = '/';
  }
  FILE *file = fopen(full, "w");
  unit_check(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void lay_cpus(int cpu, const char *name, int from, int n) {
  char path[128], list[64];
  snprintf(path, sizeof path, "cpu/cpu%d/%s", cpu, name);
  snprintf(list, sizeof list, "%d-%d,%d-%d\n", from, from + n - 1, from + CORES,
           from + CORES + n - 1);
  lay(path, list);
}

static void lay_machine(void) {
  char path[128], text[64];
  unit_check(mkdtemp(strcpy(root, "/tmp/nth-unit-places-XXXXXX")) != 0);
  for (int cpu = 0; cpu < CPUS; cpu++) {
    int core = cpu % CORES;
    lay_cpus(cpu, "topology/core_cpus_list", core, 1);
    lay_cpus(cpu, "topology/package_cpus_list", core / PER_SOCKET * PER_SOCKET, PER_SOCKET);
    lay_cpus(cpu, "cache/index0/shared_cpu_list", core, 1);
    lay_cpus(cpu, "cache/index1/shared_cpu_list", core / PER_CACHE * PER_CACHE, PER_CACHE);
    for (int level = 0; level < 2; level++) {
      snprintf(path, sizeof path, "cpu/cpu%d/cache/index%d/level", cpu, level);
      lay(path, level == 0 ? "1\n" : "3\n");
    }
  }
  lay("node/online", "0-3\n");
  for (int node = 0; node < SOCKETS; node++) {
    snprintf(path, sizeof path, "node/node%d/cpulist", node);
    snprintf(text, sizeof text, "%d-%d,%d-%d\n", node * PER_SOCKET, node * PER_SOCKET + 7,
             node * PER_SOCKET + CORES, node * PER_SOCKET + CORES + 7);
    lay(path, text);
  }
  nth_sysfile_root = root;
}

static struct nth_places *look_up(enum nth_place_kind kind, uint32_t limit, uint64_t mask,
                                  uint32_t wanted) {
  struct nth_cpuset usable = {&mask, 1};
  bool known;
  struct nth_places *p = nth_topology_places(kind, limit, &usable, &known);
  unit_check(p && known && p->count == wanted);
  return p;
}

static void names(void) {
  static const struct {
    enum nth_place_kind kind;
    uint32_t count, cpus;
  } wanted[] = {{NTH_PLACES_THREADS, 64, 1},
                {NTH_PLACES_CORES, 32, 2},
                {NTH_PLACES_LL_CACHES, 8, 8},
                {NTH_PLACES_SOCKETS, 4, 16},
                {NTH_PLACES_NUMA_DOMAINS, 4, 16}};
  for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
    struct nth_places *p = look_up(wanted[k].kind, 0, UINT64_MAX, wanted[k].count);
    uint64_t all = 0;
    for (uint32_t i = 0; i < p->count; i++) {
      uint64_t set = *nth_places_set(p, i);
      unit_check((uint32_t)__builtin_popcountll(set) == wanted[k].cpus && (all & set) == 0);
      all |= set;
    }
    unit_check(all == UINT64_MAX);
    nth_heap_free(p);
    nth_heap_free(look_up(wanted[k].kind, 2, UINT64_MAX, 2));
  }
}

/* A start-up mask without the first socket and without the second CPU of every core. */
static void masked(void) {
  uint64_t mask = 0xffffff00;
  struct nth_places *p = look_up(NTH_PLACES_SOCKETS, 0, mask, 3);
  unit_check(*nth_places_set(p, 0) == 0xff00 && *nth_places_set(p, 2) == 0xff000000);
  nth_heap_free(p);
  p = look_up(NTH_PLACES_CORES, 0, mask, 24);
  unit_check(*nth_places_set(p, 0) == 0x100);
  nth_heap_free(p);
}

static uint32_t socket_of(const struct nth_places *p, uint32_t place) {
  return (uint32_t)__builtin_ctzll(*nth_places_set(p, place)) % CORES / PER_SOCKET;
}

/* OMP_PLACES=cores OMP_PROC_BIND=spread,close: 4 members have a socket each, the inner 8 stay
 * there. */
static void nested(void) {
  struct nth_places *p = look_up(NTH_PLACES_CORES, 0, UINT64_MAX, CORES);
  struct nth_assignment outer = {nth_seat(0, 0, CORES), SOCKETS, NTH_BIND_SPREAD};
  uint32_t used[CORES] = {0};
  for (uint32_t i = 0; i < SOCKETS; i++) {
    struct nth_assignment inner = {nth_assign(&outer, i), PER_SOCKET, NTH_BIND_CLOSE};
    for (uint32_t j = 0; j < PER_SOCKET; j++) {
      uint32_t place = nth_seat_place(nth_assign(&inner, j));
      unit_check(socket_of(p, place) == i);
      used[place]++;
    }
  }
  for (uint32_t i = 0; i < CORES; i++)
    unit_check(used[i] == 1);
  nth_heap_free(p);
}

static uint32_t need(uint64_t mask) {
  struct nth_cpuset allowed = {&mask, 1};
  return nth_tree_need(&allowed);
}

/* From how many members on a team asks for the machine's tree: more than share a last-level
 * cache. */
static void tree_wanted(void) {
  unit_check(need(UINT64_MAX) == 9);          /* four cores with two threads share one */
  unit_check(need(0x3f0000003f) == 9);        /* six cores; the first cache is whole */
  unit_check(need(0xffffff00) == 5);          /* one thread of each core */
  unit_check(need(0x0000000700000007) == 7);  /* three cores of the first cache */
  unit_check(need(0x5) == 5 && need(0) == 5); /* few anyway */
  const char *here = nth_sysfile_root;
  nth_sysfile_root = "/nothing/here";
  unit_check(need(UINT64_MAX) == 5);
  nth_sysfile_root = here;
}

int main(void) {
  char command[PATH_MAX + 16];
  unit_begin();
  lay_machine();
  unit_run(names);
  unit_run(masked);
  unit_run(nested);
  unit_run(tree_wanted);
  snprintf(command, sizeof command, "rm -rf %s", root);
  return system(command) != 0;
}
