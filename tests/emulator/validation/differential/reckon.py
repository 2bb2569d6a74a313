# SPDX-License-Identifier: GPL-2.0-only
"""Compute the counts of a processor that executes a program, from single steps of the program.

The rules are those of docs/guide/events.md and docs/guide/models.md.
"""

import dataclasses
import struct

from cases import Failed

STOP = struct.Struct("<18Q")
STOP_EXIT = 0x100
# step.c has the same values.
NAMES = ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi")
CX, IP = 2, 17


@dataclasses.dataclass
class PentiumTotals:
    """The sums of the effects of steps, as the Pentium counts them."""

    instructions: int = 0
    iterations: int = 0
    reads: int = 0
    writes: int = 0
    misaligned_reads: int = 0
    misaligned_writes: int = 0
    erratum: int = 0
    segments: int = 0
    branches: int = 0
    locked: int = 0

    def counts(self, errata):
        """Return the counts by event."""
        reads = self.reads + self.misaligned_reads * errata
        writes = self.writes + self.misaligned_writes * errata
        return {"0x16": self.instructions, "0x12": self.branches, "0x00": reads, "0x01": writes,
                "0x28": reads + writes,
                "0x0b": self.misaligned_reads + self.misaligned_writes + self.erratum * errata,
                "0x0f": self.segments, "0x1c": self.locked,
                "clocks": self.instructions + self.iterations}


def misaligned(address, size):
    """Return whether 2 or 4 bytes cross a 4-byte boundary, or 8 bytes an 8-byte boundary."""
    unit = 8 if size == 8 else 4
    return (address & (unit - 1)) + size > unit


def signed(value, size):
    """Return the lowest bytes of a value as a signed number."""
    return (value & ((1 << (8 * size)) - 1) ^ (1 << (8 * size - 1))) - (1 << (8 * size - 1))


@dataclasses.dataclass
class Totals:
    """The sums of the effects of steps, as processors other than the Pentium count them: a load
    or store is counted once for each instruction or iteration."""

    instructions: int = 0
    branches: int = 0
    conditional: int = 0
    calls: int = 0
    returns: int = 0
    far: int = 0
    loads: int = 0
    stores: int = 0
    locked: int = 0

    def counts(self):
        """Return the counts by the names of tests/guest_cases/cases_models.py."""
        return dataclasses.asdict(self) | {"never": 0}


# Each kind of branch has the name of its count. Serializing instructions are not branches here.
BRANCHES = {"conditional": "conditional", "jump": "", "call": "calls", "return": "returns",
            "far": "far"}


class Reckoner:
    """A sum over the steps of one program."""

    def __init__(self, program, addresses):
        self.steps = program.steps
        self.addresses = addresses
        self.numbers = {address: number for number, address in enumerate(addresses)}
        self.totals = Totals()

    def effects(self, step, _registers):
        """Add the effects of a step or of an iteration, except for the instruction itself."""
        totals = self.totals
        kinds = "".join(access.kind for access in step.accesses)
        totals.loads += bool(step.plain[0] or set("rl") & set(kinds))
        totals.stores += bool(step.plain[1] or set("wfl") & set(kinds))
        totals.locked += "l" in kinds
        if step.branch in BRANCHES:
            totals.branches += 1
            if name := BRANCHES[step.branch]:
                setattr(totals, name, getattr(totals, name) + 1)

    def iteration(self):
        """Add the effects that only an iteration of REP has."""

    def complete(self, before, after):
        """Add the effects of the step between two stops."""
        number = self.numbers[before[IP]]
        step = self.steps[number]
        registers = dict(zip(NAMES, before[1:]))
        stays = after[IP] == before[IP]
        if step.resumes and stays:
            return
        if not step.repeats:
            self.effects(step, registers)
            self.totals.instructions += step.instructions
        else:
            iterated = after[CX] != before[CX]
            if iterated:
                self.effects(step, registers)
                if stays:
                    self.iteration()
            self.totals.instructions += not stays
        following = self.addresses[number + step.instructions:][:1]
        if not (step.jumps or (step.repeats and stays) or [after[IP]] == following):
            raise Failed(f"stepping went from {step.text!r} to {after[IP]:#x}")

    def add(self, stops):
        """Add all stops of a program. Return its exit status."""
        for before, after in zip(stops, stops[1:]):
            step = self.steps[self.numbers[before[IP]]]
            if after[0] == STOP_EXIT:
                self.effects(step, {})
                self.totals.instructions += 1
            # After a signal, the processor has entered the handler, and has not executed an
            # instruction.
            elif not before[0] and (not after[0] or step.traps):
                self.complete(before, after)
        return stops[-1][1]


class PentiumReckoner(Reckoner):
    """A sum for the Pentium. A count of accesses may depend on their addresses."""

    def __init__(self, program, addresses):
        super().__init__(program, addresses)
        self.totals = PentiumTotals()

    def address(self, operand, registers):
        """Return the address of an operand."""
        address = operand.displacement
        if operand.base:
            address += registers[operand.base]
        if operand.index:
            address += registers[operand.index] * operand.scale
        if operand.byte:
            address += registers[operand.byte] & 0xff
        if operand.bits:
            register, size = operand.bits
            address += signed(registers[register], size) // (8 * size) * size
        if operand.code is not None:
            address += self.addresses[operand.code]
        return address & 0xffffffff

    def access(self, access, registers):
        """Add an access. An access of ten bytes counts as two."""
        totals = self.totals
        address = self.address(access.address, registers)
        parts = [(address, access.size)]
        if access.size == 10:
            parts = [(address, 8), (address + 8, 2)]
        for where, size in parts:
            split = misaligned(where, size)
            if access.kind in "rl":
                totals.reads += 1
                totals.misaligned_reads += split
            if access.kind in "wfl":
                totals.writes += 1
                totals.misaligned_writes += split
            if access.kind == "l":
                totals.locked += 1 + split
            if access.kind == "f":
                totals.erratum += split

    def effects(self, step, registers):
        """Add the effects of a step or of an iteration, except for the instruction itself."""
        totals = self.totals
        for access in step.accesses:
            self.access(access, registers)
        totals.reads += step.plain[0]
        totals.writes += step.plain[1]
        totals.segments += step.segments
        totals.branches += bool(step.branch)

    def iteration(self):
        """Count an iteration. It takes one clock."""
        self.totals.iterations += 1


def by_program(steps):
    """Yield the stops of each program, from the output of step.c."""
    stops = []
    for stop in STOP.iter_unpack(steps):
        stops.append(stop)
        if stop[0] == STOP_EXIT:
            yield stops
            stops = []
