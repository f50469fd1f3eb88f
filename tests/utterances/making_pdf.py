"""A small PDF by hand: lines of text on pages, in Helvetica."""

from collections.abc import Sequence


def pdf(pages: Sequence[Sequence[str]], title: str = "") -> bytes:
    count = len(pages)
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for n, lines in enumerate(pages):
        shown = " ".join(f"({line.translate(ESCAPED)}) Tj 0 -14 Td" for line in lines)
        stream = f"BT /F1 12 Tf 72 760 Td {shown} ET"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * n} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    objects.append(f"<< /Title ({title.translate(ESCAPED)}) >>")
    written, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(written))
        written += f"{number} 0 obj\n{each}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R /Info {size - 1} 0 R >>\nstartxref\n{len(written)}\n%%EOF\n"
    return written + f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode("latin-1")


ESCAPED = str.maketrans({"(": r"\(", ")": r"\)", "\\": r"\\"})
