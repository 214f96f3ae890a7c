"""Sanitize an uploaded file: `python -m porchlight.features.documents.sanitizer MEDIA_TYPE SOURCE TARGET`.

Runs in its own process with limited memory, CPU time and output size, because it decodes untrusted files. Images are
re-encoded, so that only their pixels remain; PDFs are rewritten without active content. Prints the new media type or,
with exit code 3, the reason for a rejection.
"""

from __future__ import annotations

import resource
import sys
import warnings
import zlib
from typing import Any

from porchlight.features.documents.active_content import TooDeep, forbidden_names, remove_active_content

MAX_MEMORY_BYTES = 1_500_000_000  # address space
MAX_CPU_SECONDS = 20
MAX_OUTPUT_BYTES = 40_000_000  # per file
EXIT_REJECTED = 3

MAX_PIXELS = 50_000_000  # decompression bombs are not decoded
MIN_SIDE_PIXELS, MAX_SIDE_PIXELS = 16, 4000  # larger images are scaled down
JPEG_QUALITY = 88
MAX_PAGES = 200
MAX_DECOMPRESSED_BYTES = 400_000_000  # of all streams of a PDF
_CHUNK_BYTES = 64 * 1024


class UnsafeDocument(Exception):
    """The file is rejected; the argument is a key of `uploads._REJECTION_MESSAGES`."""


def limit_resources() -> None:
    """Limit the resources that a compromised or faulty decoder could use."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_OUTPUT_BYTES, MAX_OUTPUT_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def clean_image(kind: str, source: str, target: str) -> str:
    """Re-encode an image, rotated upright, without metadata. Return its new media type."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    formats = {"image/jpeg": "JPEG", "image/png": "PNG", "image/heic": "HEIF"}
    if kind == "image/heic":
        import pillow_heif

        pillow_heif.register_heif_opener(thumbnails=False)
    warnings.simplefilter("ignore")
    Image.MAX_IMAGE_PIXELS = None  # MAX_PIXELS applies instead
    try:
        with Image.open(source, formats=[formats[kind]]) as opened:
            if opened.width * opened.height > MAX_PIXELS:
                raise UnsafeDocument("pixels")
            if min(opened.size) < MIN_SIDE_PIXELS:
                raise UnsafeDocument("tiny")
            opened.draft("RGB", (MAX_SIDE_PIXELS, MAX_SIDE_PIXELS))  # decodes a JPEG at a smaller size
            upright = ImageOps.exif_transpose(opened)
            image = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, RuntimeError) as error:
        raise UnsafeDocument("broken") from error
    image.thumbnail((MAX_SIDE_PIXELS, MAX_SIDE_PIXELS))
    image.info.clear()  # color profiles, comments, locations
    if image.mode == "RGBA":
        flat = Image.new("RGB", image.size, "white")
        flat.paste(image, mask=image.getchannel("A"))
        image = flat
    if kind == "image/png":
        image.save(target, "PNG", compress_level=6)
        return "image/png"
    image.save(target, "JPEG", quality=JPEG_QUALITY, optimize=True)
    return "image/jpeg"


def clean_pdf(source: str, target: str) -> str:
    """Rewrite a PDF without unreferenced objects, scripts, attachments and metadata, and check the result."""
    import pikepdf

    try:
        with pikepdf.open(source) as pdf:
            if not 1 <= len(pdf.pages) <= MAX_PAGES:
                raise UnsafeDocument("pages")
            _check_decompressed_size(pdf)
            remove_active_content(pdf)
            if "/Info" in pdf.trailer:
                del pdf.trailer["/Info"]
            pdf.save(
                target,
                encryption=False,
                fix_metadata_version=False,
                object_stream_mode=pikepdf.ObjectStreamMode.generate,
                stream_decode_level=pikepdf.StreamDecodeLevel.none,
            )
    except pikepdf.PasswordError as error:
        raise UnsafeDocument("password") from error
    except TooDeep as error:
        raise UnsafeDocument("unfolds") from error
    except (pikepdf.PdfError, ValueError, KeyError, TypeError, RuntimeError, RecursionError, OSError) as error:
        raise UnsafeDocument("broken") from error
    with open(target, "rb") as saved:
        if forbidden_names(saved.read()):
            raise UnsafeDocument("active")
    return "application/pdf"


def _check_decompressed_size(pdf: Any) -> None:
    """Raise UnsafeDocument if the streams decompress to more than the limits."""
    import pikepdf

    decompressed_bytes = 0
    for value in pdf.objects:
        if not isinstance(value, pikepdf.Stream):
            continue
        size = int(value.get("/Width", 0)) * int(value.get("/Height", 0))
        if str(value.get("/Subtype", "")) == "/Image" and size > 2 * MAX_PIXELS:
            raise UnsafeDocument("pixels")
        filter_value = value.get("/Filter")
        filters = (
            [str(name) for name in filter_value] if isinstance(filter_value, pikepdf.Array) else [str(filter_value)]
        )
        if len(filters) > 2 or filters.count("/FlateDecode") > 1:
            raise UnsafeDocument("unfolds")
        if filters[0] != "/FlateDecode":
            continue
        raw, decompressor = value.read_raw_bytes(), zlib.decompressobj()
        for index in range(0, len(raw), _CHUNK_BYTES):
            piece = raw[index : index + _CHUNK_BYTES]
            while piece:
                try:
                    decompressed_bytes += len(decompressor.decompress(piece, _CHUNK_BYTES * 16))
                except zlib.error:
                    piece = b""
                    break
                if decompressed_bytes > MAX_DECOMPRESSED_BYTES:
                    raise UnsafeDocument("unfolds")
                piece = decompressor.unconsumed_tail


def main() -> int:
    """Sanitize one file and return the exit code."""
    kind, source, target = sys.argv[1:]
    limit_resources()
    try:
        media_type = clean_pdf(source, target) if kind == "application/pdf" else clean_image(kind, source, target)
    except UnsafeDocument as error:
        sys.stdout.write(str(error))
        return EXIT_REJECTED
    except MemoryError:
        sys.stdout.write("unfolds")
        return EXIT_REJECTED
    sys.stdout.write(media_type)
    return 0


if __name__ == "__main__":
    sys.exit(main())
