# SPDX-License-Identifier: GPL-2.0-only
"""Boot the image of "make image" through a BIOS, from CD and disk, and count there.

The user types at the serial line or at the keyboard.
"""

import functools
import json
import os
import re
import resource
import select
import socket
import struct
import subprocess
import tempfile
import time

import guest
from cases import Failed, Test
from emulator import console, models

IMAGE = os.path.join(guest.BUILD, "image/vpmc.iso")
BUILDER = os.path.join(guest.TOP, "tests/image/build")
LIMIT = 24 << 20
SECONDS = 600
PROMPT = "vpmc# "

CD = ("-cdrom", IMAGE)
# The BIOS reads disks at USB 2 and 3 in large pieces. At USB 1 this takes minutes.
USB_DISK = ("-device", "qemu-xhci", "-drive", f"file={IMAGE},if=none,id=stick,format=raw,snapshot=on",
            "-device", "usb-storage,drive=stick")
IDE_DISK = ("-drive", f"file={IMAGE},if=ide,format=raw,snapshot=on")

# The program executes 1000 instructions: mov to %ecx, 498 times dec and jnz, and the three of its
# exit. The Pentium's branches are the 498 jumps and the exit's software interrupt.
COUNTS = (("perfex exactly-1000", ["1000  0x16   instructions_executed:u"]),
          ("perfex -e branches exactly-1000", ["499  0x12   branches:u"]),
          ("workers 2 exactly-1000 | tail -n 1 | tr -s ' '", ["total 2000 998"]))

BAD = ("an emulator or hypervisor hides them or has none: have it show working ones (QEMU: "
       "-accel kvm -cpu host,pmu=on), or count on the hardware itself")
NO_RDPMC = f"the counters of processor 0 cannot be used: RDPMC is an invalid opcode; {BAD}"
IGNORED = ("the counters of processor 0 cannot be used: counter 0 shows 0h where 6789abcdefh was "
           f"written; {BAD}")

BOCHS = f"""
display_library: term
megs: 32
cpu: model=pentium, ips=100000000
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/vgabios/vgabios.bin
vga: extension=none
ata0-master: type=cdrom, path={IMAGE}, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=serial
log: log
clock: sync=none, time0=946684800
"""


class Machine:
    """A machine that boots from the image, with a user at its serial line."""

    def __init__(self, disk, *, cpu=models.find("p5").qemu, memory=32, program=None, more=()):
        self.text = ""
        self.deadline = time.monotonic() + SECONDS
        # Time follows the instructions, as on a processor of 125 MHz, so that a busy host does not
        # disturb the kernel's measurements of clocks.
        command = [program or os.path.join(guest.path_of("qemu"), "bin/qemu-system-x86_64"),
                   "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
                   "-machine", "pc", "-cpu", cpu, "-m", str(memory),
                   "-accel", "tcg,thread=single", "-icount", "shift=3,sleep=off",
                   "-rtc", "base=2000-01-01,clock=vm", "-seed", "1", "-serial", "stdio", *disk,
                   *more]
        self.monitor, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *command,
                 "-chardev", f"socket,id=monitor,fd={theirs.fileno()}",
                 "-mon", "monitor,mode=control"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[theirs.fileno()])
        self.ask("qmp_capabilities")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        self.monitor.close()

    def fail(self, reason):
        """Fail with the end of the serial line's text."""
        raise Failed(console.with_tail(reason, self.text))

    def wait(self, wanted):
        """Wait for a text at the serial line. Return the text before it."""
        start = len(self.text)
        while (at := self.text.find(wanted, start)) < 0:
            ready, _, _ = select.select([self.process.stdout], [], [],
                                        max(0, self.deadline - time.monotonic()))
            data = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            if not data:
                self.fail(f"the serial line does not show '{wanted}'")
            self.text += data.decode(errors="replace").replace("\r", "")
        return self.text[start:at]

    def run(self, command):
        """Type a command. Return the lines of its output."""
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        # The first line is the echo of the command.
        return self.wait(PROMPT).split("\n")[1:-1]

    def expect(self, command, lines):
        """Type a command, and compare its output without spaces around it."""
        found = [line.strip() for line in self.run(command)]
        if found != lines:
            self.fail(f"'{command}' prints {found} instead of {lines}")

    def ask(self, name, **arguments):
        """Let the emulator's monitor execute a command, and wait until it has."""
        self.monitor.sendall(json.dumps({"execute": name, "arguments": arguments}).encode())
        answer = b""
        while b'"return"' not in answer:
            data = self.monitor.recv(1 << 16)
            if not data or b'"error"' in data:
                self.fail(f"the emulator does not execute '{name}': {data.decode()}")
            answer += data

    def press(self, text):
        """Press keys of the keyboard."""
        for key in text:
            name = {" ": "spc", "-": "minus", "\n": "ret"}.get(key, key)
            self.ask("send-key", keys=[{"type": "qcode", "data": name}])

    def wait_screen(self, wanted):
        """Wait until the screen shows a text. Its memory has a byte for each character, and one for
        its colour."""
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "screen")
            while time.monotonic() < self.deadline:
                self.ask("pmemsave", val=0xb8000, size=0x8000, filename=path)
                shown = read(path)[::2].decode("cp437")
                if wanted in shown:
                    return
                time.sleep(0.5)
        self.text = re.sub("(.{80})", r"\1\n", shown)
        self.fail(f"the screen does not show '{wanted}'")

    def boot(self, refused=""):
        """Wait for the first prompt. The greeting must show why the driver refuses the machine, if
        it does."""
        greeting = self.wait(PROMPT)
        found = re.search(r"^perfex cannot count on this machine: (.*)", greeting, re.M)
        if (found[1] if found else "") != refused:
            self.fail(f"the greeting is:\n{greeting}")
        if trouble := console.trouble(greeting):
            self.fail(f"the kernel reports: {trouble}")


