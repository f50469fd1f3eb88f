"""Bar charts as small SVG images, for the Dagster UI; no plotting library is needed for a dozen bars."""

import base64
from collections.abc import Sequence
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
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="11" fill="#767b8c">{"".join(parts)}</svg>'
    )


def as_markdown(svg: str, name: str) -> str:
    """The image within the text, so that nothing has to be fetched."""
    return f"![{name}](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"
