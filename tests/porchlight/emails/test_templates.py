"""Every email template, rendered with sample values and with hostile ones."""

from __future__ import annotations

import re
from dataclasses import astuple
from datetime import date
from decimal import Decimal
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import UndefinedError

import porchlight
from porchlight.emails.templates import format_day_range, format_hours, line_breaks, quote_lines, unlink
from porchlight.ports import EmailMessage
from tests.porchlight.emails.samples import SAMPLES, TEMPLATES, URL, Sample, render, replace_words

HOSTILE = "<script>alert('x')</script>\r\nBcc: all@evil.example\u2028{{ 7 * 7 }}\" onload=\""
# What mail programs turn into links by themselves.
AUTOLINK = re.compile(r"[a-z]+://|\S@\w|\S[.\u3002\uff0e\uff61][^\W\d_]{2}", re.IGNORECASE)


def render_sample(package: str, template: str, **changes: object) -> EmailMessage:
    """Return the email of a template. `changes` replace values of its sample."""
    sample = SAMPLES[package][template]
    parts = [{name: changes.get(name, value) for name, value in part.items()} for part in astuple(sample)]
    return render(package, template, Sample(*parts))


def has_values(package: str, template: str) -> bool:
    """Return whether a template shows values. The news of a declined swap has none."""
    return SAMPLES[package][template] != Sample() and template != "swap_ring_declined"


def visible_text(html: str) -> str:
    body = html[html.index("<body") :]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_every_template_file_has_a_sample() -> None:
    root = Path(next(iter(porchlight.__path__)))
    files = {
        (".".join(["porchlight", *file.parts[:-2]]), file.name.removesuffix(".subject.j2"))
        for file in (path.relative_to(root) for path in root.rglob("templates/*.subject.j2"))
    }
    assert files == {*TEMPLATES, ("porchlight.emails", "notice")}
    for package, template in files:
        folder = root / Path(*package.split(".")[1:]) / "templates"
        for part in ("txt", "html"):
            assert f'{{% extends "emails/base.{part}.j2" %}}' in (folder / f"{template}.{part}.j2").read_text()


@pytest.mark.parametrize("is_verified", [True, False])
@pytest.mark.parametrize(("package", "template"), TEMPLATES)
def test_email_has_subject_greeting_one_button_and_why(package: str, template: str, is_verified: bool) -> None:
    message = render(package, template, SAMPLES[package][template], is_verified=is_verified)
    assert message.subject
    assert "  " not in message.subject
    assert message.text.startswith("Hi Ada,\n\n" if is_verified else "Hi,\n\n")
    assert message.text.endswith("\n\n-- \nYou're receiving this because you asked.\n")
    assert "\n\n\n" not in message.text
    assert not re.search(r"[ \t]+\n", message.text.replace("-- \n", ""))
    assert f"<title>{message.subject}</title>" in unescape(message.html)
    assert "<img" not in message.html
    assert "prefers-color-scheme: dark" in message.html
    assert re.findall(r"\n\n([^\n]+):\n(https?://\S+)\n", message.text) == [("Open it", URL)]
    assert set(re.findall(r"https?://\S+", message.text)) == {URL}
    assert re.findall(r'class="button" href="([^"]+)"', message.html) == [URL.replace("&", "&amp;")]
    assert set(re.findall(r'href="([^"]+)"', message.html)) == {URL.replace("&", "&amp;")}


@pytest.mark.parametrize(("package", "template"), TEMPLATES)
def test_email_text_and_html_say_the_same(package: str, template: str) -> None:
    message = render_sample(package, template)
    text = visible_text(message.html)
    for line in message.text.splitlines():
        line = re.sub(r"^(> |• |\d\. )", "", line.strip()).removesuffix(":")
        if line != "--":
            label, _, value = line.partition(": ")
            assert line in text or (label in text and value in text), line


@pytest.mark.parametrize(("package", "template"), TEMPLATES)
def test_email_hostile_values_stay_text(package: str, template: str) -> None:
    message = render(package, template, replace_words(SAMPLES[package][template], HOSTILE), name=HOSTILE)
    assert message.subject.splitlines() == [message.subject]
    assert "<script" not in message.html
    assert '" onload=' not in message.html
    assert "49" not in message.subject + message.text
    assert message.text.strip()


NAMES = st.sampled_from(["Visit http://evil.example", "www.evil.example/x", "pay@evil.example", "evil\u3002example"])
TYPED = st.one_of(
    NAMES,
    st.builds("{} https://{}.example {}".format, st.text(max_size=20), st.text("abcé-", min_size=2, max_size=9), NAMES),
    st.text("zqx", min_size=6, max_size=30),
)


@pytest.mark.parametrize(("package", "template"), TEMPLATES)
@settings(max_examples=20, deadline=None)
@given(typed=TYPED)
def test_unverified_address_gets_no_typed_words(package: str, template: str, typed: str) -> None:
    # The mark makes sure that an occurrence is the typed text.
    typed = f"{typed} zzqqxx"
    hostile = replace_words(SAMPLES[package][template], typed)
    message = render(package, template, hostile, name=typed, is_verified=False)
    everything = message.subject + message.text + unescape(message.html) + message.reply_to
    assert "zzqqxx" not in everything
    assert "evil" not in everything
    ours = message.text.replace(URL, "").replace("cooking.porchlight.example", "")
    assert not AUTOLINK.search(message.subject + ours)
    assert message.invitation is None


