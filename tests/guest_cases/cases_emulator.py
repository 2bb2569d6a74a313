# SPDX-License-Identifier: GPL-2.0-only
"""Test the emulator alone, without a kernel: docs/guide/emulator.md."""

import functools
import os
import subprocess
import tempfile

import guest
from cases import Failed, Test

SOURCE = os.path.join(guest.TOP, "tests/emulator/bare.S")

# bare.S works out these counts: for each event, that of a first and of a second execution. The
# read misses depend on the processor.
MISSES = {"pentium": (0, 0), "pentium,uarch=all": (128, 0),
          "pentium,model=2,stepping=12,mmx=off,uarch=caches": (128, 0)}
OTHERS = {0x16: (516, 516), 0x12: (129, 129), 0x00: (128, 128)}

# The program writes this to the port of isa-debug-exit. The emulator's status is twice the
# value plus one.
STATUS = 2 * ord("\n") + 1


def bare(cpu):
    """Count by RDMSR and WRMSR on a machine that has no firmware and no kernel."""
    with tempfile.TemporaryDirectory() as directory:
        image = os.path.join(directory, "bare.bin")
        subprocess.run(["as", "--32", "-o", f"{image}.o", SOURCE], check=True)
        subprocess.run(["ld", "-m", "elf_i386", "-Ttext", "0", "--oformat", "binary", "-o", image,
                        f"{image}.o"], check=True)
        result = subprocess.run(
            [os.path.join(guest.path_of("qemu"), "bin/qemu-system-x86_64"), "-nodefaults",
             "-display", "none", "-accel", "tcg,thread=single", "-cpu", cpu, "-bios", image,
             "-debugcon", "stdio", "-device", "isa-debug-exit,iobase=0xf4,iosize=1"],
            check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            timeout=600)
    counts = {0x03: MISSES[cpu], **OTHERS}
    wanted = "".join(f"{event:08x} {first:08x} {second:08x} \n"
                     for event, (first, second) in counts.items())
    if result.returncode != STATUS or result.stdout.decode() != wanted:
        raise Failed(f"{guest.shown(result)}\nnot:\n{wanted}")


def tests():
    """Yield tests with and without models."""
    for number, cpu in enumerate(MISSES):
        yield Test(f"bare-{number}", f"a program with nothing else counts on -cpu {cpu}",
                   functools.partial(bare, cpu))
