#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""read_exposition.py openmetrics|prometheus FILE PROMTOOL: print the contents of expositions of
perfex.

Reads each exposition with parsers that are not part of perfex: Prometheus's Python client and,
for the older form, also "promtool check metrics". Prints a line for each sample, and for the
end of each exposition. Times are checked, and printed as TIME. No two samples may have equal
labels, which the parsers do not check. Either all samples or none must have a label "output";
its value must be FILE, and it is not printed. Both forms must know each type: a collector that
knows only the older form drops a file that has other types.
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
    """Exit unless each sample has different labels, and "output" is the path in all samples or
    missing in all."""
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
