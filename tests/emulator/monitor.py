# SPDX-License-Identifier: GPL-2.0-only
"""Connect to the emulator's monitor (QMP), which saves and loads machines."""

import json
import shlex
import socket
import time

from emulator import STOP_PORT


class Monitor:
    """A connection to the monitor of an emulator that will be started."""

    def __init__(self, deadline):
        """deadline: the time at which all waiting ends, as of time.monotonic()"""
        self.deadline = deadline
        self.ours, self.theirs = socket.socketpair()
        self.received = b""

    def arguments(self):
        """Return words for the emulator's command line. The emulator inherits self.theirs."""
        return ["-chardev", f"socket,id=monitor,fd={self.theirs.fileno()}",
                "-mon", "chardev=monitor,mode=control",
                "-device", f"pvpanic,ioport={STOP_PORT:#x}", "-action", "panic=pause"]

    def execute(self, name, *descriptors, **arguments):
        """Send a command, with file descriptors. The emulator answers with a message."""
        command = {"execute": name, "arguments": arguments}
        socket.send_fds(self.ours, [json.dumps(command).encode() + b"\n"], descriptors)

    def messages(self):
        """Yield the emulator's messages until it ends or the deadline comes."""
        while True:
            while b"\n" not in self.received:
                self.ours.settimeout(max(0.001, self.deadline - time.monotonic()))
                try:
                    data = self.ours.recv(1 << 16)
                except (ConnectionError, TimeoutError):
                    return
                if not data:
                    return
                self.received += data
            line, self.received = self.received.split(b"\n", 1)
            yield json.loads(line)

    def wait(self, event, *values):
        """Wait for an event whose status is one of the values. Return the status, or None."""
        for message in self.messages():
            status = message.get("data", {}).get("status")
            if message.get("event") == event and (not values or status in values):
                return status or event
        return None

    def begin(self):
        """Enable commands, and events that report their results."""
        self.execute("qmp_capabilities")
        self.execute("migrate-set-capabilities",
                     capabilities=[{"capability": "events", "state": True}])
        self.execute("migrate-set-parameters", **{"max-bandwidth": 1 << 40})

    def save(self, descriptor):
        """Wait until the machine has stopped, and write its state. Return whether the state
        could be written."""
        try:
            self.begin()
            if not self.wait("GUEST_PANICKED"):
                return False
            self.execute("getfd", descriptor, fdname="state")
            self.execute("migrate", uri="fd:state")
            return self.wait("MIGRATION", "completed", "failed") == "completed"
        except ConnectionError:
            return False

    def save_memory(self, address, size, path):
        """When the machine has stopped, save memory of the first processor, and continue the
        machine."""
        if self.wait("GUEST_PANICKED"):
            self.execute("memsave", val=address, size=size, filename=path)
            self.execute("cont")

    def wake_sleeper(self):
        """Wake up the machine if it reports that it sleeps. Return whether more messages can
        come."""
        try:
            data = self.ours.recv(1 << 16)
            *lines, self.received = (self.received + data).split(b"\n")
            if any(json.loads(line).get("event") == "SUSPEND" for line in lines):
                self.execute("system_wakeup")
        except ConnectionError:
            return False
        return bool(data)

    def load(self, path):
        """Load a machine, and continue it."""
        try:
            self.begin()
            self.execute("migrate-incoming", uri=f"exec:lz4 -dc {shlex.quote(path)}")
            if self.wait("MIGRATION", "completed", "failed") == "completed":
                self.execute("cont")
        except ConnectionError:
            pass
