# SPDX-License-Identifier: GPL-2.0-only
"""Run programs on the emulated Pentium, with the files that were built for it."""

import dataclasses
import functools
import os
import re
import subprocess
import sys

from cases import Failed
from numbers_of_checks import number_of_checks

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, "build")
RUNNER = os.path.join(TOP, "tests/emulator/machine")
VALIDATION = os.path.join(TOP, "tests/emulator/validation")

PERFEX = os.path.join(BUILD, "guest/perfex")
TESTS = os.path.join(BUILD, "guest/tests")
PROGRAMS = os.path.join(TESTS, "programs")
PIPELINE = os.path.join(BUILD, "guest/pipeline")
BARE = os.path.join(BUILD, "guest/bare")
P4 = os.path.join(BUILD, "guest/p4")
OPERANDS = os.path.join(BUILD, "guest/operands")

# Programs that do not need a Pentium are also run as 64-bit programs.
GUEST64 = os.path.join(BUILD, "guest64")
CC64 = "gcc -static -no-pie"
ASM64 = "gcc -nostdlib -static -Wa,--fatal-warnings -Wl,--build-id=none,-z,noexecstack"

# The runner has this status if the machine failed, and not the command.
MACHINE_FAILED = 125

# True if every machine runs with --single-step (set by check --single-step).
SINGLE_STEP = False

# True if a process leaves samples in the background of each machine whose counters interrupt (set
# by check --sampling).
SAMPLING = False

# Programs and tests of these names need all counters, unload the driver, or count what the whole
# machine does or allocates. scaling counts interrupts of processors that run its threads, and not
# the sampler. They do not run with --sampling.
ALONE = frozenset((
    "acknowledged", "arguments", "attach_storm", "broken", "cgroup_moves", "counter_release",
    "epoch_delay", "force", "force_delay", "hooks_off", "lease", "memory_bound", "memory_use",
    "module", "oom_kill", "perf", "permissions", "profile-system-icelake", "rdpmc_always",
    "rdpmc_kernel", "records_bound", "register_overwrite", "reload_delay", "reserve", "scaling",
    "start_failure", "suspend", "system", "takeover", "takeover_other", "takeover_storm", "turns",
    "unwritable_answer"))

# The counters of these processors do not interrupt.
SILENT = ("p5", "mmx")

# True if the tests are as long as is useful (set by check --long).
LONG = False

# This kernel is used instead of "vpmc", or, if it has 64 bits, instead of "vpmc-amd64" (set by
# check --kernel).
KERNEL = "vpmc"

# If set, every machine has this processor (set by check --cpu).
CPU = None

# The output of the current test's commands is remembered in this directory (see results.py).
RESULTS = None

# In each of these cases, the timeout of a command is multiplied by the number of the case.
SLOWER = {"single step": 8, "debug": 6}


# Programs of long tests have these arguments. Without arguments, the programs do less.
LONGER = {"attach_running": "40", "inline_raw": "100"}


def longer(command):
    """Return a command with the arguments of a long test, if the tests are long."""
    words = LONGER.get(" ".join(command)) if LONG else None
    return [*command, words] if words else command


def clocks_note(many):
    """Return the line that is under a report if some of its counts are clocks and an
    instruction takes one clock.

    many: number of these counts"""
    return (f"# {many} {'count is' if many == 1 else 'counts are'} of clocks, one per instruction: "
            "the emulator has no model of the pipes")


def amount(short, long):
    """Return the size of a test: the first number in make check, and the second one with --long."""
    return long if LONG else short


def path_of(name):
    """Return the directory whose name is in build/NAME.path."""
    try:
        with open(os.path.join(BUILD, f"{name}.path"), encoding="utf-8") as file:
            return file.read().strip()
    except FileNotFoundError:
        target = "guest64" if name.endswith("amd64") else "guest"
        sys.exit(f"build/{name}.path is missing: run 'make {target}' first")


def make_tools(out, kernel, *targets):
    """Build programs of tests/guest, or only the modules, for a kernel."""
    wide = kernel.endswith("-amd64")
    compiler = "gcc" if wide else os.path.join(path_of("userland"), "bin/i586-cc")
    subprocess.run(["make", "-s", "-C", os.path.join(TOP, "tests/guest"), "-j2", *targets,
                    f"OUT={out}", f"CC={compiler}", f"LIBVPMC={os.path.join(BUILD, 'guest')}",
                    f"ARCH={'x86_64' if wide else 'i386'}",
                    f"KERNEL={path_of(f'kernel-{kernel}')}"], check=True)


