# SPDX-License-Identifier: GPL-2.0-only
"""Compare random sequences of calls with a model of the contract."""

import dataclasses
import functools

from cases import Test
from contract import campaign
from guest import Machine
from variants import EIGHT

# The kernel with cgroups waits for grace periods, see contract.c.
MACHINES = {f"{cpu}-amd64": Machine(cpu=cpu, kernel="vpmc-amd64", skips_waits=True)
            for cpu in ("icelake", "opteron")} | EIGHT

# Each machine has a number of steps and a first seed.
STEPS = {"mmx-1-far": (55000, 1), "p5-1-wrap": (40000, 1000001), "icelake-amd64": (10000, 2000001),
         "opteron-amd64": (10000, 3000001)}


def tests():
    """Yield the tests of this file."""
    for name, (steps, first) in STEPS.items():
        machine = dataclasses.replace(MACHINES[name], timeout=900)
        yield Test(f"contract-{name}", "each answer and each refusal is what the model says",
                   functools.partial(campaign.run, machine, first, steps))
