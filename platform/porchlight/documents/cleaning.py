"""The program that makes a file harmless: `python -m porchlight.documents.cleaning KIND SOURCE TARGET`.

It runs as a process of its own, with little memory, little time and no way to write much, because what it decodes
comes from strangers. A picture is drawn anew, so that nothing of the file survives but what one sees; a PDF is written
anew without anything that acts by itself. Prints the kind of what it made, or, with exit code 3, why it refused.
"""

from __future__ import annotations

import resource
import sys
import warnings
import zlib
from typing import Any

MEMORY = 1_500_000_000  # bytes of address space
CPU_SECONDS = 20
WRITTEN = 40_000_000  # bytes of the largest file it may write
REFUSED = 3

PIXELS = 50_000_000  # a larger picture is not decoded: a small file can unfold into gigabytes
LEAST_SIDE, MOST_SIDE = 16, 4000  # pixels; a larger picture is made smaller
QUALITY = 88
PAGES = 200
UNFOLDED = 400_000_000  # bytes that all the streams of a PDF may unfold into
_PIECE = 64 * 1024
# What a PDF may do by itself, or carry beside what one sees.
_ROOT_KEYS = ("/OpenAction", "/AA", "/AF", "/Perms", "/Metadata", "/Collection", "/Requirements", "/PieceInfo")
_NAME_KEYS = ("/JavaScript", "/EmbeddedFiles", "/AlternatePresentations", "/Renditions")
_QUIET_ACTIONS = ("/URI", "/GoTo")
_LOUD_NOTES = ("/FileAttachment", "/RichMedia", "/Movie", "/Screen", "/Sound", "/3D")


class Refused(Exception):
    """The file will not do; the argument is a word for why."""


def confine() -> None:
    """Give up what a decoder that went wrong could use."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (WRITTEN, WRITTEN))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def clean_picture(kind: str, source: str, target: str) -> str:
    """Draw a picture anew, upright, without metadata; its new kind."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    formats = {"image/jpeg": "JPEG", "image/png": "PNG", "image/heic": "HEIF"}
    if kind == "image/heic":
        import pillow_heif

        pillow_heif.register_heif_opener(thumbnails=False)
    warnings.simplefilter("ignore")
    Image.MAX_IMAGE_PIXELS = None  # ours is the limit
    try:
        with Image.open(source, formats=[formats[kind]]) as opened:
            if opened.width * opened.height > PIXELS:
                raise Refused("pixels")
            if min(opened.size) < LEAST_SIDE:
                raise Refused("tiny")
            opened.draft("RGB", (MOST_SIDE, MOST_SIDE))  # JPEGs are decoded small right away
            upright = ImageOps.exif_transpose(opened)
            drawn = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, RuntimeError) as fault:
        raise Refused("broken") from fault
    drawn.thumbnail((MOST_SIDE, MOST_SIDE))
    drawn.info.clear()  # profiles, comments, places: nothing is carried over but what one sees
    if drawn.mode == "RGBA":
        flat = Image.new("RGB", drawn.size, "white")
        flat.paste(drawn, mask=drawn.getchannel("A"))
        drawn = flat
    if kind == "image/png":
        drawn.save(target, "PNG", compress_level=6)
        return "image/png"
    drawn.save(target, "JPEG", quality=QUALITY, optimize=True)
    return "image/jpeg"


def clean_pdf(source: str, target: str) -> str:
    """Write a PDF anew: what nothing refers to, scripts, attachments and metadata stay behind."""
    import pikepdf

    try:
        with pikepdf.open(source) as pdf:
            if not 1 <= len(pdf.pages) <= PAGES:
                raise Refused("pages")
            _measure(pdf)
            _drop(pdf.Root, *_ROOT_KEYS)
            _drop(pdf.Root.get("/Names"), *_NAME_KEYS)
            _drop(pdf.Root.get("/AcroForm"), "/XFA")
            for thing in pdf.objects:
                if isinstance(thing, pikepdf.Dictionary):
                    _quieten(thing)
            for page in pdf.pages:
                _quieten_page(page.obj)
            _drop(pdf.trailer, "/Info")
            pdf.save(
                target,
                encryption=False,
                fix_metadata_version=False,
                object_stream_mode=pikepdf.ObjectStreamMode.generate,
                stream_decode_level=pikepdf.StreamDecodeLevel.none,
            )
    except pikepdf.PasswordError as fault:
        raise Refused("password") from fault
    except (pikepdf.PdfError, ValueError, KeyError, TypeError, RuntimeError, RecursionError, OSError) as fault:
        raise Refused("broken") from fault
    return "application/pdf"


def _dictionary() -> Any:
    import pikepdf

    return pikepdf.Dictionary


def _drop(thing: Any, *keys: str) -> None:
    """Take keys out of a dictionary, if it is one and has them."""
    if isinstance(thing, _dictionary()):
        for key in keys:
            if key in thing:
                del thing[key]


def _quieten(thing: Any) -> None:
    """Take out of a dictionary what acts by itself."""
    action = thing.get("/A")
    _drop(thing, "/AA", "/JS")
    if isinstance(action, _dictionary()) and str(action.get("/S", "")) not in _QUIET_ACTIONS:
        _drop(thing, "/A")


def _quieten_page(page: Any) -> None:
    """Take away a page's notes that carry files or films."""
    notes = page.get("/Annots")
    if notes is None:
        return
    for at in reversed(range(len(notes))):
        if str(notes[at].get("/Subtype", "")) in _LOUD_NOTES:
            del notes[at]


def _measure(pdf: Any) -> None:
    """Refuse what would unfold into more than a browser should meet."""
    import pikepdf

    unfolded = 0
    for thing in pdf.objects:
        if not isinstance(thing, pikepdf.Stream):
            continue
        size = int(thing.get("/Width", 0)) * int(thing.get("/Height", 0))
        if str(thing.get("/Subtype", "")) == "/Image" and size > 2 * PIXELS:
            raise Refused("pixels")
        given = thing.get("/Filter")
        filters = [str(one) for one in given] if isinstance(given, pikepdf.Array) else [str(given)]
        if len(filters) > 2 or filters.count("/FlateDecode") > 1:
            raise Refused("unfolds")
        if filters[0] != "/FlateDecode":
            continue
        raw, unfolder = thing.read_raw_bytes(), zlib.decompressobj()
        for at in range(0, len(raw), _PIECE):
            piece = raw[at : at + _PIECE]
            while piece:
                try:
                    unfolded += len(unfolder.decompress(piece, _PIECE * 16))
                except zlib.error:
                    piece = b""
                    break
                if unfolded > UNFOLDED:
                    raise Refused("unfolds")
                piece = unfolder.unconsumed_tail


def main() -> int:
    """Clean one file."""
    kind, source, target = sys.argv[1:]
    confine()
    try:
        made = clean_pdf(source, target) if kind == "application/pdf" else clean_picture(kind, source, target)
    except Refused as refused:
        sys.stdout.write(str(refused))
        return REFUSED
    except MemoryError:
        sys.stdout.write("unfolds")
        return REFUSED
    sys.stdout.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
