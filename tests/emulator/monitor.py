# SPDX-License-Identifier: GPL-2.0-only
"""The emulator's monitor (QMP), by which single steps begin when init asks for them."""

import json
import socket

# A write to this port stops the machine until the monitor lets it go on; init.c has it, too.
STOP_PORT = 0x505


class Monitor:
    """A connection to the monitor of an emulator that is to be started."""

    def __init__(self):
        self.ours, self.theirs = socket.socketpair()
        self.received = b""

    def arguments(self):
        """What the emulator's command line needs."""
        return ["-chardev", f"socket,id=monitor,fd={self.theirs.fileno()}",
                "-mon", "chardev=monitor,mode=control",
                "-device", f"pvpanic,ioport={STOP_PORT:#x}", "-action", "panic=pause"]

    def execute(self, name, **arguments):
        """Send a command. Its answer is of no interest."""
        command = {"execute": name, "arguments": arguments}
        self.ours.sendall(json.dumps(command).encode() + b"\n")

    def attend(self):
        """Do what the next messages ask for; false at the end of the connection."""
        try:
            data = self.ours.recv(1 << 16)
            *lines, self.received = (self.received + data).split(b"\n")
            for line in lines:
                self.answer(json.loads(line))
        except ConnectionError:
            return False
        return bool(data)

    def answer(self, message):
        """A greeting asks for commands, and a machine that has stopped for single steps."""
        if "QMP" in message:
            self.execute("qmp_capabilities")
        elif message.get("event") == "STOP":
            self.execute("human-monitor-command", **{"command-line": "singlestep on"})
            self.execute("cont")
