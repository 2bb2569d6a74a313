# SPDX-License-Identifier: GPL-2.0-only
"""How many checks a command of run_checks() makes, on every machine: who ends early makes less."""

NUMBERS = {
    "attach": 206,
    "attach_ends": 130,
    "attach_family": 32,
    "attach_refused": 148,
    "attach_running": 840,
    "attach_threads": 97,
    "collect": 89,
    "fold": 74,
    "fold_delay": 8,
    "force": 41,
    "inherit": 358,
    "matrix": 794,
    "raise": 136,
    "waits": 3179,
}
