"""The waiver texts in `texts/<level>/<version>.md`. A released text never changes: a new one gets the next version.

If the new one changes an important point, add it to `MATERIAL_VERSIONS` too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from porchlight.contracts import RISK_LEVELS, RiskLevel
from porchlight.features.waivers.canonical import sha256_hex


@dataclass(frozen=True, slots=True)
class TextVersion:
    """A text that a waiver names. `name` is the risk level, or a name for a guru's own addition."""

    name: str
    version: int
    sha256: str


@dataclass(frozen=True, slots=True)
class WaiverText:
    """A text as the signer read it. `body` is Markdown with headings, paragraphs and lists, without inline markup.

    `is_plain`: it is a guru's own text, with line breaks only and without its title.
    """

    name: str
    version: int
    title: str
    body: str
    is_plain: bool = False

    @property
    def reference(self) -> TextVersion:
        """Return the text's name, version and SHA-256 for a waiver record."""
        return TextVersion(self.name, self.version, sha256_hex(self.body.encode()))


# Versions that change an important point: they end waivers with an earlier text (`retention.end_outdated_waivers`).
MATERIAL_VERSIONS: frozenset[tuple[RiskLevel, int]] = frozenset()


def oldest_valid_version(level: RiskLevel) -> int:
    """Return the oldest version of a level's text whose waivers are still valid."""
    return max((version for name, version in MATERIAL_VERSIONS if name == level), default=1)


@cache
def load_text(level: RiskLevel, version: int) -> WaiverText:
    """Return a version of the text of a level. Raises KeyError for an unknown version."""
    file = files(__package__).joinpath("texts", level, f"{version}.md")
    if not file.is_file():
        raise KeyError(f"{level}/{version}")
    body = file.read_text("utf-8")
    return WaiverText(level, version, body.splitlines()[0].removeprefix("# "), body)


def current_texts_digest() -> str:
    """Return a digest of the current texts of all levels: 16 hexadecimal digits."""
    return sha256_hex("".join(current_text(level).reference.sha256 for level in RISK_LEVELS).encode())[:16]


@cache
def current_text(level: RiskLevel) -> WaiverText:
    """Return the newest version of the text of a level."""
    names = [file.name for file in files(__package__).joinpath("texts", level).iterdir()]
    return load_text(level, max(int(name.removesuffix(".md")) for name in names))
