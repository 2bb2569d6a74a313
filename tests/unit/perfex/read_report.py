#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""read_report.py csv|json FILE: print the contents of a report of perfex, in one form for both.

The program reads the report with Python's own parsers, and checks the form that perfex(1)
documents. It prints a line for each count, resource and note, with its kind and values.
"""

import csv
import decimal
import json
import sys

COLUMNS = "kind,seconds,pid,tid,command,name,modes,code,value,share,note,runs,interval,min," \
          "max,unit,number,low,high,confidence".split(",")
INTERVAL = ("low", "high", "confidence")
STATISTICS = ("runs", "interval", "min", "max", "confidence")
RUNS = ("median", "outliers", "values")
RATIO = {"number", "name", "modes", "code", "value", "share", "low", "high", "confidence",
         "note"}


def from_csv(path):
    """Return the rows, each of which has all columns."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, strict=True))
    if rows[0] != COLUMNS or any(len(row) != len(COLUMNS) for row in rows):
        sys.exit("the columns are not those of perfex(1)")
    return [dict(zip(COLUMNS, row)) for row in rows[1:]]


def events(report, kind, more):
    """Yield a row for each event of a list or a sum."""
    for event in report["events"]:
        runs = {name: event.pop(name) for name in RUNS if name in event}
        if set(event) - set(STATISTICS) - set(INTERVAL) != {"name", "modes", "code", "value", "share", "note"}:
            sys.exit(f"the members of an event are not those of perfex(1): {event}")
        share = event["share"]
        yield more | event | {"kind": kind, "share": None if share is None else f"{share:.3f}"}
        number = more | {name: event[name] for name in ("name", "modes", "code")}
        for name in runs and ("median", "outliers"):
            yield number | {"kind": name, "value": runs[name]}
        for value in runs.get("values", ()):
            yield number | {"kind": "run", "value": value}


def from_json(path):
    """Yield the same rows from JSON. Each line is a report."""
    with open(path, encoding="utf-8") as file:
        reports = [json.loads(line, parse_float=decimal.Decimal) for line in file]
    for comparison in reports:
        if "commands" not in comparison:
            yield from from_report(comparison)
            continue
        names = {}
        for report in comparison["commands"]:
            names[report["number"]] = report["command"]
            yield from from_report(report)
        for ratio in comparison["ratios"]:
            if set(ratio) != RATIO:
                sys.exit(f"the members of a ratio are not those of perfex(1): {ratio}")
            share = ratio["share"]
            yield ratio | {"kind": "ratio", "command": names[ratio["number"]],
                           "share": None if share is None else f"{share:.3f}"}


def from_report(report):
    """Yield the rows of a report that does not consist of other reports."""
    block = {key: report[key] for key in ("number", "command") if key in report}
    if "seconds" in report:
        block["seconds"] = f"{report['seconds']:.3f}"
    for kind, name in (("thread", "threads"), ("process", "processes")):
        for record in report.get(name, ()):
            yield from events(record, kind, block | {
                key: record[key] for key in ("pid", "tid", "command") if key in record})
    yield from events(report, "event", block)
    for metric in report.get("metrics", ()):
        if set(metric) - set(INTERVAL) != {"name", "unit", "value", "share", "note"}:
            sys.exit(f"the members of a metric are not those of perfex(1): {metric}")
        share = metric["share"]
        yield block | metric | {"kind": "metric",
                                "share": None if share is None else f"{share:.3f}"}
    for resource in report.get("resources", ()):
        yield block | {"kind": "resource"} | resource
    for note in report["notes"]:
        yield block | {"kind": "note", "note": note}


def main():
    """Print the rows."""
    rows = {"csv": from_csv, "json": from_json}[sys.argv[1]](sys.argv[2])
    for row in rows:
        shown = {"pid": row.get("pid"), "tid": row.get("tid"), "command": row.get("command")} | row
        print(" ".join(f"{column}={shown[column]}" for column in COLUMNS
                       if shown.get(column) not in (None, "")))


main()
