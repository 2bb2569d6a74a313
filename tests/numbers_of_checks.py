# SPDX-License-Identifier: GPL-2.0-only
"""How many checks a command of run_checks() makes: who ends early makes less.

The key is the command, or its program if the arguments make no difference. Where the machine makes
one, there is a number for each kind of processor, or for how many there are.
"""

NUMBERS = {
    "abi": {"mmx": 205, "p5": 205, 1: 194, 2: 194},
    "arguments": 15,
    "attach": 206,
    "attach_delay": 8,
    "attach_ends": 130,
    "attach_family": 32,
    "attach_refused": 154,
    "attach_running": 880,
    "attach_storm": 7,
    "attach_threads": 99,
    "borrowed": 1,
    "cgroup": 4,
    "collect": 89,
    "endurance": 12,
    "faults": 37,
    "fixed": 25,
    "fold": 74,
    "fold_delay": 8,
    "force_delay": 3,
    "fork_delay": 2,
    "fold_wait": 16,
    "force": 41,
    "handle_delay": 4,
    "hooks_off": 14,
    "identity": 135,
    "inherit": 358,
    "inline": {1: 182, 2: 186},
    "inline refused": 6,
    "inline_raw": 17,
    "inline_step": 39,
    "inline_vfork": 2,
    "isolation 16": 38,
    "joins": 244,
    "kernel_waits": 6,
    "library": 102,
    "matrix": 1062,
    "matrix some": 521,
    "memory_bound": 32,
    "mixed": 16,
    "module": 16,
    "multiplex": 159,
    "namespaces": 19,
    "no_answer": {"p5": 74, 1: 78, 2: 78},
    "offcore": {"nehalem": 23, "sandybridge": 26, "icelake": 26},
    "peek": 1,
    "permissions": 755,
    "plain_read": 34,
    "raise": 136,
    "range": 13,
    "rdpmc_always": {1: 5, 2: 6},
    "rdpmc_closed": 4,
    "rdpmc_fork": 51,
    "rounds": 4,
    "rdpmc_kernel": 62,
    "reconfigure": 57,
    "records_bound": 7,
    "regions": {"p5": 31, 1: 32, 2: 32},
    "reserve": 56,
    "registers": 161,
    "reload_delay": 3,
    "scaling instructions": 25,
    "scaling interrupts": 62,
    "scopes": 53,
    "secret": 493,
    "sets": 7,
    "signal_exit": 1,
    "signal_sleep": {1: 14, 2: 15},
    "signals": 109,
    "start_cost": 13,
    "start_fails": 10,
    "start_switch": 1,
    "storm": 26,
    "suspend": {1: 19, 2: 20},
    "system": {1: 122, 2: 155},
    "takeover": {1: 142, 2: 144},
    "takeover_other": 19,
    "ticks": 10,
    "tree 1300 31 32 33": 27,
    "turns": 1,
    "user_worker": 8,
    "waits": 3180,
}


def number_of_checks(command, machine):
    """How many a command makes on a machine, or None if nobody knows."""
    for length in range(len(command), 0, -1):
        number = NUMBERS.get(" ".join(command[:length]))
        if isinstance(number, dict):
            return number.get(machine.cpu, number.get(machine.smp))
        if number is not None:
            return number
    return None
