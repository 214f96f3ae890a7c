"""The bounds of what phrases are compared with, and of the phrases that searches may add."""

from __future__ import annotations

# Beyond these, a search uses spelling alone: very many different texts are no searches of people.
MAX_WAITING_PHRASES = 500  # for the embeddings job
MAX_SEARCHED_PHRASES = 50_000  # that no listing names
LOOKUP_PHRASE = "SELECT phrase_id, related_by FROM app.lookup_phrase(%s, %s, %s)"

MAX_NEAREST_PHRASES = 40  # by spelling; app.nearest_phrases reads as many by meaning
MIN_COMMON_TRIGRAMS = 0.3  # of two texts that are compared; it is the share, 0 to 1


def lookup_params(words: str) -> list[str | int]:
    """Return the parameters of LOOKUP_PHRASE, for the text of a search."""
    return [words, MAX_WAITING_PHRASES, MAX_SEARCHED_PHRASES]
