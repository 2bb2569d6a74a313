#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""read_plot.py FILE: print the contents of a picture of perfex --plot.

The program reads the picture with Python's own parser of XML. It checks that all shapes are inside
the picture, and that all colours are readable on the light and on the dark background. It prints the title, each text, and for each colour the number of dots, steps of lines and intervals.
"""

import collections
import re
import sys
import xml.etree.ElementTree

NAMESPACE = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?[0-9]+\.[0-9]")
# WCAG 2 demands these contrasts of shapes and of texts.
CONTRAST = {"shape": 3, "text": 4.5}


def luminance(colour):
    """Return the luminance of "#rgb" or "#rrggbb", as WCAG defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
             for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def check_colours(style):
    """Check that all colours are readable on both backgrounds."""
    light, dark = style.split("@media (prefers-color-scheme:dark){")
    for half in (light, dark):
        ground = luminance(re.search(r"\.ground{fill:(#\w+)}", half)[1])
        shapes = [("shape", colour) for colour in re.findall(r"\.s[0-9]+{fill:(#\w+);", light)]
        texts = [("text", colour) for colour in re.findall(r"text{[^}]*fill:(#\w+)}", half)]
        if len(shapes) != 8 or len(texts) != 1:
            sys.exit("there are not the colours that there should be")
        for kind, colour in shapes + texts:
            less, more = sorted((ground, luminance(colour)))
            if (more + 0.05) / (less + 0.05) < CONTRAST[kind]:
                sys.exit(f"{colour} cannot be told from its ground")


def places(path, width, height):
    """Return the number of places that a path visits. All of them must be in the picture."""
    x = y = number = 0
    for letter, numbers in re.findall(r"([MHVhv])([^MHVhv]*)", path):
        values = [float(value) for value in NUMBER.findall(numbers)]
        if letter == "M":
            x, y = values
        elif letter in "Hh":
            x = values[0] + (x if letter == "h" else 0)
            number += 1
        elif letter == "V":
            y = values[0]
        if not (0 <= x <= width and 0 <= y <= height):
            sys.exit(f"{path} is not in the picture")
    return number


def main():
    """Print the contents."""
    root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    width, height = float(root.get("width")), float(root.get("height"))
    if root.tag != NAMESPACE + "svg" or root.get("viewBox") != f"0 0 {width:.0f} {height:.0f}":
        sys.exit("the size is not that of the picture")
    check_colours(root.find(NAMESPACE + "style").text)
    print(f"title={root.find(NAMESPACE + 'title').text}")
    shapes = collections.Counter()
    for element in root:
        colour, *kinds = (element.get("class") or "none").split()
        kind = element.tag.removeprefix(NAMESPACE)
        if kind == "text":
            print(f"text={element.text}")
        if kind == "circle":
            if not (0 < float(element.get("cx")) < width and 0 < float(element.get("cy")) < height):
                sys.exit("a dot is not in the picture")
            shapes[f"{colour} dots"] += 1
            print(f"dot={element.find(NAMESPACE + 'title').text}")
        if kind == "path" and "line" in kinds:
            shapes[f"{colour} steps"] += places(element.get("d"), width, height)
        if kind == "rect" and "interval" in kinds:
            shapes[f"{colour} intervals"] += 1
    for shape, number in sorted(shapes.items()):
        print(f"{shape}={number}")


main()
