# SPDX-License-Identifier: GPL-2.0-only
"""Draw a chart of bars on a logarithmic scale, as SVG."""

import math
from xml.sax.saxutils import escape

BAR = 14
GAP = 12
LEFT = 230
DECADE = 130
COLOURS = ("#b5542c", "#2c6fb5", "#5b8c2a")


def text(place, words, more=""):
    """Return words whose baseline begins at a place."""
    return f'<text x="{place[0]:.0f}" y="{place[1]:.0f}"{more}>{escape(words)}</text>'


def grid(decades, height):
    """Yield a vertical line for each power of ten."""
    for i in range(decades + 1):
        x = LEFT + i * DECADE
        yield f'<path d="M{x} 24V{height - 24}" stroke="#ccc"/>'
        yield text((x, height - 8), f"{10 ** i:,}", ' text-anchor="middle"')


def bars(rows):
    """Yield a group of bars for each row, from top to bottom."""
    y = 32
    for name, values in rows:
        middle = y + len(values) * BAR / 2 + 4
        yield text((LEFT - 8, middle), name, ' text-anchor="end"')
        for value, colour in zip(values.values(), COLOURS):
            length = math.log10(max(value, 1)) * DECADE
            yield (f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR - 2}" '
                   f'fill="{colour}"/>')
            yield text((LEFT + length + 4, y + BAR - 4), f"{value:,}")
            y += BAR
        y += GAP


def legend(names):
    """Yield the legend of the colours."""
    x = LEFT
    for name, colour in zip(names, COLOURS):
        yield f'<rect x="{x}" y="6" width="12" height="12" fill="{colour}"/>'
        yield text((x + 18, 16), name)
        x += DECADE


def svg(title, rows):
    """Return a chart of the rows as a document. A row is (name, {who: number}); all rows have
    the same names for who."""
    decades = math.ceil(math.log10(max(max(values.values()) for _, values in rows)))
    names = list(rows[0][1])
    height = 32 + len(rows) * (len(names) * BAR + GAP) + 24
    width = LEFT + decades * DECADE + 60
    parts = [*grid(decades, height), *legend(names), *bars(rows)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'font-family="sans-serif" font-size="12">\n'
            f'<!-- SPDX-License-Identifier: GPL-2.0-only -->\n<title>{escape(title)}</title>\n'
            '<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")
