/* wait.c - what a waiter knows of competitors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/count.h"
#include "runtime/base/os.h"
#include "runtime/sched/wait/wait.h"

enum { RIVALS = 3, RIVALRY_MS = 60, CROWDED_SECONDS = 15 };

static struct nth_os_usage usage_of[RIVALS];
static uint64_t wall_of[RIVALS];
static int number_of[RIVALS];

static void work(unsigned number) {
  struct nth_os_usage before = nth_os_usage(), now;
  uint64_t start = nth_clock_ns();
  do
    now = nth_os_usage();
  while (now.cpu_ns - before.cpu_ns < RIVALRY_MS * UINT64_C(1000000));
  wall_of[number] = nth_clock_ns() - start;
  usage_of[number] = (struct nth_os_usage){now.cpu_ns - before.cpu_ns, now.taken - before.taken, 0};
  number_of[number] = (int)syscall(SYS_gettid);
  unit_check(nth_os_cpu_of(number_of[number]) >= now.cpu_ns);
}

/* Three threads that want one CPU for the same time each: together they wait at least as long as
 * the second and third are held up by what the first ones need. */
static void losses_are_told(void) {
  cpu_set_t all, one;
  unit_check(sched_getaffinity(0, sizeof all, &all) == 0);
  CPU_ZERO(&one);
  CPU_SET((unsigned)sched_getcpu(), &one);
  unit_check(sched_setaffinity(0, sizeof one, &one) == 0);
  uint64_t before = nth_os_cpu_of(0);
  unit_threads(RIVALS, work);
  unit_check(sched_setaffinity(0, sizeof all, &all) == 0);
  uint64_t lost = 0, had = 0;
  int64_t taken = 0;
  for (unsigned i = 0; i < RIVALS; i++) {
    lost += wall_of[i] - usage_of[i].cpu_ns;
    had += usage_of[i].cpu_ns;
    taken += usage_of[i].taken;
  }
  unit_check(lost > RIVALRY_MS * UINT64_C(1000000) && taken > 0);
  unit_check(nth_os_cpu_of(0) - before >= had);
}

/* One that sleeps has not lost its CPU. */
static void sleeps_are_told(void) {
  struct nth_os_usage before = nth_os_usage();
  nanosleep(&(struct timespec){0, 20000000}, 0);
  struct nth_os_usage after = nth_os_usage();
  unit_check(after.left > before.left && after.cpu_ns - before.cpu_ns < 20000000);
}

static unsigned polls_until_sleep(struct nth_wait *w, struct nth_waiter *t) {
  unsigned polls = 0;
  nth_wait_begin(w, t, NTH_WAIT_BARRIER, false);
  while (nth_wait_poll(w))
    polls++;
  return polls;
}

/* A wait that a spin count of 0 keeps from spinning is told to sleep at its first look at the
 * clock, however often it asks. */
static void zero_sleeps(void) {
  struct nth_waiter t = {0};
  struct nth_wait w;
  nth_wait_configure(NTH_POLICY_PASSIVE, true, 0);
  unit_check(polls_until_sleep(&w, &t) == NTH_SPIN_POLLS - 1);
  unit_check(!nth_wait_poll(&w) && !nth_wait_poll(&w));
  nth_wait_end(&w);
}

/* Under policy passive a wait that comes after work spins as long as a wake-up lasts; in vain, 1,
 * 3, 7 ... further ones do not, and one that follows at once does not either. */
static void passive_spins_less(void) {
  struct nth_waiter t = {0};
  struct nth_wait w;
  unsigned left_out = 0;
  nth_wait_configure(NTH_POLICY_PASSIVE, false, 0);
  for (unsigned tries = 0; tries <= NTH_VAIN_MOST + 1; tries++) {
    t.over_at = 0; /* long ago */
    uint64_t begin = nth_clock_ns();
    unit_check(polls_until_sleep(&w, &t) >= NTH_SPIN_POLLS);
    unit_check(nth_clock_ns() - begin >= NTH_THRIFTY_NS);
    nth_wait_end(&w);
    left_out = tries < NTH_VAIN_MOST ? left_out * 2 + 1 : left_out;
    for (unsigned i = 0; i < left_out; i++) {
      t.over_at = 0;
      unit_check(polls_until_sleep(&w, &t) == NTH_SPIN_POLLS - 1);
      nth_wait_end(&w);
    }
  }
  unsigned polls = 0;
  for (int tries = 0; polls != NTH_SPIN_POLLS - 1; tries++) { /* another process may be in
                                                               * between */
    unit_check(tries < 1000);
    t.vain = t.skip = 0;
    t.over_at = nth_clock_ns();
    polls = polls_until_sleep(&w, &t);
    nth_wait_end(&w);
  }
}

