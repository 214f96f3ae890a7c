"""Every email template, rendered with sample values and with hostile ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from html import unescape
from importlib import resources
from typing import Any

import pytest
from jinja2 import UndefinedError

from porchlight.emails.templates import EmailTemplates, format_day_range, format_hours, line_breaks, quote_lines
from porchlight.ports import EmailMessage

HOSTILE = "<script>alert('x')</script>\r\nBcc: all@evil.example\u2028{{ 7 * 7 }}\" onload=\""
URL = "https://porchlight.example/path?a=1&b=2"
SAMPLES: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "porchlight.auth": {
        name: {} for name in ("verify_email", "reset_password", "change_email", "email_changed", "sign_in_link")
    },
    "porchlight.features.profiles": {"welcome": {"name": "Ada"}, "account_deleted": {"name": ""}},
    "porchlight.features.contact": {
        "contact_message": {"name": "Ada", "email": "ada@example.com", "topic": "", "message": "One\n\nTwo"},
    },
    "porchlight.features.documents": {
        name: {"document": "license for Electrical", "reason": "It is blurred.", "expires_on": date(2027, 1, 1)}
        for name in ("document_approved", "document_rejected", "document_expiring", "document_expired")
    },
    "porchlight.features.angels.needs": {
        "need_posted": {
            "name": "Abel",
            "title": "A leaning fence",
            "description": "It leans.",
            "city": "Denver",
            "days": (date(2027, 1, 1), date(2027, 1, 4)),
            "time_note": "mornings",
            "hours": Decimal("2.0"),
            "budget_cents": 12000,
            "requested": False,
            "service": "Handyman",
        },
        "offer_received": {"angel": "Abel", "title": "A leaning fence", "price_cents": 7000, "message": "Gladly."},
        "offer_accepted": {"name": "Abel", "owner": "Olive", "title": "A leaning fence", "price_cents": 7000},
        "offer_confirmed": {"name": "Olive", "angel": "Abel", "title": "A leaning fence", "price_cents": 7000},
        "offer_declined": {"name": "Abel", "title": "A leaning fence", "result": "accepted"},
        "need_expired": {"name": "Olive", "title": "A leaning fence", "offers": 0},
    },
    "porchlight.features.matches": {
        name: {"name": "Ada", "student": "Ben", "teacher": "Cleo", "skill_taught": "guitar", "skill_learned": "Spanish"}
        for name in ("swap_ring_proposed", "swap_ring_agreed", "swap_ring_declined")
    },
    "porchlight.features.search": {
        "search_alert": {"name": "Ada", "query": "pottery", "results": [("Wheel throwing", "Ben"), ("Glazing", "")]},
    },
    "porchlight.features.console.leads": {
        "lead_received": {
            "name": "Nadia",
            "email": "nadia@example.com",
            "message": "Do you teach beginners?\nI hope so.",
            "rows": [("Phone", "303 555 0100"), ("About", "")],
            "guru": "Chef Guru",
        },
        "lead_reply": {"name": "Nadia", "reply": "Yes!\n\nCome by.", "message": "One\nTwo", "guru": "Chef Guru"},
    },
}
WITHOUT_LINK = {"account_deleted", "contact_message", "lead_received", "lead_reply"}
TEMPLATES = [(package, name) for package, samples in SAMPLES.items() for name in samples]


def render(package: str, template: str, values: Mapping[str, Any]) -> EmailMessage:
    return EmailTemplates(package).create_message(
        template, key="key", recipient="ada@example.com", action_url=URL, **values
    )


def render_sample(package: str, template: str, **changes: object) -> EmailMessage:
    return render(package, template, {**SAMPLES[package][template], **changes})


def make_hostile(value: object) -> object:
    if isinstance(value, str):
        return HOSTILE
    if isinstance(value, list):
        return [tuple(HOSTILE for _ in row) for row in value]
    return value


def visible_text(html: str) -> str:
    body = html[html.index("<body") :]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


@pytest.mark.parametrize("package", SAMPLES)
def test_every_template_file_has_a_sample(package: str) -> None:
    folder = resources.files(package) / "templates"
    files = {file.name for file in folder.iterdir()}
    assert files == {f"{name}.{part}.j2" for name in SAMPLES[package] for part in ("subject", "txt", "html")}


@pytest.mark.parametrize(("package", "template"), TEMPLATES)
def test_email_has_subject_text_html_and_one_link(package: str, template: str) -> None:
    message = render_sample(package, template)
    assert message.subject
    assert "  " not in message.subject
    assert message.text.endswith("\n")
    assert "\n\n\n" not in message.text
    assert not re.search(r"[ \t]+\n", message.text.replace("-- \n", ""))
    body, footer = message.text.split("\n\n-- \n")
    assert body.strip()
    assert footer.strip()
    assert f"<title>{message.subject}</title>" in unescape(message.html)
    assert "<img" not in message.html
    links = [] if template in WITHOUT_LINK else [URL]
    assert re.findall(r"\n\n[^\n]+:\n(https?://\S+)\n", message.text) == links
    assert re.findall(r"https?://\S+", message.text) == links
    assert set(re.findall(r'href="([^"]+)"', message.html)) == {link.replace("&", "&amp;") for link in links}


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
    values = {name: make_hostile(value) for name, value in SAMPLES[package][template].items()}
    message = render(package, template, values)
    assert message.subject.splitlines() == [message.subject]
    assert "<script" not in message.html
    assert '" onload=' not in message.html
    assert "49" not in message.subject + message.text
    assert message.text.strip()


@pytest.mark.parametrize(("package", "template"), TEMPLATES)
def test_email_missing_value_raises(package: str, template: str) -> None:
    with pytest.raises(UndefinedError):
        EmailTemplates(package).create_message(template, key="key", recipient="ada@example.com")


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
@pytest.mark.parametrize("value", ["a\r\nBcc: b@evil.example", "a\n", "a\u2028b"])
def test_email_message_header_with_line_break_raises(field: str, value: str) -> None:
    values: dict[str, Any] = {"key": "key", "recipient": "ada@example.com", "subject": "Hi", "text": "Hi", "html": "Hi"}
    with pytest.raises(ValueError, match="one line"):
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
