"""The name by which an email calls a person."""

from __future__ import annotations

_ROLE = "Guru"  # the last word of names such as "Chef Guru", which have no first name


def first_name(name: str) -> str:
    """Return the first name of a full name: "Theo" of "Theo Barnes".

    A name without one stays whole: a role ("Chef Guru"), or one that starts with a title or an initial ("Dr. Hall").
    """
    words = name.split()
    if len(words) < 2 or words[-1] == _ROLE or words[0].endswith(".") or len(words[0]) == 1:
        return name
    return words[0]
