"""Lines of shaped text: which glyph stands where, for any script, from left to right and from right to left."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import uharfbuzz as hb

from tenants.kit.pdf_text.bidi import base_level, resolve_levels, visual_order
from tenants.kit.pdf_text.faces import Face, emoji_face, faces_for, is_invisible

REPLACEMENT = "■"
_JOINER = "\u200d"
_NOT_AT_END = frozenset("([{（［｛「『【〈《〔“‘")
_NOT_AT_START = frozenset(")]}）］｝」』】〉》〕”’、。，．・：；？！ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々…")


@dataclass(frozen=True, slots=True)
class Glyph:
    """A glyph at `x`, `y` points from its run's start. The next one is `advance` points away."""

    id: int
    x: float
    y: float
    advance: float


@dataclass(frozen=True, slots=True)
class Part:
    """The glyphs of characters that are drawn together, such as a letter and its marks. `text`: the characters."""

    text: str
    glyphs: tuple[Glyph, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Parts in one font and direction, from left to right."""

    face: Face
    parts: tuple[Part, ...]
    width: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a paragraph. `rightward`: false in a paragraph that is written from right to left."""

    text: str
    runs: tuple[Run, ...]
    width: float
    size: float
    rightward: bool


@dataclass(frozen=True, slots=True)
class _Cluster:
    """Characters that stay together. `text` is what is read, `drawn` what is drawn: the same, or the replacement."""

    text: str
    drawn: str
    face: Face
    level: int


def missing_characters(text: str, font: str) -> list[str]:
    """Return the characters that no font has, each once, in the order of the text."""
    found = dict.fromkeys(
        character
        for cluster in _clusters(text, font)
        if cluster.drawn == REPLACEMENT != cluster.text
        for character in cluster.text
        if not is_invisible(character)
    )
    return list(found)


def lay_out(text: str, font: str, size: float, max_width: float) -> list[Line]:
    """Return the lines of a clean text, each at most `max_width` points wide.

    Lines break at spaces and between East Asian characters; a word that is wider than a line is split.
    """
    rightward = not base_level(text)
    lines: list[list[_Cluster]] = [[]]
    used = 0.0
    for word in _words(_clusters(text, font)):
        for part in _fit(word, size, max_width):
            if lines[-1] and used + _width(_without_space(part), size) > max_width:
                lines.append([])
                used = 0.0
            lines[-1].extend(part)
            used += _width(part, size)
    return [_line(_without_space(line), size, rightward) for line in lines]


def _clusters(text: str, font: str) -> list[_Cluster]:
    levels = resolve_levels(text)
    faces = faces_for(text, font)
    clusters: list[_Cluster] = []
    start = 0
    for part in _split_clusters(text):
        previous = clusters[-1].face if clusters else faces[0]
        face = _choose(part, previous, faces)
        clusters.append(_Cluster(part, part if face else REPLACEMENT, face or faces[0], levels[start]))
        start += len(part)
    return clusters


def _split_clusters(text: str) -> Iterator[str]:
    """Yield each character with the marks, selectors and joined characters that follow it."""
    part = ""
    for character in text:
        if part and not (_extends(character) or (part.endswith(_JOINER) and _is_emoji(part[0]))):
            yield part
            part = ""
        part += character
    if part:
        yield part


def _extends(character: str) -> bool:
    return (
        unicodedata.category(character) in ("Mn", "Mc", "Me")
        or is_invisible(character)
        or "\U0001f3fb" <= character <= "\U0001f3ff"
    )


def _is_emoji(character: str) -> bool:
    return ord(character) in emoji_face().characters and not character.isalnum()


def _choose(part: str, previous: Face, faces: Sequence[Face]) -> Face | None:
    """Return the font of a cluster: of its neighbor for a space, of emoji if it says so, else the first that has it."""
    if part.isspace() and previous.has(part):
        return previous
    if ("\ufe0f" in part or _JOINER in part) and _is_emoji(part[0]) and emoji_face().has(part):
        return emoji_face()
    return next((face for face in faces if face.has(part)), None)


def _words(clusters: Sequence[_Cluster]) -> Iterator[list[_Cluster]]:
    """Yield what a line may not break inside, with the space after it."""
    word: list[_Cluster] = []
    for cluster in clusters:
        if word and _may_break(word[-1].text, cluster.text):
            yield word
            word = []
        word.append(cluster)
    if word:
        yield word


def _may_break(before: str, after: str) -> bool:
    if before.isspace() or after.isspace():
        return before.isspace() and not after.isspace()
    if before[0] in _NOT_AT_END or after[0] in _NOT_AT_START:
        return False
    return _is_wide(before[0]) or _is_wide(after[0])


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) == "W" and not "\uac00" <= character <= "\ud7a3"


