"""The numbers by which a search finds and ranks, and the bounds of what it reads. SQL takes them as parameters."""

from __future__ import annotations

from porchlight.geo.nearness import DISTANCE_WEIGHT

PAGE_SIZE = 20
MAX_HITS = 120  # per search
MAX_RANKED = 2 * MAX_HITS  # some of them belong to suspended accounts
MAX_MAP_CELLS = 60
MAX_NEXT_STARTS = 5  # gurus of a page whose free times are read
MAX_SUMMARY_CHARACTERS = 240
MAX_PAGE_WORDS_CHARACTERS = 4000  # of the words that a page is indexed by, to see whether it shares one

# A result answers the search from this probability on, and from this share of the best result's.
MIN_FIT, MIN_SHARE_OF_BEST = 0.25, 0.4
# Weaker ones are shown as related, if they reach the minimum of their kind: kinds with broader texts match more words.
MIN_SHOWN = {"offer": 0.15, "guru": 0.2, "post": 0.2, "angel": 0.4}
MIN_PARAPHRASE = 0.05  # the minimum for listings if nothing answers the search: it may be an unusual paraphrase
MIN_PARAPHRASE_WORDS = 3  # of a search that may be a paraphrase; a single word has no unusual one
MAX_RELATED = 6
ALIKE_BY_SPELLING = 0.75  # the same for words that no model has read: their spelling must be nearly the same
# The least probability of an answer, by what the result has in common with the search (relevance.py) and by its kind.
# A page has many titles, tags and services, and one of them is often near by chance. A result with all words needs
# MIN_SHOWN alone. The numbers come from the tuning half of tests/porchlight/search/data/judged_queries.txt.
MIN_ANSWER = {
    "SEEN_WORD": {"offer": 0.0, "guru": 0.6, "post": 0.75, "angel": 0.75},
    "CATEGORY": {"offer": 0.3, "guru": 0.7, "post": 0.9, "angel": 0.85},
    "HIDDEN_WORD": {"offer": 0.3, "guru": 0.8, "post": 0.9, "angel": 0.85},
    "MEANING": {"offer": 0.3, "guru": 0.8, "post": 0.9, "angel": 0.85},
}

# Phrases whose spelling (0 to 1) is similar to the text.
ALIKE_SPELLING = 0.7  # if the meaning of the text is known, which finds the others
MIN_SPELLING = 0.45
TYPO_SPELLING = 0.2  # below that only if few typos are between them; this is where the index stops
SHORT_LENGTH = 10  # characters; a typo changes so much of a shorter text that both steps are one
EDITS_BY_LENGTH = (0, 0, 0, 2, 2, 2, 3, 3, 3, 4)  # typos in a text of 1, 2, 3 ... characters, and in longer ones
PART_WEIGHT = 0.95  # of a text that is a part of a longer phrase
# A word that is written without spaces inside of a longer phrase: the shorter the phrase, the more of it is the word.
INSIDE_WEIGHT, INSIDE_BONUS = 0.9, 0.05

# Phrases by spelling and by meaning: the likeliest of them.
MAX_PHRASES = 40
MIN_SHARE_OF_BEST_PHRASE = 0.35
MIN_PHRASES = 10  # read anyway if the meaning is known

# Listings per phrase: enough for a full page of one phrase, and a bound for those that very many neighbors offer.
MAX_NEAR_LISTINGS = 60
MAX_FAR_LISTINGS = 40
# The distance takes no more, so a page with less than this share of the last one cannot come before it. The thousandth
# is for rounding: probabilities are stored with seven digits.
LAST_SHARE = 1 - DISTANCE_WEIGHT - 0.001
