# mutants.py - the harnesses, and mistakes that they must find
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each mutant is the runtime with one piece of text changed. The old text must stand in its file
exactly once, so that a mutant cannot quietly stop being one."""

import dataclasses

STRUCT, OMP, SCHED, NTH = "runtime/struct/", "runtime/omp/", "runtime/sched/", "runtime/nth/"
DOMAINS = "runtime/place/domains/"
TASKS = [OMP + f"tasks/task{part}.c" for part in ("", "_memory", "_run", "_finish", "_wait")]
QUEUES = [OMP + f"queue/{part}.c" for part in ("sought", "task_list", "task_domain")]
TASKS += [*QUEUES, OMP + "queue/task_queue.c", OMP + "queue/help.c", OMP + "tasks/taskgroup.c",
          OMP + "taskloop/task_batch.c", OMP + "taskloop/task_part.c", STRUCT + "deque.c",
          DOMAINS + "domains.c", DOMAINS + "route.c", SCHED + "wait/ready.c"]
DEPEND = [OMP + f"tasks/{part}.c" for part in ("depend", "depend_table", "exclusion")]
WORKER = [SCHED + "threads/worker.c", SCHED + "threads/worker_wake.c"]
CARRIERS = [SCHED + "nano/carrier.c", SCHED + "nano/carry.c", "runtime/base/sleep.c"]

# Sources of the runtime that a harness is linked with; its own is tests/model/NAME.c.
HARNESSES = {
    "wdarray": [],
    "djs": [],
    "bell": [],
    "range": [],
    "progress": [],
    "tally": [],
    "deque": [STRUCT + "deque.c"],
    "mutex": [],
    "barrier": [*TASKS, OMP + "sync/barrier.c", OMP + "team/team.c"],
    "task_batch": [*TASKS, OMP + "sync/barrier.c", OMP + "team/team.c"],
    "task_pack": [*TASKS, OMP + "taskloop/task_pack.c", OMP + "sync/barrier.c",
                  OMP + "team/team.c"],
    "tasks_left": [*TASKS, OMP + "team/team.c"],
    "berth": [*TASKS, OMP + "queue/berth_list.c", OMP + "tasks/task_berth.c",
              OMP + "sync/lock.c", OMP + "team/team.c"],
    "suspend": [*TASKS, OMP + "queue/berth_list.c", OMP + "tasks/task_berth.c", OMP + "sync/lock.c",
                OMP + "sync/suspend.c", OMP + "team/team.c"],
    "search": [*TASKS, OMP + "sync/barrier.c", OMP + "team/team.c"],
    "stolen": [*TASKS, OMP + "team/team.c"],
    "workshare": [OMP + "worksharing/workshare.c"],
    "dock": [*WORKER],
    "summons": [*WORKER],
    "doze": [*CARRIERS],
    "watch": [*CARRIERS],
    "carried": [*CARRIERS, SCHED + "nano/carry_thread.c", *WORKER, SCHED + "threads/worker_out.c"],
    "away": [*CARRIERS, SCHED + "nano/carry_away.c", SCHED + "nano/carry_thread.c"],
    "held": [SCHED + "hold/held.c", SCHED + "hold/held_thread.c", SCHED + "hold/lend.c",
             SCHED + "hold/tholder.c"],
    "joiner": [SCHED + "hold/held.c", SCHED + "hold/held_thread.c", SCHED + "hold/lend.c",
               SCHED + "hold/tholder.c", SCHED + "hold/carried.c"],
    "team": [*TASKS, OMP + "team/team.c", *WORKER],
    "back": [*TASKS, OMP + "team/team.c", *WORKER],
    "ready": [*QUEUES, DOMAINS + "domains.c", DOMAINS + "route.c", SCHED + "wait/ready.c"],
    "recall": [OMP + "team/team.c", OMP + "queue/help.c", *WORKER],
    "depend": [OMP + "tasks/depend.c"],
    "exclusion": [OMP + "tasks/exclusion.c"],
    "chain": [*TASKS, *DEPEND, OMP + "sync/barrier.c", OMP + "team/team.c"],
    "across": [*TASKS, *DEPEND, OMP + "sync/barrier.c", OMP + "team/team.c", NTH + "across.c"],
    "deps": [],
    "permit": [],
    "follow": [],
    "table": [],
    "lrq": [NTH + "lrq.c", STRUCT + "deque.c"],
}
# Harnesses with members (tests/model/members.h).
WITH_MEMBERS = ("barrier", "task_batch", "task_pack", "berth", "suspend", "tasks_left", "search",
                "stolen", "workshare", "dock", "summons", "team", "back", "ready", "recall",
                "depend", "chain", "across")
# Harnesses with carriers of nano-thread members (tests/model/carriers.h).
WITH_CARRIERS = ("doze", "watch", "carried", "away")
# Harnesses with threads that a program creates (tests/model/threads.h).
WITH_HELD = ("held", "joiner")
# Other sizes than in tests/model/config.h; where permits are counted; where there is a summons.
SIZES = {"stolen": ["-DMODEL_DEQUE_SLOTS=4u"], "away": ["-DMODEL_PERMIT"],
         "summons": ["-DMODEL_SUMMONS"]}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A change and how it is to be found: kinds are the words of src/main.rs."""

    harness: str
    name: str
    file: str
    old: str
    new: str
    kinds: tuple

    @property
    def title(self):
        return f"{self.harness}-{self.name}"


def _mutants(harness, file, *rows):
    return [Mutant(harness, name, file, old, new, tuple(kinds.split()))
            for name, kinds, old, new in rows]


# from counting a task to queueing it
SUBMIT = ("  if (nth_likely(!depend) || nth_depend_register(t, depend)) {\n"
          "    if (nth_unlikely(!nth_task_can_wait(m) ||"
          " !nth_task_push_own(&m->now.slot->queue, t))) {\n"
          "      cannot_push(m, t);\n      return;\n    }\n")

# a task's end looks for sleepers
DONE = ("  nth_team_fence(team);                        /* task:F */\n"
        "  if (nth_unlikely(nth_load_rlx(sleepers) != 0))\n")

# the sleep and the wake-up of the runtime's own locks
SLEEP = ("(&m->word, NTH_MUTEX_AWAITED) != NTH_MUTEX_FREE) /* A */\n"
         "    nth_futex_wait(&m->word, NTH_MUTEX_AWAITED, 0);\n")
UNLOCK = "was = nth_xchg_rel(&m->word, NTH_MUTEX_FREE); /* A */"

# who gives a docked worker work looks at its dock
ROUSE = "(&p->dock, NTH_DOCK_AWAKE); /* worker:D, worker:L */\n  if (was == NTH_DOCK_ASLEEP)"
NO_WAKE = "  if (was == NTH_DOCK_ASLEEP)\n    nth_rouse(&p->dock, 1);\n"

# what nth_tasks_left() reads
LEFT = ("    left -= nth_load_acq(&s->tasks.done) + nth_load_acq(&s->tasks.done_outside);"
        " /* task:A */\n  }\n"
        "  for (uint32_t i = 0; i < n; i++)\n"
        "    left += nth_load_acq(&(team ? team->slot[i] : solo)->tasks.made); /* task:A */\n")

