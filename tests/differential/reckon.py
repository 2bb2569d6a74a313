# SPDX-License-Identifier: GPL-2.0-only
"""What a Pentium counts while a program is executed that has been stepped through.

The rules are those of docs/events.md.
"""

import dataclasses
import struct
import subprocess

from cases import Failed

STOP = struct.Struct("<10I")
STOP_EXIT = 0x100
# As step.c has them.
NAMES = ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi")
EIP = 9


@dataclasses.dataclass
class Totals:
    """Sums of what steps do."""

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
        """By event."""
        reads = self.reads + self.misaligned_reads * errata
        writes = self.writes + self.misaligned_writes * errata
        return {"0x16": self.instructions, "0x12": self.branches, "0x00": reads, "0x01": writes,
                "0x28": reads + writes,
                "0x0b": self.misaligned_reads + self.misaligned_writes + self.erratum * errata,
                "0x0f": self.segments, "0x1c": self.locked,
                "clocks": self.instructions + self.iterations}


def misaligned(address, size):
    """Whether 2 or 4 bytes cross a 4-byte boundary, 8 bytes an 8-byte boundary."""
    unit = 8 if size == 8 else 4
    return (address & (unit - 1)) + size > unit


def signed(value, size):
    """The lowest bytes of a value as a signed number."""
    return (value & ((1 << (8 * size)) - 1) ^ (1 << (8 * size - 1))) - (1 << (8 * size - 1))


class Reckoner:
    """Adds up the steps of one program."""

    def __init__(self, program, addresses):
        self.steps = program.steps
        self.addresses = addresses
        self.numbers = {address: number for number, address in enumerate(addresses)}
        self.totals = Totals()

    def address(self, operand, registers):
        """The address of an operand."""
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
        """Add an access; one of ten bytes is two."""
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
        """Add what a step or an iteration does, but for the instruction itself."""
        totals = self.totals
        for access in step.accesses:
            self.access(access, registers)
        totals.reads += step.plain[0]
        totals.writes += step.plain[1]
        totals.segments += step.segments
        totals.branches += step.branches
        totals.locked += step.locked

    def complete(self, before, after):
        """Add what lies between two stops."""
        number = self.numbers[before[EIP]]
        step = self.steps[number]
        registers = dict(zip(NAMES, before[1:EIP]))
        if not step.repeats:
            self.effects(step, registers)
            self.totals.instructions += step.instructions
        else:
            iterated = after[2] != before[2]  # ECX
            finished = after[EIP] != before[EIP]
            if iterated:
                self.effects(step, registers)
                self.totals.iterations += not finished
            self.totals.instructions += finished
        following = self.addresses[number + step.instructions:][:1]
        stays = step.repeats and after[EIP] == before[EIP]
        if not (step.jumps or stays or [after[EIP]] == following):
            raise Failed(f"stepping went from {step.text!r} to {after[EIP]:#x}")

    def add(self, stops):
        """Add all stops of a program; return its exit status."""
        for before, after in zip(stops, stops[1:]):
            step = self.steps[self.numbers[before[EIP]]]
            if after[0] == STOP_EXIT:
                self.effects(step, {})
                self.totals.instructions += 1
            # After a signal the handler has been entered, and nothing executed.
            elif not before[0] and (not after[0] or step.traps):
                self.complete(before, after)
        return stops[-1][1]


def step_through(stepper, paths):
    """Execute programs; yield the stops of each."""
    result = subprocess.run([stepper, *paths], check=False, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
    if result.returncode:
        raise Failed(result.stderr.decode(errors="replace").strip())
    stops = []
    for stop in STOP.iter_unpack(result.stdout):
        stops.append(stop)
        if stop[0] == STOP_EXIT:
            yield stops
            stops = []
