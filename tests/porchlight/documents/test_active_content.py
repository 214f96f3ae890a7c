"""Active content of PDFs: removed at any depth, found by the second parser, and left alone where it is none."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from porchlight.features.documents.active_content import MAX_DEPTH, forbidden_names
from porchlight.features.documents.sanitizer import UnsafeDocument, clean_pdf
from tests.porchlight.documents import files


def _cleaned(given: bytes, folder: Path) -> bytes:
    (folder / "given").write_bytes(given)
    clean_pdf(str(folder / "given"), str(folder / "clean"))
    return (folder / "clean").read_bytes()


def _unfolded(body: bytes) -> bytes:
    """Return a PDF without compression, so that its texts can be searched."""
    with pikepdf.open(io.BytesIO(body)) as opened:
        assert len(opened.pages) == 1
        created = io.BytesIO()
        opened.save(created, object_stream_mode=pikepdf.ObjectStreamMode.disable, compress_streams=False)
        return created.getvalue()


@pytest.mark.parametrize("name", files.HIDDEN_CONTENT)
def test_hidden_active_content_is_removed(tmp_path: Path, name: str) -> None:
    given = files.hidden_content(name)
    assert b"Evil" in given
    body = _cleaned(given, tmp_path)
    assert b"Evil" not in _unfolded(body)
    assert forbidden_names(body) == set()


def test_links_and_outlines_stay(tmp_path: Path) -> None:
    def change(document: pikepdf.Pdf) -> None:
        second = document.make_indirect(pikepdf.Dictionary(Title="Two"))
        first = pikepdf.Dictionary(Title="One", Next=second)
        document.Root.Outlines = pikepdf.Dictionary(First=first, Count=2)
        address = pikepdf.Dictionary(S=pikepdf.Name.URI, URI="https://city.example/license")
        kind: dict[str, Any] = {"Type": pikepdf.Name.Annot, "Subtype": pikepdf.Name.Link, "Rect": [0, 0, 9, 9]}
        document.pages[0].Annots = pikepdf.Array([pikepdf.Dictionary(**kind, A=address)])

    body = _unfolded(_cleaned(files.pdf(change), tmp_path))
    for kept in (b"https://city.example/license", b"(One)", b"(Two)", b"/Next"):
        assert kept in body, kept


@pytest.mark.parametrize(
    ("syntax", "found"),
    [
        (b"<< /OpenAction 5 0 R >>", {b"OpenAction"}),
        (b"<</Open#41ction 5 0 R>>", {b"OpenAction"}),
        (b"<< /Title (about /JS \\) and (/Launch)) >>", set()),
        (b"<< /Title (a) /S/Launch >>", {b"Launch"}),
        (b"% /Launch\n<< /X 1 >>", set()),
        (b"<< /Length 9 >> stream\n/Launch  \nendstream", set()),
    ],
)
def test_second_parser_finds_names_as_readers_do(syntax: bytes, found: set[bytes]) -> None:
    assert forbidden_names(b"1 0 obj\n" + syntax + b"\nendobj") == found


def test_second_parser_reads_object_streams() -> None:
    script = pikepdf.Dictionary(S=pikepdf.Name.Launch, F="x")
    given = files.pdf(
        lambda document: document.Root.__setitem__("/Extra", document.make_indirect(script)),
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
    )
    assert b"/Launch" not in given
    assert forbidden_names(given) == {b"Launch"}


def test_too_deep_document_is_rejected(tmp_path: Path) -> None:
    given = files.pdf(lambda document: document.Root.__setitem__("/Extra", files.nested(MAX_DEPTH, pikepdf.Array())))
    with pytest.raises(UnsafeDocument, match="unfolds"):
        _cleaned(given, tmp_path)
