"""Tell whether the encoder's vocabulary knows the words of a text. The result for made-up words is arbitrary."""

from __future__ import annotations

from porchlight.embeddings.wordpiece import WordPieceTokenizer, split_words

_MIN_WORD_LETTERS = 3  # shorter words carry no meaning
_MIN_LETTERS_PER_PIECE = 2.2  # made-up words split into smaller pieces on average
_MIN_LETTERS_OF_WORD_PIECE = 4.0  # pieces of this size are words themselves
_SUFFIXES = {"##s", "##es", "##ing", "##ed", "##er", "##ers", "##ly", "##ist", "##ists"}
# Words that are common in all queries and carry no meaning.
_STOP_WORDS = {
    *("about", "and", "any", "can", "for", "from", "get", "help", "how", "learn", "need", "our", "please", "some"),
    *("teach", "that", "the", "this", "want", "what", "who", "with", "you", "your"),
}


def _is_whole_word(pieces: list[str]) -> bool:
    """Return whether a word's pieces keep its meaning: a single piece, large pieces, or a word and a suffix."""
    letters = sum(len(piece.removeprefix("##")) for piece in pieces)
    has_suffix = len(pieces) == 2 and len(pieces[0]) >= _MIN_LETTERS_OF_WORD_PIECE and pieces[1] in _SUFFIXES
    return len(pieces) == 1 or letters >= _MIN_LETTERS_OF_WORD_PIECE * len(pieces) or has_suffix


def _is_meaningful(word: str) -> bool:
    return len(word) >= _MIN_WORD_LETTERS and word.isalpha() and word not in _STOP_WORDS


def has_known_words(tokenizer: WordPieceTokenizer, text: str) -> bool:
    """Return whether the words of `text` split into pieces that are large enough to carry meaning."""
    words = split_words(text)
    meaningful = [word for word in words if _is_meaningful(word)]
    pieces = sum(len(tokenizer.word_ids(word)) for word in meaningful)
    has_cjk = any(tokenizer.is_known_cjk(word) for word in words)
    return has_cjk or sum(map(len, meaningful)) >= _MIN_LETTERS_PER_PIECE * max(1, pieces)


def has_whole_word(tokenizer: WordPieceTokenizer, text: str) -> bool:
    """Return whether the vocabulary has a word of `text`, or the word splits into pieces that are words."""
    words = split_words(text)
    return any(tokenizer.is_known_cjk(word) for word in words) or any(
        _is_meaningful(word) and _is_whole_word(tokenizer.word_pieces(word)) for word in words
    )
