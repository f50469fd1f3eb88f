"""Bars and lines as small SVG images, for the Dagster UI; no plotting library is needed for so few."""

import base64
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

WIDTH, BAR, GAP, LABELS, NUMBERS = 520, 14, 5, 130, 60
COLOUR = "#4f6bed"


def bars(rows: Sequence[tuple[str, float]]) -> str:
    """Horizontal bars, one a row, each with its label and number."""
    most = max((value for _, value in rows), default=0) or 1
    room = WIDTH - LABELS - NUMBERS
    parts = []
    for index, (label, value) in enumerate(rows):
        top, length = index * (BAR + GAP), room * value / most
        base = top + BAR - 3
        parts.append(
            f'<text x="{LABELS - 6}" y="{base}" text-anchor="end">{escape(label)}</text>'
            f'<rect x="{LABELS}" y="{top}" width="{length:.1f}" height="{BAR}" rx="2" fill="{COLOUR}"/>'
            f'<text x="{LABELS + length + 5:.1f}" y="{base}">{value:g}</text>'
        )
    height = max(1, len(rows) * (BAR + GAP))
    return _image(height, parts)


PLOT, MARGIN = 260, 44  # the height of the plane, and what stands around it
COLOURS = ("#4f6bed", "#d9822b", "#2e9e6b")


def lines(series: Mapping[str, Sequence[tuple[float, float]]], *, across: str, up: str, most: float = 1.0) -> str:
    """Lines through points (0 to `most`, 0 to 1), each with its name; a scale along both sides."""
    room = WIDTH - 2 * MARGIN
    floor = PLOT + 12

    def at(x: float, y: float) -> str:
        return f"{MARGIN + room * x / most:.1f},{floor - PLOT * y:.1f}"

    parts = []
    for step in range(5):
        share = step / 4
        x, y = at(share * most, share).split(",")
        parts.append(
            f'<path d="M{at(0, share)} L{at(most, share)}" stroke="#767b8c" stroke-opacity="0.25"/>'
            f'<text x="{MARGIN - 6}" y="{y}" text-anchor="end">{share:g}</text>'
            f'<text x="{x}" y="{floor + 16}" text-anchor="middle">{share * most:g}</text>'
        )
    for place, (name, points) in enumerate(series.items()):
        colour = COLOURS[place % len(COLOURS)]
        path = " ".join(at(x, y) for x, y in points)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{MARGIN}" y="{floor + 50 + 15 * place}" fill="{colour}">{escape(name)}</text>'
        )
    parts.append(f'<text x="{WIDTH / 2}" y="{floor + 32}" text-anchor="middle">{escape(across)}</text>')
    parts.append(f'<text x="{MARGIN + 6}" y="24">{escape(up)}</text>')
    height = floor + 46 + 15 * len(series)
    return _image(height, parts)


def _image(height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="11" fill="#767b8c">{"".join(parts)}</svg>'
    )


def as_markdown(svg: str, name: str) -> str:
    """The image within the text, so that nothing has to be fetched."""
    return f"![{name}](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"
