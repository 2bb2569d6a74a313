# SPDX-License-Identifier: GPL-2.0-only
"""Test that a user cannot harm other users, the kernel or its memory."""

import functools

import guest
import kernel_code
from cases import Test
from guest import Machine


def checks(machine, command, files=(), bits=32):
    """Run one of the programs."""
    lines = guest.run_checks(machine, command, [guest.tool(command[0], bits), *files])
    return f"{len(lines)} checks"


def hooks_off(machine, bits=32):
    """Run the program that counts and then looks at the patched sites of the hooks."""
    sites = kernel_code.parameter(guest.path_of(f"kernel-{machine.booted()}"), "vpmc_used")
    return checks(machine, ["hooks_off", sites],
                  [guest.tool_module(name, machine.booted()) for name in ("jumps", "delay")], bits)


# This number of threads exit, and this number of starts are tried.
EXITS = 400
STARTS = 1000

EXACTLY = guest.program("exactly-1000")

GIVEN_UP = "a process that gives up rights sees exactly what it may still watch"


def tests():
    """Yield the tests of this file."""
    for cpu in ("mmx", "p5"):
        yield Test(f"ticks-{cpu}", "the clock may tick at each instruction of calls and hooks",
                   functools.partial(checks, Machine(cpu=cpu), ["ticks"],
                                     [guest.tool_module("ticks"), EXACTLY]))
        yield Test(f"unwritable_answer-{cpu}",
                   "a call whose answer cannot be written changes nothing",
                   functools.partial(checks, Machine(cpu=cpu), ["unwritable_answer"]))
        yield Test(f"device_read-{cpu}", "read(2) is for the process that opened the device, and "
                   "says what VPMC_READ says",
                   functools.partial(checks, Machine(cpu=cpu), ["device_read"]))
    for smp in (1, 2):
        yield Test(f"rdpmc_fork-{smp}", "RDPMC is for who has a page, and for the children of these",
                   functools.partial(checks, Machine(smp=smp), ["rdpmc_fork"],
                                     [guest.tool_module("delay")]))
        yield Test(f"page_delay-{smp}", "a page shows what its own thread has started, or has seen",
                   functools.partial(checks, Machine(smp=smp), ["page_delay"],
                                     [guest.tool_module("delay")]))
        yield Test(f"identity-{smp}", "each start has its own number, which every answer carries",
                   functools.partial(checks, Machine(smp=smp), ["identity"]))
        yield Test(f"joins-{smp}", "a start beside others that count changes nothing of theirs, and "
                   "what it cannot do it refuses",
                   functools.partial(checks, Machine(smp=smp), ["joins"]))
        yield Test(f"signal_sleep-{smp}", "a signal that is due wakes its thread, whoever is next",
                   functools.partial(checks, Machine(smp=smp, single_step=smp > 1),
                                     ["signal_sleep"], [guest.tool_module("delay")]))
        yield Test(f"rdpmc_kernel-{smp}", "RDPMC shows nothing of the kernel, whoever counts it",
                   functools.partial(checks, Machine(smp=smp), ["rdpmc_kernel"]))
        yield Test(f"rdpmc_closed_counts-{smp}",
                   "RDPMC shows no counts that their own program may not read",
                   functools.partial(checks, Machine(smp=smp), ["rdpmc_closed_counts"]))
        yield Test(f"fold_wait-{smp}", "counts of an exit are not lost while the parent is reaped",
                   functools.partial(checks, Machine(smp=smp), ["fold_wait"],
                                     [guest.tool_module("delay"), guest.tool_module("delay2")]))
        yield Test(f"hooks_off-{smp}", "the hooks are no-ops again when nobody counts any more",
                   functools.partial(hooks_off, Machine(smp=smp, skips_waits=True)))
        yield Test(f"mixed-{smp}", "random sets of events on both sides of a switch are exact",
                   functools.partial(checks, Machine(smp=smp), ["mixed", "1", "60"]))
        yield Test(f"restart-{smp}", "each start of a thread's own begins at zero, is exact, and "
                   "is kept for its parent",
                   functools.partial(checks, Machine(smp=smp), ["restart", "1", "40"]))
        yield Test(f"restart-meddle-{smp}", "so it is while others read, start, stop and take it",
                   functools.partial(checks, Machine(smp=smp, parallel=True),
                                     ["restart", "2", "60", "meddle"]))
        yield Test(f"mixed-seed-{smp}", "so they are beside counters that wrap",
                   functools.partial(checks, Machine(smp=smp, append="vpmc.test_seed=20"),
                                     ["mixed", "2", "60"]))
        yield Test(f"mixed-meddle-{smp}", "so they are while others take counters, start and stop",
                   functools.partial(checks, Machine(smp=smp, parallel=True),
                                     ["mixed", "3", "60", "meddle"]))
    yield Test("drop_privileges", GIVEN_UP,
               functools.partial(checks, Machine(), ["drop_privileges"]))
    yield Test("sets", "sets of events are shared and dropped at the same time",
               functools.partial(checks, Machine(smp=2, parallel=True), ["sets"]))
    yield Test("rdpmc_after_exit", "an exiting thread leaves no counts to the owner of the mm it borrows",
               functools.partial(checks, Machine(), ["rdpmc_after_exit"]))
    yield Test("start_duration", "how long a start takes does not say what others count",
               functools.partial(checks, Machine(icount=True), ["start_duration"]))
    yield Test("start_cost", "the cost of a start does not tell another user what is counted",
               functools.partial(checks, Machine(icount=True), ["start_cost"]))
    yield Test("scaling-interrupts", "a call interrupts only processors that run threads of its "
               "process, once for all of them",
               functools.partial(checks, Machine(adversary=True, smp=2),
                                 ["scaling", "interrupts"]))
    yield Test("scaling-instructions", "a call costs no more with other threads and processes",
               functools.partial(checks, Machine(adversary=True), ["scaling", "instructions"]))
    yield Test("call_fairness", "calls about all threads of a process, one after the other, keep "
               "nobody waiting", functools.partial(checks, Machine(), ["call_fairness"]))
    yield Test("records_bound", "records that nobody takes are bounded, and lost ones counted",
               functools.partial(checks, Machine(), ["records_bound"],
                                 [guest.tool_module("delay")]))
    yield Test("start_failure", "a start that fails leaves the process in no collection",
               functools.partial(checks, Machine(smp=2, single_step=True),
                                 ["start_failure", str(STARTS)]))
    yield Test("signal_exit", "a thread with signals can exit while others are interrupted",
               functools.partial(checks, Machine(smp=2, single_step=True),
                                 ["signal_exit", str(EXITS)]))
