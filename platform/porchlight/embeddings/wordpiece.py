"""The uncased WordPiece tokenizer of BERT, as all-MiniLM-L6-v2 uses it.

Written here because the library `tokenizers` depends on a download client. The tests compare it with that library.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"
MAX_WORD_CHARACTERS = 100  # longer words are unknown
# The Unicode blocks of Chinese characters. Each character is a word.
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
    # All ASCII characters except letters, digits and the space count, also those that Unicode calls symbols.
    if 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126:
        return True
    return unicodedata.category(character).startswith("P")


def _is_cjk(character: str) -> bool:
    code = ord(character)
    return any(first <= code <= last for first, last in _CJK)


def split_words(text: str) -> list[str]:
    """Return the words and punctuation marks of `text`, in lower case without accents."""
    characters: list[str] = []
    for character in text:
        category = unicodedata.category(character)
        if character in "\t\n\r" or category == "Zs":
            characters.append(" ")
        elif character in "\0\ufffd" or category.startswith("C"):
            continue
        else:
            characters.append(f" {character} " if _is_cjk(character) else character)
    decomposed = unicodedata.normalize("NFD", "".join(characters).lower())
    spaced = (
        f" {character} " if _is_punctuation(character) else character
        for character in decomposed
        if unicodedata.category(character) != "Mn"
    )
    return "".join(spaced).split()


class WordPieceTokenizer:
    """Turns text into token ids."""

    def __init__(self, vocabulary: Path) -> None:
        self._pieces = vocabulary.read_text(encoding="utf-8").split("\n")
        self._ids = {piece: token_id for token_id, piece in enumerate(self._pieces) if piece}

    def encode(self, text: str, max_tokens: int) -> list[int]:
        """Return the token ids of `text` between the start and end tokens, at most `max_tokens` in all."""
        ids: list[int] = []
        for word in split_words(text):
            ids += self.word_ids(word)
            if len(ids) >= max_tokens:
                break
        return [self._ids[START], *ids[: max_tokens - 2], self._ids[END]]

    def is_known_cjk(self, word: str) -> bool:
        """Return whether `word` is a Chinese character of the vocabulary, which has a meaning by itself."""
        return len(word) == 1 and _is_cjk(word) and word in self._ids

    def word_ids(self, word: str) -> list[int]:
        """Return the token ids of one word."""
        if len(word) > MAX_WORD_CHARACTERS:
            return [self._ids[UNKNOWN]]
        ids: list[int] = []
        start = 0
        while start < len(word):
            token_id, end = self._longest_piece(word, start)
            if token_id is None:
                return [self._ids[UNKNOWN]]
            ids.append(token_id)
            start = end
        return ids

    def word_pieces(self, word: str) -> list[str]:
        """Return the pieces of one word. Pieces after the first begin with ##."""
        return [self._pieces[token_id] for token_id in self.word_ids(word)]

    def _longest_piece(self, word: str, start: int) -> tuple[int | None, int]:
        for end, piece in self._candidates(word, start):
            token_id = self._ids.get(piece)
            if token_id is not None:
                return token_id, end
        return None, start

    @staticmethod
    def _candidates(word: str, start: int) -> Iterator[tuple[int, str]]:
        prefix = "##" if start else ""
        for end in range(len(word), start, -1):
            yield end, prefix + word[start:end]