def _fit(word: list[_Cluster], size: float, max_width: float) -> Iterator[list[_Cluster]]:
    """Yield a word, or the parts of it that fit into a line."""
    if _width(_without_space(word), size) <= max_width:
        yield word
        return
    part: list[_Cluster] = []
    used = 0.0
    for cluster in word:
        # Alone: letters that join may be narrower together, and never wider by more than a line forgives.
        wide = _width([cluster], size)
        if part and used + wide > max_width:
            yield part
            part, used = [], 0.0
        part.append(cluster)
        used += wide
    yield part


def _without_space(clusters: Sequence[_Cluster]) -> list[_Cluster]:
    kept = list(clusters)
    while kept and kept[-1].text.isspace():
        kept.pop()
    return kept


def _width(clusters: Sequence[_Cluster], size: float) -> float:
    widths = (
        _advance(group[0].face, _drawn(group), group[0].level % 2) * size / int(group[0].face.face.upem)
        for group in _groups(clusters)
    )
    return sum(widths)


@lru_cache(maxsize=4096)
def _advance(face: Face, drawn: str, leftward: int) -> int:
    """Return the width of a shaped text in units of the font."""
    return sum(int(position.x_advance) for position in _shape(face, drawn, leftward).glyph_positions)


def _line(clusters: Sequence[_Cluster], size: float, rightward: bool) -> Line:
    runs = tuple(_runs(clusters, size))
    return Line("".join(c.text for c in clusters), runs, sum(run.width for run in runs), size, rightward)


def _groups(clusters: Sequence[_Cluster]) -> list[list[_Cluster]]:
    """Return the clusters that stand together in one font and direction, in the order of reading."""
    groups: list[list[_Cluster]] = []
    for cluster in clusters:
        if groups and groups[-1][-1].face is cluster.face and groups[-1][-1].level == cluster.level:
            groups[-1].append(cluster)
        else:
            groups.append([cluster])
    return groups


def _runs(clusters: Sequence[_Cluster], size: float) -> list[Run]:
    """Return the runs of a line from left to right."""
    groups = _groups(clusters)
    return [_run(groups[index], size) for index in visual_order([group[0].level for group in groups])]


def _run(clusters: Sequence[_Cluster], size: float) -> Run:
    face = clusters[0].face
    buffer = _shape(face, _drawn(clusters), clusters[0].level % 2)
    said: list[str] = []
    for cluster in clusters:
        said.extend(cluster.text if cluster.drawn == cluster.text else [cluster.text])
    return Run(face, *_parts(buffer, said, size / face.face.upem))


def _drawn(clusters: Sequence[_Cluster]) -> str:
    return "".join(cluster.drawn for cluster in clusters)


def _shape(face: Face, drawn: str, leftward: int) -> hb.Buffer:
    buffer = hb.Buffer()
    buffer.add_str(drawn)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if leftward else "ltr"
    hb.shape(face.font, buffer)
    return buffer


def _parts(buffer: hb.Buffer, said: Sequence[str], scale: float) -> tuple[tuple[Part, ...], float]:
    """Return the parts of a shaped text, and its width. `said`: what each drawn character means."""
    starts = sorted({info.cluster for info in buffer.glyph_infos})
    ends = dict(zip(starts, [*starts[1:], len(said)], strict=True))
    glyphs: dict[int, list[Glyph]] = {}
    x = 0.0
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        advance = position.x_advance * scale
        glyph = Glyph(info.codepoint, x + position.x_offset * scale, position.y_offset * scale, advance)
        glyphs.setdefault(info.cluster, []).append(glyph)
        x += advance
    return tuple(Part("".join(said[start : ends[start]]), tuple(found)) for start, found in glyphs.items()), x
