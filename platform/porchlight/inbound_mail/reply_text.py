"""The words that a person wrote in a reply by email, without the history below or around them.

Mail programs mark the history in their own ways and languages, so their phrases decide nothing here. What does is our
own email in it: it has the relay address that the reply went to, or the link of the thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_ATTRIBUTION_LINES = 3  # "On … <address> wrote:", as mail programs wrap it
MIN_HEADER_LINES = 3  # of a block like "From:", "Sent:", "To:", "Subject:"
MAX_SIGNATURE_LINES = 12
MAX_DEVICE_LINE_CHARACTERS = 80

_QUOTED = re.compile(r"[ \t]*>")
_HEADER = re.compile(r"[ \t]*\*?[^\W\d_][\w .-]{0,24}\*?[ \u00a0]?[:：]\*?(?:[ \t\u00a0]|$)")
_RULE = re.compile(r"[ \t]*[-_─]{5,}[^\n]{0,60}$")  # a line, or "-----Original Message-----"
_DEVICE = re.compile(r"\b(?:iPhone|iPad|Android|Galaxy|Outlook|Proton ?Mail|Yahoo|BlackBerry)\b")
_INVISIBLE = re.compile("[\u200b\u2060\ufeff]")


def new_words(text: str, marks: Sequence[str]) -> str:
    """Return what the person wrote in the plain text of a reply, "" if nothing is left.

    `marks`: texts that only the history has, such as the relay address and the link of the thread. Answers between
    lines that are quoted with ">" are kept, and so is what the person quotes in the answer.
    """
    lines = [_INVISIBLE.sub("", line).rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    start = _history_start(lines, [mark.lower() for mark in marks])
    above, below = lines[:start], lines[start:]
    words = _without_signature(above)
    between = _between_quotes(below)
    return "\n".join([*words, "", *between] if between else words).strip()


def _history_start(lines: list[str], marks: list[str]) -> int:
    """Return the index of the first line of the history; `len(lines)` without one."""
    marked = (index for index, line in enumerate(lines) if any(mark in line.lower() for mark in marks))
    index = next(marked, None)
    if index is None:
        return _trailing_quote(lines)
    if _QUOTED.match(lines[index]):
        return _before_attribution(lines, _first_quoted(lines, index))
    headers = _header_block(lines, index)
    if headers is not None:
        return headers
    line = lines[index].lower().lstrip(" <(")
    start = _wrapped_start(lines, index) if any(line.startswith(mark) for mark in marks) else index
    return start - 1 if start > 0 and _RULE.match(lines[start - 1]) else start


def _wrapped_start(lines: list[str], index: int) -> int:
    """Return the first line of an attribution whose address was wrapped to the line at `index`."""
    start = index
    while start > 0 and lines[start - 1] and index - start < MAX_ATTRIBUTION_LINES - 1:
        start -= 1
    return start


def _first_quoted(lines: list[str], index: int) -> int:
    """Return the first line of the quote around `index`, which empty lines do not end."""
    first = index
    while index >= 0 and (not lines[index] or _QUOTED.match(lines[index])):
        first = index if lines[index] else first
        index -= 1
    return first


def _before_attribution(lines: list[str], first: int) -> int:
    """Return the index of the line that introduces a quote, such as "On … wrote:", else of the quote."""
    last = first - 1
    while last >= 0 and not lines[last]:
        last -= 1
    if last < 0 or not lines[last].rstrip("\u00a0 ").endswith((":", "：")):
        return first
    start = last
    while start > 0 and lines[start - 1] and last - start + 1 < MAX_ATTRIBUTION_LINES:
        start -= 1
    return start


def _header_block(lines: list[str], index: int) -> int | None:
    """Return the first line of the block of headers at or above `index`, with the rule above it; None without one."""
    run = 0
    for candidate in range(min(index + MIN_HEADER_LINES, len(lines) - 1), -1, -1):
        if _HEADER.match(lines[candidate]) and not _QUOTED.match(lines[candidate]):
            run += 1
            is_first = candidate == 0 or not _HEADER.match(lines[candidate - 1])
            if is_first and run >= MIN_HEADER_LINES:
                above = candidate - 1
                while above >= 0 and not lines[above]:
                    above -= 1
                return above if above >= 0 and _RULE.match(lines[above]) else candidate
        else:
            run = 0
    return None


def _trailing_quote(lines: list[str]) -> int:
    """Return the start of a quote that ends the text, with its attribution: the history without any of our marks."""
    end = len(lines)
    while end > 0 and not lines[end - 1]:
        end -= 1
    start = end
    while start > 0 and (not lines[start - 1] or _QUOTED.match(lines[start - 1])):
        start -= 1
    quoted = [index for index in range(start, end) if lines[index]]
    return _before_attribution(lines, quoted[0]) if quoted else len(lines)


def _without_signature(lines: list[str]) -> list[str]:
    """Return the lines without a signature (RFC 3676, 4.3) and without the line that names the device."""
    for index, line in enumerate(lines):
        if line == "--" and len(lines) - index <= MAX_SIGNATURE_LINES:
            lines = lines[:index]
            break
    end = len(lines)
    while end > 0 and not lines[end - 1]:
        end -= 1
    lines = lines[:end]
    if len(lines) > 1 and not lines[-2] and len(lines[-1]) <= MAX_DEVICE_LINE_CHARACTERS and _DEVICE.search(lines[-1]):
        return lines[:-1]
    return lines


def _between_quotes(lines: list[str]) -> list[str]:
    """Return the lines after the first quoted one that are not quoted: answers between the lines of the history."""
    quoted = [index for index, line in enumerate(lines) if _QUOTED.match(line)]
    if not quoted:
        return []
    return _without_signature([line for line in lines[quoted[0] :] if not _QUOTED.match(line)])
