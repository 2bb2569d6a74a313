# SPDX-License-Identifier: GPL-2.0-only
"""Published costs: of register accesses on Pentiums, and of other counter systems."""

# Clocks of one access, as measured on a Pentium at 133 MHz and on a Pentium with MMX at 166 MHz.
# Source: the tests that perfctr (M. Pettersson) makes when it is loaded. RDTSC was not given for
# the one with MMX, and RDMSR of other registers and writes of CR4 not for the one without.
CLOCKS = {
    "p5": {"rdtsc": 8, "rdmsr_ctr": 27, "rdmsr_cesr": 22, "wrmsr_ctr": 35, "wrmsr_cesr": 33},
    "mmx": {"rdtsc": 8, "rdpmc": 14, "rdmsr_ctr": 28, "rdmsr_cesr": 24, "wrmsr_ctr": 36,
            "wrmsr_cesr": 36, "write_cr4": 17},
}

PROCESSORS = {"p5": "P5-133", "mmx": "P5MMX-166"}


def clocks(cpu, totals):
    """Clocks that the register accesses among the totals take."""
    return sum(cost * totals[access] for access, cost in CLOCKS[cpu].items())