def counts(disk):
    """Boot from a disk, and count known programs."""
    with Machine(disk) as machine:
        machine.boot()
        for command, lines in COUNTS:
            machine.expect(command, lines)


def documents():
    """Read the manual on the image."""
    with Machine(CD) as machine:
        machine.boot()
        machine.expect("man nothing; echo $?",
                       ['man: there is no document "nothing": "man" lists all documents', "1"])
        listed = machine.run("man | cat")
        for name in ("perfex.1", "vpmc.7", "events.md", "parts.c", "COPYING"):
            if name not in listed:
                machine.fail(f"man does not list {name}")
        machine.expect("man perfex | head -n 1 | tr -s ' '",
                       ["PERFEX(1) General Commands Manual PERFEX(1)"])
        machine.expect("grep -c \"$(printf '\\b')\" /share/doc/perfex.1", ["0"])


def stock(disk, *devices, cpu="pentium"):
    """Return a machine of Debian's QEMU, which has a screen, but no counters."""
    program = subprocess.run([os.path.join(guest.TOP, "tests/emulator/fetch-qemu")], check=True,
                             stdout=subprocess.PIPE, text=True).stdout.strip()
    more = ["-vga", "std", *devices]
    for package in ("seabios", "qemu-system-data"):
        path = subprocess.run([os.path.join(guest.TOP, "tests/emulator/fetch-binary"), package],
                              check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        more += ["-L", os.path.join(path, "usr/share", package.removesuffix("-system-data"))]
    return Machine(disk, cpu=cpu, program=program, more=more)


def keyboard():
    """Boot a Pentium without counters. Type at its keyboard, and read the screen."""
    with stock(CD) as machine:
        machine.boot(refused=NO_RDPMC)
        machine.wait_screen(PROMPT)
        machine.press("wc -c text\n")
        machine.wait_screen("400000 text")


def usb():
    """Boot a Pentium without counters from a USB disk, and execute a program."""
    with stock(USB_DISK) as machine:
        machine.boot(refused=NO_RDPMC)
        machine.expect("exactly-1000; echo $?", ["0"])


def empty_floppy():
    """Return a floppy disk of 1.44 MB that is formatted with FAT, and has no files."""
    boot = struct.pack("<3s8sHBHBHHBHHHIIBBBI11s8s", b"\xeb\x3c\x90", b"MSDOS5.0", 512, 1, 1, 2, 224,
                       2880, 0xf0, 9, 18, 2, 0, 0, 0, 0, 0x29, 0, b"REPORT     ", b"FAT12   ")
    start = b"\xf0\xff\xff".ljust(9 * 512, b"\0")
    return (boot.ljust(510, b"\0") + b"\x55\xaa" + start * 2).ljust(2880 * 512, b"\0")


def floppy():
    """Save a report on a floppy disk."""
    with tempfile.TemporaryDirectory() as directory:
        disk = os.path.join(directory, "disk")
        with open(disk, "wb") as file:
            file.write(empty_floppy())
        with stock(CD, "-boot", "d", "-drive", f"file={disk},if=floppy,format=raw") as machine:
            machine.boot(refused=NO_RDPMC)
            machine.expect("mount /dev/fd0 /mnt && wc text >/mnt/report && umount /mnt; echo $?",
                           ["0"])
        if b" 400000 text\n" not in read(disk):
            raise Failed("the report is not on the disk")


def older_processor():
    """Boot a 486. The kernel must refuse it."""
    with stock(CD, cpu="486") as machine:
        machine.wait_screen("This kernel requires an i586 CPU, but only detected an i486 CPU.")


def little_memory():
    """Boot with less memory than the image's files need."""
    with Machine(CD, memory=16) as machine:
        machine.wait("vpmc: this machine has too little memory for the image: use one with 32 MB")


def bochs():
    """Boot in Bochs, whose Pentium ignores the registers of the counters."""
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "bochsrc"), "w", encoding="ascii") as file:
            file.write(BOCHS)
        with open(os.path.join(directory, "commands"), "w", encoding="ascii") as file:
            file.write("c\n")
        serial = os.path.join(directory, "serial")
        # script has the terminal on which Bochs draws the screen.
        with subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", "script", "-qec",
                 "exec bochs-bin -q -f bochsrc -rc commands", "/dev/null"], cwd=directory,
                env={**os.environ, "TERM": "vt100"}, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT) as process:
            deadline = time.monotonic() + SECONDS
            while PROMPT not in console.read(serial) and time.monotonic() < deadline:
                time.sleep(0.5)
            process.terminate()
        if f"\nperfex cannot count on this machine: {IGNORED}\n" not in console.read(serial):
            raise Failed(console.with_tail("Bochs shows another greeting", console.read(serial)))


