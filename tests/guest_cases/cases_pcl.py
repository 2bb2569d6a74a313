# SPDX-License-Identifier: GPL-2.0-only
"""Test PCL 2.2 (libvpmc/compat/pcl) on emulated processors."""

import functools
import os
import re

import guest
from cases import Failed, Test
from guest import Machine

KERNEL64 = "vpmc-amd64"

# pcl_counts makes this number of checks.
CHECKS = 12

# The samples run with two lengths of their loop. A round has two instructions.
ROUNDS = (1000, 13345)
MORE = 2 * (ROUNDS[1] - ROUNDS[0])

# Each processor has the code of instructions, and the lines that the low-level sample prints
# there. The Pentium 4 has the code of clocks, because the sample's counter cannot count
# instructions there. The emulated processor takes one clock for each instruction.
PROCESSORS = {
    "p5": ("0x16", ["GenuineIntel", "p5", "family 5 model 2 stepping 12", "known", ">=2"]),
    "mmx": ("0x16", ["GenuineIntel", "p5mmx", "family 5 model 4 stepping 3", "known", ">=2"]),
    "pentium3": ("0xc0", ["GenuineIntel", "p6", "family 6 model 7 stepping 3", "known", ">=2"]),
    "p4": ("0xc00126000200", ["GenuineIntel", "p4", "family 15 model 2 stepping 9", "known",
                              ">=18"]),
    "prescott": ("0xc00126000200", ["GenuineIntel", "p4", "family 15 model 4 stepping 3", "known",
                                    ">=18"]),
    "nehalem": ("0xc0", ["GenuineIntel", "intel", "family 6 model 26 stepping 3", "known",
                         ">=7"]),
    "opteron": ("0xc0", ["AuthenticAMD", "amd", "family 15 model 6 stepping 1", "known", ">=4"]),
}

# These processors execute 64-bit code.
WIDE = ("prescott", "nehalem", "opteron")


def compat(name, bits):
    """Return the path of a file that "make compat-guest" has built."""
    return os.path.join(guest.BUILD, "guest" if bits == 32 else "guest64", "compat", name)


def counts(machine, bits):
    """Test counts, modes, levels and ratios."""
    guest.run_checks(machine, ["pcl_counts"], [compat("pcl_counts", bits)], CHECKS)


def numbers(line):
    """Return the whole numbers of a line. A number may be followed by a point and six zeros."""
    return [int(number) for number in re.findall(r"(\d+)(?:\.0{6})?(?![\d.])", line)]


def check_lengths(one, many, factors, result):
    """Check the lines of a short and of a long loop.

    Each number must grow by MORE times its factor, and the words must be the same.
    """
    pattern = r"\d+(\.0{6})?(?![\d.])"
    found = [after - before for before, after in zip(numbers(one), numbers(many))]
    if (found != [factor * MORE for factor in factors]
            or re.sub(pattern, "N", one) != re.sub(pattern, "N", many)):
        raise Failed(f"{one}\n{many}\n{guest.shown(result)}")


def samples(machine, bits):
    """Test the samples of PCL's report, with two lengths each."""
    code, processor = PROCESSORS[machine.cpu]
    script = "".join(f"pcl_simple {n}; pcl_nested {n}; pcl_low_level {code} {n}\n"
                     for n in ROUNDS)
    result = guest.run(machine, ["sh", "-ec", script],
                       [compat(f"pcl_{name}", bits) for name in ("simple", "nested", "low_level")])
    lines = result.stdout.decode().splitlines()
    if result.returncode or result.stderr or len(lines) != 16:
        raise Failed(guest.shown(result))
    one, many = lines[:8], lines[8:]
    check_lengths(one[0], many[0], [1, 1], result)
    check_lengths(one[1], many[1], [1, 1, 1, 1, 4], result)
    check_lengths(one[7], many[7], [1], result)
    titles = ["processor vendor  : ", "processor family  : ", "processor model   : ",
              "processor speed   : ", "number of counters: "]
    want = [title + value for title, value in zip(titles, processor)]
    if (one[2:7] != want or many[2:7] != want
            or not re.fullmatch(r"\d+\.0{6} instructions in \d+\.0{6} cycles", one[0])
            or not re.fullmatch(r"used cycles:( \d+\.0{6}){4}, total: \d+\.0{6}", one[1])):
        raise Failed(f"want {want}\n{guest.shown(result)}")


def fortran(machine):
    """Test the samples in Fortran."""
    script = "".join(f"pcl_fortran {n}\n" for n in ROUNDS)
    result = guest.run(machine, ["sh", "-ec", script], [compat("pcl_fortran", 64)])
    lines = result.stdout.decode().splitlines()
    if (result.returncode or result.stderr or len(lines) != 6
            or not all(re.fullmatch(r"[01]\.\d{3} instructions per cycle", line)
                       for line in lines[2::3])):
        raise Failed(guest.shown(result))
    check_lengths(lines[0], lines[3], [1, 1], result)
    check_lengths(lines[1], lines[4], [1, 1, 1, 1, 4], result)


# Put Java's files, and those of the C library, in the places where Java expects them.
JAVA = """
mkdir -p /lib64 jre/bin jre/lib/server jre/conf/security
mv ld-linux-x86-64.so.2 /lib64
mv java jre/bin
mv libjvm.so jre/lib/server
mv java.security jre/conf/security
mv jvm.cfg modules libj*.so libnet.so libnio.so libverify.so libzip.so jre/lib
LD_LIBRARY_PATH=$PWD jre/bin/java -Xint -Xshare:off -XX:+UseSerialGC -Xmx64m \\
    -Djava.library.path=. -cp pcl.jar:. GuestSample
"""


