"""A one-page PDF of text lines."""

from __future__ import annotations

from collections.abc import Sequence


def document(lines: Sequence[str]) -> bytes:
    """Return a PDF with the lines in Helvetica, from the top of a US letter page."""
    shown = [line.replace("×", "x").replace("–", "-").encode("latin-1", "replace").decode("latin-1") for line in lines]
    texts = [line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in shown]
    rows = "".join(f"({text}) Tj T*\n" for text in texts)
    content = f"BT /F1 12 Tf 18 TL 72 720 Td\n{rows}ET".encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, item in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return (
        body + head + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(body))
    )
