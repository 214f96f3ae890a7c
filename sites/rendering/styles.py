"""The rules of the style sheet that a page uses.

A page has them in its HTML: two thirds of the sheet at most. The whole sheet is loaded later, with the scripts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

_CLASSES_OF_HTML: Final = re.compile(r'class="([^"]*)"')
_CLASS: Final = re.compile(r"\.([A-Za-z][\w-]*)")
_PARENTHESES: Final = re.compile(r"\([^()]*\)")
_GROUPS: Final = ("@media", "@supports", "@container")
_DEFAULTS: Final = ":where(:root)"
_MAX_CACHED_STYLES: Final = 128  # each of 20 kB: memory must not grow with the gurus


class _Selector(NamedTuple):
    text: str
    classes: frozenset[str]
    """The classes that the page must have. Those in parentheses do not count: `:not()` and `:is()` can do without."""


class _Rule(NamedTuple):
    """One rule. `selectors` is empty for one that every page keeps, such as `@font-face`."""

    text: str
    block: str = ""
    selectors: tuple[_Selector, ...] = ()
    head: str = ""
    """Of a group of rules, such as `@media`."""
    rules: tuple[_Rule, ...] = ()


class StyleSheet:
    """A minified style sheet, cut into its rules."""

    def __init__(self, css: str) -> None:
        self._rules = tuple(_rule(text) for text in _texts(css))
        self._rules_of_themes = tuple(rule for rule in self._rules if not rule.text.startswith(_DEFAULTS))
        self._classes = frozenset(_CLASS.findall(css))
        self._cached = lru_cache(maxsize=_MAX_CACHED_STYLES)(self._used_by)

    def used_by(self, html: str, *, has_theme: bool) -> str:
        """Return the rules for the classes in a page. `has_theme`: the page brings colors and fonts of its own."""
        classes = self._classes.intersection(" ".join(set(_CLASSES_OF_HTML.findall(html))).split())
        return self._cached(classes, has_theme)

    def _used_by(self, classes: frozenset[str], has_theme: bool) -> str:
        return _used(self._rules_of_themes if has_theme else self._rules, classes)


def _used(rules: Sequence[_Rule], classes: frozenset[str]) -> str:
    used = []
    for rule in rules:
        if rule.rules:
            if inner := _used(rule.rules, classes):
                used.append(f"{rule.head}{{{inner}}}")
        elif not rule.selectors:
            used.append(rule.text)
        elif selectors := [selector.text for selector in rule.selectors if selector.classes <= classes]:
            used.append(",".join(selectors) + rule.block)
    return "".join(used)


def _rule(text: str) -> _Rule:
    head, brace, block = text.partition("{")
    if head.startswith(_GROUPS):
        return _Rule(text, head=head, rules=tuple(_rule(inner) for inner in _texts(block[:-1])))
    if head.startswith("@"):
        return _Rule(text)
    selectors = tuple(_Selector(selector, _needed(selector)) for selector in _split(head))
    return _Rule(text, brace + block, selectors)


def _needed(selector: str) -> frozenset[str]:
    outer, count = selector, 1
    while count:
        outer, count = _PARENTHESES.subn("", outer)
    return frozenset(_CLASS.findall(outer))


def _texts(css: str) -> list[str]:
    """Return the text of each rule at the top level. A sheet has no braces in strings."""
    texts, depth, start = [], 0, 0
    for match in re.finditer(r"[{}]", css):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            texts.append(css[start : match.end()])
            start = match.end()
    return texts


def _split(selectors: str) -> list[str]:
    """Return the selectors of a list, whose commas in parentheses belong to one selector."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(r"[(),]", selectors):
        if match[0] == ",":
            if depth == 0:
                parts.append(selectors[start : match.start()])
                start = match.end()
        else:
            depth += 1 if match[0] == "(" else -1
    return [*parts, selectors[start:]]
