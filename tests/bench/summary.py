# SPDX-License-Identifier: GPL-2.0-only
"""Make the table and the chart of the most important figures from the cells of the long tables."""

from bench import chart
from cases import Failed

TITLE = "In short"
COLUMNS = ("instructions", "Pentium, nobody counts", "Pentium, vpmc",
           "64 bits, nobody counts", "64 bits, vpmc", "64 bits, perf_event")

# These are titles of tables, and names of columns.
LIFE = "fork, exec, exit, wait"
SWITCH = "Switch"
READS = "Reads without a system call"
CALLS = "Calls"
RING = "Many processes"
WIDE = "perf_event and vpmc"
WIDE_RING = "Many processes beside perf_event"
KERNEL = "kernel instructions"
WAYS = ("instructions, nobody counts", "instructions, vpmc", "instructions, perf_event")


def life(row):
    """Return the costs of a process's life on the Pentium."""
    return [(LIFE, row, column) for column in LIFE.split(", ")]


def wide(row):
    """Return the costs of an operation with 64 bits: without counting, with vpmc, with
    perf_event."""
    return [[(WIDE, row, column)] for column in WAYS]


def ring(what, way):
    """Return the costs in a ring of 4,000: on the Pentium if it inherits, and with 64 bits by vpmc
    and perf_event."""
    return [[], [(RING, "4000", what)] if way == "inherited" else [], [],
            *([(WIDE_RING, f"4000, {way}", f"{what}, {who}")] for who in ("vpmc", "perf_event"))]


# Each row of the summary has a name, and for each column the cells whose sum it shows.
ROWS = {
    "switch, both count 1 event": [
        [(SWITCH, "stock kernel: all", "instructions")],
        [(SWITCH, "1 event → 1 event", "instructions")], *wide("switch, 1 event → 1 event")],
    "switch among 4,000 that inherited 2 events": ring("instructions per switch", "inherited"),
    "switch among 4,000, each began 2 events for itself": ring("instructions per switch",
                                                             "each began for itself"),
    "fork, exec, exit, wait, 1 event": [
        life("stock kernel: all"), life("it counts one event: more"),
        *wide("fork, exec, exit, wait, 1 event")],
    "read by a system call, 1 event": [
        [], [(CALLS, "VPMC_READ, THREAD, 1 event", KERNEL)],
        *wide("read by a system call, 1 event")],
    "read in user mode, 1 event": [
        [], [(READS, "vpmc_count(), 1 event", "user instructions")],
        *wide("read in user mode, 1 event")],
    "stop, start from zero, 1 event": [
        [], [(CALLS, f"{name}, 1 event", KERNEL) for name in ("VPMC_STOP", "VPMC_START, again")],
        *wide("stop, start from zero, 1 event")],
    "bytes that each of 4,000 takes that inherited 2 events": ring("bytes per process",
                                                                 "inherited"),
}

# The chart is stored next to the document. It compares the instructions of perf_event and of
# vpmc for the same operations, with one event.
CHART = "costs.svg"
CHART_TITLE = "Instructions of perf_event and of vpmc"
CHART_ROWS = {"switch, 1 event → 1 event": "switch, both count",
              "stop, start from zero, 1 event": "stop, start from zero",
              "read by a system call, 1 event": "read by a system call",
              "read in user mode, 1 event": "read in user mode",
              "fork, exit, wait, 1 event": "fork, exit, wait: more",
              "fork, exec, exit, wait, 1 event": "fork, exec, exit, wait: more"}


def number(text):
    """Return a cell as a number. If it has two numbers, return that of the Pentium with MMX."""
    return round(float(text.split("/")[-1]))


def cell(tables, title, row, column):
    """Return a cell of a table."""
    try:
        return tables[title][row][column]
    except KeyError as missing:
        raise Failed(f"the table '{title}' has no cell '{row}', '{column}'") from missing


def total(tables, sources):
    """Return the sum of cells as text, or an empty text if there are none or one of them is
    empty."""
    cells = [cell(tables, *source) for source in sources]
    return sum(map(number, cells)) if cells and all(cells) else ""


def rows(tables):
    """Return the rows of the summary. tables: cells by title, row and column"""
    return [[name, *(total(tables, sources) for sources in columns)]
            for name, columns in ROWS.items()]


def svg(tables):
    """Return the chart."""
    return chart.svg(CHART_TITLE, [
        (shown, {who: number(cell(tables, WIDE, row, f"instructions, {who}"))
                 for who in ("perf_event", "vpmc")}) for row, shown in CHART_ROWS.items()])
