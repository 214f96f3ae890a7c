"""The kind of a file of a message, by its content: never by its name or by what the sender's program says."""

from __future__ import annotations

import io
import re
import zipfile

MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_NAME_CHARACTERS = 150
_MAX_ENTRIES = 2_000  # of a document that is a ZIP archive
_IMAGE_MARKS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF87a", b"GIF89a")
_IMAGE_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"}
_OFFICE = {
    "word/document.xml": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xl/workbook.xml": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
PDF, TEXT, WEBP = "application/pdf", "text/plain", "image/webp"
ENDINGS = {
    PDF: ".pdf",
    TEXT: ".txt",
    WEBP: ".webp",
    _OFFICE["word/document.xml"]: ".docx",
    _OFFICE["xl/workbook.xml"]: ".xlsx",
}
ACCEPTED = "Please choose a photo, a PDF, a Word or Excel document, or a text file, up to 10 MB."
# Characters that are no text: all controls but tab, line feed, form feed and carriage return.
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
# Characters of a name that could fool people or a file system.
_NO_NAME = re.compile('[\x00-\x1f\x7f/\\\\:*?"<>|\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]')


def is_image(content: bytes) -> bool:
    """Return whether a file says that it is an image. Whether it is one shows when it is decoded."""
    if content.startswith(_IMAGE_MARKS) or (content[:4] == b"RIFF" and content[8:12] == b"WEBP"):
        return True
    return content[4:8] == b"ftyp" and content[8:12] in _IMAGE_BRANDS


def document_type(content: bytes) -> str | None:
    """Return the media type of a document, or None if its kind is not accepted. It may be slow: call it in a thread."""
    if content.startswith(b"%PDF-"):
        return PDF
    if content.startswith(b"PK\x03\x04"):
        return _office_type(content)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    return TEXT if text.strip() and not _NO_TEXT.search(text) else None


def _office_type(content: bytes) -> str | None:
    """Return the type of an office document without programs, from the names of its parts. Nothing is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError):
        return None
    if len(names) > _MAX_ENTRIES or "[Content_Types].xml" not in names:
        return None
    if any(name.lower().endswith(("vbaproject.bin", ".exe", ".js")) or "activex" in name.lower() for name in names):
        return None
    return next((kind for part, kind in _OFFICE.items() if part in names), None)


def shown_name(name: str, kind: str) -> str:
    """Return the name of a file without a path and without what could fool people, with the ending of its type."""
    base = _NO_NAME.sub("", name.replace("\\", "/").rpartition("/")[2]).strip(" .")
    ending = ENDINGS[kind]
    stem = base[: -len(ending)] if base.lower().endswith(ending) else base
    if kind == WEBP:  # a photo was re-encoded: its former ending would be wrong
        stem = re.sub(r"\.(?:jpe?g|png|gif|webp|avif|hei[cf])$", "", stem, flags=re.IGNORECASE)
    return (stem[: MAX_NAME_CHARACTERS - len(ending)].strip(" .") or "file") + ending