/* Once it has been good for something the next one spins again. */
static void passive_spins_on(void) {
  struct nth_waiter t = {0};
  struct nth_wait w;
  nth_wait_configure(NTH_POLICY_PASSIVE, false, 0);
  t.vain = NTH_VAIN_MOST;
  for (int i = 0; i < 2; i++) {
    t.over_at = 0;
    nth_wait_begin(&w, &t, NTH_WAIT_BARRIER, false);
    for (unsigned polls = 0; polls < NTH_SPIN_POLLS; polls++)
      unit_check(nth_wait_poll(&w));
    nth_wait_end(&w);
    unit_check(t.vain == 0 && t.skip == 0);
  }
}

/* Without a policy it spins for the lower bound, and sleeps then. */
static void spins_first(void) {
  struct nth_waiter t = {0};
  struct nth_wait w;
  nth_wait_configure(-1, false, 0);
  nth_wait_begin(&w, &t, NTH_WAIT_BARRIER, false);
  uint64_t start = nth_clock_ns();
  while (nth_wait_poll(&w))
    ;
  unit_check(nth_clock_ns() - start >= NTH_SPIN_MIN_NS);
  nth_wait_end(&w);
  unit_check(t.recent_ns[NTH_WAIT_BARRIER] >= NTH_SPIN_MIN_NS);
}

/* Polls until it is told to sleep; how many looks at the clock that took. */
static unsigned looks_of(struct nth_wait *w) {
  unsigned polls = 1;
  while (nth_wait_poll(w))
    polls++;
  return polls - (NTH_SPIN_POLLS - 1);
}

/* A crowded wait yields so many times, then sleeps; or at once after a slow yield, which there may
 * be in each wait beside others that want the CPU. */
static void crowded_yields(void) {
  uint64_t start, end = nth_clock_ns() + CROWDED_SECONDS * UINT64_C(1000000000);
  nth_wait_configure(-1, false, 0);
  do {
    struct nth_waiter t = {0};
    struct nth_wait w;
    start = nth_clock_ns();
    nth_wait_begin(&w, &t, NTH_WAIT_BARRIER, true);
    unsigned looks = looks_of(&w);
    unit_check(looks <= NTH_YIELDS_OVER + 1);
    unit_check(!nth_wait_poll(&w));
    nth_wait_end(&w);
    if (looks == NTH_YIELDS_OVER + 1 && t.yield.ns == 0)
      return;
    unit_check(t.yield.ns != 0 && nth_clock_ns() - start > NTH_SLOW_YIELD_NS);
  } while (start < end);
  printf("  left out: too busy\n");
}

/* After a yield that took long it sleeps, whether it saw that while it waited or at the end; the
 * next waits sleep at once, until the penalty is over. A wait in a team that is not crowded still
 * spins. */
static void slow_yields_end(void) {
  for (int at_end = 0; at_end < 2; at_end++) {
    struct nth_waiter t = {0};
    struct nth_wait w;
    nth_wait_configure(-1, false, 0);
    nth_wait_begin(&w, &t, NTH_WAIT_BARRIER, true);
    for (unsigned i = 0; i < NTH_SPIN_POLLS; i++) /* the last one yields */
      unit_check(nth_wait_poll(&w));
    w.last -= NTH_SLOW_YIELD_NS + 1;
    unit_check(at_end || !nth_wait_poll(&w));
    nth_wait_end(&w);
    unit_check(t.yield.ns == NTH_NO_YIELD_NS && t.spin.ns == 0);
    t.yield.until += UINT64_C(60000000000); /* on a busy machine it may be over by now */
    nth_wait_begin(&w, &t, NTH_WAIT_DOCK, true);
    unit_check(looks_of(&w) == 1);
    nth_wait_end(&w);
    nth_wait_begin(&w, &t, NTH_WAIT_BARRIER, false);
    unit_check(looks_of(&w) > 1);
    nth_wait_end(&w);
    t.yield.until = 0;
    nth_wait_begin(&w, &t, NTH_WAIT_BARRIER, true);
    unit_check(looks_of(&w) > 1);
    nth_wait_end(&w);
  }
}

/* Begins a wait that spins, up to its first look at the clock. */
static void begin_spinning(struct nth_wait *w, struct nth_waiter *t) {
  nth_wait_begin(w, t, NTH_WAIT_BARRIER, false);
  for (unsigned i = 0; i < NTH_SPIN_POLLS; i++)
    unit_check(nth_wait_poll(w));
}

