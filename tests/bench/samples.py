# SPDX-License-Identifier: GPL-2.0-only
"""Run the measuring programs in the guest, and compare their samples."""

import dataclasses
import functools
import os
import statistics
import subprocess

import guest
from cases import Failed

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(guest.BUILD, "bench")
PROGRAMS = [os.path.join(OUT, name)
            for name in ("calls", "compare", "executed", "profile", "reads", "regions", "ring", "switches",
                         "tasks")]
MODULE = os.path.join(OUT, "vpmc.ko")
# These are the 64-bit programs.
OUT64 = os.path.join(OUT, "64")
PROGRAMS64 = [os.path.join(OUT64, name)
              for name in ("compare", "exits", "lives", "moves", "profile", "ring", "switches")]
MODULE64 = os.path.join(OUT64, "vpmc.ko")
KERNEL64 = "vpmc-amd64"
SOURCE = f"MODULE_SOURCE={os.path.join(guest.TOP, 'vpmc')}"

# The totals are in the order of totals.h.
TOTALS = ("kernel", "user", "kernel_string", "user_string", "rdmsr_cesr", "rdmsr_ctr",
          "rdmsr_other", "wrmsr_cesr", "wrmsr_ctr", "wrmsr_other", "rdpmc", "rdtsc", "write_cr4")
# These totals are accesses to registers of counters and their interrupts.
ACCESSES = tuple(name for name in TOTALS if name.startswith(("rdmsr", "wrmsr", "rdpmc", "write")))


@dataclasses.dataclass(frozen=True)
class Run:
    """One boot of a machine for one command.

    kernel: stock, vpmc or vpmc-amd64
    driver: whether the driver is loaded
    memory: memory of the machine, in MB; None for the usual size
    """

    command: str
    cpu: str = "mmx"
    kernel: str = "vpmc"
    driver: bool = True
    memory: int | None = None


@functools.cache
def kernel_path(name):
    """Build a kernel if it is not built yet. Return its path."""
    return subprocess.run([os.path.join(HERE, "build-kernel"), name], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


def make(*arguments):
    """Run make with these arguments."""
    compiler = os.path.join(guest.path_of("userland"), "bin/i586-cc")
    subprocess.run(["make", "-s", "-C", HERE, f"OUT={OUT}", f"CC={compiler}",
                    f"LIBVPMC={os.path.join(guest.BUILD, 'guest')}", *arguments], check=True)


def make64(*arguments):
    """Build the 64-bit programs."""
    subprocess.run(["make", "-s", "-C", HERE, "BITS=64", f"OUT={OUT64}", f"CC={guest.CC64}",
                    f"LIBVPMC={guest.GUEST64}", *arguments], check=True)


def build_programs():
    """Build the programs."""
    make("programs")
    make64("programs")


def build():
    """Build kernels, driver and programs of the Pentium."""
    kernel_path("stock")
    make("all", f"KERNEL={kernel_path('vpmc')}", SOURCE)


def build64():
    """Build the kernels, drivers and programs for the comparison with perf_event."""
    make64("all", f"KERNEL={kernel_path(KERNEL64)}", SOURCE)


def parse(text):
    """Return lists of samples by name. A sample is a dictionary of totals, or one number."""
    samples = {}
    for line in text.splitlines():
        name, *words = line.split()
        numbers = [int(word) for word in words]
        if not name[0].isalpha() or len(numbers) not in (1, len(TOTALS)):
            raise Failed(f"not a sample: {line}")
        sample = dict(zip(TOTALS, numbers)) if len(numbers) == len(TOTALS) else numbers[0]
        samples.setdefault(name, []).append(sample)
    return samples


def measured(machine, command, module, loaded, programs=None):
    """Boot, measure with a command, and return the samples.

    module: path of the driver. The guest has the file even if it is not loaded, so that all
    machines are alike
    programs: the programs in the guest; by default, the 32-bit programs
    """
    # Addresses must be the same each time, because page tables depend on them. So must the
    # environment, because it is on the stack.
    machine = dataclasses.replace(machine, icount=True, append=f"norandmaps {machine.append}")
    load = f"insmod ./{os.path.basename(module)} && " if loaded else ""
    result = guest.run(machine, ["sh", "-c", f"{load}exec env -i ./{command}"],
                       [*(programs or PROGRAMS), module])
    if result.returncode or result.stderr:
        raise Failed(f"{command}: {guest.shown(result)}")
    return parse(result.stdout.decode())


@functools.cache
def samples_of(run):
    """Return the samples of a run."""
    machine = guest.Machine(cpu=run.cpu, kernel=kernel_path(run.kernel), memory=run.memory)
    if run.kernel == KERNEL64:
        return measured(machine, run.command, MODULE64, run.driver, PROGRAMS64)
    return measured(machine, run.command, MODULE, run.driver)


def least(samples):
    """Return the cheapest sample, which has no tick, and for which all caches of the kernel are
    filled."""
    return min(samples, key=lambda sample: (sample["kernel"], sample["user"]))


def added(samples, base):
    """Return by how much each total of a sample exceeds the same total in another run.

    Both runs have the same operations in the same order, so the work of the kernel's allocators
    rarely differs. The median ignores these rare differences.
    """
    pairs = [difference(*pair) for pair in zip(samples, base, strict=True)]
    return {name: statistics.median_low([pair[name] for pair in pairs]) for name in TOTALS}


def middle(samples):
    """Return the median of each total."""
    return {name: statistics.median_low([sample[name] for sample in samples]) for name in TOTALS}


def counter_reads(totals):
    """Return the reads of hardware counters, by any instruction."""
    return totals["rdmsr_ctr"] + totals["rdpmc"]


def register_writes(totals):
    """Return the writes of model-specific registers and of CR4."""
    return sum(totals[name] for name in ACCESSES if name.startswith("w"))


def difference(one, other):
    """Return by how much one sample exceeds another."""
    return {name: one[name] - other[name] for name in TOTALS}


def total(one, other):
    """Return the sum of two samples."""
    return {name: one[name] + other[name] for name in TOTALS}
