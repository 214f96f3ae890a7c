"""The PDF of a waiver."""

from __future__ import annotations

import io
from typing import Any
from uuid import UUID

import pikepdf
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.platypus import Paragraph  # type: ignore[import-untyped]

from porchlight.features.waivers.canonical import canonical_json
from porchlight.features.waivers.drawings import describe_drawing
from porchlight.features.waivers.guru_texts import guru_text
from porchlight.features.waivers.pdf import TEXT_WIDTH_POINTS, paragraph, render_pdf
from porchlight.features.waivers.records import build_record, create_erasable
from porchlight.features.waivers.texts import WaiverText, current_text
from tests.porchlight.waivers.samples import DRAWING, create_acceptance

TEXT = current_text("high")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)


def _record(**changes: Any) -> dict[str, Any]:
    return build_record(create_acceptance(**changes), {})


def _shown(text: str) -> str:
    shown: str = paragraph("body", text).getPlainText(identify=True)
    return shown


def test_pdf_of_same_record_is_byte_equal() -> None:
    first = render_pdf(_record(), [TEXT])
    other = render_pdf(_record(participant_name="Ида Ω"), [TEXT])
    assert render_pdf(_record(), [TEXT]) == first != other


def test_pdf_of_record_opens_without_active_content() -> None:
    with pikepdf.open(io.BytesIO(render_pdf(_record(), [TEXT]))) as opened:
        assert 2 <= len(opened.pages) <= 4
        assert not {"/OpenAction", "/AA", "/AcroForm", "/Names"}.intersection(opened.Root.keys())
        assert all("/Annots" not in page for page in opened.pages)
        assert str(opened.docinfo["/Title"]) == "Liability waiver"


@pytest.mark.parametrize(
    "name",
    ["Łukasz", "李", "😀", "محمد", "\0\x1b[2J", "\u202e", "", "\ufffe", "\u0301", "\u200d", "👩‍👩‍👧🏽", "(א", "ア゙"],
)
def test_pdf_of_unusual_name_renders(name: str) -> None:
    assert render_pdf(_record(participant_name=name, typed_signature=name), [TEXT]).startswith(b"%PDF-")


@given(name=TEXTS, activity=TEXTS)
def test_pdf_of_any_text_renders(name: str, activity: str) -> None:
    record = _record(participant_name=name, activity=activity, reasons=[name, activity])
    assert render_pdf(record, [TEXT]).startswith(b"%PDF-")


def _read(pdf: bytes) -> str:
    """Return the text of a PDF, as the reader of a browser finds it."""
    with pypdfium2.PdfDocument(pdf) as document:
        pages = [document[index] for index in range(len(document))]
        texts = [page.get_textpage() for page in pages]
        found = "\n".join(text.get_text_range() for text in texts)
        for opened in (*texts, *pages):
            opened.close()
    return found.replace("\r\n", "\n")


def _shown_names(*names: str) -> str:
    return _read(render_pdf(_record(participant_name=names[0], reasons=list(names)), [TEXT]))


# One name for each way of writing; those of the first line are one letter after the other, in one direction.
PLAIN_NAMES = [
    "Łukasz",
    "李小龍",
    "陳奕迅",
    "张伟",
    "山田 花子さん",
    "김민준",
    "Ида Ελένη",
    "Nguyễn Thị",
    "დავით",
    "አበበ",
]
SHAPED_NAMES = ["สมชาย ใจดี", "अर्जुन क्षत्रिय", "নাম শ্রী", "தமிழ்", "ខ្មែរ", "မြန်မာ", "Ida😀", "👩‍👩‍👧"]
LEFTWARD_NAMES = ["محمد بن سلمان", "משה כהן"]


@pytest.mark.parametrize("name", [*PLAIN_NAMES, *SHAPED_NAMES])
def test_pdf_of_name_in_any_script_says_it(name: str) -> None:
    # A wide sign takes the space before it.
    assert f"Participant: {name}\n" in _shown_names(name).replace("Participant:👩", "Participant: 👩")


@pytest.mark.parametrize("name", LEFTWARD_NAMES)
def test_pdf_of_leftward_name_has_its_letters_in_order(name: str) -> None:
    # Readers put the letters of a word in the order of reading; some leave the words in the order of the line.
    line = next(line for line in _shown_names(name).splitlines() if "Participant" in line)
    assert set(name.split()) < set(line.split())


def _drawn_glyphs(pdf: bytes) -> list[tuple[str, int]]:
    """Return font and glyph of all that the pages show with shaped fonts."""
    drawn = []
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        for page in opened.pages:
            fonts = page.Resources.Font
            for step in pikepdf.parse_content_stream(page):
                if str(step.operator) == "Tf":
                    font = fonts[str(step.operands[0])]
                elif str(step.operator) == "Tj" and font.Subtype == "/Type0":
                    code = int.from_bytes(bytes(step.operands[0]), "big")
                    below = font.DescendantFonts[0]
                    places = below.CIDToGIDMap.read_bytes() if "/CIDToGIDMap" in below else b""
                    glyph = int.from_bytes(places[2 * code : 2 * code + 2], "big") if places else code
                    drawn.append((str(font.BaseFont), glyph))
    return drawn


