# SPDX-License-Identifier: GPL-2.0-only
"""Parse and apply deliberate bugs, which find their place by function instead of line number.

After the head of a mutant, each replacement has its place and lines like those of a patch:

    In: read.c: read_shows_member
     	spin_lock(&p->lock);
    -	shows = read_may_see_member(p) &&
    +	shows = true ||

Lines that begin with a space or "-" are the pattern. The function must have these lines once,
one after the other; white space at the margins does not matter. Lines that begin with a space
or "+" replace them. The file is named without its folder, so that it may move. The folder is
only needed if two files of the same name have this function. The name after the second colon
may also be that of a structure, a macro or a table. Without a name, the pattern must occur once
in the whole file.
"""

import dataclasses
import os
import re


class Misplaced(Exception):
    """A replacement whose place is missing or ambiguous. The text has the reason."""


@dataclasses.dataclass
class Replacement:
    """Lines with their signs, for a named item of a file, or for the whole file."""

    file: str
    item: str
    lines: list

    @property
    def place(self):
        """Return the place in the form in which the mutant names it."""
        return f"{self.file}: {self.item}" if self.item else self.file

    @property
    def pattern(self):
        """Return the lines of the pattern, without margins."""
        return [line[1:].strip() for line in self.lines if line[0] != "+"]

    def result(self, found):
        """Return the lines that replace the found lines. Unchanged lines keep their margins."""
        found, result = list(found), []
        for line in self.lines:
            old = found.pop(0) if line[0] != "+" else None
            if line[0] != "-":
                result.append(line[1:] if old is None else old)
        return result


def split(text):
    """Split a mutant into its head and its replacements."""
    head, *parts = re.split(r"^In: ", text, flags=re.M)
    replacements = []
    for part in parts:
        place, *lines = part.rstrip("\n").split("\n")
        # An empty line without a sign separates replacements, or an editor has removed its
        # space.
        while lines and not lines[-1]:
            lines.pop()
        file, _, item = place.partition(":")
        replacement = Replacement(file.strip(), item.strip(), [line or " " for line in lines])
        wrong = [line for line in replacement.lines if line[0] not in " -+"]
        if wrong:
            raise Misplaced(f"a line has no sign: {wrong[0]}")
        if not replacement.pattern or not any(line[0] in "-+" for line in replacement.lines):
            raise Misplaced(f"{replacement.place}: nothing to find, or nothing to replace")
        replacements.append(replacement)
    if not replacements:
        raise Misplaced("it has no replacement (In: FILE: FUNCTION)")
    return head, replacements


def name_of(header, end):
    """Return the name of an item. header: the text before its brace; end: its last line"""
    while re.search(r"\([^()]+\)", header):
        header = re.sub(r"\([^()]+\)", "()", re.sub(r"\([^()]*\(\)[^()]*\)", "()", header))
    table = re.search(r"(\w+)\s*(\[[^=]*\]\s*)*(__\w+\s*)*=", header)
    if table:
        return table[1]
    functions = re.findall(r"(\w+)\s*\(\)", header)
    if functions:
        # Attributes have parentheses, too.
        return next((name for name in functions if not name.startswith("__")), functions[0])
    kind = re.match(r"(?:typedef\s+)?(?:struct|union|enum|class)\s+(\w+)", header)
    alias = re.match(r"}\s*(\w+)\s*;", end)
    return kind[1] if kind else alias[1] if alias else ""


def end_of_macro(lines, first):
    """Return the number of the line after a preprocessor directive."""
    while first < len(lines) and lines[first].endswith("\\"):
        first += 1
    return first + 1


def end_of_block(lines, first):
    """Return the number of the line after a block, which ends with a brace at column 0."""
    return next((at + 1 for at in range(first + 1, len(lines)) if lines[at].startswith("}")),
                len(lines))


def end_of_item(lines, first):
    """Return the number of the line after an item that begins at column 0, and the text before
    its brace, if there is one."""
    header = ""
    for at in range(first, len(lines)):
        line = lines[at]
        header += re.sub(r"/\*.*?\*/|//.*", "", line) + "\n"
        if "{" in header:
            if line.rstrip().endswith(("}", "};")):
                return at + 1, header.split("{")[0]
            end = end_of_block(lines, at)
            # The structure of a table's elements may precede the table.
            if lines[end - 1].rstrip().endswith("= {"):
                return end_of_block(lines, end - 1), lines[end - 1][1:-1]
            return end, header.split("{")[0]
        if line.rstrip().endswith(";"):
            break
    return at + 1, None


def items(lines):
    """Yield the name, first line and end of each function, structure, macro and table of a file."""
    at = 0
    while at < len(lines):
        first, line = at, lines[at]
        if line.startswith("#"):
            at = end_of_macro(lines, first)
            macro = re.match(r"#\s*define\s+(\w+)", line)
            if macro:
                yield macro[1], first, at
        elif line.startswith("/*"):
            while at < len(lines) - 1 and "*/" not in lines[at]:
                at += 1
            at += 1
        elif re.match(r"\w", line) and not line.startswith('extern "C"'):
            at, header = end_of_item(lines, first)
            if header is not None:
                yield name_of(header, lines[at - 1]), first, at
        else:
            at += 1


def spans(lines, item):
    """Return the parts of a file that have this name. Two branches of an #if may have one each."""
    return [span for name, *span in items(lines) if name == item] if item else [(0, len(lines))]


def occurrences(lines, replacement):
    """Return the numbers of the lines at which the pattern begins."""
    pattern = replacement.pattern
    bare = [line.strip() for line in lines]
    return [at for begin, end in spans(lines, replacement.item)
            for at in range(begin, end - len(pattern) + 1)
            if bare[at:at + len(pattern)] == pattern]


def read_lines(path):
    """Return the lines of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")


def file_of(folder, replacement):
    """Return the path of the file that a replacement names, in a folder or below it."""
    found = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names
             if os.path.join("/", where, name).endswith(f"/{replacement.file}")]
    if not found:
        raise Misplaced(f"{replacement.place}: there is no such file")
    found = [path for path in found if spans(read_lines(path), replacement.item)]
    if not found:
        raise Misplaced(f"{replacement.place}: the file has no such function")
    if len(found) > 1:
        raise Misplaced(f"{replacement.place}: {len(found)} files of that name have it")
    return found[0]


def changed(folder, text):
    """Return the files that a mutant changes, in a folder or below it, as {path: text}."""
    places = {}
    for replacement in split(text)[1]:
        path = file_of(folder, replacement)
        found = occurrences(read_lines(path), replacement)
        if len(found) != 1:
            raise Misplaced(f"{replacement.place}: its lines occur {len(found)} times")
        places.setdefault(path, []).append((found[0], replacement))
    files = {}
    for path, replacements in places.items():
        lines = read_lines(path)
        last = len(lines)
        # Replace from the end to the beginning, so that line numbers of earlier places stay
        # valid.
        for at, replacement in sorted(replacements, key=lambda place: place[0], reverse=True):
            end = at + len(replacement.pattern)
            if end > last:
                raise Misplaced(f"{replacement.place}: two replacements have the same line")
            lines[at:end] = replacement.result(lines[at:end])
            last = at
        files[path] = "\n".join(lines)
    return files