/* As if the thread had been without the CPU since its last look at the clock: it lost some ms to
 * others, who had nearly all of the time since it looked for them. It has polled for most of its
 * own time. */
static void lose_cpu(struct nth_wait *w, struct nth_waiter *t, uint64_t looked_ago) {
  w->last -= NTH_GAP_NS + 1;
  t->looked_at = nth_clock_ns() - looked_ago;
  t->used = nth_os_usage();
  t->used.taken = -1;
  t->polled_ns = NTH_CONTENDED_NS;
}

/* Somebody has the CPU: that wait ends, and there is no spinning until a multiple of the penalty's
 * length. */
static void competitors_end_spinning(void) {
  struct nth_waiter t = {0};
  struct nth_wait w;
  nth_wait_configure(-1, false, 0);
  begin_spinning(&w, &t);
  lose_cpu(&w, &t, 2 * NTH_CONTENDED_NS);
  uint64_t before = nth_clock_ns();
  unit_check(looks_of(&w) == 1);
  unit_check(t.spin.ns == NTH_PENALTY_NS && t.spin.until % NTH_PENALTY_NS == 0);
  unit_check(t.spin.until > before + NTH_PENALTY_NS);
  unit_check(t.spin.until <= nth_clock_ns() + 2 * NTH_PENALTY_NS);
  nth_wait_end(&w);
  t.spin.until += UINT64_C(60000000000);
  nth_wait_begin(&w, &t, NTH_WAIT_BARRIER, false);
  unit_check(looks_of(&w) == 1);
  nth_wait_end(&w);
}

/* Where most of its CPU time is work, and its waits are short, it spins on beside a competitor.
 * Long waits are slept through, however little of the time they are. */
static void short_waits_spin_on(void) {
  for (int is_long = 0; is_long < 2; is_long++) {
    struct nth_waiter t = {.looked_at = 1};
    struct nth_wait w;
    nth_wait_configure(-1, false, 0);
    while (t.looked_at != 0) { /* another process had the CPU: once more */
      t = (struct nth_waiter){0};
      begin_spinning(&w, &t);
    }
    unit_check(t.spins == 1);
    lose_cpu(&w, &t, 100 * NTH_CONTENDED_NS);
    t.used.cpu_ns -= 20 * NTH_CONTENDED_NS; /* what it had itself; less than 1/4 of that: */
    t.polled_ns = 2 * NTH_CONTENDED_NS;
    t.spins = is_long ? 100 : 1000; /* 100 us, 10 us each */
    bool spins = true;
    for (unsigned i = 0; i < NTH_SPIN_POLLS && spins; i++)
      spins = nth_wait_poll(&w);
    unit_check(spins == !is_long && (t.spin.ns != 0) == is_long);
    nth_wait_end(&w);
  }
}

/* What a wait polls is known afterwards; a sleep does not count as that. */
static void polls_are_told(void) {
  struct nth_waiter t = {.looked_at = 1};
  struct nth_wait w;
  nth_wait_configure(-1, false, 0);
  while (t.looked_at != 0) { /* another process had the CPU: once more */
    t = (struct nth_waiter){0};
    uint64_t start = nth_clock_ns();
    begin_spinning(&w, &t);
    w.budget = 0;
    unit_check(looks_of(&w) == 1);
    uint64_t took = nth_clock_ns() - start, polled = t.polled_ns;
    nanosleep(&(struct timespec){0, 200000}, 0);
    unit_check(!nth_wait_poll(&w));
    nth_wait_end(&w);
    unit_check(t.looked_at != 0 || (polled > 0 && polled <= took && t.spins == 1));
    unit_check(t.looked_at != 0 || t.polled_ns == polled);
  }
}

/* A waiter that finds another one's mark on its CPU offers the CPU at once. */
static void met_waiters_yield(void) {
  cpu_set_t all, one;
  unit_check(sched_getaffinity(0, sizeof all, &all) == 0);
  CPU_ZERO(&one);
  CPU_SET((unsigned)sched_getcpu(), &one);
  unit_check(sched_setaffinity(0, sizeof one, &one) == 0);
  _Alignas(NTH_LINE) struct nth_waiter t[2] = {0}; /* told apart by their lines */
  nth_wait_configure(-1, false, 0);
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 2; i++) {
      struct nth_wait w;
      uint64_t before = nth_count_read(NTH_COUNT_YIELDS);
      begin_spinning(&w, &t[i]);
      unit_check(round + i == 0 || nth_count_read(NTH_COUNT_YIELDS) == before + 1);
      nth_wait_end(&w);
    }
  unit_check(sched_setaffinity(0, sizeof all, &all) == 0);
}

