# SPDX-License-Identifier: GPL-2.0-only
"""Test the runner: tests/emulator/machine behaves like the command that it runs."""

import functools
import os
import tempfile

import guest
from cases import Failed, Test
from guest import MACHINE_FAILED, Machine

# The runner does not need the driver.
MACHINE = Machine(kernel="stock")


def expect(result, status, stdout=b"", stderr=b""):
    """Compare a result with the expected result."""
    if (result.returncode, result.stdout, result.stderr) != (status, stdout, stderr):
        raise Failed(f"{guest.shown(result)}\nwant status {status}, stdout {stdout!r:.200}, "
                     f"stderr {stderr!r:.200}")


def statuses():
    """Test exit statuses, signals, and commands that do not exist."""
    for script, status in (("exit 0", 0), ("exit 7", 7), ("exit 255", 255),
                           ("kill -9 $$", 137), ("kill -TERM $$", 143)):
        expect(guest.run(MACHINE, ["sh", "-c", script]), status)
    result = guest.run(MACHINE, ["no-such-command"])
    if result.returncode != 127 or b"no-such-command" not in result.stderr:
        raise Failed(guest.shown(result))


def streams():
    """Test bytes of all kinds through stdin, stdout and stderr."""
    data = bytes(range(256)) * 1000 + b"no newline at the end"
    expect(guest.run(MACHINE, ["cat"], stdin=data), 0, stdout=data)
    expect(guest.run(MACHINE, ["sh", "-c", "cat >&2; echo out"], stdin=data), 0, b"out\n", data)
    expect(guest.run(MACHINE, ["sh", "-c", "echo out; echo err >&2; exit 3"]), 3, b"out\n",
           b"err\n")
    expect(guest.run(MACHINE, ["cat"]), 0)


def arguments():
    """Test that arguments reach the command unchanged."""
    words = ["", "two words", "*", "$HOME", "'", '"', "\\n", "line\nbreak", "--cpu", "\xe9"]
    expected = "".join(f"<{word}>" for word in words).encode()
    expect(guest.run(MACHINE, ["printf", "<%s>", *words]), 0, expected)


def files():
    """Test that files keep their modes in the command's directory, and that programs are found
    by name."""
    with tempfile.TemporaryDirectory() as directory:
        script, data = os.path.join(directory, "script"), os.path.join(directory, "data")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\npwd\ncat data\nid -u\n")
        with open(data, "wb") as file:
            file.write(b"\0\xff\n")
        os.chmod(script, 0o755)
        os.chmod(data, 0o640)
        expect(guest.run(MACHINE, ["script"], [script, data]), 0, b"/root\n\0\xff\n0\n")
        expect(guest.run(MACHINE, ["sh", "-c", "ls -l | cut -c 1-10"], [data, script]), 0,
               b"-rw-r-----\n-rwxr-xr-x\n")
        result = guest.run(MACHINE, ["./data"], [data])
        if result.returncode != 126:
            raise Failed(guest.shown(result))


def expect_machine_failure(result, *texts):
    """Check that the machine, and not the command, has failed with a reason."""
    if (result.returncode != MACHINE_FAILED or result.stdout
            or not all(text in result.stderr for text in texts)):
        raise Failed(guest.shown(result))


def refused_models():
    """Test which options --model and --user-only exclude, and that the errors name the remedy."""
    for machine, text in ((Machine(models="cache"), "choose among caches, tlb"),
                          (Machine(models="bus"), "add caches and pipeline to bus"),
                          (Machine(models="pipeline,bus"), "add caches and pipeline to bus"),
                          (Machine(user_only=True), "--user-only needs --model"),
                          (Machine(cpu="haswell", models="all"), "--model needs a Pentium")):
        result = guest.run(machine, ["true"])
        if result.returncode != MACHINE_FAILED or text not in result.stderr.decode():
            raise Failed(guest.shown(result))


def refused_lines():
    """Test the errors for files that cannot be read, and for processors whose guest does not
    have perfex."""
    expect_machine_failure(guest.run(MACHINE, ["true"], ["/no/such/file"]),
                           b"machine: cannot use /no/such/file: No such file or directory\n")
    expect_machine_failure(guest.run(MACHINE, ["true"], ["/etc"]),
                           b"machine: cannot use /etc: Is a directory\n")
    expect_machine_failure(guest.run(Machine(cpu="icelake", kernel="stock"), ["perfex", "true"]),
                           b"OPTIONS='--cpu icelake --kernel vpmc-amd64'")


def panic():
    """Test a kernel that cannot start its first process, and a kernel that crashes."""
    machine = Machine(kernel="stock", append="rdinit=/nowhere")
    expect_machine_failure(guest.run(machine, ["true"]), b"Kernel panic", b"console")
    crash = ["sh", "-c", "echo c >/proc/sysrq-trigger"]
    expect_machine_failure(guest.run(MACHINE, crash), b"machine: the guest's kernel reports")


def hang():
    """Test a command that does not end in time."""
    machine = Machine(kernel="stock", timeout=8)
    result = guest.run(machine, ["sleep", "1000"])
    expect_machine_failure(result, b"no result after %d seconds" % machine.seconds())


def machines(cpu, smp):
    """Test that the machine has the requested processors."""
    script = "grep -c ^processor /proc/cpuinfo; grep -c '^flags.* mmx' /proc/cpuinfo; " \
             "grep -m1 '^cpu family' /proc/cpuinfo"
    expect(guest.run(Machine(kernel="stock", cpu=cpu, smp=smp), ["sh", "-c", script]), 0,
           b"%d\n%d\ncpu family\t: 5\n" % (smp, smp if cpu == "mmx" else 0))


def signatures():
    """Test that processors have the requested stepping and type."""
    for options, signature in (({"cpu": "mmx"}, b"543"),
                               ({"cpu": "mmx", "stepping": 4}, b"544"),
                               ({"cpu": "mmx", "type": 1}, b"1543"),
                               ({"cpu": "mmx", "stepping": 0, "type": 3}, b"3540"),
                               ({"cpu": "p5"}, b"52c"),
                               ({"cpu": "p5", "stepping": 5, "type": 2}, b"2525")):
        result = guest.run(Machine(kernel="stock", **options), ["signature"],
                           [guest.tool("signature")])
        expect(result, 0, signature + b"\n")
    for options in ({"stepping": 16}, {"type": 4}):
        result = guest.run(Machine(kernel="stock", timeout=8, **options), ["true"])
        expect_machine_failure(result, b"doesn't take value")


def tests():
    """Yield the tests of this file."""
    for name, rule, function in (
            ("status", "the command's exit status and signals are passed through", statuses),
            ("streams", "stdin, stdout and stderr pass every byte and nothing else", streams),
            ("arguments", "arguments reach the command as they are", arguments),
            ("files", "files lie beside the command and keep their modes", files),
            ("models", "models that cannot be are refused, with what to do instead",
             refused_models),
            ("lines", "a sentence names each thing that a guest cannot have", refused_lines),
            ("panic", "a kernel panic is a failure of its own, with the console", panic),
            ("hang", "a command that does not end is a failure of its own", hang),
            ("signature", "the guest's processor has the stepping and type asked for",
             signatures)):
        yield Test(f"runner-{name}", rule, function, fresh=True)
    for cpu in ("mmx", "p5"):
        for smp in (1, 2):
            yield Test(f"runner-cpu-{cpu}-{smp}", "the guest has the processors asked for",
                       functools.partial(machines, cpu, smp), fresh=True)
