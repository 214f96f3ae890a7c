"""Remove active content, attachments and metadata from a PDF, at any depth, and check the result with a second parser.

The first pass walks all objects of a document and the values inside them, dictionaries of streams included. The second
shares no code with it: it reads the saved bytes, and finds names wherever a reader would.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Any

MAX_DEPTH = 60  # of values inside each other; real documents have about ten
# Keys that hold nothing else, in any dictionary.
_REMOVED_KEYS = (
    "/AA", "/AF", "/Collection", "/EF", "/EmbeddedFiles", "/JavaScript", "/JS", "/Metadata", "/OPI", "/OpenAction",
    "/Perms", "/PieceInfo", "/Renditions", "/Requirements", "/RichMediaContent", "/RichMediaSettings", "/XFA",
    "/AlternatePresentations",
)  # fmt: skip
# Actions, by their /S: those that run, open, send or play something.
_UNSAFE_ACTIONS = frozenset({
    "/GoTo3DView", "/GoToE", "/GoToR", "/Hide", "/ImportData", "/JavaScript", "/Launch", "/Movie", "/Named",
    "/Rendition", "/ResetForm", "/RichMediaExecute", "/SetOCGState", "/Sound", "/SubmitForm", "/Thread", "/Trans",
})  # fmt: skip
_ACTIONS = _UNSAFE_ACTIONS | {"/URI", "/GoTo"}
_UNSAFE_SUBTYPES = frozenset({"/3D", "/FileAttachment", "/Movie", "/PS", "/RichMedia", "/Screen", "/Sound"})
_SAFE_ADDRESS = re.compile(rb"(?i)(https?|mailto|tel):")
# Names that no cleaned document has.
_FORBIDDEN_NAMES = frozenset(
    name[1:].encode()
    for name in (
        *_REMOVED_KEYS,
        "/EmbeddedFile",
        "/GoToE",
        "/GoToR",
        "/ImportData",
        "/Launch",
        "/RichMedia",
        "/SubmitForm",
    )
    if name not in ("/AF", "/OPI", "/Collection", "/Perms")  # also names that people give to fonts and fields
)


class TooDeep(Exception):
    """Values are inside each other more than MAX_DEPTH times."""


def remove_active_content(pdf: Any) -> None:
    """Remove it from all objects of a document. Raises TooDeep."""
    for value in pdf.objects:  # also those that nothing refers to yet
        _clean(value, 0)
    _clean(pdf.trailer, 0)


def _clean(value: Any, depth: int) -> None:
    """Clean a value and the direct ones inside it. Indirect ones are objects of the document, cleaned by themselves."""
    import pikepdf

    if depth > MAX_DEPTH:
        raise TooDeep
    if isinstance(value, pikepdf.Array):
        for index in reversed(range(len(value))):
            if _is_unsafe(value[index]):
                del value[index]
        children = list(value)
    elif isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
        _clean_dictionary(value)
        children = [child for _key, child in value.items()]
    else:
        return
    for child in children:
        if isinstance(child, pikepdf.Object) and not child.is_indirect:
            _clean(child, depth + 1)


def _clean_dictionary(value: Any) -> None:
    import pikepdf

    is_action = str(value.get("/S", "")) in _ACTIONS
    for key in list(value.keys()):
        removed = (
            key in _REMOVED_KEYS or (key == "/Next" and is_action) or (key != "/Parent" and _is_unsafe(value[key]))
        )
        # The data of a stream in another file.
        removed = removed or (key in ("/F", "/FFilter", "/FDecodeParms") and isinstance(value, pikepdf.Stream))
        if removed:
            del value[key]


def _is_unsafe(value: Any) -> bool:
    """Return whether a value is an unsafe action, an annotation that holds files or media, or an attached file."""
    import pikepdf

    if not isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
        return False
    if (
        str(value.get("/Type", "")) in ("/EmbeddedFile", "/Metadata")
        or str(value.get("/Subtype", "")) in _UNSAFE_SUBTYPES
    ):
        return True
    action = str(value.get("/S", ""))
    if action == "/URI":
        return _SAFE_ADDRESS.match(bytes(value.get("/URI", b""))) is None
    return action in _UNSAFE_ACTIONS and str(value.get("/Type", "/Action")) == "/Action"


def forbidden_names(saved: bytes) -> set[bytes]:
    """Return the names of active content in the bytes of a PDF, outside texts, comments and the data of its pages.

    Object streams are read as a reader does. A name may be written with escapes, such as `/J#53`.
    """
    found: set[bytes] = set()
    for part in _syntax(saved):
        found |= {name for name in _names(part) if name in _FORBIDDEN_NAMES}
    return found


_STREAM = re.compile(rb"\bstream\r?\n")
_IGNORED = re.compile(rb"%[^\r\n]*|<(?!<)[0-9A-Fa-f\s]*>")
_NAME = re.compile(rb"/([^\x00\t\n\x0c\r ()<>\[\]{}/%]*)")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")


def _syntax(saved: bytes) -> Iterator[bytes]:
    """Yield the bytes between streams, and the decompressed object streams."""
    position = 0
    while (stream := _STREAM.search(saved, position)) is not None:
        head = saved[position : stream.start()]
        yield head
        end = saved.find(b"endstream", stream.end())
        end = len(saved) if end < 0 else end
        dictionary = head[head.rfind(b" obj") :]
        if b"/ObjStm" in dictionary:
            body = saved[stream.end() : end]
            yield zlib.decompressobj().decompress(body) if b"/FlateDecode" in dictionary else body
        position = end
    yield saved[position:]


def _names(part: bytes) -> Iterator[bytes]:
    """Yield the names of a part, without escapes."""
    for name in _NAME.findall(_IGNORED.sub(b" ", _without_texts(part))):
        yield _ESCAPE.sub(lambda code: bytes([int(code[1], 16)]), name)


def _without_texts(part: bytes) -> bytes:
    """Return the part without its texts in parentheses, which may contain more of them."""
    kept, depth, start = [], 0, 0
    for mark in re.finditer(rb"\\.|[()]", part, re.DOTALL):
        if mark[0] == b"(":
            if depth == 0:
                kept.append(part[start : mark.start()])
            depth += 1
        elif mark[0] == b")" and depth > 0:
            depth -= 1
            start = mark.end()
    if depth == 0:
        kept.append(part[start:])
    return b" ".join(kept)
