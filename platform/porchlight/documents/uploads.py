"""What arrives from strangers: taken in piece by piece, known by its content, made harmless by another process."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from porchlight.documents import cleaning
from porchlight.logs import log
from tenants.kit.errors import TooLarge, ValidationFailed

LARGEST = 10 * 1024 * 1024  # bytes of an upload, and of what is made of it
LONGEST_NAME = 150
PATIENCE = 45.0  # seconds for cleaning one file, its turn not counted
_PIECE = 256 * 1024
_HEAD = 64  # bytes that tell a kind
_at_once = asyncio.Semaphore(1)  # each may take a gigabyte and a core

KINDS = {
    "application/pdf": "a PDF",
    "image/jpeg": "a JPEG picture",
    "image/png": "a PNG picture",
    "image/heic": "a HEIC picture",
}
_ALIASES = {"image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/heif": "image/heic"}
_UNSAID = ("", "application/octet-stream")
_HEIC = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
_CONTROL = re.compile("[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

TAKEN = "Please choose a PDF, JPEG, PNG or HEIC file of at most 10 MB."
_REASONS = {
    "pixels": "This picture is too large. Please choose one of at most 50 megapixels.",
    "tiny": "This picture is too small to read.",
    "pages": f"Please choose a PDF of 1 to {cleaning.PAGES} pages.",
    "password": "This PDF is locked with a password. Please upload one that opens without.",
    "unfolds": "This file unfolds into far too much. Please save it anew, or take a photo of the document.",
    "broken": "This file is damaged or not what it claims to be. Please save it anew and try again.",
}


class NotADocument(ValidationFailed):
    """What arrived is no file we take; the message says why."""

    code = "not_a_document"

    def __init__(self, words: str = TAKEN) -> None:
        super().__init__(words, fields={"file": words})


class DocumentTooLarge(TooLarge):
    """More than 10 MB."""

    message = "That file is too large. Please choose one of at most 10 MB."


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A file that may be kept: where it lies for the moment, its media type, bytes and SHA-256."""

    path: Path
    kind: str
    size: int
    sha256: bytes


def file_name(given: str) -> str:
    """A file's name as it may be shown. Raises NotADocument for a path or what cannot be a name."""
    name = given.strip()
    if not name or len(name) > LONGEST_NAME or _CONTROL.search(name):
        raise NotADocument("Please give the file a plain name of at most 150 characters.")
    if "/" in name or "\\" in name or name in (".", ".."):
        raise NotADocument("Please rename the file: its name may not contain slashes.")
    return name


def kind_of(head: bytes) -> str | None:
    """The media type that a file's first bytes show; None for what we do not take."""
    if head.startswith((b"%PDF-1.", b"%PDF-2.")):
        return "application/pdf"
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head[4:8] == b"ftyp" and head[8:12] in _HEIC:
        return "image/heic"
    return None


def declared(content_type: str) -> str:
    """The media type a sender claims, without parameters and in its usual spelling; empty when they do not say."""
    claimed = content_type.partition(";")[0].strip().lower()
    return "" if claimed in _UNSAID else _ALIASES.get(claimed, claimed)


@asynccontextmanager
async def taken_in(pieces: AsyncIterator[bytes], content_type: str) -> AsyncIterator[Cleaned]:
    """An upload made harmless, in a folder that is gone afterwards.

    Never more than a piece of it is in memory. Raises NotADocument with a sentence about what is wrong, TooLarge.
    """
    claimed = declared(content_type)
    if claimed and claimed not in KINDS:
        raise NotADocument
    folder = await asyncio.to_thread(tempfile.TemporaryDirectory, prefix="porchlight-upload-")
    try:
        source, target = Path(folder.name) / "given", Path(folder.name) / "clean"
        head = await _spooled(pieces, source)
        kind = kind_of(head)
        if kind is None:
            raise NotADocument
        if claimed and claimed != kind:
            raise NotADocument(f"This file says it is {KINDS[claimed]}, but it is {KINDS[kind]}. Please save it anew.")
        made = await _cleaned(kind, source, target)
        size, digest = await asyncio.to_thread(_measured, target)
        if size > LARGEST:
            raise NotADocument(_REASONS["unfolds"])
        yield Cleaned(target, made, size, digest)
    finally:
        await asyncio.to_thread(folder.cleanup)


async def _spooled(pieces: AsyncIterator[bytes], path: Path) -> bytes:
    """Write an upload to a file as it comes; its first bytes."""
    size, head, waiting = 0, b"", bytearray()
    file = await asyncio.to_thread(path.open, "wb")
    try:
        async for piece in pieces:
            size += len(piece)
            if size > LARGEST:
                raise DocumentTooLarge
            if len(head) < _HEAD:
                head += piece[: _HEAD - len(head)]
                if len(head) == _HEAD and kind_of(head) is None:
                    raise NotADocument  # the rest need not come
            waiting += piece
            if len(waiting) >= _PIECE:
                await asyncio.to_thread(file.write, bytes(waiting))
                waiting.clear()
        await asyncio.to_thread(file.write, bytes(waiting))
    finally:
        await asyncio.to_thread(file.close)
    return head


async def _cleaned(kind: str, source: Path, target: Path) -> str:
    """Have another process make the file harmless; the kind of what it made."""
    async with _at_once:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-m", cleaning.__name__, kind, str(source), str(target),
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env={}, cwd=str(source.parent),
        )  # fmt: skip
        try:
            async with asyncio.timeout(PATIENCE):
                said, _ = await process.communicate()
        except TimeoutError:
            raise NotADocument(_REASONS["unfolds"]) from None
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(signal.SIGKILL)
                await process.wait()
    word = said.decode("ascii", "replace").strip()
    if process.returncode == 0:
        return word
    if process.returncode != cleaning.REFUSED:
        # It ran out of what it was given, or its decoder fell over.
        log.warning("document_not_cleaned", code=process.returncode, kind=kind)
    raise NotADocument(_REASONS.get(word, _REASONS["broken"]))


def _measured(path: Path) -> tuple[int, bytes]:
    with path.open("rb") as file:
        return path.stat().st_size, hashlib.file_digest(file, "sha256").digest()
