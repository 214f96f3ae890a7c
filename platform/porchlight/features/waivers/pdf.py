"""The PDF of a waiver: what the record says, then the texts. The same arguments give the same bytes.

Names and texts in any script are shaped and embedded (`tenants.kit.pdf_text`). A character that no font has is drawn as
a black square, and the PDF names it; the text that is copied from the PDF has it, and so has `waiver.json`.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.pagesizes import LETTER  # type: ignore[import-untyped]
from reportlab.lib.styles import ParagraphStyle  # type: ignore[import-untyped]
from reportlab.platypus import Paragraph, SimpleDocTemplate  # type: ignore[import-untyped]

from porchlight.features.waivers.drawings import pdf_drawing
from porchlight.features.waivers.records import CONSENTS, DRAWN_SIGNATURE, record_sha256
from porchlight.features.waivers.texts import WaiverText
from tenants.kit.pdf_fonts import BOLD, FONT, clean, is_simple, register_fonts
from tenants.kit.pdf_text.layout import REPLACEMENT, missing_characters
from tenants.kit.pdf_text.paragraphs import ShapedParagraph

MARGIN_POINTS = 54
TEXT_WIDTH_POINTS = LETTER[0] - 2 * MARGIN_POINTS - 12  # the frame has 6 points of padding on each side

_DRAWING = "drawing"  # a line of the PDF that is the drawn signature
_REPLACED_NOTE = f"{REPLACEMENT} marks a character that this document cannot draw: {{}}. The file waiver.json has it."
_MAX_NAMED_CHARACTERS = 20
_CONSENT_TEXTS = {
    "readAndUnderstood": "I have read and understood the waiver.",
    "acknowledgesRisks": "I acknowledge the risks.",
    "agreesToRelease": "I agree to the release.",
}


def render_pdf(
    record: Mapping[str, Any], texts: Sequence[WaiverText], drawing: Mapping[str, Any] | None = None
) -> bytes:
    """Return the PDF of a record. `texts`: the texts that it names, in its order. `drawing`: the drawn signature.

    Raises ValueError if a text is not the one that the record names, and for a drawing without a commitment to it, or a
    commitment without its drawing.
    """
    if (DRAWN_SIGNATURE in record["commitments"]) != (drawing is not None):
        raise ValueError("The drawing is not that of the record.")
    named = [(text["name"], text["version"], text["sha256"]) for text in record["texts"]]
    if named != [(text.name, text.version, text.reference.sha256) for text in texts]:
        raise ValueError("The texts are not those of the record.")
    lines = [*_record_lines(record), *(line for text in texts for line in _text_lines(text))]
    if replaced := _replaced_characters(text for _, text in lines):
        lines.append(("small", _REPLACED_NOTE.format(replaced)))
    output = io.BytesIO()
    document = SimpleDocTemplate(
        output,
        pagesize=LETTER,
        leftMargin=MARGIN_POINTS,
        rightMargin=MARGIN_POINTS,
        topMargin=MARGIN_POINTS,
        bottomMargin=MARGIN_POINTS,
        invariant=1,
        title="Liability waiver",
        lang="en-US",
    )

    def draw_footer(canvas: Any, _document: Any) -> None:
        canvas.setFont(FONT, 8)
        canvas.drawString(MARGIN_POINTS + 6, MARGIN_POINTS / 2, f"Waiver {record['waiverId']}")
        canvas.drawRightString(LETTER[0] - MARGIN_POINTS - 6, MARGIN_POINTS / 2, f"Page {canvas.getPageNumber()}")

    story = [
        pdf_drawing(drawing) if drawing is not None and style == _DRAWING else paragraph(style, text)
        for style, text in lines
    ]
    document.build(story, onFirstPage=draw_footer, onLaterPages=draw_footer)
    return output.getvalue()


def paragraph(style: str, text: str) -> Any:
    """Return a text as a paragraph, with markup escaped. A word that is wider than the line is split."""
    text, bullet = clean(text), "•" if style == "item" else ""
    if is_simple(text):
        return Paragraph(escape(text), _styles()[style], bulletText=bullet or None)
    return ShapedParagraph(text, _styles()[style], bullet)


def _replaced_characters(texts: Iterable[str]) -> str:
    """Return the names of the characters that no font has, such as "U+13000, U+13001", or an empty text."""
    cleaned = (clean(text) for text in texts)
    found = dict.fromkeys(c for text in cleaned if not is_simple(text) for c in missing_characters(text, FONT))
    named = [f"U+{ord(character):04X}" for character in found]
    more = ["…"] if len(named) > _MAX_NAMED_CHARACTERS else []
    return ", ".join(named[:_MAX_NAMED_CHARACTERS] + more)


def _record_lines(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield style and text of each line of the record."""
    participant, signature = record["participant"], record["signature"]
    signer = "the participant" if participant["signedBy"] == "self" else "a parent or guardian of the participant"
    yield "title", "Liability waiver"
    yield "body", f"Participant: {participant['name']}"
    yield "body", f"Session: {record['exchange']['title']} ({record['exchange']['id']})"
    yield "body", f"Activity: {record['activity']['description']} (category: {record['activity']['category']})"
    yield "body", f"Risk level: {record['level']}"
    for reason in record["reasons"]:
        yield "item", reason
    yield "body", f"Accepted at {record['acceptedAt']} (UTC). Valid until {record['expiresAt']} (UTC)."
    yield "body", "Confirmed with checkboxes:"
    for consent in CONSENTS:
        yield "item", _CONSENT_TEXTS[consent]
    if "typed" in signature:
        yield "body", f"Signed by {signer}: {signature['typed']}"
    else:
        yield "body", f"Accepted by {signer} without a typed signature."
    if commitment := record["commitments"].get(DRAWN_SIGNATURE):
        yield _DRAWING, ""
        yield "small", f"Commitment to the drawn signature: {commitment}"
    account = "Personal link" if record.get("signedWith") == "personalLink" else "Account"
    yield "small", f"Waiver: {record['waiverId']}. {account}: {record['accountId']}."
    yield "small", f"SHA-256 of waiver.json: {record_sha256(record)}"
    for text in record["texts"]:
        yield "small", f"Text {text['name']}, version {text['version']}, SHA-256: {text['sha256']}"


def _text_lines(text: WaiverText) -> Iterator[tuple[str, str]]:
    """Yield style and text of each block of a Markdown text with headings, lists and paragraphs, or of a plain text."""
    if text.is_plain:
        yield "title", text.title
        yield from (("body", line) for line in text.body.splitlines() if line.strip())
        return
    for block in text.body.split("\n\n"):
        if block.startswith("# "):
            yield "title", block.removeprefix("# ")
        elif block.startswith("## "):
            yield "heading", block.removeprefix("## ")
        elif block.startswith("- "):
            for item in block.removeprefix("- ").split("\n- "):
                yield "item", item
        else:
            yield "body", block


@cache
def _styles() -> dict[str, Any]:
    register_fonts()
    body = ParagraphStyle("body", fontName=FONT, fontSize=10, leading=13, spaceAfter=6)
    return {
        "body": body,
        "title": ParagraphStyle("title", body, fontName=BOLD, fontSize=16, leading=20, spaceBefore=12),
        "heading": ParagraphStyle("heading", body, fontName=BOLD, fontSize=12, leading=15, keepWithNext=1),
        "item": ParagraphStyle("item", body, leftIndent=14, bulletIndent=3, bulletFontName=FONT, spaceAfter=3),
        "small": ParagraphStyle("small", body, fontSize=8, leading=10, spaceAfter=3),
    }
