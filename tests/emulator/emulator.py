# SPDX-License-Identifier: GPL-2.0-only
"""Make the emulator's command line, and the file system with which its kernel boots."""

import argparse
import os
import re
import stat

BUILD = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "build")

# init writes to these ports; init.c has the same numbers.
CHANNELS = {"stdout": 0xE9, "stderr": 0xEA, "status": 0xEB, "files": 0xEC}
EXIT_PORT = 0xF4
# A write to this port stops the machine until the monitor continues it.
STOP_PORT = 0x505

# Put one instruction into each translation block, because interrupts come between blocks.
SINGLE_STEPS = "-singlestep"

# The emulator has models of these parts.
PARTS = ("caches", "tlb", "btb", "pipeline", "bus")

# Counters can be broken in these ways: see PMUBroken in the emulator's sources.
BROKEN = ("no-rdpmc", "rdpmc-faults", "rdpmc-zero", "msrs-fault", "msrs-ignored", "no-leaf",
          "still", "double", "narrow", "no-interrupt",
          # Counters are broken in these ways only while they count user mode.
          "user-lost", "skips", "all-rings", "no-carry", "stale", "overflow-lost", "write-cut",
          "stuck-event", "counts-exceptions")

# init finds its task in the file with this name.
TASK = "opt/vpmc/task"

# The kernel prints only warnings and worse messages. After a panic it restarts, which ends the
# emulator.
KERNEL_ARGUMENTS = "console=ttyS0 loglevel=5 panic=-1"

# Debian's kernel would print warnings about weaknesses of processors.
DEBIAN_ARGUMENTS = "mitigations=off"

# Arguments that begin like this are for the driver.
PARAMETER = "vpmc."

# The kernel reads this parameter, too.
LEASE = "vpmc.lease="


class Failure(Exception):
    """A failure of the emulated machine. The text says what has failed."""


def model_list(text):
    """Return the parts of the processor in a list of names."""
    parts = text.split(",")
    for part in parts:
        if part not in (*PARTS, "all"):
            raise argparse.ArgumentTypeError(
                f"there is no model of '{part}': choose among {', '.join(PARTS)}, or all")
    if "bus" in parts and not ("all" in parts or {"caches", "pipeline"} <= set(parts)):
        raise argparse.ArgumentTypeError(
            "the pipes wait for the bus when caches miss: add caches and pipeline to bus")
    return parts


def broken(text):
    """Return the emulator's properties for WAY[,cpu=N][,counter=N], by their names."""
    way, *places = text.split(",")
    if way not in BROKEN:
        raise argparse.ArgumentTypeError(
            f"counters cannot be broken by '{way}': choose among {', '.join(BROKEN)}")
    properties = {"pmu-broken": way}
    for place in places:
        name, _, number = place.partition("=")
        if name not in ("cpu", "counter") or not number.isdecimal():
            raise argparse.ArgumentTypeError(f"'{place}' is not a place: give cpu=N or counter=N")
        properties[f"pmu-broken-{name}"] = number
    return properties


def built(name, inside=""):
    """Return the path of a file that make has built. build/NAME.path has the name of its
    directory."""
    try:
        with open(os.path.join(BUILD, f"{name}.path"), encoding="utf-8") as file:
            return os.path.join(file.read().strip(), inside)
    except FileNotFoundError:
        target = "guest64" if name.endswith("amd64") else "guest"
        raise Failure(f"build/{name}.path is missing: run 'make {target}' first") from None


def driver_parameters(arguments):
    """Return the driver's arguments among those of the kernel."""
    return [word.removeprefix(PARAMETER) for word in arguments.append.split()
            if word.startswith(PARAMETER)]


