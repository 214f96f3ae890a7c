"""Email addresses that people type."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenants.kit.email_addresses import (
    INVALID_EMAIL,
    InvalidEmail,
    ascii_email,
    normalize_email,
    split_sender,
    wire_email,
)

NEVER = "Email to this address never arrives. Please use an address that you read."


@pytest.mark.parametrize(
    ("typed", "stored", "sent"),
    [
        ("ada@example.com", "ada@example.com", "ada@example.com"),
        (" \u200bada@example.com\u200b\u00a0", "ada@example.com", "ada@example.com"),
        ("Ada.O'Neil+class@Example.COM", "Ada.O'Neil+class@example.com", "Ada.O'Neil+class@example.com"),
        ("ada@bücher.example", "ada@bücher.example", "ada@xn--bcher-kva.example"),
        ("ada@xn--bcher-kva.example", "ada@bücher.example", "ada@xn--bcher-kva.example"),
        ("Ada@Straße.de", "Ada@straße.de", "Ada@xn--strae-oqa.de"),
        ("ada@example。com", "ada@example.com", "ada@example.com"),
        ("ada@пример.рф", "ada@пример.рф", "ada@xn--e1afmkfd.xn--p1ai"),
        ("a" * 64 + "@example.com", "a" * 64 + "@example.com", "a" * 64 + "@example.com"),
    ],
)
def test_address_is_stored_readable_and_sent_in_ascii(typed: str, stored: str, sent: str) -> None:
    assert normalize_email(typed) == stored
    assert ascii_email(stored) == sent
    assert normalize_email(sent) == stored


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("zoë@example.com", "an address with “ë” before the @. Please use another address."),
        ("дора@bücher.example", "an address with “д” before the @"),
        ("ada@localhost", NEVER),
        ("ada@mail.test", NEVER),
        ("ada@printer.LOCAL", NEVER),
        ("no-reply@example.com", NEVER),
        *(
            (text, INVALID_EMAIL)
            for text in (
                "", "ada", "ada@", "@example.com", "ada@example", "ada@example.com.", "ada@@example.com",
                "ada @example.com", "ada@[1.2.3.4]", "ada@1.2.3.4", '"a b"@example.com', "Ada <ada@example.com>",
                "ada..b@example.com", ".ada@example.com", "ada@gmail,com", "a@gmail.com;b@gmail.com",
                "a" * 65 + "@example.com", "ada@" + "a" * 64 + ".com", "ada@exa\u200bmple.com ada", "ada＠example.com",
            )
        ),
    ],
)  # fmt: skip
def test_unreachable_address_is_refused_in_words(typed: str, words: str) -> None:
    with pytest.raises(InvalidEmail, match=re.escape(words)):
        normalize_email(typed)


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_is_an_address_or_refused(local: str, domain: str) -> None:
    try:
        address = normalize_email(f"{local}@{domain}")
    except InvalidEmail:
        return
    assert ascii_email(address).isascii()
    assert normalize_email(ascii_email(address)) == address


def test_link_to_unreachable_address_keeps_it() -> None:
    assert wire_email("zoë@example.com") == "zoë@example.com"


@pytest.mark.parametrize(
    ("text", "name", "address"),
    [
        ("notices@porchlight.example", "", "notices@porchlight.example"),
        ("Porchlight, Inc. <notices@porchlight.example>", "Porchlight, Inc.", "notices@porchlight.example"),
        ('"Porch <3 light" <a@b.example>', "Porch <3 light", "a@b.example"),
    ],
)
def test_sender_is_split_into_name_and_address(text: str, name: str, address: str) -> None:
    assert split_sender(text) == (name, address)
