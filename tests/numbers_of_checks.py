# SPDX-License-Identifier: GPL-2.0-only
"""How many checks a command of run_checks() makes, on every machine: who ends early makes less."""

NUMBERS = {
    "attach": 206,
    "attach_delay": 3,
    "attach_ends": 130,
    "attach_family": 32,
    "attach_refused": 154,
    "attach_running": 840,
    "attach_threads": 97,
    "collect": 89,
    "fold": 74,
    "fold_delay": 8,
    "force": 41,
    "inherit": 358,
    "inline": 171,
    "inline_raw": 16,
    "inline_step": 38,
    "joins": 236,
    "library": 102,
    "matrix": 798,
    "raise": 136,
    "reconfigure": 57,
    "secret": 385,
    "signals": 109,
    "ticks": 10,
    "waits": 3179,
}