def host_cpu(field):
    """Return a field of the description of the host's first processor."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        match = re.search(rf"^{field}\s*: (.*)$", file.read(), re.M)
    return match[1] if match else ""


def clock_arguments(arguments):
    """Return kernel arguments that replace measurements, which would be wrong on a busy host.

    The emulated TSC is the host's, or counts nanoseconds under --icount. The local APIC's timer
    is needed only with several processors. To calibrate it, the kernel executes PAUSE for a
    tenth of a second, which takes ten seconds under --icount. On a busy host, the kernel may
    also miss interrupts of the timer, and panic.
    """
    mhz = 1000 if arguments.icount else float(host_cpu("cpu MHz") or 1000)
    khz = round(1000 * mhz)
    timer = " nolapic_timer" if arguments.smp == 1 or arguments.icount else ""
    return f"tsc_early_khz={khz} tsc=reliable no_timer_check{timer}"


class Archive:
    """A cpio archive (newc format), which the kernel uses as its first file system."""

    def __init__(self):
        self.data = bytearray()
        self.inode = 0

    def add(self, name, mode, content=b"", device=(0, 0)):
        """Append one file, directory or device node."""
        self.inode += 1
        encoded = name.encode("utf-8", "surrogateescape") + b"\0"
        fields = (self.inode, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(encoded), 0)
        self.data += b"070701" + b"".join(b"%08x" % field for field in fields)
        for part in (encoded, content):
            self.data += part
            self.data += bytes(-len(self.data) % 4)

    def add_file(self, name, path):
        """Append a file of the host with its mode."""
        with open(path, "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            self.add(name, stat.S_IFREG | stat.S_IMODE(mode), file.read())

    def add_tree(self, top):
        """Append all directories and files below a directory."""
        for path, directories, files in os.walk(top):
            for name in directories:
                self.add(os.path.relpath(os.path.join(path, name), top), stat.S_IFDIR | 0o755)
            for name in files:
                name = os.path.join(path, name)
                self.add_file(os.path.relpath(name, top), name)

    def write(self, path):
        """Write the finished archive."""
        self.add("TRAILER!!!", 0)
        with open(path, "wb") as file:
            file.write(self.data)


def make_initramfs(arguments, path):
    """Write the files with which the guest boots, whatever its task is."""
    archive = Archive()
    if arguments.bits == 32:
        archive.add("bin", stat.S_IFDIR | 0o755)
        archive.add_file("bin/busybox", built("userland", "busybox"))
    else:
        archive.add_tree(built("userland-amd64", "root"))
    archive.add_file("init", init(arguments))
    for directory in ("dev", "etc", "root"):
        archive.add(directory, stat.S_IFDIR | 0o755)
    archive.add("dev/console", stat.S_IFCHR | 0o600, device=(5, 1))
    archive.add("etc/passwd", stat.S_IFREG | 0o644,
                b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n")
    archive.add("etc/group", stat.S_IFREG | 0o644, b"root:x:0:\nnogroup:x:65534:\n")
    archive.write(path)


def init(arguments):
    """Return the path of the guest's first program."""
    if arguments.bits == 32:
        return os.path.join(BUILD, "guest/init")
    return built("userland-amd64", "init")


def kernel_image(arguments):
    """Return the path of the kernel that --kernel names."""
    name = arguments.kernel
    if "/" in name:
        return os.path.join(name, "bzImage")
    return built(f"kernel-{name}" + ("" if arguments.bits == 32 else "-amd64"), "bzImage")


def cpu_model(arguments):
    """Return the processor as an argument of the emulator's -cpu."""
    model = arguments.model.qemu
    # If a property appears twice, the emulator takes the last value.
    for name, value in (("stepping", arguments.stepping), ("cpu-type", arguments.type)):
        if value is not None:
            model += f",{name}={value}"
    for name, wanted in (("pmu-errata=off", arguments.no_errata),
                         ("exact-pmi=on", arguments.exact_pmi),
                         ("adversary=on", arguments.adversary)):
        if wanted:
            model += f",{name}"
    return model


def kernel_words(arguments):
    """Return the kernel's arguments, except those that differ at each boot."""
    words = [KERNEL_ARGUMENTS]
    words += [word for word in arguments.append.split()
              if not word.startswith(PARAMETER) or word.startswith(LEASE)]
    if arguments.bits == 64:
        words.append(DEBIAN_ARGUMENTS)
    return words


def hardware(arguments):
    """Return the emulator's options for the devices of the machine."""
    cores = arguments.smp // arguments.threads
    words = ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
             "-machine", "pc", "-m", str(arguments.memory),
             "-cpu", cpu_model(arguments),
             "-smp", f"{arguments.smp},sockets={cores},cores=1,threads={arguments.threads}",
             "-device", f"isa-debug-exit,iobase={EXIT_PORT:#x},iosize=1"]
    if arguments.icount:
        # Neither the host's time nor its randomness may reach the guest.
        words += ["-icount", "shift=0,sleep=off", "-rtc", "base=2000-01-01,clock=vm",
                  "-seed", "1"]
    return words


def threads(arguments):
    """Return the emulator's option for the way in which processors share the host."""
    # If each processor had its own thread, the second processor might stay in the BIOS after a
    # wake-up.
    return "single" if arguments.icount or arguments.take_turns else "multi"


def is_parallel(arguments):
    """Return whether there are several processors, each with its own thread of the host. The
    timing of such threads decides races."""
    return arguments.smp > 1 and threads(arguments) == "multi"


def program(arguments):
    """Return the emulator, and the directory of its firmware if it is not the built emulator."""
    if arguments.emulator:
        return [arguments.emulator, "-L", built("qemu", "share/qemu")]
    return [built("qemu", "bin/qemu-system-x86_64")]


def command_line(arguments, initramfs):
    """Return the command line of a boot, without connections to other processes."""
    kernel_arguments = " ".join([*kernel_words(arguments), clock_arguments(arguments)])
    # The guest must not outlive this process, however this process ends.
    return ["setpriv", "--pdeathsig", "KILL", *program(arguments), *hardware(arguments),
            "-accel", f"tcg,thread={threads(arguments)}",
            "-kernel", kernel_image(arguments), "-initrd", initramfs,
            "-append", kernel_arguments]


def channels(files):
    """Return the emulator's arguments for the ports that init writes to.

    files: paths of files, for those ports that have one
    """
    words = []
    for name, port in CHANNELS.items():
        backend = f"file,id={name},path={files[name]}" if name in files else f"null,id={name}"
        words += ["-chardev", backend,
                  "-device", f"isa-debugcon,iobase={port:#x},chardev={name}"]
    return words
