# SPDX-License-Identifier: GPL-2.0-only
"""List the processors on which sequences can run."""

import dataclasses

from contract import orders, pmu


@dataclasses.dataclass(frozen=True)
class Target:
    """The counters of a processor, and the system calls of its actors.

    cgroups: whether the kernel has cgroups"""

    pmu: pmu.Pmu
    calls: orders.Calls
    cgroups: bool


# Each processor and kernel has its target.
TARGETS = {
    ("mmx", "vpmc"): Target(pmu.MMX, orders.CALLS32, False),
    ("p5", "vpmc"): Target(pmu.P5, orders.CALLS32, False),
    ("icelake", "vpmc-amd64"): Target(pmu.ICELAKE, orders.CALLS64, True),
    ("opteron", "vpmc-amd64"): Target(pmu.OPTERON, orders.CALLS64, True),
}


def target_of(machine):
    """Return the target of a machine."""
    return TARGETS[machine.cpu, machine.kernel]