MUTANTS = [
    *_mutants(
        "table", SCHED + "share/table.h",
        ("claims_by_store", "check",
         "!nth_cas_acqrel(&s->owner, &none, me)) /* T */\n      continue;\n",
         "none != 0)\n      continue;\n    nth_store_rel(&s->owner, me);\n"),
        ("frees_by_store", "check",
         "  return nth_cas_acqrel(&t->slot[slot].owner, &dead, 0); /* T */\n",
         "  nth_store_rel(&t->slot[slot].owner, 0);\n  return true;\n"),
        ("frees_rlx", "race",
         "  return nth_cas_acqrel(&t->slot[slot].owner, &dead, 0); /* T */\n",
         "  return nth_cas_rlx(&t->slot[slot].owner, &dead, 0);\n"),
        ("claims_rlx", "race",
         "!nth_cas_acqrel(&s->owner, &none, me)) /* T */", "!nth_cas_rlx(&s->owner, &none, me))"),
        ("rings_rlx", "deadlock", "nth_add_rel(&t->bell, 1); /* B */", "nth_add_rlx(&t->bell, 1);"),
        ("rings_not", "deadlock", "{ nth_add_rel(&t->bell, 1); /* B */ }", "{ (void)t; }"),
        ("ticket_rlx", "deadlock", "nth_load_acq(&t->bell); /* B */", "nth_load_rlx(&t->bell);"),
        ("beats_silent", "deadlock", "  return wants > wanted || (wants == 0 && wanted != 0);\n",
         "  return wants < wanted;\n"),
    ),
    *_mutants(
        "permit", SCHED + "adapt/permit.c",
        ("unwoken", "deadlock", "  nth_add_rel(&nth_permits.word, 1); /* W */\n"
         "  nth_futex_wake(&nth_permits.word, n);\n", ""),
        ("word_kept", "deadlock", "  nth_add_rel(&nth_permits.word, 1); /* W */\n", ""),
        ("gives_unfenced", "deadlock",
         "  nth_fence_full(); /* W: the permit that was given up, or the new limit, before this"
         " look */\n", ""),
        ("rests_unfenced", "deadlock",
         "    nth_fence_full();                                  /* W */\n", ""),
        ("rests_uncounted", "deadlock check",
         "  nth_add_acqrel(&nth_permits.resting, 1); /* W */\n", ""),
        ("ticket_late", "deadlock",
         "    nth_futex_wait(&nth_permits.word, ticket, NTH_AWAY_LOOK_NS);\n",
         "    nth_futex_wait(&nth_permits.word, nth_load_acq(&nth_permits.word),"
         " NTH_AWAY_LOOK_NS);\n"),
        ("wakes_one", "deadlock", "  wake(INT_MAX);\n", "  wake(1);\n"),
        ("gives_alone", "deadlock", "  if (matters(before))\n    tell();\n  wake(1);\n",
         "  if (matters(before))\n    tell();\n"),
        ("takes_any", "check", "    if (limit != 0 && count(held + unit) > limit &&",
         "    if (limit != 0 && count(held) > limit &&"),
        ("takes_twice", "check",
         "  } while (!nth_cas_rlx(&nth_permits.held, &held, held + unit));\n",
         "    (void)nth_add_rlx(&nth_permits.held, unit);\n  } while (0);\n"),
        ("never_goes", "check", "  bool gone = limit != 0 && give_surplus(p, limit);\n",
         "  bool gone = false;\n"),
        ("gone_untold", "deadlock endless", "  if (gone)\n    tell();\n", ""),
        ("gone_unseen", "check",
         "  nth_add_rlx(&nth_permits.passed, 1);\n  if (gone)\n    tell();\n",
         "  if (gone)\n    tell();\n  else\n    nth_add_rlx(&nth_permits.passed, 1);\n"),
        ("stands_alone", "check", " &&\n         count(nth_load_rlx(&nth_permits.held)) > limit;\n",
         ";\n"),
        ("held_rlx", "race",
         "  } while (!nth_cas_rel(&nth_permits.held, &held, held - unit)); /* H */\n",
         "  } while (!nth_cas_rlx(&nth_permits.held, &held, held - unit));\n"),
        ("running_rlx", "race", "  nth_store_rel(&r->running, running(n)); /* request:A */\n",
         "  nth_store_rlx(&r->running, running(n));\n"),
        ("never_stands", "endless deadlock", "    if (stands_in(p, seen, now)) {\n",
         "    if (0 && stands_in(p, seen, now)) {\n"),
        ("stands_always", "check",
         "  return p->stands && nth_load_rlx(&nth_permits.passed) == p->seen &&\n",
         "  return p->stands &&\n"),
    ),
    *_mutants(
        "follow", SCHED + "adapt/follow.c",
        ("unwoken", "deadlock", "  nth_futex_wake(&nth_follow.word, 1);\n", ""),
        ("word_kept", "deadlock", "  nth_add_rel(&nth_follow.word, 1); /* W */\n", ""),
        ("arms_unfenced", "deadlock", "  nth_fence_full(); /* E */\n"
         "  if (nth_load_rlx(&nth_follow.armed) != 0)\n",
         "  if (nth_load_rlx(&nth_follow.armed) != 0)\n"),
        ("disarms_unfenced", "deadlock", "  nth_fence_full(); /* E */\n"
         "  if (met || !nth_permits_several())\n", "  if (met || !nth_permits_several())\n"),
        ("stays_disarmed", "check", "  nth_store_rlx(&nth_follow.armed, 1);\n  if (met)\n",
         "  if (met)\n"),
        ("meets_nobody", "deadlock endless", "    nth_permits_meet(true);\n", "    ;\n"),
        ("meets_for_ever", "check", "    nth_permits_meet(false);\n", "    ;\n"),
        ("never_disarms", "deadlock", "  nth_store_rlx(&nth_follow.armed, 0);\n"
         "  nth_fence_full(); /* E */\n", "  nth_fence_full(); /* E */\n"),
        ("never_sleeps", "check endless", "    rest(word);\n",
         "    ;\n"),
        ("word_late", "deadlock", "    rest(word);\n",
         "    rest(nth_load_acq(&nth_follow.word));\n"),
    ),
    *_mutants(
        "held", SCHED + "hold/held.c",
        ("waits_alone", "deadlock",
         "  struct nth_held_call c = nth_held_call_if_needed();\n  bool open = open_gate();",
         "  struct nth_held_call c = {0, false};\n  bool open = open_gate();"),
        ("unwoken", "deadlock",
         "  nth_futex_wake(&h->word, 1);\n  if (untimed", "  if (untimed"),
        ("searcher_uncounted", "check",
         "!nth_held_pool.newest_idle};\n  nth_held_pool.searchers++;\n",
         "!nth_held_pool.newest_idle};\n"),
        ("refused_queued", "check", "  if (queued)\n    drop(e);\n", ""),
        ("refused_counted", "check", "    nth_held_pool.held--;\n    nth_held_pool.searchers--;\n",
         "    nth_held_pool.held--;\n"),
        ("ahead_uncounted", "check", "  nth_held_pool.searchers += more;\n", ""),
        ("ahead_unwoken", "deadlock",
         "    if (nth_load_rlx(&nth_held_pool.pending) > nth_held_pool.searchers)\n"
         "      c = call_searcher();\n", ""),
        ("ahead_taken_twice", "check deadlock",
         "nth_held_pool.idle + nth_held_pool.searchers > nth_load_rlx(&nth_held_pool.pending);",
         "nth_held_pool.idle + nth_held_pool.searchers >= nth_load_rlx(&nth_held_pool.pending);"),
        ("give_unlocked", "race check deadlock",
         "  nth_mutex_lock(&nth_held_pool.lock);\n  struct nth_held_call c = queue(e);\n"
         "  nth_mutex_unlock(&nth_held_pool.lock);\n", "  struct nth_held_call c = queue(e);\n"),
    ),
    *_mutants(
        "held", SCHED + "hold/held_thread.c",
        ("takes_alone", "deadlock check",
         "  nth_held_add_running(1);\n  struct nth_held_call c = nth_held_call_unless_left();",
         "  nth_held_add_running(1);\n  struct nth_held_call c = {0, false};"),
        ("ends_alone", "deadlock check",
         "  nth_held_pool.lost += nth_held_pool.lost < NTH_HOLD_AHEAD;\n"
         "  struct nth_held_call c = nth_held_call_if_needed();",
         "  struct nth_held_call c = {0, false};"),
        ("polls_over_awake", "deadlock check endless",
         "!nth_wait_poll(&w) && nth_cas_acq(&h->word, &word, NTH_HELD_LOOKS)) /* held:W */\n",
         "!nth_wait_poll(&w) && (nth_store_rlx(&h->word, NTH_HELD_LOOKS), true))\n"),
        ("rests_searching", "check",
         "  nth_assert(nth_held_pool.searchers > 0);\n  nth_held_pool.searchers--;\n  if (stays)",
         "  if (stays)"),
    ),
    *_mutants(
        "held", SCHED + "hold/lend.c",
        ("lent_uncounted", "check", "  nth_held_pool.lent++;\n", ""),
        ("stays_uncounted", "check",
         "  nth_held_pool.held++;\n  nth_held_pool.searchers++;\n",
         "  nth_held_pool.searchers++;\n"),
        ("stays_unsearching", "check",
         "  nth_held_pool.held++;\n  nth_held_pool.searchers++;\n", "  nth_held_pool.held++;\n"),
        ("back_unsearching", "check", "    nth_held_pool.searchers++;\n  else\n",
         "    ;\n  else\n"),
    ),
    *_mutants(
        "held", SCHED + "hold/errand.c",
        ("done_rlx", "race", "nth_cas_rel(&e->state, &state, state + NTH_ERRAND_DONE",
         "nth_cas_rlx(&e->state, &state, state + NTH_ERRAND_DONE"),
        ("done_kept", "check",
         "  if (state & NTH_ERRAND_DETACHED)\n    nth_errand_free(e);\n  else if",
         "  if"),
        ("ends_unwoken", "deadlock",
         "    (void)pthread_detach(pthread_self());\n  else if (state & NTH_ERRAND_AWAITED)\n"
         "    nth_futex_wake(nth_errand_word(e), 1);\n",
         "    (void)pthread_detach(pthread_self());\n"),
        ("ends_free", "check", "& NTH_ERRAND_DETACHED; /* D */", "; over = true; /* D */"),
        ("cancelled_ends", "check", "for (int looks = 0; state & NTH_ERRAND_CANCELLING; looks++) {",
         "for (int looks = 0; 0; looks++) {"),
    ),
    *_mutants(
        "held", SCHED + "hold/tholder.c",
        ("unannounced", "deadlock endless", "&state, state | NTH_ERRAND_AWAITED)",
         "&state, state)"),
        ("join_twice", "check deadlock memory",
         "(NTH_ERRAND_DETACHED | NTH_ERRAND_JOINED))\n    return refuse",
         "NTH_ERRAND_DETACHED)\n    return refuse"),
        ("self_late", "check", "  struct join j = {0, mine(), false, false};\n"
         "  j.target = nth_errand_of(thread, &state); /* after mine(), which may take an errand"
         " just"
         " freed */\n"
         "", "  struct join j = {nth_errand_of(thread, &state), mine(), false, false};\n"),
        ("detach_kept", "check", "if (nth_errand_kind(state) == NTH_ERRAND_DONE ||", "if ("),
        ("circle_unseen", "deadlock", "  nth_fence_full(); /* J */\n", ""),
        ("circle_both", "check deadlock", "bool still = is_circle(j);", "bool still = true;"),
    ),
    *_mutants(
        "joiner", SCHED + "hold/carried.c",
        ("returns_rlx", "race", "(void)nth_xchg_rel(&h->word, NTH_HELD_RETURNS); /* H */",
         "(void)nth_xchg_rlx(&h->word, NTH_HELD_RETURNS); /* H */"),
        ("returns_unseen", "race", "if (nth_cas_acq(&h->word, &word, NTH_HELD_LOOKS)) /* H */",
         "if (nth_cas_rlx(&h->word, &word, NTH_HELD_LOOKS)) /* H */"),
        ("returns_unwoken", "deadlock", "    nth_futex_wake(&h->word, 1);\n", ""),
        ("takes_awake", "check memory race deadlock",
         "  return h->parked && nth_cas_rlx(&h->word, &idle, NTH_HELD_CARRIED);\n",
         "  return h->parked && (nth_store_rlx(&h->word, NTH_HELD_CARRIED), idle);\n"),
        ("carried_looks", "check race endless", "  } while (word == NTH_HELD_CARRIED);\n",
         "  } while (0);\n"),
        ("unlisted", "deadlock check", "  nth_held_list(h);\n  if (h->watches", "  if (h->watches"),
        ("runs_on", "check", "  if (!passes)\n    nth_held_add_running(-1);\n", ""),
        ("still_listed", "check", "  nth_held_unlist(h);\n  nth_held_take_this(e);\n",
         "  nth_held_take_this(e);\n"),
        ("never_late", "deadlock endless",
         "  return e && now - e->made_at >= NTH_CARRIED_LOOK_NS / 2;\n",
         "  return e && now - e->made_at > NTH_CARRIED_LOOK_NS;\n"),
        ("never_home", "check", "  h->home = true;\n", ""),
    ),
    *_mutants(
        "joiner", SCHED + "hold/held_thread.c",
        ("taken_spins", "endless", "      await_waker(h);\n      next = SEARCHES;\n",
         "      continue;\n"),
    ),
    *_mutants(
        "joiner", SCHED + "hold/lend.c",
        ("sentry_lent", "deadlock check",
         "  struct nth_held_call c = nth_held_call_if_needed(); /* h may have been the sentry */\n",
         "  struct nth_held_call c = {0, false};\n"),
    ),
    *_mutants(
        "progress", STRUCT + "progress.h",
        ("post_rlx", "race", "nth_store_rel(&p->posted, value)",
         "nth_store_rlx(&p->posted, value)"),
        ("look_rlx", "race", "nth_load_acq(&p->posted) >=", "nth_load_rlx(&p->posted) >="),
        ("post_no_fence", "deadlock", "  nth_fence_light(); /* F", "  /* F"),
        ("enter_no_fence", "deadlock", "nth_os_fence_all();", "true;"),
        ("seq_kept", "deadlock", "  nth_add_rel(&p->seq, 1); /* W */\n", ""),
        ("want_greatest", "deadlock", "least > value &&", "least >= NTH_PROGRESS_NOBODY &&"),
    ),
    *_mutants(
        "wdarray", STRUCT + "wdarray.h",
        ("put_rlx", "race", "nth_store_rel(&s->stamp", "nth_store_rlx(&s->stamp"),
        ("get_rlx", "race", "nth_load_acq(&s->stamp", "nth_load_rlx(&s->stamp"),
        ("stamp_first", "race check", "  s->owner = wd->owner;\n"
         "  nth_store_rel(&s->stamp, (uint64_t)wd->addressee << 32 | epoch); /* A */\n",
         "  nth_store_rel(&s->stamp, (uint64_t)wd->addressee << 32 | epoch); /* A */\n"
         "  s->owner = wd->owner;\n"),
        ("lap_too_far", "deadlock", "(uint32_t)stamp - NTH_WD_SLOTS + 1", "(uint32_t)stamp + 1"),
        ("not_for_me", "race check", "if (gwd && member >= out->addressee)",
         "if (gwd && member > out->addressee)"),
        ("lap_unseen", "deadlock",
         "!nth_wdarray_awaits(nth_load_rlx(&a->slot[position % NTH_WD_SLOTS].stamp), position)",
         "(uint32_t)nth_load_rlx(&a->slot[position % NTH_WD_SLOTS].stamp) == position"),
        ("always_lapped", "deadlock check", "if (!nth_wdarray_awaits(stamp, p))", "if (1)"),
    ),
    *_mutants(
        "djs", STRUCT + "djs.h",
        ("arrive_rlx", "race", "nth_xchg_acqrel(&d->count", "nth_xchg_rlx(&d->count"),
        ("arrive_load_store", "deadlock",
         "uint32_t old = nth_xchg_acqrel(&d->count, n & NTH_DJS_COUNT);",
         "uint32_t old = nth_load_acq(&d->count); nth_store_rel(&d->count, n & NTH_DJS_COUNT);"),
        ("arrive_no_wake", "deadlock", "if (nth_unlikely(old & NTH_DJS_SLEEP))", "if (0)"),
        ("done_rlx", "race", "bool nth_djs_done(struct nth_djs *d, uint32_t expect) {\n"
         "  uint32_t c = nth_load_acq(", "bool nth_djs_done(struct nth_djs *d, uint32_t expect) {\n"
         "  uint32_t c = nth_load_rlx("),
        ("sleep_store", "deadlock",
         "while (!nth_cas_acqrel(&d->count, &c, c | NTH_DJS_SLEEP));",
         "while (nth_store_rel(&d->count, c | NTH_DJS_SLEEP), false);"),
        ("sleep_wrong_value", "endless", "nth_sleep(&d->count, ticket, timeout)",
         "nth_sleep(&d->count, ticket & ~NTH_DJS_SLEEP, timeout)"),
        ("rouse_store", "deadlock check", "nth_cas_acqrel(&d->count, &c, c & ~NTH_DJS_SLEEP))",
         "(nth_store_rel(&d->count, c & ~NTH_DJS_SLEEP), true))"),
        ("leaves_for_another", "race check",
         "    if (!(c & NTH_DJS_BACK) || !nth_djs_same(c, n))\n",
         "    if (!(c & NTH_DJS_BACK))\n"),
        ("comes_for_another", "check", "  uint32_t c = n & NTH_DJS_COUNT;\n",
         "  uint32_t c = nth_load_rlx(&d->count) & NTH_DJS_COUNT;\n  (void)n;\n"),
        ("another_called", "check", "    if (!(c & NTH_DJS_BACK) || !nth_djs_same(c, given))\n",
         "    if (!(c & NTH_DJS_BACK))\n"),
        ("32_bits", "deadlock endless",
         "  return (c & ~NTH_DJS_SLEEP) == (expect & NTH_DJS_COUNT)",
         "  return c == expect"),
    ),
    *_mutants(
        "bell", STRUCT + "bell.h",
        ("enter_no_fence", "deadlock", "  nth_fence_full(); /* F", "  /* F"),
        ("enter_rlx", "deadlock", "return nth_load_acq(&b->seq)", "return nth_load_rlx(&b->seq)"),
        ("ring_no_seq", "deadlock", "  nth_add_rel(&b->seq, 1); /* A */\n", ""),
        ("ring_one", "deadlock", "nth_rouse(&b->seq, count)", "nth_rouse(&b->seq, 1)"),
        ("fresh_ticket", "deadlock", "nth_sleep(&b->seq, ticket, timeout_ns)",
         "nth_sleep(&b->seq, ((void)ticket, nth_load_rlx(&b->seq)), timeout_ns)"),
        ("leave_not", "check", "nth_sub_rlx(&b->sleepers, 1)", "nth_sub_rlx(&b->sleepers, 0)"),
    ),
    *_mutants(
        "range", STRUCT + "range.h",
        ("take_load_store", "race check", "w = nth_add_rlx(&r->word, some);",
         "nth_store_rlx(&r->word, w + some);"),
        ("take_past_end", "check race", "return e - n < some ? e - n : some;", "return some;"),
        ("take_of_the_first_look", "check race", "n = (uint32_t)w;\n  e = (uint32_t)(w >> 32);",
         "n = (uint32_t)w;"),
        ("take_one_of_several", "check", "return e - n < some ? e - n : some;",
         "return e - n < some ? e - n : 1;"),
        ("steal_store", "race check",
         "if (nth_cas_acqrel(&r->word, &w, nth_range_pack(n, n + keep)))",
         "if (nth_store_rel(&r->word, nth_range_pack(n, n + keep)), true)"),
        ("steal_overlap", "race check", "*next = n + keep;", "*next = n + keep - (keep > 0);"),
        ("steal_all_but_one", "check", "nth_range_pack(n, n + keep)))",
         "nth_range_pack(n, n)))"),
        ("take_part_store", "race check",
         "if (nth_cas_rlx(&r->word, &w, far ? nth_range_pack(n, at)"
         " : nth_range_pack(at + size, e)))",
         "if (far ? nth_cas_rlx(&r->word, &w, nth_range_pack(n, at))"
         " : (nth_store_rlx(&r->word, nth_range_pack(at + size, e)), true))"),
        ("steal_part_overlap", "race check", "*next = at;",
         "*next = at - (far && n < at);"),
    ),
    *_mutants(
        "tally", STRUCT + "tally.h",
        ("sub_rlx", "race deadlock", "nth_sub_acqrel(&t->others, n * NTH",
         "nth_sub_rlx(&t->others, n * NTH"),
        ("sub_rel", "race deadlock", "nth_sub_acqrel(&t->others, n * NTH",
         "nth_sub_rel(&t->others, n * NTH"),
        ("left_rlx", "race", "nth_load_acq(&t->others)) / NTH", "nth_load_rlx(&t->others)) / NTH"),
        ("sleep_unseen", "deadlock", "if (nth_unlikely(old & NTH_TALLY_ASLEEP))", "if (false)"),
        ("close_as_one", "check", "(old == (n * NTH_TALLY_ONE |", "(old == (NTH_TALLY_ONE |"),
        ("close_rlx", "race", "nth_add_acqrel(&t->others, own)", "nth_add_rlx(&t->others, own)"),
        ("close_untold", "check", "nth_unlikely(old == (n * NTH_TALLY_ONE | NTH_TALLY_CLOSED)) ?",
         "false ?"),
        ("close_in_two", "check race",
         "return nth_add_acqrel(&t->others, own) + own == NTH_TALLY_CLOSED;",
         "nth_add_acqrel(&t->others, own);\n"
         "  return nth_load_acq(&t->others) == NTH_TALLY_CLOSED;"),
    ),
    *_mutants(
        "deque", STRUCT + "deque.h",
        ("push_head_rlx", "race check", "nth_store_rel(&d->head, head + 1)",
         "nth_store_rlx(&d->head, head + 1)"),
        ("pop_head_rlx", "race check",
         "nth_store_rel(&d->head, newest); /* B */\n  nth_deque_fence();",
         "nth_store_rlx(&d->head, newest);\n  nth_deque_fence();"),
        ("fence_left_out", "race check", "    nth_fence_light(); /* F", "    ; /* F"),
        ("fence_all_left_out", "race check", "return nth_os_fence_all();", "return true;"),
        ("head_late", "race check",
         "  nth_store_rel(&d->head, newest); /* B */\n  nth_deque_fence(); /* F */\n"
         "  *word = nth_load_rlx(&d->word);\n",
         "  nth_deque_fence();\n  *word = nth_load_rlx(&d->word);\n"
         "  nth_store_rel(&d->head, newest);\n"),
        ("marks_unseen", "race check", ">= (int32_t)(word >> 32)",
         ">= (int32_t)(word >> 32 & 0xffff)"),
        ("hold_no_fence", "race check", "  nth_fence_light(); /* F */\n  if (nth_likely(",
         "  if (nth_likely("),
        ("hold_marks_unseen", "race check", "if (nth_likely(nth_load_rlx(&d->word) == word))",
         "if ((uint32_t)nth_load_rlx(&d->word) == (uint32_t)word)"),
        ("hold_word_unseen", "race check", "if (nth_likely(nth_load_rlx(&d->word) == word))",
         "if (true)"),
        ("let_go_rlx", "race check", "nth_store_rel(&d->held, 0); /* B */",
         "nth_store_rlx(&d->held, 0);"),
        ("let_go_before_pop", "race check",
         "  nth_store_rel(&d->head, newest); /* B */\n  nth_deque_let_go(d);\n",
         "  nth_deque_let_go(d);\n  nth_store_rel(&d->head, newest);\n"),
        ("hold_lowers_head", "check",
         "  nth_store_rlx(&d->held, 1);\n  nth_fence_light(); /* F */\n"
         "  if (nth_likely(nth_load_rlx(&d->word) == word))\n    return true;\n"
         "  nth_store_rlx(&d->held, 0);\n",
         "  nth_store_rlx(&d->held, 1);\n"
         "  nth_store_rel(&d->head, nth_load_rlx(&d->head) - 1);\n  nth_fence_light();\n"
         "  bool same = nth_load_rlx(&d->word) == word;\n"
         "  nth_store_rel(&d->head, nth_load_rlx(&d->head) + 1);\n"
         "  if (same)\n    return true;\n  nth_store_rlx(&d->held, 0);\n"),
        ("tail_is_free", "race check", "    d->freed = nth_load_acq(&d->copied); /* C */\n    if",
         "    d->freed = (uint32_t)nth_load_rlx(&d->word);\n    if"),
        ("below_base", "check", "return base - head <= NTH_DEQUE_SLOTS ?",
         "return base - head - 1 < NTH_DEQUE_SLOTS ?"),
        ("any_by_word", "check", "return (int32_t)(nth_load_rlx(&d->head) - tail) > 0;",
         "return (nth_load_rlx(&d->word) >> 32 & 0xffff) > 0;"),
    ),
    *_mutants(
        "deque", STRUCT + "deque.c",
        ("held_unread", "race check", "(int32_t)(head - held - tail_of(w))",
         "(int32_t)(head - tail_of(w))"),
        ("held_rlx", "race check", "nth_load_acq(&d->held); /* B */",
         "nth_load_rlx(&d->held);"),
        ("held_after_head", "race check",
         "  uint32_t held = nth_load_acq(&d->held); /* B */\n"
         "  uint32_t head = nth_load_acq(&d->head); /* B */\n",
         "  uint32_t head = nth_load_acq(&d->head);\n"
         "  uint32_t held = nth_load_acq(&d->held);\n"),
        ("publish_rlx", "race check", "while (!nth_cas_rel(&d->word, &w, pack(tail_of(w), head",
         "while (!nth_cas_rlx(&d->word, &w, pack(tail_of(w), head"),
        ("answer_not", "race check",
         "    if (before == nth_deque_public_of(w) && !(w & NTH_DEQUE_CLAIMED))\n",
         "    if (before == nth_deque_public_of(w))\n"),
        ("answer_keeps_mark", "race check", "pack(tail_of(w), before)))",
         "pack(tail_of(w), before) | (w & NTH_DEQUE_CLAIMED)))"),
        ("no_way_back", "check", "      nth_store_rel(&d->head, newest + 1); /* B */\n", ""),
        ("last_by_store", "race check",
         "if (nth_cas_rel(&d->word, &w, pack(tail_of(w), before)))",
         "if (nth_xchg_rel(&d->word, pack(tail_of(w), before)) + 1)"),
        ("steal_rlx", "race check", "nth_cas_acq(&d->word, &w, pack(tail_of(w) + n",
         "nth_cas_rlx(&d->word, &w, pack(tail_of(w) + n"),
        ("steal_all_but_none", "check race", "pack(tail_of(w) + n, count - n)))",
         "pack(tail_of(w) + n, count)))"),
        ("copied_first", "race check",
         "  for (uint32_t i = 0; i < n; i++)\n    items",
         "  nth_store_rel(&d->copied, tail_of(w) + n);\n"
         "  for (uint32_t i = 0; i < n; i++)\n    items"),
        ("two_copy", "race check", "    if (nth_load_acq(&d->copied) != tail_of(w)) /* C */\n"
         "      return 0;\n", ""),
        ("items_first", "race check",
         "    if (nth_cas_acq(&d->word, &w, pack(tail_of(w) + n, count - n))) /* A */\n"
         "      break;\n  }\n  for (uint32_t i = 0; i < n; i++)\n"
         "    items[i] = nth_load_rlx(&d->slot[(tail_of(w) + i) % NTH_DEQUE_SLOTS]);\n",
         "    for (uint32_t i = 0; i < n; i++)\n"
         "      items[i] = nth_load_rlx(&d->slot[(tail_of(w) + i) % NTH_DEQUE_SLOTS]);\n"
         "    if (nth_cas_acq(&d->word, &w, pack(tail_of(w) + n, count - n)))\n"
         "      break;\n  }\n"),
        ("head_rlx", "race check", "nth_load_acq(&d->head)", "nth_load_rlx(&d->head)"),
        ("force_rlx", "race check", "nth_cas_rel(&d->word, &w, to)",
         "nth_cas_rlx(&d->word, &w, to)"),
        ("head_before_fence", "race check",
         "  bool fenced = nth_deque_fence_all();    /* F */\n"
         "  uint32_t held = nth_load_acq(&d->held); /* B */\n"
         "  uint32_t head = nth_load_acq(&d->head); /* B */\n",
         "  uint32_t held = nth_load_acq(&d->held);\n"
         "  uint32_t head = nth_load_acq(&d->head);\n"
         "  bool fenced = nth_deque_fence_all();\n"),
        ("held_before_fence", "race check",
         "  bool fenced = nth_deque_fence_all();    /* F */\n"
         "  uint32_t held = nth_load_acq(&d->held); /* B */\n",
         "  uint32_t held = nth_load_acq(&d->held);\n"
         "  bool fenced = nth_deque_fence_all();\n"),
        ("claim_late", "race check",
         "while (!nth_cas_rlx(&d->word, &w, w | NTH_DEQUE_CLAIMED));\n"
         "  bool fenced = nth_deque_fence_all(); /* F */\n",
         "while (0);\n  bool fenced = nth_deque_fence_all(); /* F */\n"
         "  while (!nth_cas_rlx(&d->word, &w, w | NTH_DEQUE_CLAIMED));\n"),
        ("overruled_goes_on", "race check",
         "    if (!(w & NTH_DEQUE_CLAIMED)) /* the owner was quicker */\n"
         "      return nth_deque_public_of(w) > 0;\n", ""),
        ("two_force", "race check", "|| !nth_cas_acq(&d->forcing, &free, 1))", "|| free)"),
        ("unlock_not", "check", "  nth_store_rel(&d->forcing, 0); /* L */\n", ""),
    ),
    *_mutants(
        "mutex", STRUCT + "mutex.h",
        ("lock_rlx", "race", f"nth_xchg_acq{SLEEP}", f"nth_xchg_rlx{SLEEP}"),
        ("try_rlx", "race", "nth_cas_acq(&m->word", "nth_cas_rlx(&m->word"),
        ("unlock_rlx", "race", UNLOCK, UNLOCK.replace("_rel", "_rlx")),
        ("unlock_no_wake", "deadlock", "was == NTH_MUTEX_AWAITED", "was == 3"),
        ("lock_as_one", "deadlock", f"nth_xchg_acq{SLEEP}",
         f"nth_xchg_acq{SLEEP}".replace("NTH_MUTEX_AWAITED", "NTH_MUTEX_TAKEN")),
        ("unlock_store", "deadlock", UNLOCK,
         "was = nth_load_rlx(&m->word);\n  nth_store_rel(&m->word, 0);"),
    ),
    *_mutants(
        "barrier", OMP + "sync/barrier.c",
        ("publish_rlx", "race check", "nth_xchg_acqrel(word, value)", "nth_xchg_rlx(word, value)"),
        ("publish_no_fence", "deadlock", "  nth_fence_full(); /* bell:F", "  /* bell:F"),
        ("await_rlx", "race check", "uint32_t v = nth_load_acq(word); /* A, R */\n  return",
         "uint32_t v = nth_load_rlx(word);\n  return"),
        ("sleep_without_look", "deadlock",
         "  if (!over && !stays_for_task(t, m->now.slot, &timeout, again) && "
         "!nth_cancelled_team(t))\n", "  (void)over;\n"),
        ("bit_dropped", "race check",
         "publish(t, &mine->barrier.arrived, e << 1 | tasks); /* A */\n  for",
         "publish(t, &mine->barrier.arrived, e << 1); /* A */\n  for"),
        ("tasks_not_awaited", "race check deadlock", "if (look && !nth_tasks_left(t, 0)) {",
         "if (true) {"),
        ("tree_no_release", "race check",
         "    await(m, &t->slot[tree_parent(t, me)]->barrier.released, e);\n", ""),
        ("crowded_late_reset", "deadlock check race",
         "    /* the others are past their addition; R orders this store */\n"
         "    nth_store_rlx(&t->barrier.arrivals, 0);\n    if (nth_load_rlx(&t->tasked) && "
         "nth_tasks_left(t, 0))\n      finish_tasks(m, e);\n    else\n"
         "      publish(t, &t->barrier.released, e << 1); /* R */\n",
         "    if (nth_load_rlx(&t->tasked) && "
         "nth_tasks_left(t, 0))\n      finish_tasks(m, e);\n    else\n"
         "      publish(t, &t->barrier.released, e << 1); /* R */\n"
         "    nth_store_rlx(&t->barrier.arrivals, 0);\n"),
    ),
    *_mutants(
        "barrier", OMP + "tasks/task.c",
        ("made_late", "race check deadlock endless", "  nth_task_count_made(m, t);\n" + SUBMIT,
         SUBMIT + "  nth_task_count_made(m, t);\n"),
    ),
    *_mutants(
        "barrier", OMP + "tasks/task_run.c",
        ("done_rlx", "race check", "nth_store_rel(done, nth_load_rlx(done) + 1); /* task:A */",
         "nth_store_rlx(done, nth_load_rlx(done) + 1);"),
        ("done_no_look", "deadlock",
         "  if (nth_unlikely(nth_load_rlx(sleepers) != 0))\n    ended", "  if (false)\n    ended"),
        ("done_no_fence", "deadlock", DONE, DONE.partition("\n")[2]),
    ),
    *_mutants(
        "task_batch", OMP + "taskloop/task_batch.c",
        ("left_rlx", "race check", "nth_sub_acqrel(&first->left, n)",
         "nth_sub_rlx(&first->left, n)"),
        ("next_late", "check race",
         "    b->next = next + 1;\n    nth_deque_let_go(d);\n",
         "    nth_deque_let_go(d);\n    b->next = next + 1;\n"),
        ("kept_by_child", "check race memory deadlock",
         "  if (nth_deque_base(d) != r->position + 1) /* what a part has left lies above it */\n"
         "    return false;\n", ""),
        ("halves_overlap", "check race memory", "  b->end = middle;\n", ""),
        ("half_dropped", "deadlock check", "    nth_task_domain_push(to, q->part, far);\n",
         "    (void)to;\n"),
        ("first_half_dropped", "deadlock check",
         "    nth_task_domain_push(to, m->now.slot->queue.part, far);\n", ""),
        ("first_put_untold", "deadlock endless",
         "  bool robbed = r.robbed, left = false;\n",
         "  bool robbed = r.robbed, left = false;\n  r.look = 1;\n"),
        ("robbed_twice", "check race memory deadlock", "    if (b != first)\n      nth_pool_give",
         "    if (b == first)\n      nth_pool_give"),
    ),
    *_mutants(
        "task_pack", OMP + "taskloop/task_pack.c",
        ("not_held", "race check memory",
         " || !nth_deque_hold(&q->deque, s->word))\n    return 0;\n",
         ")\n    return 0;\n  nth_store_rlx(&q->deque.held, 1);\n"),
        ("let_go_first", "race check memory",
         "  b->end = b->loop.parts = n + 1;\n  nth_store_rlx(&b->left, n + 1);\n"
         "  nth_deque_let_go(&m->now.slot->queue.deque);\n",
         "  nth_deque_let_go(&m->now.slot->queue.deque);\n"
         "  b->end = b->loop.parts = n + 1;\n  nth_store_rlx(&b->left, n + 1);\n"),
        ("left_forgotten", "race check memory deadlock",
         "  nth_store_rlx(&b->left, n + 1);\n", ""),
        ("open_though_public", "race check memory",
         "  s->task = nth_deque_is_private(s->position, s->word) ? t : 0;\n",
         "  s->task = t;\n"),
    ),
    *_mutants(
        "task_pack", OMP + "taskloop/task_batch.c",
        ("open_though_run", "race check memory deadlock", "    mine->queue.stage.task = 0;\n", ""),
    ),
    *_mutants(
        "tasks_left", OMP + "tasks/task_finish.c",
        ("made_first", "check race",
         LEFT, "    left += nth_load_acq(&s->tasks.made);\n  }\n"
         "  for (uint32_t i = 0; i < n; i++) {\n"
         "    const struct nth_slot *s = team ? team->slot[i] : solo;\n"
         "    left -= nth_load_acq(&s->tasks.done) + nth_load_acq(&s->tasks.done_outside);\n  }\n"),
        ("slot_by_slot", "check race",
         LEFT, "    left -= nth_load_acq(&s->tasks.done) + nth_load_acq(&s->tasks.done_outside);\n"
         "    left += nth_load_acq(&s->tasks.made);\n  }\n"),
        ("look_rlx", "check race", "left -= nth_load_acq(&s->tasks.done) +",
         "left -= nth_load_rlx(&s->tasks.done) +"),
        ("look_outside_rlx", "race", "+ nth_load_acq(&s->tasks.done_outside);",
         "+ nth_load_rlx(&s->tasks.done_outside);"),
    ),
    *_mutants(
        "tasks_left", OMP + "tasks/task_run.c",
        ("done_rlx", "check race", "nth_store_rel(done, nth_load_rlx(done) + 1); /* task:A */",
         "nth_store_rlx(done, nth_load_rlx(done) + 1);"),
        ("done_before_its_parent_knows", "check race",
         "  struct nth_chain *c = m ? m->chain : 0;\n",
         "  struct nth_chain *c = m ? m->chain : 0;\n  count_done(m, team, home);\n"
         "#define count_done(m, team, home)\n"),
        ("done_no_fence", "deadlock", DONE, DONE.partition("\n")[2]),
        ("second_look_dropped", "deadlock",
         "  if (!m->now.team || !nth_tasks_left(m->now.team, 0))\n", "  if (false)\n"),
        ("outside_looks", "race memory", "  /* From here on the region may end, ",
         "  if (team && nth_tasks_left(team, 0))\n    return;\n  /* "),
        ("outside_no_fence", "deadlock",
         "  nth_fence_full();                          /* task:F */\n", ""),
        ("back_of_anybody", "race check memory", " && nth_task_parent(t) == current", ""),
        ("outside_rlx", "race", "nth_add_rel(&home->tasks.done_outside, 1)",
         "nth_add_rlx(&home->tasks.done_outside, 1)"),
        ("zero_unheard", "check", "last_child_ended(parent); break;", "break;"),
        ("anybodys_children", "race check", "m && nth_load_rlx(&parent->runner) == m", "true"),
        ("anybodys_group", "race", "count_down(&group->count, mine, n)",
         "count_down(&group->count, mine || true, n)"),
        ("nobody_told", "deadlock", "  if (nth_unlikely(wake))\n", "  if (false)\n"),
    ),
    *_mutants(
        "tasks_left", OMP + "tasks/task.c",
        ("made_late", "check race deadlock", "  nth_task_count_made(m, t);\n" + SUBMIT,
         SUBMIT + "  nth_task_count_made(m, t);\n"),
    ),
    *_mutants(
        "tasks_left", OMP + "tasks/task_run.c",
        ("done_before_it_ran", "check race",
         "  if (nth_likely(t->fn && !discard))\n    call(m, t);\n  else if",
         "  _Atomic(uint32_t) *done = &m->now.slot->tasks.done;\n"
         "  nth_store_rel(done, nth_load_rlx(done) + 1);\n"
         "  if (nth_likely(t->fn && !discard))\n"
         "    call(m, t);\n"
         "  nth_store_rel(done, nth_load_rlx(done) - 1);\n"
         "  if (nth_likely(t->fn && !discard))\n"
         "    ;\n"
         "  else if"),
        ("runner_kept", "check", "  nth_store_rlx(&t->runner, NULL);\n  if (nth_tally_close",
         "  if (nth_tally_close"),
        ("held_late", "memory race check",
         "  nth_add_rlx(&t->refs, 1); /* task.h, I3: the children's */\n"
         "  nth_store_rlx(&t->runner, NULL);\n"
         "  if (nth_tally_close(&t->children))\n"
         "    nth_sub_rlx(&t->refs, 1);",
         "  nth_store_rlx(&t->runner, NULL);\n"
         "  if (!nth_tally_close(&t->children))\n"
         "    nth_add_rlx(&t->refs, 1);"),
        ("not_closed", "memory race", "  close_children(t);\n", ""),
        ("not_the_last", "check", "    nth_sub_rlx(&t->refs, 1); /* not the last",
         "    (void)0; /* not"),
    ),
    *_mutants(
        "tasks_left", OMP + "tasks/task_wait.c",
        ("sleep_unsaid", "deadlock check",
         "  if (what->tally)\n    nth_tally_sleeps(what->tally);\n", ""),
    ),
    *_mutants(
        "stolen", OMP + "queue/task_queue.c",
        ("not_told", "deadlock", "    share(mine);\n    tell(m);\n", "    share(mine);\n"),
        ("ends_only", "deadlock", "  if (look == NTH_LOOK_ALL && from)\n", "  if (false)\n"),
        ("first_only", "deadlock endless", "!t && i <= others; i++", "!t && i < others; i++"),
        ("moved_untold", "deadlock", "  if (moved)\n    tell(m);\n", ""),
        ("moved_on", "check", "nth_deque_at(d, begin + i)",
         "nth_deque_at(d, nth_deque_begin(d) + i)"),
    ),
    *_mutants(
        "stolen", OMP + "tasks/task_wait.c",
        ("in_others_hands", "deadlock", "timeout == 0 && nth_task_hidden(m, from))", "false)"),
    ),
    *_mutants(
        "workshare", OMP + "worksharing/workshare.c",
        ("append_rlx", "race", "nth_cas_acqrel(&at->next, &next, link)",
         "nth_cas_rlx(&at->next, &next, link)"),
        ("own_wish", "check", "  spec->on_counter = (next & ON_COUNTER) != 0;\n", ""),
        ("follow_rlx", "race", "nth_load_acq(&at->next)", "nth_load_rlx(&at->next)"),
        ("share_id_rlx", "race", "nth_store_rel(&slot->share_id", "nth_store_rlx(&slot->share_id"),
        ("scan_rlx", "race", "nth_load_acq(&t->slot[i]->share_id)",
         "nth_load_rlx(&t->slot[i]->share_id)"),
        ("reclaim_one_more", "race check memory", "s->made_first->id < in_use",
         "s->made_first->id <= in_use"),
        ("share_id_early", "race check memory", "s->pinned : id);", "s->pinned : id + 1);"),
        ("chain_not_ended", "race check memory", "  nth_store_rlx(&t->shares.anchor.next, 0);\n",
         ""),
        ("append_store", "check race", "if (nth_cas_acqrel(&at->next, &next, link)) {",
         "nth_store_rel(&at->next, link);\n    if (true) {"),
    ),
    *_mutants(
        "summons", SCHED + "threads/worker.c",
        ("unseen", "deadlock", " || nth_summons_waits(&p->heard) ||\n", " ||\n"),
    ),
    *_mutants(
        "summons", SCHED + "threads/worker_wake.c",
        ("not_woken", "deadlock", "  nth_rouse(&p->dock, 1);\n  if (p->carried)",
         "  if (p->carried)"),
    ),
    *_mutants(
        "summons", SCHED + "wait/summons.h",
        ("heard_rlx", "race", "nth_store_rel(heard", "nth_store_rlx(heard"),
    ),
    *_mutants(
        "dock", SCHED + "threads/worker.c",
        ("sleep_no_fence", "deadlock", "  nth_fence_full(); /* F: against the waker's", "  /* F:"),
        ("sleep_without_look", "deadlock", "  if (!has_work(p)) {\n    bool idle = sleep",
         "  {\n    bool idle = sleep"),
        ("leave_anyhow", "deadlock", "  if (nth_cas_rel(&p->dock, &asleep, NTH_DOCK_LEFT)) {",
         "  (void)asleep;\n  nth_store_rel(&p->dock, NTH_DOCK_LEFT);\n  if (true) {"),
        ("leave_rlx", "race", "nth_cas_rel(&p->dock, &asleep", "nth_cas_rlx(&p->dock, &asleep"),
    ),
    *_mutants(
        "dock", SCHED + "threads/worker_wake.c",
        ("wake_no_futex", "deadlock", NO_WAKE, ""),
        ("return_rlx", "race", f"nth_xchg_acqrel{ROUSE}", f"nth_xchg_rel{ROUSE}"),
    ),
    *_mutants(
        "doze", SCHED + "nano/carrier.c",
        ("asleep_not_said", "deadlock", "  nth_store_rlx(&c->asleep, 1);\n", ""),
        ("no_fence", "deadlock", "  nth_fence_full(); /* A, sleep:S */\n", ""),
        ("alarm_late", "deadlock", "    sleep_for_wishes(&w, &c->alarm, news);\n",
         "    w.v[0].value = nth_load_acq(&c->alarm), sleep_for_wishes(&w, &c->alarm, news);\n"),
        ("news_late", "deadlock", "    sleep_for_wishes(&w, &c->alarm, news);\n",
         "    sleep_for_wishes(&w, &c->alarm, nth_load_acq(&nth_sleep_news));\n"),
        ("alarm_no_news", "deadlock",
         "  nth_futex_wake(&c->alarm, 1);\n  if (nth_unlikely(nth_sleep_by_news))\n",
         "  nth_futex_wake(&c->alarm, 1);\n  if (false)\n"),
        ("alarm_not_added", "deadlock", "  nth_add_acqrel(&c->alarm, 1); /* A */\n", ""),
        ("own_word_unseen", "deadlock", "bool can = me && me->word && nth_identity_can(me, 0);",
         "bool can = false;"),
        ("steal_unlocked", "race check", "  if (!nth_mutex_try(&c->lock))\n    return 0;\n",
         "  (void)nth_mutex_try(&c->lock);\n"),
        ("stolen_lost", "deadlock", "  nth_carrier_put(c, x);\n  return true;\n",
         "  return true;\n"),
        ("passed_unlocked", "check race",
         "    nth_store_rlx(&c->queued, nth_load_rlx(&c->queued) + 1);\n    return x;\n",
         "    nth_store_rlx(&c->queued, nth_load_rlx(&c->queued) + 1);\n"),
        ("not_passed_on", "deadlock",
         "    nth_futex_wake((_Atomic(uint32_t) *)w->v[i].word, 1);\n", "    ;\n"),
        ("passed_on_one_late", "deadlock", "i = from; i < w->n", "i = from + 1; i < w->n"),
        ("wish_first_only", "deadlock",
         "    wish_for(w, x->word, x->value, x->until);\n  nth_mutex_unlock",
         "    ;\n  nth_mutex_unlock"),
    ),
    *_mutants(
        "doze", SCHED + "nano/carry.c",
        ("no_alarm", "deadlock",
         "  if (nth_load_rlx(&c->asleep) != 0)\n    nth_carrier_alarm(c);\n", ""),
    ),
    *_mutants(
        "doze", "runtime/base/sleep.h",
        ("rouse_no_fence", "deadlock", "    nth_fence_full(); /* S */\n    if", "    if"),
        ("rouse_no_news", "deadlock", "    if (nth_unlikely(nth_sleep_by_news))\n",
         "    if (false)\n"),
        ("counted_no_fence", "deadlock", "  nth_fence_full(); /* S */\n  bool", "  bool"),
    ),
    *_mutants(
        "doze", "runtime/base/sleep.c",
        ("no_new_news", "deadlock", "  nth_add_rel(&nth_sleep_news, 1); /* N */\n", ""),
    ),
    *_mutants(
        "carried", SCHED + "threads/worker.c",
        ("nano_no_fence", "deadlock", "    nth_fence_behind(); /* F */\n", ""),
        ("nano_without_look", "deadlock", "    if (!has_work(p)) {\n      bool",
         "    {\n      bool"),
        ("regular_without_look", "deadlock", "  if (!has_work(p)) {\n    bool idle = sleep",
         "  {\n    bool idle = sleep"),
        ("begun_no_wake", "deadlock", "  nth_futex_wake(&t->begun, 1);\n", ""),
        ("leave_anyhow", "deadlock check", "  if (nth_cas_rel(&p->dock, &asleep, NTH_DOCK_LEFT)) {",
         "  (void)asleep;\n  nth_store_rel(&p->dock, NTH_DOCK_LEFT);\n  if (true) {"),
        ("leave_rlx", "race", "nth_cas_rel(&p->dock, &asleep", "nth_cas_rlx(&p->dock, &asleep"),
    ),
    *_mutants(
        "carried", SCHED + "threads/worker_wake.c",
        ("out_unseen", "deadlock",
         "  else if (was == NTH_DOCK_OUT)\n    nth_carry_ready(nth_worker_self(p));\n", ""),
        ("asleep_as_out", "check race", "  else if (was == NTH_DOCK_OUT)\n    nth_carry_ready",
         "  if (was != NTH_DOCK_AWAKE)\n    nth_carry_ready"),
        ("rouse_rlx", "race", f"nth_xchg_acqrel{ROUSE}", f"nth_xchg_rlx{ROUSE}"),
        ("left_unseen", "deadlock",
         "  while (was == NTH_DOCK_LEFT) {", "  while (false) {"),
        ("rouse_no_wake", "deadlock", NO_WAKE, ""),
    ),
    *_mutants(
        "carried", SCHED + "threads/worker_out.c",
        ("out_store", "deadlock", "  if (!nth_cas_acqrel(&p->dock, &asleep, NTH_DOCK_OUT))",
         "  (void)asleep;\n  nth_store_rel(&p->dock, NTH_DOCK_OUT);\n  if (false)"),
        ("out_rlx", "race", "nth_cas_acqrel(&p->dock, &asleep", "nth_cas_rlx(&p->dock, &asleep"),
        ("look_rlx", "race", "nth_cas_acqrel(&p->dock, &out", "nth_cas_rlx(&p->dock, &out"),
        ("look_unasked", "check race",
         "  if (!nth_cas_acqrel(&p->dock, &out, NTH_DOCK_ASLEEP)) /* worker:D, worker:L */\n"
         "    return false;\n",
         "  (void)nth_cas_acqrel(&p->dock, &out, NTH_DOCK_ASLEEP);\n"),
        ("not_ready", "deadlock", "    nth_carry_ready(x);\n", "    (void)x;\n"),
    ),
    *_mutants(
        "carried", SCHED + "nano/carry.c",
        ("queued_early", "check race", "  c->after = after;\n",
         "  c->after = 0;\n  if (after)\n    after(me);\n"),
        ("barred_root_served", "endless deadlock check",
         "  return second ? second : helper_of(f);\n",
         "  return second ? second : nth_load_acq(&f->carrier[0]);\n"),
        ("root_queued_twice", "endless check race", "!nth_carrier_remove(c, c->rest)", "!c->rest"),
        ("no_alarm", "deadlock",
         "  if (nth_load_rlx(&c->asleep) != 0)\n    nth_carrier_alarm(c);\n", ""),
        ("lock_kept", "deadlock endless", "  nth_mutex_unlock(&x->queue->lock);\n", ""),
    ),
    *_mutants(
        "carried", SCHED + "nano/carry_thread.c",
        ("stolen_on_its_way", "endless", "  nth_store_rlx(&x->pinned, true); /* nobody",
         "  /* nobody"),
    ),
    *_mutants(
        "away", SCHED + "nano/carry_away.c",
        ("never_goes", "deadlock endless",
         "      !nth_permit_gone(&c->permit))\n", "      true)\n"),
        ("away_unsaid", "deadlock endless", "  nth_store_rlx(&c->away, true);\n", ""),
        ("signals_open", "check", "  nth_carry_mask(c);\n", ""),
        ("put_early", "check race", "  nth_carry_go(me, c->rest, after);\n",
         "  after(me);\n  nth_carry_go(me, c->rest, nth_carry_stay_out);\n"),
        ("left_out", "deadlock endless", "  nth_carry_go(me, c->rest, after);\n",
         "  (void)after;\n  nth_carry_go(me, c->rest, nth_carry_stay_out);\n"),
    ),
    *_mutants(
        "watch", SCHED + "nano/watchdog.h",
        ("arm_no_fence", "deadlock", "  nth_fence_behind(); /* D */\n", ""),
    ),
    *_mutants(
        "watch", SCHED + "nano/watchdog.c",
        ("disarm_no_fence", "deadlock", "  nth_fence_full(); /* D */\n", ""),
        ("disarm_without_look", "deadlock", "  if (!l.waits && !l.ready) {\n    if (may_end())",
         "  if (true) {\n    if (may_end())"),
        ("arm_same_word", "deadlock",
         "  nth_store_rlx(&nth_watch_armed, 1);\n  nth_add_rel(&watch.word, 1); /* W */\n",
         "  nth_store_rlx(&nth_watch_armed, 1);\n"),
        ("arm_no_wake", "deadlock",
         "  nth_futex_wake(&watch.word, 1);\n}\n\nNTH_IN_CHILD void nth_watch_forked",
         "}\n\nNTH_IN_CHILD void nth_watch_forked"),
        ("fresh_word", "deadlock", "nth_futex_wait(&watch.word, word, l.until",
         "nth_futex_wait(&watch.word, nth_load_rlx(&watch.word), l.until"),
        ("until_unseen", "deadlock endless", "      l->until = x->until;\n", "      ;\n"),
        ("roots_same_word", "deadlock",
         "  if (last) {\n    nth_add_rel(&watch.word, 1); /* W */\n", "  if (last) {\n"),
    ),
    *_mutants(
        "watch", SCHED + "nano/carry.c",
        ("put_unarmed", "deadlock",
         "  nth_watch_arm();\n}\n\nstatic struct nth_carrier *any_carrier",
         "}\n\n"
         "static struct nth_carrier *any_carrier"),
        ("all_unarmed", "deadlock", "    nth_carrier_alarm(to);\n  nth_watch_arm();\n",
         "    nth_carrier_alarm(to);\n"),
        ("roused_unarmed", "deadlock", "    nth_carrier_alarm(x->own);\n  nth_watch_arm();\n",
         "    nth_carrier_alarm(x->own);\n"),
    ),
    *_mutants(
        "team", OMP + "team/team.c",
        ("fork_no_fence", "deadlock", "  nth_fence_full(); /* worker:F: against a docked",
         "  /* worker:F: against a docked"),
        ("fork_no_wake", "deadlock", "  for (uint32_t i = 1; i < t->size; i++)\n"
         "    if (nth_unlikely(nth_worker_sleeps(t->group.proc[i])))\n      wake(t, i);\n", ""),
        ("look_before_bit", "deadlock",
         "    bool queued = nth_task_queued(t) || nth_berth_any(t->slot[0]);\n",
         "    bool queued = false;\n"),
    ),
    *_mutants(
        "back", OMP + "team/team.c",
        ("looks_early", "deadlock", "  nth_fence_full(); /* L: the arrival",
         "  /* L: the arrival"),
        ("in_any_region", "check race deadlock",
         "tasked && closed == m->closed &&", "true &&"),
        ("not_closed", "check race deadlock", "!close_region(t)", "false"),
        ("closed_late", "check",
         "    m->closed = nth_load_rlx(&t->join.closed); /* L: not later, for the join may close"
         " the region\n                                                * while a slave that it has"
         " recalled runs */\n    run_body(m, t, wd);\n  }\n  p->crowded = t->crowded;\n"
         "  drain(m, t);\n",
         "    run_body(m, t, wd);\n  }\n  p->crowded = t->crowded;\n  drain(m, t);\n"
         "  m->closed = nth_load_rlx(&t->join.closed);\n"),
        ("closed_no_fence", "check race deadlock",
         "  nth_fence_full();                                                  /* L */\n", ""),
    ),
    *_mutants(
        "back", OMP + "queue/help.c",
        ("not_called", "deadlock", "nth_djs_call(d, given) || (nth", "(nth"),
        ("left_not_recalled", "deadlock",
         "nth_djs_call(d, given) || (nth_djs_done(d, given) && recall_docked(t, i, given))",
         "nth_djs_call(d, given)"),
    ),
    *_mutants(
        "back", OMP + "queue/help.h",
        ("crowded_no_fence", "deadlock", "    nth_fence_full(); /* task:F */\n", "    ;\n"),
        ("no_fence", "deadlock", "    nth_fence_light(); /* task:F */\n", "    ;\n"),
    ),
    *_mutants(
        "back", STRUCT + "djs.h",
        ("call_ignored", "deadlock",
         "c & (c & NTH_DJS_CALLED ? ~NTH_DJS_CALLED : NTH_DJS_COUNT)", "c & NTH_DJS_COUNT"),
        ("leave_silently", "deadlock",
         "  if (nth_unlikely(c & NTH_DJS_SLEEP))\n    nth_rouse(&d->count, 1);\n  return true",
         "  return true"),
    ),
    *_mutants(
        "berth", OMP + "tasks/task_berth.c",
        ("nobody_told", "deadlock", "  nth_task_announce(team, false);\n", "  (void)team;\n"),
        ("not_closed", "deadlock", "  if (nth_tally_close(tally)) {\n", "  if (false) {\n"),
        ("not_awaiting", "check", "    nth_berth_awaits(&b->slot->berths, b);\n", ""),
    ),
    *_mutants(
        "berth", OMP + "queue/berth_list.c",
        ("woken_rlx", "race", "while (!nth_cas_rel(&in->woken, &head, b));",
         "while (!nth_cas_rlx(&in->woken, &head, b));"),
        ("taken_rlx", "race", "nth_xchg_acq(&in->woken, NULL)", "nth_xchg_rlx(&in->woken, NULL)"),
    ),
    *_mutants(
        "berth", OMP + "sync/lock.c",
        ("word_as_it_was", "deadlock",
         "bool waits = nth_xchg_acq(&l->word, NTH_MUTEX_AWAITED) != NTH_MUTEX_FREE;",
         "bool waits = nth_load_acq(&l->word) != 0;"),
        ("not_counted", "deadlock", "  nth_add_rlx(&suspended, 1);\n", ""),
        ("counted_late", "deadlock", "  nth_fence_full(); /* S */\n  nth_mutex_lock_soon",
         "  nth_mutex_lock_soon"),
        ("nobody_called", "deadlock", "    next = b->next;\n    nth_berth_ready(b);\n",
         "    next = b->next;\n"),
        ("woken_forgets", "deadlock", "    as = NTH_MUTEX_AWAITED; /* others may sleep */\n", ""),
        ("turn_not_marked", "deadlock endless",
         "         nth_xchg_acq(&l->word, NTH_MUTEX_AWAITED) != NTH_MUTEX_FREE) { /* mutex:A */",
         "         !nth_mutex_try(l)) {"),
        ("look_rlx", "race", "nth_cas_acq(&l->word, &free, as)",
         "nth_cas_rlx(&l->word, &free, as)"),
    ),
    *_mutants(
        "suspend", OMP + "sync/suspend.c",
        ("marked_late", "check race deadlock memory", "? nth_berth_mark(m) : 0;",
         "? m->berth : 0;"),
        ("not_ready", "deadlock", "    nth_berth_ready(s->berth);\n", ""),
    ),
    *_mutants(
        "suspend", OMP + "queue/berth_list.c",
        ("woken_rlx", "race", "while (!nth_cas_rel(&in->woken, &head, b));",
         "while (!nth_cas_rlx(&in->woken, &head, b));"),
    ),
    *_mutants(
        "search", OMP + "queue/help.c",
        ("not_ended", "deadlock",
         "  nth_store_rlx(&t->help.search, NTH_SEARCH_NONE);\n  nth_fence_full(); /* H */\n", ""),
    ),
    *_mutants(
        "search", OMP + "queue/help.h",
        ("not_heard", "deadlock", "  nth_team_search_claim(t, mine); /* a ring", "  /* a ring"),
        ("not_taken_over", "deadlock", "    nth_team_searches(mine, NTH_SEARCHES);\n",
         "    (void)mine;\n"),
        ("gives_up_silently", "deadlock", "  nth_team_searches(mine, NTH_SEARCHED); /*",
         "  nth_team_searches(mine, 0); /*"),
    ),
    *_mutants(
        "search", OMP + "sync/barrier.c",
        ("ender_unseen", "check",
         "  nth_add_rlx(&t->help.enders, 1); /* the bell's fence serves this addition, too */\n",
         "  nth_add_rlx(&t->help.enders, 0);\n"),
    ),
    *_mutants(
        "recall", OMP + "team/team.c",
        ("expected_late", "check race deadlock",
         "  expect_all(t);\n"
         "  if (t->group.gwd)\n"
         "    fork_gwd(t, &wd);\n"
         "  if (nth_unlikely(t->leaders.count != 0)) {\n"
         "    nth_members_fork(m, t, &wd);\n    return;\n  }\n"
         "  if (!t->group.gwd)\n"
         "    fork_lwd(t, &wd);\n",
         "  fork_lwd(t, &wd);\n  expect_all(t);\n"),
        ("join_once", "check race", "!close_region(t)", "false"),
        ("looks_once", "check race", "  return before == after;\n", "  return true;\n"),
        ("join_looks_early", "check race deadlock", "nth_tasks_left(t, 0) || !close_region(t);",
         "!close_region(t) || nth_tasks_left(t, 0);"),
        ("sleeps_too_late", "deadlock", "nth_load_rlx(&t->crew.pjv[i]) == expect && ", ""),
    ),
    *_mutants(
        "recall", OMP + "queue/help.c",
        ("no_fence", "deadlock", "  nth_fence_full(); /* worker:F */", ""),
        ("pjv_store", "check race deadlock",
         "!nth_cas_acqrel(&t->crew.pjv[i], &given, given + 1)",
         "(nth_store_rel(&t->crew.pjv[i], given + 1), false)"),
        ("not_docked", "check race deadlock", "nth_likely(is == NTH_DJS_RUNS)", "false"),
    ),
    *_mutants(
        "depend", OMP + "tasks/depend.c",
        ("look_rlx", "race", "nth_load_acq(&before->successors)",
         "nth_load_rlx(&before->successors)"),
        ("link_rlx", "race", "nth_cas_acqrel(&before->successors,",
         "nth_cas_rlx(&before->successors,"),
        ("link_rel", "race", "nth_cas_acqrel(&before->successors,",
         "nth_cas_rel(&before->successors,"),
        ("link_acq", "race", "nth_cas_acqrel(&before->successors,",
         "nth_cas_acq(&before->successors,"),
        ("counted_late", "check race memory deadlock",
         "    late += !link_edge(&d->own[i], node);\n",
         "    late += !link_edge(&d->own[i], node);\n  nth_deps_set(&node->deps, NTH_MADE, n);\n"),
        ("late_not_counted", "deadlock check", "(late > 0 && nth_deps_last(&node->deps, late))",
         "false"),
        ("late_is_ready", "check race memory",
         "return late == n || (late > 0 && nth_deps_last(&node->deps, late));", "return late > 0;"),
        ("late_at_once", "check race memory", "      late += !link_edge(&b->edge[i], node);\n",
         "      if (!link_edge(&b->edge[i], node))\n        return true;\n"),
        ("looked_at_after", "memory race", "return late == n ||", "return late == d->edges ||"),
        ("peek", "memory race", "before->latest == after",
         "nth_load_rlx(&before->successors) > 1 && "
         "((struct nth_edge *)nth_load_rlx(&before->successors))->after == &after->task->node"),
        ("release_rel", "race", "nth_xchg_acqrel(&d->successors", "nth_xchg_rel(&d->successors"),
        ("release_acq", "race", "nth_xchg_acqrel(&d->successors", "nth_xchg_acq(&d->successors"),
        ("others_are_own", "race deadlock check", "  if (own) {\n", "  if (true) {\n"),
        ("own_kept", "deadlock check race",
         "    nth_store_rlx(&d->successors, NTH_DEPEND_DONE);\n", ""),
        ("next_late", "memory race", "    e = next;\n", "    e = e->next;\n"),
        ("no_ring", "deadlock", "  nth_bell_ring(bell, INT_MAX);\n", ""),
        ("ring_no_fence", "deadlock", "  nth_fence_full(); /* bell:F: p may be gone */\n", ""),
    ),
    *_mutants(
        "depend", STRUCT + "deps.h",
        ("resolve_rel", "race", "nth_sub_acqrel(&d->word, n)", "nth_sub_rel(&d->word, n)"),
        ("resolve_rlx", "race", "nth_sub_acqrel(&d->word, n)", "nth_sub_rlx(&d->word, n)"),
        ("alone_rlx", "race", "uint32_t word = nth_load_acq(&d->word)",
         "uint32_t word = nth_load_rlx(&d->word)"),
        ("alone_store_rlx", "race", "nth_store_rel(&d->word, word - n)",
         "nth_store_rlx(&d->word, word - n)"),
        ("alone_too_soon", "check race memory deadlock", "  if (nth_deps_count(word) == n) {",
         "  if (nth_deps_count(word) >= n) {"),
    ),
    *_mutants(
        "chain", OMP + "tasks/task.c",
        ("next_replaced", "deadlock check", "m->chain && !m->chain->next &&\n",
         "m->chain &&\n"),
    ),
    *_mutants(
        "chain", OMP + "tasks/task_run.c",
        ("next_dropped", "deadlock check", "    nth_task_ready(t);\n    m->anything = false;\n",
         "    m->anything = false;\n"),
        ("owed_not_paid", "deadlock check",
         "  nth_task_pay_owed(m, c);\n  if (nth_unlikely(t != 0)) {\n",
         "  if (nth_unlikely(t != 0)) {\n"),
        ("others_are_own", "check race deadlock memory",
         "bool own = m && nth_load_rlx(&parent->runner) == m;", "bool own = m != 0;"),
        ("owed_twice", "check deadlock memory", "    c->owed = 0;\n", ""),
        ("owed_to_another", "deadlock check memory race", "c->next->made_in != group || ", ""),
        ("one_paid", "check deadlock", "own, c->owed + 1);", "own, 1);"),
        ("finish_rlx", "race", "if (nth_likely(nth_load_acq(&t->refs) == 1)) /* task:R: nobody",
         "if (nth_likely(nth_load_rlx(&t->refs) == 1)) /* nobody"),
    ),
    *_mutants(
        "chain", OMP + "tasks/task_memory.c",
        ("parent_not_held", "memory", "t->flags & NTH_TASK_OUTERMOST ? 0 : nth_task_parent(t)",
         "((void)t, (struct nth_task *)0)"),
        ("held_if_closed_only", "memory", "  return t->flags & NTH_TASK_OUTERMOST ? 0",
         "  return t->flags & NTH_TASK_OUTERMOST || !(nth_load_rlx(&t->children.others) & "
         "NTH_TALLY_CLOSED) ? 0"),
        ("last_rlx", "race", "return nth_load_acq(&t->refs) == 1 ||",
         "return nth_load_rlx(&t->refs) == 1 ||"),
    ),
    *_mutants(
        "chain", OMP + "tasks/taskgroup.c",
        ("group_not_awaited", "check race memory",
         "  if (nth_tally_left(&g->count) != 0) /* task:A */\n", "  if (false)\n"),
    ),
    *_mutants(
        "chain", OMP + "tasks/depend_table.c",
        ("not_held", "memory race check",
         "    nth_store_rlx(&task->refs, nth_load_rlx(&task->refs) + 1);\n", "    ;\n"),
        ("not_counted", "memory race check", "if (--task->listed == 0)", "if (--task->listed < 2)"),
        ("dropped_at_once", "memory race",
         "  n->next = t->dropped;\n  t->dropped = n;\n  return next;",
         "  t->dropped = n;\n  n->next = 0;\n  nth_depend_table_settle(t);\n  return next;"),
    ),
    *_mutants(
        "exclusion", OMP + "tasks/exclusion.c",
        ("take_rlx", "race check", "nth_cas_acqrel(&x->word, &word, HELD)",
         "nth_cas_rlx(&x->word, &word, HELD)"),
        ("wait_rlx", "race", "nth_cas_acqrel(&x->word, &word, (uintptr_t)d | HELD)",
         "nth_cas_rlx(&x->word, &word, (uintptr_t)d | HELD)"),
        ("release_rel", "race", "while (!nth_cas_acqrel(&x->word, &word, rest))",
         "while (!nth_cas_rlx(&x->word, &word, rest))"),
        ("release_acq", "race check", "uintptr_t word = nth_load_acq(&x->word), rest; /* X */",
         "uintptr_t word = nth_load_rlx(&x->word), rest;"),
        ("release_store", "deadlock race check memory",
         "while (!nth_cas_acqrel(&x->word, &word, rest)); /* X */",
         "while (false);\n  nth_store_rel(&x->word, rest);"),
        ("held_late", "race check memory deadlock",
         "    if (!take_or_wait(e->object[e->held++], d))\n",
         "    bool got = take_or_wait(e->object[e->held], d);\n    e->held++;\n    if (!got)\n"),
        ("rest_dropped", "deadlock", "(uintptr_t)w->exclusion->next | HELD : 0;", "HELD : 0;"),
        ("nobody_told", "deadlock", "    if (w && nth_exclusion_take(w))\n", "    if (false)\n"),
        ("unordered", "deadlock check", "(uintptr_t)e->object[i - 1] > (uintptr_t)x)", "false)"),
    ),
    *_mutants(
        "ready", OMP + "queue/task_domain.c",
        ("noted_late", "check", "  note(d, p);\n  nth_mutex_unlock(&l->lock);\n  if (counts)",
         "  nth_mutex_unlock(&l->lock);\n  note(d, p);\n  if (counts)"),
        ("taken_noted_late", "check",
         "    note(d, p);\n  nth_mutex_unlock(&l->lock);\n  if (t && !urgent)",
         "    {}\n  nth_mutex_unlock(&l->lock);\n  if (t)\n    note(d, p);\n  if (t && !urgent)"),
        ("not_noted", "check", "  if (t)\n    note(d, p);\n", ""),
        ("stored", "check", "nth_add_rlx(&d->word, (is - was) << (8 * p)); /* I1 */",
         "nth_store_rlx(&d->word, nth_load_rlx(&d->word) + ((is - was) << (8 * p)));"),
        ("no_lock", "race check",
         "  nth_mutex_lock_soon(&l->lock);\n"
         "  nth_task_list_push_locked(l, t);\n"
         "  note(d, p);\n"
         "  nth_mutex_unlock(&l->lock);\n",
         "  nth_task_list_push_locked(l, t);\n"
         "  note(d, p);\n"),
        ("goes_on_down", "check", "    if (best == 0)\n      return 0;\n",
         "    if (best == 0 || below != UINT32_MAX)\n      return 0;\n"),
    ),
    *_mutants(
        "across", NTH + "across.c",
        ("place_is_task", "check deadlock race memory crash", "  t->kind = NTH_KIND_PLACE;\n", ""),
        ("end_untold", "deadlock check memory", "  add_successor(d, &t->event.node);\n", ""),
        ("not_behind", "check race deadlock", "t ? nth_deps_add(&d->deps, 1) :", "t ? 0 :"),
        ("twice", "check race crash memory deadlock",
         "    if (nth_depend_register(t, (void **)array))\n",
         "    (void)nth_depend_register(t, (void **)array);\n"),
        ("never", "deadlock check memory",
         "    if (nth_depend_register(t, (void **)array))\n      nth_depend_start(t);\n",
         "    (void)nth_depend_register(t, (void **)array);\n"),
        ("counted_twice", "check",
         "    nth_add_rel(&nth_machine.made_outside, UINT32_MAX); /* machine:O */\n", "    ;\n"),
        ("child_untold", "check race deadlock memory",
         "  nth_task_count_made(m, t);\n  *node = &t->event.node;", "  *node = &t->event.node;"),
    ),
    *_mutants(
        "across", OMP + "tasks/task_finish.c",
        ("event_early", "check race deadlock memory crash",
         "if (nth_deps_sub(&t->event.node.deps, n) != NTH_DEPS_READY)",
         "if (nth_deps_sub(&t->event.node.deps, n) == NTH_DEPS_READY)"),
    ),
    *_mutants(
        "across", STRUCT + "deps.h",
        ("event_unsaid", "deadlock check memory", "case NTH_COUNTS: *word", "*word"),
    ),
    *_mutants(
        "deps", STRUCT + "deps.h",
        ("sub_rel", "race", "nth_cas_acqrel(&d->word, &word, next)); /* A */\n  if (news",
         "nth_cas_acq(&d->word, &word, next)); /* A */\n  if (news"),
        ("sub_acq", "race", "nth_cas_acqrel(&d->word, &word, next)); /* A */\n  if (news",
         "nth_cas_rel(&d->word, &word, next)); /* A */\n  if (news"),
        ("leave_rel", "race", "nth_cas_acqrel(&d->word, &word, next)); /* A */\n  return",
         "nth_cas_acq(&d->word, &word, next)); /* A */\n  return"),
        ("leave_acq", "race", "nth_cas_acqrel(&d->word, &word, next)); /* A */\n  return",
         "nth_cas_rel(&d->word, &word, next)); /* A */\n  return"),
        ("done_rlx", "race", "nth_deps_count(nth_load_acq(&d->word))",
         "nth_deps_count(nth_load_rlx(&d->word))"),
        ("no_wake", "deadlock", "    nth_rouse(&d->word, 1);\n", "    (void)0;\n"),
        ("sleep_store", "deadlock", "nth_cas_rlx(&d->word, &word, asleep))",
         "(nth_store_rlx(&d->word, asleep), true))"),
        ("sleep_unsaid", "deadlock", "asleep = nth_deps_pack(NTH_SLEEPS,",
         "asleep = nth_deps_pack(NTH_AWAITS,"),
        ("resume_unsaid", "deadlock endless", "return NTH_DEPS_RESUME;",
         "return NTH_DEPS_NOTHING;"),
        ("last_is_one", "check race endless deadlock", "nth_deps_count(next) == 0 ?",
         "nth_deps_count(next) == 1 ?"),
        ("leaves_at_zero", "endless deadlock check",
         "next = left == 1 ? nth_deps_pack(NTH_RUNS, 0) :",
         "next = left == 0 ? nth_deps_pack(NTH_RUNS, 0) :"),
        ("sub_store", "check race endless deadlock",
         "} while (!nth_cas_acqrel(&d->word, &word, next)); /* A */\n  if (news",
         "} while (nth_store_rel(&d->word, next), false); /* A */\n  if (news"),
        ("below_zero", "check endless deadlock",
         "    if (count == 0)\n"
         "      return NTH_DEPS_NOTHING; /* I1 */\n"
         "    next = word - (n < count ? n : count);",
         "    next = word - n;"),
    ),
    *_mutants(
        "lrq", NTH + "park.h",
        ("no_fence", "deadlock", "return nth_deque_fence_all();", "return true;"),
        ("count_always", "check deadlock",
         "  if (nth_xchg_acq(&p->word, NTH_PARK_AWAKE) == NTH_PARK_ASLEEP) /* W */\n",
         "  nth_xchg_acq(&p->word, NTH_PARK_AWAKE);\n"),
        ("count_twice", "check deadlock",
         "nth_xchg_acqrel(&p->word, NTH_PARK_AWAKE) != NTH_PARK_ASLEEP)",
         "(nth_xchg_acqrel(&p->word, NTH_PARK_AWAKE), false))"),
        ("wake_no_futex", "deadlock", "  nth_rouse(&p->word, 1);\n", ""),
        ("stays_asleep", "check deadlock endless",
         "nth_xchg_acq(&p->word, NTH_PARK_AWAKE) == NTH_PARK_ASLEEP",
         "nth_load_acq(&p->word) == NTH_PARK_ASLEEP"),
    ),
    *_mutants(
        "lrq", NTH + "lrq.h",
        ("push_no_fence", "deadlock", "    nth_lrq_push_slow(q, item);\n  nth_deque_fence();\n",
         "    nth_lrq_push_slow(q, item);\n"),
        ("stock_unseen", "deadlock", " || nth_load_rlx(&q->stock_count) != 0 ||\n", " ||\n"),
        ("deque_unseen", "deadlock", "         nth_deque_any(&q->deque);", "         false;"),
    ),
    *_mutants(
        "lrq", NTH + "lrq.c",
        ("put_no_fence", "deadlock",
         "  nth_mutex_unlock(&q->inbox);\n  nth_deque_fence();\n}\n\nvoid nth_lrq_resume",
         "  nth_mutex_unlock(&q->inbox);\n}\n\nvoid nth_lrq_resume"),
        ("resume_no_fence", "deadlock",
         "  count(&q->resumed_count, 1);\n  nth_mutex_unlock(&q->inbox);\n  nth_deque_fence();\n",
         "  count(&q->resumed_count, 1);\n  nth_mutex_unlock(&q->inbox);\n"),
        ("keep_no_fence", "deadlock", "    nth_lrq_push(own, d[--n]);\n  nth_deque_fence();",
         "    nth_lrq_push(own, d[--n]);\n  (void)0;"),
        ("rest_not_kept", "deadlock check endless",
         "  while (n > 1)\n    nth_lrq_push(own, d[--n]);\n", ""),
        ("spills_first", "deadlock check endless race", "  return d->last;\n", "  return d;\n"),
        ("take_unlocked", "race check",
         "    return 0;\n  nth_mutex_lock_soon(&q->takers);\n  empty_inbox(q);\n  uint32_t all",
         "    return 0;\n  empty_inbox(q);\n  uint32_t all"),
        ("inbox_unlocked", "race check",
         "  nth_mutex_lock_soon(&q->inbox);\n"
         "  uint32_t n = nth_load_rlx(&q->inbox_count);\n"
         "  struct nth_series",
         "  uint32_t n = nth_load_rlx(&q->inbox_count);\n  struct nth_series"),
        ("inbox_kept", "check race crash", "  nth_store_rlx(&q->inbox_count, 0);\n", ""),
    ),
]
