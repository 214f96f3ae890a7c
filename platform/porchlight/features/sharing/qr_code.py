"""QR codes as squares, which a page draws as a path and a PDF as rectangles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class QrCode:
    """A QR code of `size` by `size` squares. `bars` are its dark squares: (column, row, width) of each run in a row."""

    size: int
    bars: tuple[tuple[int, int, int], ...]

    @property
    def path(self) -> str:
        """Return the dark squares as the data of an SVG path, with one unit for each square."""
        return "".join(f"M{column} {row}h{width}v1h-{width}z" for column, row, width in self.bars)


@lru_cache(maxsize=1_000)  # trying the masks takes 4 ms
def qr_code(text: str) -> QrCode:
    """Return the QR code of a text. It can be read with 15% of it damaged (level M)."""
    from reportlab.graphics.barcode.qrencoder import (  # type: ignore[import-untyped]  # 8 MB, for those who share
        QRCode,
        QRErrorCorrectLevel,
    )

    encoder = QRCode(None, QRErrorCorrectLevel.M)
    encoder.addData(text)
    encoder.make()
    bars: list[tuple[int, int, int]] = []
    for row, squares in enumerate(encoder.modules):
        column = 0
        while column < len(squares):
            width = next((i for i, dark in enumerate(squares[column:]) if not dark), len(squares) - column)
            if width:
                bars.append((column, row, width))
            column += width + 1
    return QrCode(len(encoder.modules), tuple(bars))
