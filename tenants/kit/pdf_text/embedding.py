"""Shaped text in a PDF of reportlab: glyphs by number, with the part of the font that the document uses."""

from __future__ import annotations

import hashlib
from typing import Any

import uharfbuzz as hb
from reportlab.pdfbase import pdfdoc  # type: ignore[import-untyped]

from tenants.kit.pdf_text.faces import Face
from tenants.kit.pdf_text.layout import Line, Part
from tenants.kit.pdf_text.outlines import outline

_PREFIX = "Shaped-"
_MAPPINGS_PER_BLOCK = 100  # what a CMap allows
_BOLD_STROKE = 0.03  # of the font size: a font without bold letters gets a thicker line


def draw_line(canvas: Any, line: Line, x: float, y: float, *, bold: bool = False) -> None:
    """Draw a line that starts at `x`, with its baseline at `y`.

    One glyph of each part says all its characters, and the part's other glyphs are drawn as shapes: copying and
    searching find what was written, in any reader.
    """
    for run in line.runs:
        font = _embedded(canvas._doc, run.face)
        thick = bold and "Bold" not in run.face.name
        shapes: list[str] = []
        shown = [_show(font, part, line.size, (x, y), shapes) for part in run.parts]
        paint = f"2 Tr {line.size * _BOLD_STROKE:.3f} w " if thick else ""
        canvas._code.append(f"q BT {paint}{font.internal_name} {line.size:.3f} Tf {' '.join(shown)} ET Q")
        if shapes:
            paint = f"{line.size * _BOLD_STROKE:.3f} w {' '.join(shapes)} B" if thick else f"{' '.join(shapes)} f"
            canvas._code.append(f"q {paint} Q")
        x += run.width


def _show(font: _EmbeddedFont, part: Part, size: float, start: tuple[float, float], shapes: list[str]) -> str:
    """Return the operators that show the glyph a part starts with. The outlines of the others are added to `shapes`."""
    x, y = start
    says = next((glyph for glyph in part.glyphs if glyph.advance), part.glyphs[0])
    width = round(sum(glyph.advance for glyph in part.glyphs) * 1000 / size)
    for glyph in part.glyphs:
        if glyph is not says:
            shapes.extend(outline(font.face, glyph.id, size, x + glyph.x, y + glyph.y))
    return f"1 0 0 1 {x + says.x:.3f} {y + says.y:.3f} Tm <{font.code(says.id, part.text, width):04X}> Tj"


def _embedded(document: Any, face: Face) -> _EmbeddedFont:
    """Return the font of a document, which is added to it at the first use."""
    name = _PREFIX + face.name
    for font in document.delayedFonts:
        if isinstance(font, _EmbeddedFont) and font.fontName == name:
            return font
    font = _EmbeddedFont(name, face, f"/F{len(document.fontMapping) + 1}")
    document.fontMapping[name] = font.internal_name
    document.delayedFonts.append(font)
    return font