def java(machine):
    """Test the Java sample of PCL's report with each event that the emulated processor counts."""
    directory = compat("pcl_java", 64)
    result = guest.run(machine, ["sh", "-ec", JAVA],
                       [os.path.join(directory, name) for name in sorted(os.listdir(directory))])
    found = dict(re.findall(r"^PCL_(\w+):(.+)$", result.stdout.decode(), re.M))
    if (result.returncode or list(found) != [
            "CYCLES", "ELAPSED_CYCLES", "LOAD_INSTR", "STORE_INSTR", "LOADSTORE_INSTR", "INSTR",
            "JUMP", "IPC"]):
        raise Failed(guest.shown(result))
    # Each of 100 * 100 elements has at least two loads and a store. The rest of Java's work
    # differs from run to run.
    least = {"LOAD_INSTR": 20000, "STORE_INSTR": 10000, "LOADSTORE_INSTR": 30000, "JUMP": 10000,
             "INSTR": 40000, "CYCLES": 40000, "ELAPSED_CYCLES": 40000}
    if (any(int(found[name]) < number for name, number in least.items())
            or not 0 < float(found["IPC"]) <= 1):
        raise Failed(guest.shown(result))


# Each processor has the directory of its groups, and the lines of perfex for two of PCL's
# events.
MODELS = {
    "opteron": ("amd-15", ["- - PCL_DTLB_MISS events = dtlb_misses (group pcl)",
                           "- - PCL_L1DCACHE_MISS events = data_cache_misses (group pcl)"]),
    "nehalem": ("intel-6-26", ["- - PCL_DTLB_MISS events = dtlb_walks (group pcl)",
                               "- - PCL_L1DCACHE_MISS events = l1d_repl (group pcl)"]),
}


def names_of_model(machine):
    """Test that perfex also finds groups that are for the processor's model only."""
    directory, listed = MODELS[machine.cpu]
    result = guest.run(machine, ["sh", "-c", f"""
mkdir -p vpmc/groups/{directory}
cp pcl vpmc/groups/{directory}
export XDG_CONFIG_HOME=$PWD
perfex -e PCL_INSTR exactly-1000
perfex -l PCL_DTLB_MISS >&2
perfex -l PCL_L1DCACHE_MISS >&2"""], [
        guest.perfex(64), guest.program("exactly-1000", 64),
        compat(f"pcl.groups/{directory}/pcl", 64)])
    want = ["1000 0xc0 instructions:u", "1000 - PCL_INSTR events", *listed]
    # The list may have more events with such names.
    lines = [" ".join(line.split()) for line in result.stderr.decode().splitlines()]
    if result.returncode or [line for line in lines if line in want] != want:
        raise Failed(guest.shown(result))


def names(machine):
    """Test that perfex counts by PCL's names, with the groups that come with PCL."""
    result = guest.run(machine, ["sh", "-c", """
mkdir -p vpmc/groups/p5
cp pcl vpmc/groups/p5
export XDG_CONFIG_HOME=$PWD
perfex -e PCL_INSTR,pcl_jump exactly-1000
perfex -e PCL_IPC,PCL_CYCLES exactly-1000
perfex -l PCL_JUMP >&2
perfex -e PCL_L2CACHE_MISS exactly-1000"""], [
        guest.PERFEX, guest.program("exactly-1000"), compat("pcl.groups/p5/pcl", 32)])
    # An instruction takes one clock on the emulated processor.
    want = ["1000 0x16 instructions_executed:u", "499 0x12 branches:u",
            "1000 - PCL_INSTR events", "499 - PCL_JUMP events",
            "1000 0x16 instructions_executed:u", "1000 0x100 clocks:u",
            "1.000 - PCL_IPC ratio", "1000 - PCL_CYCLES events", guest.clocks_note(1),
            "- - PCL_JUMP events = branches (group pcl)",
            "# the events are those of this processor (p5)"]
    lines = [" ".join(line.split()) for line in result.stderr.decode().splitlines()]
    if (lines[:-1] != want or result.returncode != 201
            or not lines[-1].startswith("perfex: unknown event \"PCL_L2CACHE_MISS\"")):
        raise Failed(guest.shown(result))


def tests():
    """Yield the tests of this file."""
    for cpu in PROCESSORS:
        bits = 64 if cpu in WIDE else 32
        machine = Machine(cpu=cpu, kernel="vpmc" if bits == 32 else KERNEL64)
        yield Test(f"pcl-{cpu}", "PCL counts what a program is known to do",
                   functools.partial(counts, machine, bits))
        yield Test(f"pcl-samples-{cpu}", "the samples of PCL's report count each round of a loop",
                   functools.partial(samples, machine, bits))
    yield Test("pcl-fortran", "a Fortran program counts each round of a loop",
               functools.partial(fortran, Machine(cpu="nehalem", kernel=KERNEL64)))
    yield Test("pcl-names", "perfex counts by PCL's names, with their make-up",
               functools.partial(names, Machine(cpu="p5")))
    for cpu in MODELS:
        yield Test(f"pcl-names-{cpu}", "perfex has PCL's names of one model",
                   functools.partial(names_of_model, Machine(cpu=cpu, kernel=KERNEL64)))
    yield Test("pcl-java", "a Java program counts",
               functools.partial(java, Machine(cpu="nehalem", kernel=KERNEL64, memory=600)))
