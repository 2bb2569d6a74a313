# SPDX-License-Identifier: GPL-2.0-only
"""Write the results: tables in Markdown, a CSV file, and a document that shows the tables."""

import csv
import os
import re

from bench import costs, samples, summary
from cases import Failed

COLUMNS = ["table", "operation", "case", "cpu", "bytes", *samples.TOTALS, "clocks"]


class Report:
    """A report, which prints tables on standard output and writes all counts to a CSV file."""

    def __init__(self, file):
        self.writer = csv.writer(file, lineterminator="\n")
        self.writer.writerow(COLUMNS)
        self.tables = {}

    def record(self, key, cpu, totals, size=""):
        """Write one row; the key is table, operation and case."""
        self.writer.writerow([*key, cpu, size, *(totals[name] for name in samples.TOTALS),
                              costs.clocks(cpu, totals) if cpu in costs.CLOCKS else ""])

    def table(self, title, columns, rows):
        """Print a table."""
        self.tables[title] = markdown(columns, rows)
        print(f"\n## {title}\n\n{self.tables[title]}", end="")

    def summarise(self):
        """Print the summary of the tables. All tables must have been printed."""
        found = {title: parsed(table) for title, table in self.tables.items()}
        self.table(summary.TITLE, list(summary.COLUMNS), summary.rows(found))

    def write_into(self, path):
        """Replace the tables in a document, and the chart next to it."""
        with open(path, encoding="utf-8") as file:
            text, chart = summarised(placed(file.read(), self.tables))
        for name, content in ((path, text), (chart_beside(path), chart)):
            with open(name, "w", encoding="utf-8") as file:
                file.write(content)


def chart_beside(path):
    """Return the path of the chart of a document."""
    return os.path.join(os.path.dirname(path), summary.CHART)


def markdown(columns, rows):
    """Return a table in Markdown. The first column is text, and the other columns are numbers."""
    lines = [columns, ["---", *("---:" for _ in columns[1:])], *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def placed(text, tables):
    """Return a document with its tables replaced. Each table is below a comment with its title."""
    for title, table in tables.items():
        text, times = re.subn(rf"(<!-- make bench: {re.escape(title)} -->\n)\n(?:\|.*\n)*\n?",
                              lambda match, table=table: f"{match[1]}\n{table}\n", text)
        if times != 1:
            raise Failed(f"the document has {times} places for the table '{title}'")
    return text


def parsed(table):
    """Return the cells of a table by row and column."""
    head, _, *lines = [[cell.strip() for cell in line.split("|")[1:-1]]
                       for line in table.splitlines()]
    return {line[0]: dict(zip(head, line)) for line in lines}


def summarised(text):
    """Return a document with the summary of its tables replaced, and its chart."""
    tables = {title: parsed(table) for title, table in
              re.findall(r"<!-- make bench: (.*) -->\n\n((?:\|.*\n)+)", text)}
    short = markdown(list(summary.COLUMNS), summary.rows(tables))
    return placed(text, {summary.TITLE: short}), summary.svg(tables)
