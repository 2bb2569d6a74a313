# SPDX-License-Identifier: GPL-2.0-only
"""List published costs of register accesses on the Pentium."""

# These are the clocks of one access on a Pentium at 133 MHz and on a Pentium with MMX at 166
# MHz. perfctr (M. Pettersson) measured them when it was loaded: etc/costs/Pentium-133 and
# PentiumMMX-166 of its version 2.7. perfctr calls CESR "evntsel".
CLOCKS = {
    "p5": {"rdtsc": 8.4, "rdmsr_ctr": 27.1, "rdmsr_cesr": 22.0, "wrmsr_ctr": 34.7,
           "wrmsr_cesr": 32.9, "write_cr4": 18.0},
    "mmx": {"rdtsc": 9.1, "rdpmc": 13.8, "rdmsr_ctr": 28.1, "rdmsr_cesr": 23.8, "wrmsr_ctr": 36.0,
            "wrmsr_cesr": 36.3, "write_cr4": 17.0},
}

PROCESSORS = {"p5": "P5-133", "mmx": "P5MMX-166"}


def clocks(cpu, totals):
    """Return the clocks that the register accesses among the totals take."""
    return round(sum(cost * totals[access] for access, cost in CLOCKS[cpu].items()))
