#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""read_exposition.py openmetrics|prometheus FILE PROMTOOL: print the contents of expositions of
perfex.

Reads each with a parser that is not ours: Prometheus's Python client, and for its older form also
"promtool check metrics". Prints a line for each sample, and for the end of each exposition. Times
are checked, and printed as TIME. No two samples may have equal labels, which the parsers do not
check. All samples must have one label "output", or none, which is FILE and is not printed then.
All types must be of both forms: a collector that knows the older one drops a file with others.
"""

import re
import subprocess
import sys

import prometheus_client.openmetrics.parser
import prometheus_client.parser

PARSERS = {
    "openmetrics": prometheus_client.openmetrics.parser,
    "prometheus": prometheus_client.parser,
}
END = "# EOF\n"
TYPES = {"counter", "gauge"}


def check_labels(samples, path):
    """Exit unless the labels of each sample are its own, and all name the file or none does."""
    seen = set()
    for sample in samples:
        series = (sample.name, frozenset(sample.labels.items()))
        if series in seen:
            sys.exit(f"two samples have equal labels: {sample.name} {sample.labels}")
        seen.add(series)
    outputs = {sample.labels.get("output") for sample in samples}
    if outputs not in ({path}, {None}):
        sys.exit(f"the label output is wrong: {outputs}")


def shown(sample):
    """Return a sample as a line."""
    labels = ",".join(f"{name}={value}" for name, value in sample.labels.items()
                      if name != "output")
    value = f"{sample.value:.10g}"
    if sample.name == "vpmc_elapsed_seconds_total":
        if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
            sys.exit(f"this is no time: {value}")
        value = "TIME"
    return f"{sample.name}{{{labels}}} {value}"


def main():
    """Print the samples."""
    form, path, promtool = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        expositions = file.read().split(END)
    if expositions.pop() or not expositions:
        sys.exit("the last exposition has no end")
    for text in expositions:
        if form == "prometheus":
            subprocess.run([promtool, "check", "metrics"], input=text + END, text=True, check=True)
        families = list(PARSERS[form].text_string_to_metric_families(text + END))
        check_labels([sample for family in families for sample in family.samples], path)
        for family in families:
            if family.samples and not family.documentation:
                sys.exit(f"{family.name} has no help")
            if family.type not in TYPES or (family.type == "counter") != any(
                    sample.name.endswith("_total") for sample in family.samples):
                sys.exit(f"{family.name} has the type {family.type}")
            for sample in family.samples:
                print(shown(sample))
        print(END, end="")


main()