def build():
    """Build the programs that the tests run in the guest."""
    make_tools(TESTS, "vpmc")
    subprocess.run(["make", "-s", "-C", os.path.join(TOP, "tests/guest"), "-j2", "anywhere",
                    f"OUT={os.path.join(GUEST64, 'tests')}", f"LIBVPMC={GUEST64}",
                    f"CC={CC64}", f"ASM={ASM64}"],
                   check=True)
    subprocess.run(["make", "-s", "-C", os.path.join(VALIDATION, "models"), "-j2",
                    f"OUT={os.path.join(BUILD, 'guest/models')}",
                    f"CC32={os.path.join(path_of('userland'), 'bin/i586-cc')}"], check=True)
    subprocess.run(["make", "-s", "-C", os.path.join(VALIDATION, "pipeline"), "guest",
                    f"OUT={PIPELINE}", f"LIBVPMC={os.path.join(BUILD, 'guest')}",
                    f"CC32={os.path.join(path_of('userland'), 'bin/i586-cc')}"], check=True)
    for name, images in (("bare", BARE), ("p4", P4)):
        subprocess.run(["make", "-s", "-C", os.path.join(VALIDATION, name), "-j2",
                        f"OUT={images}"], check=True)
    subprocess.run(["make", "-s", "-C", os.path.join(VALIDATION, "operands"), "-j2",
                    f"OUT={OPERANDS}",
                    f"CC32={os.path.join(path_of('userland'), 'bin/i586-cc')}"], check=True)
    for kernel in {"debug", "vpmc-amd64", KERNEL} - {"vpmc"}:
        if os.path.exists(os.path.join(BUILD, f"kernel-{kernel}.path")):
            make_tools(os.path.join(TESTS, kernel), kernel, "modules")


def for_kernel(kernel, directory, name):
    """Return the path of a module: in the directory itself for the kernel "vpmc", and below it
    for other kernels."""
    return os.path.join(directory, "" if kernel == "vpmc" else kernel, name)


def module(kernel=None):
    """Return the path of the driver for a kernel."""
    return for_kernel(kernel or KERNEL, os.path.join(BUILD, "guest"), "vpmc.ko")


def tool_module(name, kernel=None):
    """Return the path of a module of tests/guest/delay for a kernel."""
    return for_kernel(kernel or KERNEL, TESTS, f"{name}.ko")


def tests_of(bits):
    """Return the directory of the 32-bit or 64-bit programs of tests/guest."""
    return TESTS if bits == 32 else os.path.join(GUEST64, "tests")


def tool(name, bits=32):
    """Return the path of a C program of tests/guest."""
    return os.path.join(tests_of(bits), name)


def program(name, bits=32):
    """Return the path of a program of known counts."""
    return os.path.join(tests_of(bits), "programs", name)


def perfex(bits=32):
    """Return the path of perfex."""
    return PERFEX if bits == 32 else os.path.join(GUEST64, "perfex")


@dataclasses.dataclass(frozen=True)
class Machine:
    """A machine that the runner boots. The fields are its options.

    Several processors take turns in one thread of the host, because this needs less time in
    all. With parallel or single_step, each processor has its own thread, so that steps of different
    processors may interleave in any order.

    skips_waits: whether time follows the instructions, and skips ahead when all processors wait
    """

    cpu: str = "mmx"
    stepping: int | None = None
    type: int | None = None
    smp: int = 1
    threads: int = 1
    memory: int | None = None
    icount: bool = False
    take_turns: bool = False
    parallel: bool = False
    single_step: bool = False
    adversary: bool = False
    skips_waits: bool = False
    wake: bool = False
    exact_pmi: bool = False
    ebs_socket: bool = False
    sampling: bool = False
    models: str = ""
    user_only: bool = False
    errata: bool = True
    broken: str = ""
    emulator: str = ""
    kernel: str = "vpmc"
    append: str = ""
    timeout: int = 900

    def seconds(self):
        """Return the number of seconds after which a command fails."""
        return (self.timeout * (SLOWER["single step"] if SINGLE_STEP else 1)
                * (SLOWER["debug"] if self.booted() == "debug" else 1))

    def is_parallel(self):
        """Return whether there are several processors, each with its own thread of the host."""
        return (self.smp > 1 and not (self.take_turns or self.is_adversary())
                and (self.parallel or self.is_stepped()))

    def is_stepped(self):
        """Return whether an interrupt can come at each instruction."""
        return self.single_step or SINGLE_STEP

    def is_adversary(self):
        """Return whether the machine has an adversary. Without one, time does not follow the
        instructions of several processors."""
        return self.adversary or (self.skips_waits and self.smp > 1 and not self.is_stepped())

    def processor(self):
        """Return the processor that the machine has."""
        return CPU or self.cpu

    def is_sampling(self):
        """Return whether a process leaves samples in the background."""
        return ((self.sampling or SAMPLING) and self.processor() not in SILENT
                and self.kernel.startswith("vpmc"))

    def booted(self):
        """Return the name of the kernel that is booted."""
        replaced = "vpmc-amd64" if KERNEL.endswith("-amd64") else "vpmc"
        return KERNEL if self.kernel == replaced else self.kernel

    def options(self):
        """Return the runner's command line for this machine."""
        options = ["--bare", "--cpu", self.processor(), "--smp", str(self.smp),
                   "--kernel", self.booted(), "--timeout", str(self.seconds())]
        if self.threads > 1:
            options += ["--threads", str(self.threads)]
        for name in ("stepping", "type", "memory"):
            if (value := getattr(self, name)) is not None:
                options += [f"--{name}", str(value)]
        if self.icount or (self.skips_waits and self.smp == 1 and not self.is_stepped()):
            options.append("--icount")
        if self.smp > 1 and not (self.is_adversary() or self.is_parallel()):
            options.append("--take-turns")
        if self.is_stepped():
            options.append("--single-step")
        if self.is_adversary():
            options.append("--adversary")
        if self.wake:
            options.append("--wake")
        if self.exact_pmi:
            options.append("--exact-pmi")
        if self.ebs_socket:
            options.append("--ebs-socket")
        if self.models:
            options += ["--model", self.models]
        if self.user_only:
            options.append("--user-only")
        if not self.errata:
            options.append("--no-errata")
        if self.broken:
            options += ["--broken", self.broken]
        if self.emulator:
            options += ["--emulator", self.emulator]
        if self.append:
            options += ["--append", self.append]
        return options


