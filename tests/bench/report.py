# SPDX-License-Identifier: GPL-2.0-only
"""Where results go: Markdown tables, a CSV file, and the document that shows the tables."""

import csv
import os
import re

from bench import costs, samples
from cases import Failed

COLUMNS = ["table", "operation", "case", "cpu", "bytes", *samples.TOTALS, "clocks"]


class Report:
    """Tables on standard output, and all that was counted in a CSV file."""

    def __init__(self, file):
        self.writer = csv.writer(file, lineterminator="\n")
        self.writer.writerow(COLUMNS)
        self.tables = {}
        self.charts = {}

    def record(self, key, cpu, totals, size=""):
        """Write one row; the key is table, operation and case."""
        self.writer.writerow([*key, cpu, size, *(totals[name] for name in samples.TOTALS),
                              costs.clocks(cpu, totals) if cpu in costs.CLOCKS else ""])

    def table(self, title, columns, rows):
        """Print a table."""
        self.tables[title] = markdown(columns, rows)
        print(f"\n## {title}\n\n{self.tables[title]}", end="")

    def write_into(self, path):
        """Replace the tables of a document that is a file, and the charts beside it."""
        with open(path, encoding="utf-8") as file:
            text = placed(file.read(), self.tables)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        for name, chart in self.charts.items():
            with open(os.path.join(os.path.dirname(path), name), "w", encoding="utf-8") as file:
                file.write(chart)


def markdown(columns, rows):
    """A table of text, then numbers."""
    lines = [columns, ["---", *("---:" for _ in columns[1:])], *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def placed(text, tables):
    """A document with its tables replaced: each stands below a comment with its title."""
    for title, table in tables.items():
        text, times = re.subn(rf"(<!-- make bench: {re.escape(title)} -->\n)\n(?:\|.*\n)*\n?",
                              lambda match, table=table: f"{match[1]}\n{table}\n", text)
        if times != 1:
            raise Failed(f"the document has {times} places for the table '{title}'")
    return text