/* A new thread that finds another waiter on its CPU moves away at once, and once only. */
static void newborn_leaves(void) {
  bool left = false;
  nth_wait_configure(-1, false, 0);
  for (int tries = 0; tries < 1000 && !left; tries++) { /* the kernel may move it in between */
    _Alignas(NTH_LINE) struct nth_waiter t[2] = {0};
    t[1].apart.movable = t[1].newborn = true;
    for (int i = 0; i < 2; i++) {
      struct nth_wait w;
      begin_spinning(&w, &t[i]);
      nth_wait_end(&w);
    }
    left = !t[1].newborn && t[1].apart.moved_at != 0;
    unit_check(t[0].apart.moved_at == 0);
  }
  unit_check(left);
}

/* An idle thread that loses its CPU three times in a row moves, and then not at once again; each
 * time without a loss takes back half of one. */
static void losers_leave(void) {
  struct nth_apart a = {.movable = true}, root = {0};
  uint64_t now = nth_clock_ns() + 10 * (uint64_t)NTH_HOLD_MOVE_NS;
  for (int i = 0; i < 4; i++)
    nth_apart_lost(&root, now);
  unit_check(root.moved_at == 0);
  nth_apart_lost(&a, now);
  nth_apart_kept(&a);
  nth_apart_lost(&a, now);
  unit_check(a.moved_at == 0 && a.lost == 3);
  nth_apart_kept(&a);
  nth_apart_lost(&a, now);
  nth_apart_lost(&a, now);
  uint32_t moved = a.moved_at;
  unit_check(moved != 0 && a.lost == 0);
  for (int i = 0; i < 4; i++)
    nth_apart_lost(&a, now + NTH_HOLD_MOVE_NS / 2);
  unit_check(a.moved_at == moved);
  nth_apart_lost(&a, now + 2 * (uint64_t)NTH_HOLD_MOVE_NS);
  unit_check(a.moved_at != moved);
}

/* The next try is judged by what happens in it, and at its first gap; long after a penalty a gap
 * alone, so soon after the last look, says nothing. */
static bool try_is_short(bool late) {
  struct nth_wait w;
  uint64_t now = nth_clock_ns();
  struct nth_waiter t = {.spin = {now - 1, NTH_PENALTY_NS}, .looked_at = now - NTH_PENALTY_NS};
  begin_spinning(&w, &t);
  unit_check(t.looked_at >= now);
  t.spin.until = late ? 1 : now + UINT64_C(60000000000);
  lose_cpu(&w, &t, NTH_CONTENDED_NS / 4);
  bool once = looks_of(&w) == 1;
  nth_wait_end(&w);
  return once != late && t.spin.ns == (late ? NTH_PENALTY_NS : NTH_PENALTY_TIMES * NTH_PENALTY_NS);
}
/* One of ten tries has to be right: another process may take the CPU meanwhile. */
static void tries_are_short(void) {
  nth_wait_configure(-1, false, 0);
  for (int late = 0; late < 2; late++) {
    unsigned tries = 0;
    while (!try_is_short(late))
      unit_check(++tries < 10);
  }
}

static struct nth_waiter *same_waiter(struct nth_waiter *t) { return t; }
static bool is_guest;
static bool guest(struct nth_waiter *t) { return (void)t, is_guest; }
static void try_home(struct nth_waiter *t) { (void)t, is_guest = false; }
static bool nobody(struct nth_waiter *t) { return (void)t, false; }
static void tire(struct nth_waiter *t) { (void)t; }

/* A docked member that another one's OS thread runs goes on on its own one if the gap is predicted,
 * and sleeps there until shortly before its end. If nothing is predicted it stays, and learns. */
static void guests_nap_at_home(void) {
  struct nth_gaps g = {.master = NTH_GAPS_WORKS};
  struct nth_waiter t = {.serves = true, .gaps = &g, .recent_ns[NTH_WAIT_DOCK] = 150000000};
  struct nth_wait w;
  void (*after)(void *) = (void (*)(void *))(uintptr_t)0x1010;
  nth_wait_hooks = (struct nth_wait_hooks){same_waiter, guest, try_home, nobody, tire};
  nth_wait_configure(-1, false, 0);
  for (unsigned i = 0; i <= NTH_GAPS_LEAST; i++) {
    is_guest = true;
    nth_wait_begin(&w, &t, NTH_WAIT_DOCK, false);
    w.after = &after;
    while (nth_wait_poll(&w)) {}
    unit_check(is_guest == (i < NTH_GAPS_LEAST) && w.slept);
    unit_check((nth_wait_nap(&w) != 0) == !is_guest && nth_wait_nap(&w) < 150000000);
    w.start -= 150000000; /* as if the gap were over */
    nth_wait_end(&w);
    unit_check(nth_gaps_site(&g, after)->known == i + 1);
  }
}

