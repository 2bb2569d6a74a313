# SPDX-License-Identifier: GPL-2.0-only
"""Generate random sequences of calls."""

import random

from contract import interface, orders, rights
from contract.pmu import FITTING, REFUSED
from contract.sequence import Sequence

# Each operation has a weight.
WEIGHTS = {
    "start": 20, "stop": 6, "read": 26, "query": 5, "info": 2, "record": 6, "attach": 8, "map": 3,
    "unmap": 1, "count": 4, "signal": 6, "take_signal": 5,
    "cgroup": 4, "move": 4, "system_start": 2, "system_stop": 2, "system_read": 2, "fork": 6,
    "thread": 4, "vfork": 2, "execute": 5, "exit": 3, "exit_group": 2, "kill": 2, "wait": 8,
    "ignore": 1, "become": 2, "dumpable": 1, "close": 1}

STEPS = 60

# contract.c blocks these signals.
SIGNALS = (10, 12, 40)


class Generator:
    """A generator that chooses the operations of a sequence."""

    def __init__(self, seed, target):
        self.random = random.Random(seed)
        roles = [self.random.choice((0, 0, 1, 1, 1, 2, 3, 4, 5))
                 for _ in range(self.random.choice((1, 2, 2, 3)))]
        self.sequence = Sequence(roles, target)
        # Use only a few handles and events, so that operations often concern the same handles and
        # events.
        self.handles = range(self.random.choice((2, 4, 6, orders.NR_HANDLES)))
        self.events = self.random.sample(FITTING, self.random.choice((1, 2, 2, 3)))
        self.names = list(WEIGHTS)
        self.weights = list(WEIGHTS.values())

    def any_actor(self):
        """Return a process, usually a running process."""
        actors = list(self.sequence.actors)
        living = [a for a in actors if self.sequence.actors[a].alive]
        return self.random.choice(living if living and self.random.random() < 0.8 else actors)

    def choose(self, every, good):
        """Return an element of @every, usually a good element if there are any."""
        good = [one for one in every if good(one)]
        return self.random.choice(good if good and self.random.random() < 0.75 else list(every))

    def handle(self, name, actor, scope=interface.SELF):
        """Return a handle, usually a handle that the operation can use."""
        world, thread = self.sequence.world, self.sequence.actors[actor]

        def is_good(number):
            handle = world.handles[number]
            if handle not in thread.process.handles:
                return False
            if name == "cgroup":
                return handle.session and not handle.session.cgroup
            if name == "record":
                return handle.session and handle.session.records
            if name in ("system_stop", "system_read"):
                return handle is world.owner
            if name == "attach":
                return not handle.process
            if scope == interface.ALL:
                return handle.session
            return world.is_own(handle, thread) or (
                handle.attached and name in ("start", "stop", "read", "query", "info"))

        return self.choose(self.handles, is_good)

    def awaited(self, actor):
        """Return a process to wait for."""
        process = self.sequence.actors[actor].process
        return self.choose(list(self.sequence.actors), lambda other: (
            self.sequence.actors[other].process.parent is process))

    def flags(self):
        """Choose the flags of a start."""
        pick, chance = self.random.choice, self.random.random
        if chance() < 0.04:
            return self.random.randrange(256)
        if chance() < 0.15:
            return interface.RESUME | pick((0, 0, interface.AT_EXEC))
        flags = pick((0, 0, interface.COLLECT, interface.COLLECT | interface.RECORDS))
        flags |= pick((0, interface.FORCE)) | pick((0, 0, 0, interface.AT_EXEC))
        return flags | pick((0, 0, 0, interface.FOLD)) | pick((0, 0, 0, interface.MULTIPLEX))

    def which_events(self):
        """Choose the events of a start."""
        if self.random.random() < 0.03:
            return self.random.choice(REFUSED)
        return self.random.choice(self.events)

    def arguments(self, name, actor):
        """Choose the arguments of an operation, except for its actor and its work."""
        pick = self.random.choice
        if name in ("start", "system_start"):
            force = interface.FORCE
            flags = self.flags() if name == "start" else pick((0, 0, force, force, 1))
            return [self.handle(name, actor), self.which_events(), flags]
        if name in ("read", "query"):
            scope = pick((0, 0, 1, 1, 1, 2, 2, 3, 3, 3, self.random.choice((0, 4))))
            return [self.handle(name, actor, scope), scope]
        if name in ("stop", "info", "record", "map", "system_stop", "close"):
            return [self.handle(name, actor)]
        return {
            "cgroup": lambda: [self.handle(name, actor), pick((False, True, True, True, True))],
            "move": lambda: [pick((False, True, True))],
            "attach": lambda: [self.handle(name, actor), self.any_actor(),
                               pick((False, False, True))],
            "signal": lambda: [self.handle(name, actor), pick((0, 0, 0, 1, 1, 2)),
                               pick((*SIGNALS, *SIGNALS, *SIGNALS, 0, 65)),
                               pick((250, 256, 300, 777, 0))],
            "take_signal": lambda: [self.choose(
                SIGNALS, lambda signal: signal in self.sequence.actors[actor].pending)],
            "system_read": lambda: [self.handle(name, actor), pick((0, -1, -1, 77))],
            "execute": lambda: [pick((0, 0, 0, *range(len(rights.FILES))))],
            "kill": lambda: [self.any_actor()],
            "wait": lambda: [self.awaited(actor), pick((False, False, True))],
            "ignore": lambda: [pick((False, True))],
            "become": lambda: [pick(("user", "user", "group")), pick((0, 1000, 1001))],
            "dumpable": lambda: [pick((False, True, True))],
        }.get(name, list)()

    def step(self):
        """Try one operation. Return whether it was possible."""
        name = self.random.choices(self.names, self.weights)[0]
        actor = self.any_actor()
        arguments = self.arguments(name, actor)
        if name in ("fork", "thread", "vfork"):
            child = next((a for a in range(orders.MAX_ACTORS)
                          if a not in self.sequence.actors), None)
            if child is None:
                return False
            arguments = [child]
        work = (self.random.randrange(1, 40), self.random.randrange(1, 6))
        return self.sequence.perform((name, actor, *arguments, work))

    def run(self, steps):
        """Return a sequence of this number of steps, or fewer if no operation is left."""
        for _ in range(10 * steps):
            if len(self.sequence.steps) < steps:
                self.step()
        return self.sequence


def sequence(seed, target):
    """Return the sequence of a seed for a target."""
    return Generator(seed, target).run(STEPS)


def replay(old, operations):
    """Return a copy of an old sequence, without its operations that are not possible any more."""
    new = Sequence(old.roles, old.target)
    for operation in operations:
        new.perform(operation)
    return new
