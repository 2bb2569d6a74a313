# SPDX-License-Identifier: GPL-2.0-only
"""Execute programs instruction by instruction, on this machine or on an emulated one."""

import functools
import gzip
import os
import subprocess
import tempfile

import guest
from cases import Failed
from guest import Machine

# This emulated machine executes the programs if the host cannot execute 32-bit programs. It has
# all instructions that the programs use.
EMULATED = Machine(cpu="icelake", kernel="vpmc-amd64", timeout=1800)

EXIT = """
.globl _start
_start:
	mov $1, %eax
	xor %ebx, %ebx
	int $0x80
"""


def build(directory):
    """Compile step.c. Return the path of the program."""
    path = os.path.join(directory, "step")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "step.c")
    subprocess.run(["gcc", "-static", "-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra",
                    "-Werror", "-o", path, source], check=True)
    return path


@functools.cache
def executes_32_bits():
    """Return whether this machine executes 32-bit programs. Some kernels are built without
    support for them."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "exit")
        subprocess.run(["as", "--32", "-o", f"{path}.o", "-"], input=EXIT, text=True, check=True)
        subprocess.run(["ld", "-m", "elf_i386", "-o", path, f"{path}.o"], check=True)
        try:
            return subprocess.run([path], check=False).returncode == 0
        except OSError:
            return False


def step_here(stepper, paths):
    """Return the output of the stepper on this machine's processor."""
    return subprocess.run([stepper, *paths], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def step_emulated(stepper, paths):
    """Return the output of the stepper on an emulated processor, which is slow."""
    names = [f"./{os.path.basename(path)}" for path in paths]
    result = guest.run(EMULATED, ["sh", "-c", './step "$@" | gzip -1', "sh", *names],
                       [stepper, *paths])
    if not result.returncode and not result.stderr:
        result.stdout = gzip.decompress(result.stdout)
    return result


def step(paths):
    """Execute programs. Return all stops as step.c describes them."""
    with tempfile.TemporaryDirectory() as directory:
        stepper = build(directory)
        result = (step_here if executes_32_bits() else step_emulated)(stepper, paths)
    if result.returncode or result.stderr:
        raise Failed(result.stderr.decode(errors="replace").strip())
    return result.stdout