/* A worker that knows of no short gap spins until it sees that the master sleeps. */
static void sleeping_masters_are_seen(void) {
  const uint64_t past = 100000000000;
  struct nth_gaps g = {0};
  struct nth_waiter t = {.gaps = &g};
  struct nth_wait w;
  void (*after)(void *) = (void (*)(void *))(uintptr_t)0x1010;
  nth_wait_configure(-1, false, 0);
  nth_store_rlx(&g.thread, nth_os_tid());
  nth_wait_begin(&w, &t, NTH_WAIT_DOCK, false);
  w.after = &after;
  while (w.start == 0)
    unit_check(nth_wait_poll(&w));
  unit_check(w.look_at == w.start + NTH_GAPS_LOOK_NS && w.budget == NTH_DOCK_CAP_NS);
  w.budget += 2 * past;
  w.look_at = w.start;
  while (w.look_at == w.start && w.budget != 0)
    (void)nth_wait_poll(&w);
  if (w.budget == 0) {
    printf("  left out: too busy\n");
    return;
  }
  unit_check(g.checked && g.at > w.start && g.master == NTH_GAPS_UNKNOWN);
  g.at -= past; /* as if it had had no CPU for that time */
  w.start -= past;
  w.look_at = w.start;
  while (nth_wait_poll(&w)) {}
  unit_check(g.master == NTH_GAPS_SLEEPS && w.budget == 0);
  nth_wait_end(&w);
  nth_wait_begin(&w, &t, NTH_WAIT_DOCK, false);
  w.after = &after; /* its gaps are long, so the next one is slept through at once */
  unit_check(looks_of(&w) == 1);
  nth_wait_end(&w);
}

/* Few short gaps do not tell that the next one is short, so it looks at the master in that one too;
 * nor do many, if one of them was long. */
static void short_gaps_have_to_be_known(void) {
  struct nth_gaps g = {0};
  struct nth_waiter t = {.gaps = &g, .recent_ns[NTH_WAIT_DOCK] = 2000};
  struct nth_wait w;
  void (*after)(void *) = (void (*)(void *))(uintptr_t)0x1010;
  nth_wait_configure(-1, false, 0);
  for (unsigned i = 0; i < 2 * NTH_GAPS_KEPT; i++) {
    bool known = i == NTH_GAPS_KEPT;
    nth_wait_begin(&w, &t, NTH_WAIT_DOCK, false);
    w.after = &after;
    while (w.start == 0)
      unit_check(nth_wait_poll(&w));
    unit_check(w.look_at == (known ? 0 : w.start + NTH_GAPS_LOOK_NS));
    nth_gaps_learn(&g, w.gap, known ? 5000000 : 2000, NTH_GAPS_SLEPT);
  }
}

/* A master that has just woken a slave offers it the CPU with its first poll, once. */
static void wakers_yield_at_once(void) {
  struct nth_waiter t = {.starter = true, .waker = true};
  struct nth_wait w;
  nth_wait_configure(-1, false, 0);
  for (int i = 0; i < 2; i++) {
    nth_wait_begin(&w, &t, NTH_WAIT_JOIN, false);
    unit_check(nth_wait_poll(&w));
    unit_check((w.start != 0) == (i == 0));
    unit_check(i != 0 || w.yield_at >= w.last + NTH_YIELD_EVERY_NS); /* it has yielded */
    unit_check(!t.waker);
  }
}

int main(void) {
  unit_begin();
  unit_run(losses_are_told);
  unit_run(sleeps_are_told);
  unit_run(zero_sleeps);
  unit_run(passive_spins_less);
  unit_run(passive_spins_on);
  unit_run(spins_first);
  unit_run(crowded_yields);
  unit_run(slow_yields_end);
  unit_run(competitors_end_spinning);
  unit_run(short_waits_spin_on);
  unit_run(polls_are_told);
  unit_run(met_waiters_yield);
  unit_run(newborn_leaves);
  unit_run(losers_leave);
  unit_run(tries_are_short);
  unit_run(sleeping_masters_are_seen);
  unit_run(guests_nap_at_home);
  unit_run(short_gaps_have_to_be_known);
  unit_run(wakers_yield_at_once);
  return 0;
}