def build(directory, limits=None, **environment):
    """Run the builder. Return its status and what it prints."""
    result = subprocess.run([BUILDER, directory], check=False, text=True, preexec_fn=limits,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            env={**os.environ, **environment})
    return result.returncode, result.stdout


def read(path):
    """Return the contents of a file."""
    with open(path, "rb") as file:
        return file.read()


def repeatable():
    """Build the image again elsewhere. It must have the same bytes, and not too many."""
    if (size := os.path.getsize(IMAGE)) >= LIMIT:
        raise Failed(f"the image has {size} bytes")
    with tempfile.TemporaryDirectory() as directory:
        status, text = build(directory)
        if status or read(text.rstrip("\n")) != read(IMAGE):
            raise Failed(f"a second image differs from the first: status {status}\n{text}")
        if sorted(os.listdir(directory)) != ["key", "vpmc.iso"]:
            raise Failed(f"the builder leaves files: {os.listdir(directory)}")
        before = os.stat(text.rstrip("\n"))
        build(directory)
        if os.stat(text.rstrip("\n")) != before:
            raise Failed("the builder writes an image again that is already there")
    return f"{size} bytes"


def full_disk():
    """Let the disk be full after a megabyte, or the builder's tools be missing. It must say so,
    and leave an old image as it was."""
    small = functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    with tempfile.TemporaryDirectory() as directory:
        old = os.path.join(directory, "vpmc.iso")
        with open(old, "w", encoding="ascii") as file:
            file.write("old")
        for found, wanted in (
                (build(directory, limits=small),
                 f"image: cannot write the image into {directory}: File too large\n"),
                (build(directory, PATH="/nothing"),
                 "image: the command 'mandoc' is missing: run 'make image'\n")):
            if found != (1, wanted) or os.listdir(directory) != ["vpmc.iso"] \
                    or read(old) != b"old":
                raise Failed(f"the builder says {found} instead of '{wanted}', and leaves "
                             f"{os.listdir(directory)}")


def tests():
    """Yield all tests."""
    yield Test("image-cd", "The image boots an i586 with 32 MB from CD, and counts exactly",
               functools.partial(counts, CD))
    yield Test("image-size", "The image has less than 24 MB, and is the same if it is built again",
               repeatable)
    yield Test("image-full-disk", "If the image cannot be built, the old one stays", full_disk)
    yield Test("image-disk", "The image boots from an IDE disk, and counts exactly",
               functools.partial(counts, IDE_DISK))
    yield Test("image-usb", "The image boots from a USB disk", usb)
    yield Test("image-screen", "Screen and keyboard work, and the screen says why nothing counts",
               keyboard)
    yield Test("image-documents", "The image has the documents as plain text", documents)
    yield Test("image-floppy", "A report can be saved on a floppy disk", floppy)
    yield Test("image-486", "A processor before the Pentium is refused", older_processor)
    yield Test("image-memory", "A machine with too little memory is refused", little_memory)
    yield Test("image-bochs", "The driver refuses the Pentium of Bochs", bochs)
