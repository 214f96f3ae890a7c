"""The word list: where each kind of phrase counts."""

from __future__ import annotations

from porchlight_dev.checks.prose import check_text


def _lines(path: str, text: str) -> list[int]:
    return sorted({finding.line for finding in check_text(path, text)})


def test_comment_with_listed_word_is_found() -> None:
    assert _lines("sites/a.py", "x = 1  # read anew\ny = 2\n") == [1]


def test_docstring_starting_with_what_is_found() -> None:
    assert _lines("sites/a.py", 'def f():\n    """What a caller gets."""\n') == [2]
    assert _lines("sites/a.py", 'def f():\n    """Return the rows."""\n') == []


def test_python_string_counts_outside_of_tests_only() -> None:
    source = 'MESSAGE = "Your services are out of reach."\n'
    assert _lines("sites/a.py", source) == [1]
    assert _lines("tests/a.py", source) == []


def test_code_word_in_user_text_is_allowed() -> None:
    assert _lines("sites/a.py", 'TITLE = "Paint a fence"\n') == []
    assert _lines("sites/a.py", "# Behind the fence.\n") == [1]


def test_jsx_text_with_listed_phrase_is_found() -> None:
    text = "export const A = () => (\n  <p>Nobody has written yet.</p>\n);\n"
    assert _lines("main-web/src/a.tsx", text) == [2]


def test_web_block_comment_counts_as_code() -> None:
    text = "/**\n * The door of the house.\n */\nconst door = 1;\n"
    assert _lines("main-web/src/a.ts", text) == [2]


def test_markdown_line_with_listed_word_is_found() -> None:
    assert _lines("README.md", "# Title\n\nWhoever runs it, mends it.\n") == [3]
