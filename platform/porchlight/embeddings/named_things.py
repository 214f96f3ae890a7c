"""Names that are matched exactly (languages, instruments, sports, tools), and abbreviations, from named_things.toml.

A sentence model finds Portuguese and Spanish alike, or piano and guitar. A neighbor who wants one has no use for the
other.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

_FILE = Path(__file__).with_suffix(".toml")
_WORD = re.compile(r"[\w#+]+")
_NUMBER = re.compile(r"\d{1,3}[a-c]?|i{1,3}|iv", re.IGNORECASE | re.ASCII)  # of a course: "Calc 2", "Alg II"


class NamedThings:
    """Finds the names of a text."""

    def __init__(
        self,
        groups: Mapping[str, list[str]],
        other_meanings: list[str],
        abbreviations: Mapping[str, str],
        numbered: Mapping[str, str],
        spoken: Mapping[str, str],
    ) -> None:
        self._names: dict[tuple[str, ...], tuple[str, str]] = {}  # by words: group and name
        self._branches: dict[str, set[str]] = {}  # of a subject, by its name
        for group, entries in groups.items():
            for entry in entries:
                subject, _, branches = entry.partition(">")
                for one in (subject, *filter(None, branches.split(";"))):
                    name, _, synonyms = one.partition("=")
                    for spelled in (name, *filter(None, synonyms.split(","))):
                        self._names[_words(spelled)] = (group, name.strip())
                    self._branches.setdefault(_name(subject), set()).add(name.strip())
        self._others = {_words(phrase) for phrase in other_meanings}
        self._longest = max(map(len, [*self._names, *self._others]))
        self._abbreviations = abbreviations
        self._numbered = numbered
        self._spoken = spoken
        self._spoken_names = re.compile(rf"\b(?:{'|'.join(map(re.escape, spoken))})(?!\w)", re.IGNORECASE)

    def names(self, text: str) -> dict[str, set[str]]:
        """Return the names in a text by group. A subject means all its branches as well."""
        words, found = _words(text), dict[str, set[str]]()
        start = 0
        while start < len(words):
            for length in range(min(self._longest, len(words) - start), 0, -1):
                part = words[start : start + length]
                if part in self._others or part in self._names:
                    if part in self._names:
                        group, name = self._names[part]
                        found.setdefault(group, set()).update(self._branches.get(name, {name}))
                    start += length
                    break
            else:
                start += 1
        return found

    def are_different(self, one: str, other: str) -> bool:
        """Return whether two texts, written out, name different things of one group, and none in common."""
        names, others = self.names(self.expand(one)), self.names(self.expand(other))
        return any(names[group].isdisjoint(others[group]) for group in names.keys() & others.keys())

    def spell(self, text: str) -> str:
        """Return a text with the signs of a name that people say instead: "c sharp" is "c#"."""
        return self._spoken_names.sub(lambda match: self._spoken[match[0].lower()], text) if self._spoken else text

    def expand(self, text: str) -> str:
        """Return a text with its abbreviations written out, for the model: also "alg" in "Alg 2", but not elsewhere."""
        text = self.spell(text)
        return " ".join(
            self._numbered.get(word.lower(), self._abbreviations.get(word.lower(), word))
            if _NUMBER.fullmatch(after)
            else self._abbreviations.get(word.lower(), word)
            for word, after in pairwise([*text.split(), ""])
        )


@cache
def named_things() -> NamedThings:
    """Return the names of named_things.toml."""
    data = tomllib.loads(_FILE.read_text("utf-8"))
    return NamedThings(
        data["groups"],
        data["other_meanings"]["phrases"],
        data["abbreviations"],
        data["numbered_subjects"],
        data["spoken_names"],
    )


def _name(entry: str) -> str:
    return entry.partition("=")[0].strip()


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))