class _EmbeddedFont:
    """The font `face` in one document. reportlab calls `addObjects` when the document ends."""

    def __init__(self, name: str, face: Face, internal_name: str) -> None:
        self.fontName = name
        self.internal_name = internal_name
        self.face = face
        self._postscript = "CFF " in face.face.table_tags
        self._codes: dict[tuple[int, str], int] = {(0, ""): 0}
        self._widths: dict[int, int] = {}

    def code(self, glyph: int, text: str, width: int) -> int:
        """Return the number by which a page shows a glyph that means a text. Each text has a number of its own.

        `width`: of all that is drawn for the text, in thousandths of the font's size. Readers see a space after less.
        The glyphs of a PostScript font are shown by their own numbers, which its character set keeps.
        """
        code = self._codes.setdefault((glyph, text), glyph if self._postscript else len(self._codes))
        self._widths[code] = width
        return code

    def addObjects(self, document: Any) -> None:  # noqa: N802  # reportlab's name
        """Add the font's objects to a document."""
        font = self._font(document)
        document.idToObject["BasicFonts"].dict[self.internal_name[1:]] = document.Reference(font)

    def _font(self, document: Any) -> Any:
        data, numbers = self._subset()
        name = f"/{_subset_tag(data)}+{self.face.name}"
        widths = [value for code, width in self._widths.items() for value in (code, pdfdoc.PDFArray([width]))]
        descendant = pdfdoc.PDFDictionary({
            "Type": "/Font",
            "Subtype": "/CIDFontType0" if self._postscript else "/CIDFontType2",
            "BaseFont": name,
            "CIDSystemInfo": pdfdoc.PDFDictionary({
                "Registry": pdfdoc.PDFString("Adobe"),
                "Ordering": pdfdoc.PDFString("Identity"),
                "Supplement": 0,
            }),
            "W": pdfdoc.PDFArray(widths),
            "FontDescriptor": document.Reference(self._descriptor(document, name, data)),
        })  # fmt: skip
        if not self._postscript:
            places = (numbers[glyph].to_bytes(2, "big") for glyph, _ in self._codes)
            descendant["CIDToGIDMap"] = document.Reference(_stream(b"".join(places)))
        return pdfdoc.PDFDictionary({
            "Type": "/Font",
            "Subtype": "/Type0",
            "BaseFont": name,
            "Encoding": "/Identity-H",
            "DescendantFonts": pdfdoc.PDFArray([document.Reference(descendant)]),
            "ToUnicode": document.Reference(_stream(self._to_unicode())),
        })  # fmt: skip

    def _subset(self) -> tuple[bytes, dict[int, int]]:
        """Return the font with the glyphs that are used, and their new numbers."""
        request = hb.SubsetInput()
        request.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NO_LAYOUT_CLOSURE | hb.SubsetFlags.NOTDEF_OUTLINE
        request.sets(hb.SubsetInputSets.GLYPH_INDEX).update(glyph for glyph, _ in self._codes)
        request.sets(hb.SubsetInputSets.DROP_TABLE_TAG).update(
            int.from_bytes(tag.encode(), "big") for tag in ("GSUB", "GPOS", "GDEF", "BASE", "VORG", "vhea", "vmtx")
        )
        if self.face.face.has_var_data:
            request.pin_all_axes_to_default(self.face.face)
        plan = hb.SubsetPlan(self.face.face, request)
        face = plan.execute()
        data: bytes = (face.reference_table("CFF ") if self._postscript else face.blob).data
        return data, dict(plan.old_to_new_glyph_mapping)

    def _descriptor(self, document: Any, name: str, data: bytes) -> Any:
        extents = self.face.font.get_font_extents("ltr")
        scale = 1000 / self.face.face.upem
        ascent, descent = round(extents.ascender * scale), round(extents.descender * scale)
        file = _stream(data)
        if self._postscript:
            file.dictionary["Subtype"] = "/CIDFontType0C"
        else:
            file.dictionary["Length1"] = len(data)
        return pdfdoc.PDFDictionary({
            "Type": "/FontDescriptor",
            "FontName": name,
            "Flags": 4,
            "FontBBox": pdfdoc.PDFArray([-1000, descent, 3000, ascent]),
            "ItalicAngle": 0,
            "Ascent": ascent,
            "Descent": descent,
            "CapHeight": ascent,
            "StemV": 80,
            "FontFile3" if self._postscript else "FontFile2": document.Reference(file),
        })  # fmt: skip

    def _to_unicode(self) -> bytes:
        """Return the CMap from glyphs to the characters that they mean."""
        texts = sorted({code: text for (_, text), code in self._codes.items() if text}.items())
        blocks = []
        for start in range(0, len(texts), _MAPPINGS_PER_BLOCK):
            block = texts[start : start + _MAPPINGS_PER_BLOCK]
            lines = "\n".join(f"<{code:04X}> <{_utf16(text)}>" for code, text in block)
            blocks.append(f"{len(block)} beginbfchar\n{lines}\nendbfchar")
        return _CMAP.replace("%", "\n".join(blocks)).encode("ascii")


_CMAP = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
%
endcmap
CMapName currentdict /CMap defineresource pop
end
end"""


def _stream(data: bytes) -> Any:
    return pdfdoc.PDFStream(content=data, filters=[pdfdoc.PDFZCompress])


def _utf16(text: str) -> str:
    return text.encode("utf-16-be", "replace").hex().upper()


def _subset_tag(data: bytes) -> str:
    """Return six letters that name a part of a font: always the same for the same part."""
    return "".join(chr(ord("A") + byte % 26) for byte in hashlib.sha256(data).digest()[:6])
