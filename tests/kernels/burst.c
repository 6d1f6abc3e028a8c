/* burst.c - fork and join of empty tasks: every member makes one for each member, and waits
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  Nikolopoulos et al., "Efficient Runtime Thread Management for the Nano-Threads
 *             Programming Model", sections 4 and 5 (figure 4): a million empty nano-threads, in
 *             bursts by all processors, and the same with 0 to 2000 floating point multiplications
 *             in each (--work). Base and Stack_aff have bursts as large as the team: one level,
 *             with NTH_POOL=central and NTH_POOL=local. Hier has clusters and bursts within them: O
 *             clusters of I members, as an inner team each, with NTH_POOL=hier. There bursts are
 *             dealt out to the processors; here the runtime gives tasks to those who have none.
 *             nth_burst is the same by nano-threads.
 * Check       in a second run each task adds a word made of its number: all ran, each once.
 */
#include "burst.h"
#include "levels.h"

struct plan {
  struct lv_split split;
  long tasks, work;
  struct burst_slot *slots; /* NULL: the tasks are empty */
  int slots_count;
};

static void note(struct burst_slot *slots, long number) {
  burst_note(&slots[omp_get_thread_num()], number);
}

/* Tasks from .. to - 1 in bursts, by one member. slots: of its team. */
static void make_bursts(const struct plan *p, struct burst_slot *slots, long from, long to,
                        int burst) {
  for (long i = from; i < to; i += burst) {
    long end = i + burst < to ? i + burst : to;
    for (long number = i; number < end; number++) {
      if (slots) {
#pragma omp task
        note(slots, number);
      } else {
        long work = p->work;
#pragma omp task
        burst_multiply(work);
      }
    }
#pragma omp taskwait
  }
}

/* Tasks from .. to - 1 by the calling team. */
static void team_bursts(const struct plan *p, struct burst_slot *slots, long from, long to) {
  int size = omp_get_num_threads(), num = omp_get_thread_num();
  make_bursts(p, slots, from + (to - from) * num / size, from + (to - from) * (num + 1) / size,
              size);
}

static void run(const struct plan *p) {
  if (p->split.outer == 0) {
#pragma omp parallel
    team_bursts(p, p->slots, 0, p->tasks);
    return;
  }
#pragma omp parallel num_threads(p->split.outer)
  {
    int size = omp_get_num_threads(), num = omp_get_thread_num();
    struct burst_slot *slots = p->slots ? p->slots + num * p->split.inner : NULL;
#pragma omp parallel num_threads(p->split.inner)
    team_bursts(p, slots, p->tasks * num / size, p->tasks * (num + 1) / size);
  }
}

/* All tasks ran, each once. */
static bool verify(struct plan p, uint64_t *found) {
  p.slots = burst_slots(p.slots_count);
  if (!p.slots) {
    return false;
  }
  run(&p);
  return burst_verify(p.slots, p.slots_count, p.tasks, found);
}

static int measure(const struct kernel *k, struct plan *p) {
  double best = INFINITY;
  uint64_t sum = 0;
  int threads = kern_threads();
  p->slots_count = p->split.outer == 0 ? threads : p->split.outer * p->split.inner;
  for (long rep = 0; rep < k->reps; rep++) {
    double start = kern_now();
    run(p);
    best = fmin(best, kern_now() - start);
  }
  bool ok = verify(*p, &sum);
  char name[64], size[64];
  snprintf(size, sizeof size, "%ld/%ld", p->tasks, p->work);
  return kern_report(lv_name(name, "burst", p->split), size, best, ok, "%016llx",
                     (unsigned long long)sum);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "burst",
      .what = "bursts of empty tasks by all members, each as large as the team",
      .size_means = "tasks",
      .iters_means = "unused",
      .full = {1000000, 1},
      .brief = {3000, 1},
  };
  long work = 0;
  struct lv_options levels = {0};
  const struct kern_option extra[] = {
      LV_OPTIONS(levels),
      {"work", "N: floating point multiplications in a task (0)", &work, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  levels.one_level |= levels.outer == 0 && levels.inner == 0 && !levels.splits;
  struct lv_split plan[LV_MOST];
  int count = lv_plan(&k, &levels, 2, plan), status = KERN_OK;
  for (int i = 0; i < count; i++) {
    status |= measure(&k, &(struct plan){plan[i], k.size, work, NULL, 0});
  }
  return status;
}
