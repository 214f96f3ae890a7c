"""The numbers by which matches are scored, and the bounds of what is read for them. SQL takes them as parameters."""

from __future__ import annotations

from collections.abc import Sequence

# A match's score, 0 to 100.
BEST_WEIGHT = 0.9  # of the skill that fits best; all others share the rest, because one good teacher is a match
OTHERS_RATE = 0.5  # how fast the others fill their share: two certain ones fill 63 % of it
LEARNER_WEIGHT = 0.6  # of a skill that they want, beside one that they teach
MIN_REASON = 0.3  # of a pair of skills that is named as a reason; less is only similar, as crochet is to knitting

# Candidates are read in rings of grid cells around the user (2.2 km each), up to the end of the near tiles. A ring has
# the nearness of its nearest point: 1 for the user's own cell, 0 from FAR_KM of geo.nearness on.
RING_CELLS = (0, 1, 3, None)
RING_NEARNESS = (1.0, 0.94, 0.89, 0.78)
# With these bounds, 9 of the 10 best among 100,000 people are the same as in a complete search.
MAX_CANDIDATES = 4000
MAX_PER_BLOCK = 150  # a block is one skill in one ring
MAX_ONLINE = 20  # teachers of a skill outside the near tiles
SPARE_LIKELY, SPARE_RANKED = 140, 30  # people scored with all their skills, and those of them whose accounts are read

# Skills to suggest.
MIN_PROBABILITY = 0.5  # that a skill serves a want
MAX_WANTS = 2000  # the newest ones nearby
MAX_LIKELY_SKILLS = 20  # counted exactly

MAX_RINGS_SHOWN = 20


def shown_by_plan(fit_both_ways: Sequence[bool], one_way_shown: float) -> list[bool]:
    """Return which matches a plan shows, best first: all that fit both ways, and the first `one_way_shown` others."""
    shown = []
    for both_ways in fit_both_ways:
        shown.append(both_ways or one_way_shown > 0)
        one_way_shown -= not both_ways
    return shown