def test_pdf_of_any_script_draws_a_glyph_for_each_part() -> None:
    for name in [*PLAIN_NAMES[1:6], *SHAPED_NAMES, *LEFTWARD_NAMES]:
        glyphs = _drawn_glyphs(render_pdf(_record(participant_name=name), [TEXT]))
        assert len(glyphs) > len("Participant: ")
        assert all(glyph for _, glyph in glyphs), name


def test_pdf_of_east_asian_name_stays_small() -> None:
    pdf = render_pdf(_record(participant_name="李小龍 山田花子 김민준"), [TEXT])
    assert len(pdf) < len(render_pdf(_record(), [TEXT])) + 20_000


def test_pdf_with_unknown_character_names_it_and_keeps_it() -> None:
    text = _shown_names("𓀀𓀁 Ida")
    assert "Participant: 𓀀𓀁 Ida\n" in text
    assert "■ marks a character that this document cannot draw: U+13000, U+13001." in text
    assert "cannot draw" not in _shown_names("李 😀")


def test_pdf_without_reordering_characters_shows_name_as_written() -> None:
    assert "Participant: Ida fdp\n" in _shown_names("Ida \u202efdp\u2066")


@pytest.mark.parametrize("markup", ["<b>x</b>", "</para>", "&lt;", '<a href="https://x.example">', "<img src='x'/>"])
def test_paragraph_markup_stays_text(markup: str) -> None:
    assert _shown(markup) == markup
    assert render_pdf(_record(participant_name=markup), [TEXT]).startswith(b"%PDF-")


@pytest.mark.parametrize("name", ["x" * 500, "Ж" * 500, "word " * 200, "Name " + "李" * 500, "שלום " * 200, "ก" * 500])
def test_paragraph_with_long_name_wraps(name: str) -> None:
    wrapped = paragraph("body", f"Participant: {name}")
    wrapped.wrap(TEXT_WIDTH_POINTS, 10_000)
    # The width that each line leaves free.
    free = (
        [line[0] for line in wrapped.blPara.lines]
        if isinstance(wrapped, Paragraph)
        else [TEXT_WIDTH_POINTS - line.width for line in wrapped.lines]
    )
    assert len(free) > 2
    assert all(width >= 0 for width in free)


def test_pdf_with_other_text_than_recorded_is_rejected() -> None:
    changed = WaiverText("high", 1, TEXT.title, TEXT.body.replace("30 days", "90 days"))
    for texts in ([], [changed], [TEXT, TEXT], [current_text("low")]):
        with pytest.raises(ValueError, match="not those of the record"):
            render_pdf(_record(), texts)


def test_pdf_with_guru_addition_has_both_texts() -> None:
    addition = guru_text(UUID(int=7), "Ida <b>", 2, "# Bring gloves.\n\n- And \u202e goggles")
    record = _record(texts=[TEXT.reference, addition.reference])
    assert record["texts"][1]["name"] == "guru:00000000-0000-0000-0000-000000000007"
    assert len(render_pdf(record, [TEXT, addition])) > len(render_pdf(_record(), [TEXT]))


def _content(pdf: bytes) -> bytes:
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        return b"".join(page.Contents.read_bytes() for page in opened.pages)


def test_pdf_with_drawing_shows_its_lines() -> None:
    record = build_record(create_acceptance(), create_erasable(None, "", "", DRAWING))
    pdf = render_pdf(record, [TEXT], DRAWING)
    assert render_pdf(record, [TEXT], DRAWING) == pdf
    # Two lines and a dot, on a page of their own scale: 1,000 units are 200 points.
    content = _content(pdf)
    assert b"4 20 m 36 72 l 68 20 l S" in b" ".join(content.split())
    assert content.count(b" c ") + content.count(b" c\n") >= 4 > _content(render_pdf(_record(), [TEXT])).count(b" c ")


def test_pdf_with_other_drawing_than_committed_is_rejected() -> None:
    committed = build_record(create_acceptance(), create_erasable(None, "", "", DRAWING))
    for record, drawing in ((committed, None), (_record(), DRAWING)):
        with pytest.raises(ValueError, match="not that of the record"):
            render_pdf(record, [TEXT], drawing)


@given(lines=st.lists(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 400)), min_size=1), min_size=1))
def test_pdf_of_any_drawing_renders(lines: list[list[tuple[int, int]]]) -> None:
    drawing = describe_drawing([[number for point in line for number in point] for line in lines])
    record = build_record(create_acceptance(), create_erasable(None, "", "", drawing))
    assert canonical_json(drawing)
    assert render_pdf(record, [TEXT], drawing).startswith(b"%PDF-")