def machine_of(test):
    """Return the machine among the arguments of a test, or None."""
    if not isinstance(test.function, functools.partial):
        return None
    values = (*test.function.args, *test.function.keywords.values())
    return next((value for value in values if isinstance(value, Machine)), None)


def run(machine, command, files=(), stdin=None):
    """Run a command on a machine. Return a CompletedProcess, with output as bytes."""
    arguments = [RUNNER, *machine.options()]
    if machine.is_sampling():
        files = [*files, tool("sampler", 64 if machine.kernel.endswith("-amd64") else 32)]
        command = ["sh", "-c", 'PATH=.:$PATH; sampler && exec "$@"', "sh", *command]
    for file in files:
        arguments += ["--file", file]
    if RESULTS:
        arguments += ["--recall", RESULTS]
    # The runner reads its standard input to the end if it is not a terminal.
    given = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
    return subprocess.run([*arguments, "--", *command], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **given)


def shown(result):
    """Return a result as the text of a failure."""
    return (f"status {result.returncode}\n"
            f"stdout:\n{result.stdout.decode(errors='replace')}\n"
            f"stderr:\n{result.stderr.decode(errors='replace')}")


def with_callers(line, program):
    """Return a line "FAIL ... [0x...] [0x...]" with the places of its callers instead of
    addresses, innermost first."""
    addresses = re.findall(r" \[0x([0-9a-f]+)\]", line)
    if not addresses:
        return line
    # The addresses are return addresses, so each is after its call.
    calls = [f"{int(address, 16) - 1:#x}" for address in addresses]
    places = subprocess.run(["addr2line", "-s", "-i", "-e", program, *calls], check=True,
                            stdout=subprocess.PIPE, text=True).stdout.splitlines()
    places = [place.split()[0] for place in places]  # drop "(discriminator 3)"
    line = re.sub(r" \[0x[0-9a-f]+\]", "", line)
    callers = [place for place in places if f" {place}: " not in line]
    return f"{line}\n    called from {', '.join(callers)}" if callers else line


def run_checks(machine, command, files, checks=None):
    """Run a program that prints lines "ok ..." and "FAIL ...". Return its lines.

    checks: the number of such lines, if numbers_of_checks.py does not have it
    """
    command = longer(command)
    result = run(machine, command, files)
    lines = result.stdout.decode(errors="replace").splitlines()
    bad = [line for line in lines if line.startswith("FAIL")]
    if bad:
        words = " ".join(command).split()
        program = next(file for file in files
                       if os.path.basename(file) in words and os.access(file, os.X_OK))
        raise Failed("\n".join([" ".join(["machine", *machine.options(), "--", *command])]
                               + [with_callers(line, program) for line in bad[:12]]
                               + [f"{len(bad)} of {len(lines)} checks failed"]))
    if result.returncode or result.stderr:
        raise Failed(shown(result))
    want = checks or number_of_checks(command, machine)
    if len(lines) != want:
        raise Failed(f"{len(lines)} checks were made, and "
                     + (f"tests/lib/numbers_of_checks.py says {want}" if want else
                        f"tests/lib/numbers_of_checks.py has no number for \"{command[0]}\""))
    return lines
