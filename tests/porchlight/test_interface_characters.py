"""The characters of screens and emails: symbols are drawn icons, because an emoji looks different on each device."""

from __future__ import annotations

import re

from porchlight_dev.checks.findings import ROOT, read_text, tracked_files

# Pictographs, dingbats, arrows and geometric shapes, and the selector of their colored form.
_SYMBOLS = re.compile("[\U0001f000-\U0001faff\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\ufe0f]")
_SOURCES = ("main-web/src/", "main-web/shared/", "main-web/public/", "guru-web/src/", "sites/", "platform/porchlight/")
_TESTS = "main-web/src/testing/"
_SUFFIXES = (".ts", ".tsx", ".css", ".html", ".json", ".py", ".j2", ".md", ".toml", ".sql")
# Data: an emoji that no screen shows (SPEC 3: `emoji` and `riskIndicator`), and a character of the receipts' font.
_DATA = {
    "guru-web/src/fallback/default-content.ts",
    "main-web/shared/catalog.gen.json",
    "platform/porchlight/catalog/catalog.py",
    "sites/theme/presets.py",
}


def _symbols() -> dict[str, set[str]]:
    found = {}
    for name in tracked_files(ROOT, _SUFFIXES):
        if (
            name.startswith(_SOURCES)
            and not name.startswith(_TESTS)
            and ".test." not in name
            and not name.endswith("/guru.toml")
        ):
            symbols = set(_SYMBOLS.findall(read_text(ROOT, name)))
            if symbols:
                found[name] = symbols
    return found


def test_interface_has_no_emoji() -> None:
    found = _symbols()
    assert {name: symbols for name, symbols in found.items() if name not in _DATA} == {}
    assert found.keys() >= _DATA, "a file without symbols needs no exception"
