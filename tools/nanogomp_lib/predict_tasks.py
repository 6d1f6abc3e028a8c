# predict_tasks.py - a region with tasks or exclusion, event by event
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each processor has a stack of tasks, of which the one on top goes on, and a deque. A task that
waits stays on the stack while the processor runs others: of its own deque the newest, at a barrier
the oldest; else the oldest of another's, near ones first. The members' own code is their first task
(implicit task). Under a lock it runs only those for which it waits.

Events are in the order of time: a processor goes on through its steps as long as no other processor
has an earlier event."""

import heapq

from nanogomp_lib import predict_trace as trace
from nanogomp_lib.predict_deal import owners_of
from nanogomp_lib.predict_order import NEED, REACH, SharedLoop
from nanogomp_lib.predict_pools import Pools
from nanogomp_lib.predict_state import (BARRIER_WAITS, ENDED, GROUP_WAITS, LOCK_WAITS, READY,
                                        TASK_WAITS, WAITS, Group, Instance, Lock, Processor)
from nanogomp_lib.predict_team import Result, Stretch

TASKS_AHEAD, READY_MOST, BRIEF_NS = 64, 192, 2000  # as in runtime/base/config*.h


class Simulation:
    """One region on one team."""

    def __init__(self, team, region, time_of, asleep=False, stretch=Stretch()):
        self.team, self.costs, self.time_of = team, team.costs, time_of
        self.machine, self.stretch, self.n = team.machine, stretch, team.members
        self.region = region
        starts = team.fork(asleep)
        self.processors = [Processor(i, self.machine.domain(team.place(i)), starts[i])
                           for i in range(self.n)]
        self.owners = owners_of(region, self.n)
        self.events, self.order = [], 0
        self.loaded = {}        # domain -> processors with tasks in their deques
        self.idle = {}          # domain -> processors that have nothing to do
        self.locks = {}
        self.arrived, self.arrivals = 0, [0.0] * self.n
        self.tasks_open = 0     # made and not ended
        self.meetings = {}      # what the members of a loop or single share, by its number
        self.pools = Pools(team)
        self.useful = self.repeated = self.beside = self.tasks = self.sync = 0.0
        self.waiting = [None] * self.n
        self.end = None
        for i, processor in enumerate(self.processors):
            processor.stack.append(Instance(region.steps, None, None, member=i))
            processor.stack[0].processor = processor
            self.schedule(processor, starts[i])
        self.sync += max(starts)

    # --- events ---

    def schedule(self, processor, time):
        self.order += 1
        heapq.heappush(self.events, (time, self.order, processor))

    def run(self):
        while self.events and self.end is None:
            time, _, processor = heapq.heappop(self.events)
            if time > processor.now:
                processor.now = time
            self.go(processor)
        if self.end is None:
            raise RuntimeError("the replay of a region does not end")
        n = self.n
        result = Result(self.end, self.useful / n, self.repeated / n, self.sync, self.tasks / n)
        result.beside = self.beside / n
        return result.closed()

    def go(self, processor):
        """Steps of a processor until an earlier event must go first, or there is nothing to do."""
        events = self.events
        while self.end is None:
            if events and events[0][0] < processor.now:
                self.schedule(processor, processor.now)
                return
            stack = processor.stack
            if stack and stack[-1].state == READY:
                self.step(processor, stack[-1])
            elif stack and stack[-1].state == LOCK_WAITS or not self.find(processor):
                return

    def step(self, processor, instance):
        frame = instance.frames[-1]
        steps, place, lock = frame
        if place == len(steps):
            instance.frames.pop()
            if lock is not None:
                self.release(processor, lock)
            if not instance.frames:
                self.finish(processor, instance)
            return
        frame[1] = place + 1
        step = steps[place]
        member = instance.member
        if steps is self.region.steps and self.owners.get(place, member) != member:
            return
        HANDLERS[step[0]](self, processor, instance, step)

    # --- steps ---

    def on_work(self, processor, instance, step):
        ns, longer, each = step[1], self.stretch.got, False
        if instance.member is not None and len(instance.frames) == 1:
            longer = self.stretch.own
            if step[2] == trace.SHARED:
                ns /= self.n
            elif step[2] == trace.MASTER and instance.member != 0:
                return
            each = step[2] == trace.EACH
        if each:
            self.repeated += ns
        else:
            self.useful += ns
        self.beside += ns * (longer - 1)
        processor.now += ns * longer

    def on_region(self, processor, instance, step):
        ns = self.time_of((step,))
        self.useful += ns
        processor.now += ns

    def meeting(self, instance):
        """The number of a loop or single: members come to them in the same order."""
        instance.met += 1
        return instance.met

    def on_single(self, processor, instance, step):
        number = self.meeting(instance)
        if number not in self.meetings:
            self.meetings[number] = True
            instance.frames.append([step[1], 0, None])

    def on_loop(self, processor, instance, step):
        """A static loop's parts are those of run_plain()."""
        loop, number = step[1], self.meeting(instance)
        shared = self.meetings.get(number)
        if shared is None:
            shared = self.meetings[number] = SharedLoop(loop, self.n, self.time_of)
        if loop.schedule == trace.STATIC:
            steps = [step for part in shared.parts[instance.member] for step in shared.steps(*part)]
            instance.frames.append([steps, 0, None])
        else:
            instance.frames.append([((NEXT_CHUNK, shared),), 0, None])

    def on_next_chunk(self, processor, instance, step):
        shared = step[1]
        if not shared.parts:
            return
        took = self.costs["chunk_own"]
        if self.n > 1:
            shared.free = max(shared.free, processor.now) + self.costs["chunk"]
            took += shared.free - processor.now
        self.tasks += took
        processor.now += took
        instance.frames[-1][1] = 0  # comes again
        instance.frames.append([shared.steps(*shared.parts.popleft()), 0, None])

    def on_order(self, processor, instance, step):
        """An ordered part beyond those that a chunk can have."""
        instance.frames.append([step[1], 0, None])

    def on_nothing(self, processor, instance, step):
        pass

    def on_reach(self, processor, instance, step):
        _, progress, key, value = step
        for other, waiting in progress.reach(key, value, processor):
            waiting.state = READY
            self.schedule(other, max(other.now, processor.now) + self.news(processor, other))

    def on_need(self, processor, instance, step):
        _, progress, key, value = step
        by = progress.has(key, value)
        if by is None:
            instance.state = LOCK_WAITS
            progress.wait(key, value, processor, instance)
        elif by is not processor:
            processor.now += self.news(by, processor)

    def news(self, one, other):
        """A line transfer that a member waits for."""
        took = self.line(one, other)
        self.sync += took / self.n
        return took

    def on_barrier(self, processor, instance, step):
        instance.state = BARRIER_WAITS
        self.arrive(processor, instance)

    def on_task(self, processor, instance, step):
        task, costs = step[1], self.costs
        made = Instance(task.steps, instance, instance.group, task=task)
        made.guarded = processor.is_guarded()
        at_once = task.undeferred or not made.guarded and self.enough(processor, task)
        took = costs["task_at_once"] if at_once else costs["task_create"]
        took += costs["task_depend"] * len(task.dependences)
        if not at_once:
            took += self.pools.get(processor)
            made.holder = processor
        self.tasks += took
        processor.now += took
        instance.children += 1
        self.tasks_open += 1
        group = made.group
        if group is not None:
            group.open += 1
        self.depend(instance, made)
        made.inline = at_once
        if made.behind == 0:
            if at_once:
                self.begin(processor, made)
            else:
                self.push(processor, made)
        elif at_once:
            instance.state = TASK_WAITS

    def enough(self, processor, task):
        """Whether a task runs at once because its maker has enough ready ones, and nobody looks for
        any (nth_task_enough_ready() of the runtime)."""
        if task.dependences or any(self.idle.values()):
            return False
        ready = len(processor.deque)
        if ready < TASKS_AHEAD:
            return False
        brief = sum(step[1] for step in task.steps if step[0] == trace.WORK) < BRIEF_NS
        return brief or ready >= min(TASKS_AHEAD * self.n, READY_MOST)

    @staticmethod
    def depend(parent, made):
        """Counts the siblings that a task is behind. mutexinoutset counts as inout: the tasks run
        one after the other, in the order in which they were made."""
        if not made.task.dependences:
            return
        if parent.table is None:
            parent.table = {}
        before = set()
        for kind, address in made.task.dependences:
            # writers, readers, the writers' kind, what the writers are behind
            last = parent.table.setdefault(address, [[], [], None, []])
            reads = kind == trace.IN
            joins = kind == trace.INOUTSET and last[2] == kind and not last[1]
            if reads or joins:
                before.update(last[0] if reads else last[3])
                last[1 if reads else 0].append(made)
            else:
                behind = last[1] or last[0]
                before.update(behind)
                parent.table[address] = [[made], [], kind, list(behind)]
        before.discard(made)
        for other in before:
            if other.state != ENDED:
                made.behind += 1
                if other.after is None:
                    other.after = []
                other.after.append(made)

    def on_wait(self, processor, instance, step):
        if step[1]:
            waits = Instance((), instance, None, task=trace.Task(dependences=step[1]))
            self.depend(instance, waits)
            waits.state = ENDED
            if waits.behind:
                waits.inline = True
                instance.state = TASK_WAITS
        elif instance.children:
            instance.state = WAITS

    def on_group_begin(self, processor, instance, step):
        instance.group = Group(instance.group)

    def on_group_end(self, processor, instance, step):
        if instance.group.open:
            instance.state = GROUP_WAITS
        else:
            instance.group = instance.group.outer

    def on_critical(self, processor, instance, step):
        lock = self.locks.setdefault(step[1], Lock())
        instance.frames.append([step[2], 0, lock])
        if lock.held:
            instance.state = LOCK_WAITS
            lock.waiting.append((processor, instance))
            return
        lock.held = True
        processor.locks += 1
        took = self.costs["lock_alone"]
        if lock.last not in (None, processor):  # the lock's line
            took += self.line(lock.last, processor)
        self.sync += took / self.n
        processor.now += took

    def release(self, processor, lock):
        lock.last = processor
        processor.locks -= 1
        if not lock.waiting:
            lock.held = False
            return
        other, instance = lock.waiting.popleft()
        instance.state = READY
        other.locks += 1
        self.sync += self.costs["lock_handover"] / self.n
        self.schedule(other, max(other.now, processor.now) + self.costs["lock_handover"])

    # --- ends ---

    def finish(self, processor, instance):
        if instance.member is not None:
            instance.frames.append([(), 0, None])
            instance.state = BARRIER_WAITS
            instance.is_last = True
            self.arrive(processor, instance)
            return
        instance.state = ENDED
        processor.stack.pop()
        if instance.holder is not None:
            took = self.pools.put(processor)
            self.tasks += took
            processor.now += took
        self.tasks_open -= 1
        for other in instance.after or ():
            other.behind -= 1
            if other.behind == 0:
                self.ready(processor, other)
        parent, group = instance.parent, instance.group
        parent.children -= 1
        if parent.state == WAITS and parent.children == 0:
            self.resume(processor, parent)
        if group is not None:
            group.open -= 1
            if group.open == 0:
                self.group_ends(processor, group, parent)
        if self.tasks_open == 0 and self.arrived == self.n:
            self.all_there(processor)

    def group_ends(self, processor, group, instance):
        """The task that waits for the group is an ancestor of the one that ended."""
        while instance is not None:
            if instance.group is group and instance.state == GROUP_WAITS:
                instance.group = group.outer
                self.resume(processor, instance)
                return
            instance = instance.parent

    def resume(self, processor, instance):
        instance.state = READY
        other = instance.processor
        if other is not processor and other.stack and other.stack[-1] is instance:
            self.rouse(other, processor.now + self.line(processor, other))

    def ready(self, processor, instance):
        """A task behind others may run."""
        if not instance.inline:
            self.push(processor, instance)
            return
        parent = instance.parent
        if instance.state != ENDED:
            parent.frames.append([((RUN_TASK, instance),), 0, None])
        self.resume(processor, parent)

    def on_run_task(self, processor, instance, step):
        self.begin(processor, step[1])

    def arrive(self, processor, instance):
        self.arrivals[instance.member] = processor.now
        self.waiting[instance.member] = instance
        self.arrived += 1
        if self.arrived == self.n and self.tasks_open == 0:
            self.all_there(processor)

    def all_there(self, processor):
        """The barrier opens: the last arrival or the last task's end was just now."""
        clocks = list(self.arrivals)
        last = max(processor.now, max(clocks))
        is_end = self.waiting[0].is_last
        opens = max(self.team.join(clocks) if is_end else self.team.barrier(clocks), last)
        self.sync += opens - last
        self.arrived = 0
        if is_end:
            self.end = opens
            return
        for instance in self.waiting:
            instance.state, other = READY, instance.processor
            other.now = max(other.now, opens)
            if other is not processor and other.idle_since is not None:
                self.rouse(other, opens)

    # --- deques ---

    def line(self, one, other):
        return self.costs["line_near" if one.domain == other.domain else "line_far"]

    def rouse(self, processor, time):
        """A processor that has nothing to do looks again, at that time."""
        since = processor.idle_since
        if since is None:
            return
        del self.idle[processor.domain][processor.number]
        processor.idle_since = None
        if time - since > self.costs["spin"]:
            time += self.costs["wake"]
        self.schedule(processor, max(time, processor.now))

    def push(self, processor, instance):
        processor.deque.append((processor.now, instance))
        self.loaded.setdefault(processor.domain, {})[processor.number] = processor
        for domain in (processor.domain, *self.idle):
            for other in self.idle.get(domain, {}).values():
                if not other.may_begin(instance):
                    continue
                since = processor.now - other.idle_since
                self.rouse(other, processor.now + self.line(processor, other))
                if since > self.costs["spin"]:
                    processor.now += self.costs["wake_call"]
                    self.sync += self.costs["wake_call"] / self.n
                return

    def find(self, processor):
        """Begins a task, or says that there is none."""
        victim, place = self.look(processor)
        if victim is None:
            processor.idle_since = processor.now
            self.idle.setdefault(processor.domain, {})[processor.number] = processor
            return False
        made, instance = victim.deque[place]
        del victim.deque[place]
        self.emptied(victim)
        took = self.costs["task_start"]
        if victim is not processor:
            start = max(processor.now, victim.steal_free, made)
            victim.steal_free = start + self.line(processor, victim)
            near = processor.domain == victim.domain
            took += self.costs["steal_near" if near else "steal_far"]
            took += start - processor.now
        self.tasks += took
        processor.now += took
        self.begin(processor, instance)
        return True

    def emptied(self, processor):
        if not processor.deque:
            self.loaded[processor.domain].pop(processor.number, None)

    def look(self, processor):
        """(whose deque, place in it) of the task to begin: the newest of the own one, at a barrier
        the oldest; else the oldest of another's, those of the own domain first; (None, None): there
        is none."""
        at_barrier = bool(processor.stack) and processor.stack[-1].state == BARRIER_WAITS
        place = processor.place_in(processor.deque, not at_barrier)
        if place is not None:
            return processor, place
        for domain in (processor.domain, *self.loaded):
            for other in self.loaded.get(domain, {}).values():
                place = processor.place_in(other.deque, False)
                if place is not None:
                    return other, place
        return None, None

    def begin(self, processor, instance):
        processor.stack.append(instance)
        instance.processor = processor


NEXT_CHUNK, RUN_TASK = 100, 101
HANDLERS = {
    trace.WORK: Simulation.on_work, trace.REGION: Simulation.on_region,
    trace.LOOP: Simulation.on_loop, trace.BARRIER: Simulation.on_barrier,
    trace.SINGLE: Simulation.on_single, trace.TASK: Simulation.on_task,
    trace.WAIT: Simulation.on_wait, trace.GROUP_BEGIN: Simulation.on_group_begin,
    trace.GROUP_END: Simulation.on_group_end, trace.CRITICAL: Simulation.on_critical,
    trace.ORDER: Simulation.on_order, trace.POST: Simulation.on_nothing,
    trace.SINK: Simulation.on_nothing, REACH: Simulation.on_reach, NEED: Simulation.on_need,
    NEXT_CHUNK: Simulation.on_next_chunk, RUN_TASK: Simulation.on_run_task,
}
