"""Text as people type and paste it: invisible characters become spaces or line breaks, or go."""

from __future__ import annotations

from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import StringConstraints, ValidationError

from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload
from tenants.kit.typed_text import clean_line, clean_text


class _Form(Payload):
    name: Annotated[str, StringConstraints(min_length=1, max_length=10), ONE_LINE]
    nickname: Annotated[str, StringConstraints(max_length=10), ONE_LINE] | None = None
    message: Annotated[str, StringConstraints(min_length=1, max_length=10, strip_whitespace=False), PRINTABLE] = "x"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("Rosa\u00a0Fontaine", "Rosa Fontaine"),
        ("山田\u3000太郎", "山田 太郎"),
        ("Rosa\tFontaine", "Rosa Fontaine"),
        ("Rosa\vF\fo\x85n\u2028t\u2029a", "Rosa F o n t a"),
        ("\ufeffR\u200bo\u2060s\u00ada", "Rosa"),
        ("Ada\u202egnp.exe\u202c\u200f", "Adagnp.exe"),
        ("a\x01b\x1b[2J\x7f\x9f", "ab[2J"),
        ("می\u200cخواهم", "می\u200cخواهم"),  # Persian is written with this joiner
        ("👩\u200d🍳 🏴\U000e0067\U000e0062\U000e007f", "👩\u200d🍳 🏴\U000e0067\U000e0062\U000e007f"),
        ("Ada\U000e0068\U000e0069", "Ada"),
        ("\u200b\u200d\ufeff", ""),
        ("\u3164\u2800\u115f", ""),
        ("\u0301\ufe0f", ""),
        ("¿?", "¿?"),
        ("🍞", "🍞"),
        ("", ""),
    ],
)
def test_clean_line_keeps_what_is_visible(typed: str, stored: str) -> None:
    assert clean_line(typed) == stored


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("one\vtwo\fthree", "one\ntwo\nthree"),
        ("one\r\ntwo\rthree\x85four\u2028five\u2029six", "one\ntwo\nthree\nfour\nfive\nsix"),
        ("#\u00a0Title", "# Title"),
        ("\u3000段落", "\u3000段落"),
        ("a\tb  \n", "a\tb  \n"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),
        ("picture \ufffc here", "picture  here"),
        ("\u200b\n\u200b", "\n"),
    ],
)
def test_clean_text_keeps_lines(typed: str, stored: str) -> None:
    assert clean_text(typed) == stored


@given(st.text())
def test_clean_texts_are_clean(text: str) -> None:
    for clean in (clean_line, clean_text):
        assert clean(clean(text)) == clean(text)
        assert not set("\v\f\u00a0\u200b\ufeff\u202e\u2066") & set(clean(text))


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ({"name": "\u200b \ufeff"}, "string_too_short"),
        ({"name": "two\nlines"}, "value_error"),
        ({"name": "nul\0"}, "value_error"),
        ({"name": "\ud800"}, "string_unicode"),
        ({"name": "x" * 11}, "string_too_long"),
        ({"name": 7}, "string_type"),
        ({"name": "x", "message": "\u2800"}, "string_too_short"),
    ],
)
def test_payload_refuses_what_cannot_be_stored(typed: dict[str, object], kind: str) -> None:
    with pytest.raises(ValidationError) as caught:
        _Form.model_validate(typed)
    assert [error["type"] for error in caught.value.errors()] == [kind]


def test_payload_counts_visible_characters() -> None:
    form = _Form.model_validate(
        {"name": "\u200b" * 99 + " Rosa\u00a0", "nickname": None, "message": "1\r\n2\r\n3\r\n4\r\n5\r\n"}
    )
    assert (form.name, form.nickname, form.message) == ("Rosa", None, "1\n2\n3\n4\n5\n")