@pytest.mark.parametrize(("package", "template"), TEMPLATES)
@settings(max_examples=20, deadline=None)
@given(typed=TYPED)
def test_typed_names_never_become_links(package: str, template: str, typed: str) -> None:
    sample = replace_words(SAMPLES[package][template], typed)
    message = render(
        package, template, Sample(sample.words, SAMPLES[package][template].verbatim, sample.facts), name=typed
    )
    ours = (message.subject + "\n" + message.text).replace(URL, "")
    for known in ("cooking.porchlight.example", "nadia@example.com", "ada@example.com"):
        ours = ours.replace(known, "")
    assert not AUTOLINK.search(ours), AUTOLINK.search(ours)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Visit http://evil.example/a", "Visit http: //evil. example/a"),
        ("WWW.evil.example", "WWW. evil. example"),
        ("pay@evil.example", "pay@ evil. example"),
        ("evil\u3002example", "evil\u3002 example"),
        ("J.R. Smith, 2.5 hours at 9:30 for $3.50. Bye.", "J.R. Smith, 2.5 hours at 9:30 for $3.50. Bye."),
    ],
)
def test_unlink_breaks_links_only(text: str, shown: str) -> None:
    assert unlink(text) == shown


@pytest.mark.parametrize(
    ("package", "template"), [(package, name) for package, name in TEMPLATES if has_values(package, name)]
)
def test_email_missing_value_raises(package: str, template: str) -> None:
    with pytest.raises(UndefinedError):
        render(package, template, Sample())


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        ("accepted", "They chose someone else this time."),
        ("withdrawn", "Help is no longer needed."),
        ("expired", "The request expired before they chose an offer."),
    ],
)
def test_offer_declined_email_gives_the_reason(result: str, sentence: str) -> None:
    message = render_sample("porchlight.features.angels.needs", "offer_declined", result=result)
    expected = f"Thank you for offering to help with “A leaning fence”. {sentence}"
    assert expected in message.text
    assert expected in visible_text(message.html)


@pytest.mark.parametrize(
    ("offers", "sentence"), [(0, "It didn't get any offers."), (1, "It got 1 offer."), (3, "It got 3 offers.")]
)
def test_need_expired_email_counts_the_offers(offers: int, sentence: str) -> None:
    message = render_sample("porchlight.features.angels.needs", "need_expired", offers=offers)
    assert f"Your request “A leaning fence” has expired. {sentence}\n" in message.text


def test_need_posted_email_shows_the_details() -> None:
    message = render_sample("porchlight.features.angels.needs", "need_posted")
    assert message.subject == "A neighbor in Denver needs a hand: A leaning fence"
    assert (
        "Service: Handyman\nWhen: Friday, January 1 to Monday, January 4 (mornings)\nTime: about 2 hours\n"
        "Budget: $120.00\n\n" in message.text
    )
    requested = render_sample(
        "porchlight.features.angels.needs", "need_posted", requested=True, budget_cents=None, time_note=""
    )
    assert requested.subject == "A neighbor asked for your help: A leaning fence"
    assert "When: Friday, January 1 to Monday, January 4\n" in requested.text
    assert "Budget" not in requested.text + requested.html


def test_contact_message_email_uses_the_topic_as_subject() -> None:
    assert render_sample("porchlight.features.contact", "contact_message").subject == "New message from Ada"
    assert render_sample("porchlight.features.contact", "contact_message", topic="Fees").subject == "Fees"


@pytest.mark.parametrize("field", ["key", "recipient", "subject", "reply_to"])
@pytest.mark.parametrize("value", ["a@b.example\r\nBcc: b@evil.example", "a\n", "a\u2028b"])
def test_email_message_header_with_line_break_raises(field: str, value: str) -> None:
    values: dict[str, Any] = {"key": "key", "recipient": "ada@example.com", "subject": "Hi", "text": "Hi", "html": "Hi"}
    with pytest.raises(ValueError, match="one line"):
        EmailMessage(**(values | {field: value}))


@pytest.mark.parametrize("field", ["recipient", "reply_to"])
@pytest.mark.parametrize(
    "value", ["a@x.example, b@evil.example", "a@x.example;b@y.example", "Ada <a@x.example>", "a", "a@b@c.example"]
)
def test_email_message_other_than_one_address_raises(field: str, value: str) -> None:
    values: dict[str, Any] = {"key": "key", "recipient": "ada@example.com", "subject": "Hi", "text": "Hi", "html": "Hi"}
    with pytest.raises(ValueError, match="one address"):
        EmailMessage(**(values | {field: value}))


def test_filters_format_values() -> None:
    assert format_day_range((date(2027, 1, 1), date(2027, 1, 1))) == "Friday, January 1"
    assert [format_hours(hours) for hours in (Decimal("1.0"), Decimal("2.0"), 2.5)] == [
        "1 hour",
        "2 hours",
        "2.5 hours",
    ]
    assert line_breaks("<b>\r\n&") == "&lt;b&gt;<br>\n&amp;"
    assert quote_lines("One\n\nTwo") == "> One\n> \n> Two"
