"""BERT's uncased word pieces: the numbers by which all-MiniLM-L6-v2 reads text.

Written out here because the library for it brings a download client along; the tests hold it to that library's answers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"
LONGEST_WORD = 100  # characters; a longer one is unknown
# Blocks of Chinese characters, each of which is a word.
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _is_punctuation(character: str) -> bool:
    code = ord(character)
    # Everything of ASCII that is no letter, digit or blank counts, whatever Unicode calls it.
    if 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126:
        return True
    return unicodedata.category(character).startswith("P")


def _is_cjk(character: str) -> bool:
    code = ord(character)
    return any(first <= code <= last for first, last in _CJK)


def words_of(text: str) -> list[str]:
    """Words and single punctuation marks, in small letters without accents."""
    made: list[str] = []
    for character in text:
        kind = unicodedata.category(character)
        if character in "\t\n\r" or kind == "Zs":
            made.append(" ")
        elif character in "\0\ufffd" or kind.startswith("C"):
            continue
        else:
            made.append(f" {character} " if _is_cjk(character) else character)
    plain = unicodedata.normalize("NFD", "".join(made).lower())
    spaced = (
        f" {character} " if _is_punctuation(character) else character
        for character in plain
        if unicodedata.category(character) != "Mn"
    )
    return "".join(spaced).split()


class WordPieces:
    """Turns text into the numbers of its pieces."""

    def __init__(self, vocabulary: Path) -> None:
        lines = vocabulary.read_text(encoding="utf-8").split("\n")
        self._texts = lines
        self._numbers = {piece: number for number, piece in enumerate(lines) if piece}

    def numbers(self, text: str, most: int) -> list[int]:
        """The pieces of `text` between the marks of start and end, `most` of them at most."""
        inside: list[int] = []
        for word in words_of(text):
            inside += self.pieces(word)
            if len(inside) >= most:
                break
        return [self._numbers[START], *inside[: most - 2], self._numbers[END]]

    def is_sign(self, word: str) -> bool:
        """Whether it is a Chinese character of the vocabulary, which says something by itself."""
        return len(word) == 1 and _is_cjk(word) and word in self._numbers

    def pieces(self, word: str) -> list[int]:
        """The numbers of one word's pieces."""
        if len(word) > LONGEST_WORD:
            return [self._numbers[UNKNOWN]]
        found: list[int] = []
        start = 0
        while start < len(word):
            number, end = self._longest(word, start)
            if number is None:
                return [self._numbers[UNKNOWN]]
            found.append(number)
            start = end
        return found

    def texts(self, word: str) -> list[str]:
        """One word's pieces as the vocabulary spells them; those within a word begin with ##."""
        return [self._texts[number] for number in self.pieces(word)]

    def _longest(self, word: str, start: int) -> tuple[int | None, int]:
        for end, piece in self._candidates(word, start):
            number = self._numbers.get(piece)
            if number is not None:
                return number, end
        return None, start

    @staticmethod
    def _candidates(word: str, start: int) -> Iterator[tuple[int, str]]:
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            yield end, mark + word[start:end]
