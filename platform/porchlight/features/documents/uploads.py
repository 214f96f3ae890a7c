"""Uploads of untrusted files: streamed to disk, typed by content, sanitized by another process."""

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
from uuid import UUID

from porchlight.features.documents import sanitizer
from tenants.kit import timeouts
from tenants.kit.errors import TooLarge, ValidationFailed
from tenants.kit.fair_queue import FairQueue
from tenants.kit.logs import log

MAX_UPLOAD_BYTES = 10 * 1024 * 1024  # of an upload and of its sanitized copy
MAX_FILE_NAME_LENGTH = 150
_CHUNK_BYTES = 256 * 1024
_SIGNATURE_BYTES = 64  # enough to detect the media type
_cleaning = FairQueue(1)  # each run may use 1.5 GB and a core

MEDIA_TYPE_NAMES = {
    "application/pdf": "a PDF",
    "image/jpeg": "a JPEG image",
    "image/png": "a PNG image",
    "image/heic": "a HEIC image",
}
_ALIASES = {"image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/heif": "image/heic"}
_UNSPECIFIED_TYPES = ("", "application/octet-stream")
_HEIC = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
_CONTROL = re.compile("[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

ACCEPTED_MESSAGE = "Please choose a PDF, JPEG, PNG or HEIC file up to 10 MB."
_REJECTION_MESSAGES = {
    "pixels": "This image is too large. Please choose one up to 50 megapixels.",
    "tiny": "This image is too small to read.",
    "pages": f"Please choose a PDF with 1 to {sanitizer.MAX_PAGES} pages.",
    "password": "This PDF is password-protected. Please upload one without a password.",
    "unfolds": "This file is too complex. Save it again or take a photo of the document instead.",
    "active": "This PDF runs programs or holds other files. Print it to a new PDF, or take a photo of it instead.",
    "broken": "This file is damaged or has the wrong type. Please save it again and try again.",
}


class NotADocument(ValidationFailed):
    """The upload is not an accepted file; the message says why."""

    code = "not_a_document"

    def __init__(self, message: str = ACCEPTED_MESSAGE) -> None:
        super().__init__(message, fields={"file": message})


class DocumentTooLarge(TooLarge):
    """The upload is larger than 10 MB."""

    message = "That file is too large. Please choose one up to 10 MB."


@dataclass(frozen=True, slots=True)
class CleanedFile:
    """A sanitized file in a temporary folder. `kind`: its media type; `size`: in bytes."""

    path: Path
    kind: str
    size: int
    sha256: bytes


def checked_file_name(value: str) -> str:
    """Return the trimmed file name. Raises NotADocument for a path or an invalid name."""
    name = value.strip()
    if not name or len(name) > MAX_FILE_NAME_LENGTH or _CONTROL.search(name):
        raise NotADocument("Please rename the file. Use a simple name of up to 150 characters.")
    if "/" in name or "\\" in name or name in (".", ".."):
        raise NotADocument("Please rename the file. Its name can't contain slashes.")
    return name


def detect_media_type(head: bytes) -> str | None:
    """Return the media type of a file's first bytes, or None if it is not accepted."""
    if head.startswith((b"%PDF-1.", b"%PDF-2.")):
        return "application/pdf"
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head[4:8] == b"ftyp" and head[8:12] in _HEIC:
        return "image/heic"
    return None


def declared_media_type(content_type: str) -> str:
    """Return the normalized media type of a Content-Type header; empty if it does not name one."""
    claimed = content_type.partition(";")[0].strip().lower()
    return "" if claimed in _UNSPECIFIED_TYPES else _ALIASES.get(claimed, claimed)


@asynccontextmanager
async def clean_upload(chunks: AsyncIterator[bytes], content_type: str, *, owner: UUID) -> AsyncIterator[CleanedFile]:
    """Receive and sanitize an upload, in a temporary folder that is deleted afterwards.

    Holds only one chunk in memory. Owners of uploads take turns. Raises NotADocument, DocumentTooLarge, TooManyUploads.
    """
    claimed = declared_media_type(content_type)
    if claimed and claimed not in MEDIA_TYPE_NAMES:
        raise NotADocument
    folder = await asyncio.to_thread(tempfile.TemporaryDirectory, prefix="porchlight-upload-")
    try:
        source, target = Path(folder.name) / "given", Path(folder.name) / "clean"
        head = await _spool(chunks, source)
        kind = detect_media_type(head)
        if kind is None:
            raise NotADocument
        if claimed and claimed != kind:
            says, detected = MEDIA_TYPE_NAMES[claimed], MEDIA_TYPE_NAMES[kind]
            raise NotADocument(f"This file is named as {says}, but it's {detected}. Please save it again.")
        media_type = await _run_sanitizer(kind, source, target, owner)
        size, digest = await asyncio.to_thread(_size_and_digest, target)
        if size > MAX_UPLOAD_BYTES:
            raise NotADocument(_REJECTION_MESSAGES["unfolds"])
        yield CleanedFile(target, media_type, size, digest)
    finally:
        await asyncio.to_thread(folder.cleanup)


async def _spool(chunks: AsyncIterator[bytes], path: Path) -> bytes:
    """Write an upload to a file as it arrives. Return its first bytes."""
    size, head, buffer = 0, b"", bytearray()
    file = await asyncio.to_thread(path.open, "wb")
    try:
        async for chunk in chunks:
            size += len(chunk)
            if size > MAX_UPLOAD_BYTES:
                raise DocumentTooLarge
            if len(head) < _SIGNATURE_BYTES:
                head += chunk[: _SIGNATURE_BYTES - len(head)]
                if len(head) == _SIGNATURE_BYTES and detect_media_type(head) is None:
                    raise NotADocument  # without reading the rest
            buffer += chunk
            if len(buffer) >= _CHUNK_BYTES:
                await asyncio.to_thread(file.write, bytes(buffer))
                buffer.clear()
        await asyncio.to_thread(file.write, bytes(buffer))
    finally:
        await asyncio.to_thread(file.close)
    return head


async def _run_sanitizer(kind: str, source: Path, target: Path, owner: UUID) -> str:
    """Sanitize the file in another process. Return the new media type. Raises NotADocument."""
    async with _cleaning.turn(owner):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-m", sanitizer.__name__, kind, str(source), str(target),
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env={}, cwd=str(source.parent),
        )  # fmt: skip
        try:
            async with asyncio.timeout(timeouts.current.clean_file_seconds):
                stdout, _ = await process.communicate()
        except TimeoutError:
            raise NotADocument(_REJECTION_MESSAGES["unfolds"]) from None
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(signal.SIGKILL)
                await process.wait()
    result = stdout.decode("ascii", "replace").strip()
    if process.returncode == 0:
        return result
    if process.returncode != sanitizer.EXIT_REJECTED:
        # The sanitizer exceeded its limits or crashed.
        log.warning("sanitizer_failed", exit_code=process.returncode, media_type=kind)
    raise NotADocument(_REJECTION_MESSAGES.get(result, _REJECTION_MESSAGES["broken"]))


def _size_and_digest(path: Path) -> tuple[int, bytes]:
    with path.open("rb") as file:
        return path.stat().st_size, hashlib.file_digest(file, "sha256").digest()
