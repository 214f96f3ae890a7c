"""Values of every email template, by package and name: what people typed, and the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from importlib import import_module
from typing import Any

from porchlight.emails.kinds import OPTIONAL, OptOut
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage

URL = "https://porchlight.example/path?a=1&b=2"
ADDRESS = "ada@example.com"
ONE_CLICK_URL = "https://porchlight.example/api/email-settings/019aeb3c-1111-7111-8111-111111111111/unsubscription"


@dataclass(frozen=True, slots=True)
class Sample:
    """The values of one template: `words` and `verbatim` are typed by people, `facts` are the product's."""

    words: Mapping[str, Any] = field(default_factory=dict)
    verbatim: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


_TITLE = {"title": "A leaning fence"}
_PRICE = {"price_cents": 7000}
_DOCUMENT = {"document": "license for Electrical", "reason": "It is blurred.", "expires_on": date(2027, 1, 1)}
_RING = {"student": "Ben", "teacher": "Cleo", "skill_taught": "guitar", "skill_learned": "Spanish"}
SAMPLES: Mapping[str, Mapping[str, Sample]] = {
    "porchlight.auth": {
        **{
            name: Sample()
            for name in ("verify_email", "reset_password", "change_email", "email_changed", "sign_in_link")
        },
        "sign_in_code": Sample(facts={"code": "123456"}),
    },
    "porchlight.features.account": {"account_deleted": Sample()},
    "porchlight.features.profiles": {"welcome": Sample()},
    "porchlight.features.contact": {
        "contact_message": Sample({"sender": "Ada", "topic": ""}, {"email": ADDRESS, "message": "One\n\nTwo"}),
        "contact_digest": Sample(
            {"headings": [("Ada", ""), ("Ben", "Fees")]},
            {"messages": [(ADDRESS, "One\n\nTwo"), (ADDRESS, "Three")]},
            {"count": 2},
        ),
    },
    "porchlight.features.documents": {
        name: Sample(facts=_DOCUMENT)
        for name in ("document_approved", "document_rejected", "document_expiring", "document_expired")
    },
    "porchlight.features.busy_sources": {
        "source_failing": Sample(
            {"calendar": "Work"},
            facts={"since": "Friday, November 27", "reason": "The server did not answer.", "asks": True},
        ),
    },
    "porchlight.features.waivers": {
        "waiver_receipt": Sample({"title": "Judo", "guru": "Coach"}, facts={"rows": [("Risk level", "High")]}),
    },
    "porchlight.features.angels.needs": {
        "need_posted": Sample(
            _TITLE | {"city": "Denver", "time_note": "mornings"},
            {"description": "It leans."},
            {
                "days": (date(2027, 1, 1), date(2027, 1, 4)),
                "hours": Decimal("2.0"),
                "budget_cents": 12000,
                "requested": False,
                "service": "Handyman",
            },
        ),
        "offer_received": Sample(_TITLE | {"angel": "Abel"}, {"message": "Gladly."}, _PRICE),
        "offer_accepted": Sample(_TITLE | {"owner": "Olive"}, facts=_PRICE),
        "offer_confirmed": Sample(_TITLE | {"angel": "Abel"}, facts=_PRICE),
        "offer_declined": Sample(_TITLE, facts={"result": "accepted"}),
        "need_expired": Sample(_TITLE, facts={"offers": 0}),
    },
    "porchlight.features.matches": {
        name: Sample(_RING) for name in ("swap_ring_proposed", "swap_ring_agreed", "swap_ring_declined")
    },
    "porchlight.features.billing": {
        "payment_failed": Sample(facts={"plan": "Skill Sharer", "day": 5, "last4": "4242", "until": date(2027, 1, 15)}),
    },
    "porchlight.features.exchanges": {
        "exchange": Sample(
            {"subject_text": "Ada asks you", "line": "Ada asks you.", "rows": [("Session", "Judo"), ("Answer by", "")]},
            {"quote": "One\nTwo"},
            {"quote_label": "Their note", "needs_waiver": True},
        ),
    },
    "porchlight.features.messages": {
        "messages_unread": Sample(
            {"sender": "Zoe"},
            {"texts": ["Do you teach\nbeginners?", "Hello?"]},
            {"more": 2, "is_request": False, "can_reply": True},
        ),
    },
    "porchlight.features.search": {
        "search_alert": Sample({"query": "pottery", "results": [("Wheel throwing", "Ben"), ("Glazing", "")]}),
    },
    "porchlight.features.bookings.emails": {
        "booking": Sample(
            {"subject_text": "New booking: Soup with Ada", "lines": ["Ada booked.", "Soon."], "quote_label": "A note"},
            {
                "rows": [("When", "Monday"), ("Where", "My kitchen"), ("Price", "")],
                "quote": "See you\nthere!",
                "answers": [("How long have you played?", "A year")],
            },
        ),
        "customer": Sample(
            facts={
                "subject_text": "Your session on Monday, January 4 is booked",
                "line": "ada on Porchlight booked a session for you.",
                "when": "Monday, January 4, 9:00 AM",
                "was": "",
                "hint": "A few words help.",
                "is_open": True,
            }
        ),
        "signing_link": Sample(facts={"day": "Monday, January 4"}),
        "review": Sample(
            {"subject_text": "How was Soup with Ada?", "lines": ["A few words help."], "session": "Soup, Monday"}
        ),
        "changes": Sample(
            {"items": [("Soup with Ada", (("Now", "Booked"),), "A note"), ("Bread with Ben", (("Guests", ""),), "")]},
            {"details": [((("Where", "My kitchen"),), "See you\nthere!"), ((("When", "Monday"),), "")]},
            {"urls": [URL, URL], "lines": ["The calendar file is attached."]},
        ),
        "agenda": Sample(
            {"rows": [("9 AM", "Soup with Ada"), ("10 AM", "Bread with Ben")]},
            facts={"day": "Monday", "has_more": True},
        ),
    },
    "porchlight.features.notifications": {
        "digest": Sample(
            {"groups": [("Swap rings", ["A ring with Ben"]), ("Requests near you", ["Help: a fence", "Help: a dog"])]},
            facts={"count": 9, "more": 6, "urls": [[URL], [URL, URL]]},
        ),
    },
    "porchlight.features.risk": {
        "risk_reviewed": Sample({"service": "First Mug at the Wheel"}, facts={"level": "medium", "needs_waiver": False})
    },
    "porchlight.features.leads": {
        "lead_received": Sample(
            {"visitor": "Nadia", "guru": "Chef Guru", "rows": [("Phone", "303 555 0100"), ("About", "")]},
            {"email": "nadia@example.com", "message": "Do you teach beginners?\nI hope so."},
        ),
        "lead_digest": Sample({"guru": "Chef Guru", "visitors": ["Nadia", "Ben"]}, facts={"count": 12, "more": 10}),
        "lead_receipt": Sample(facts={"site": "cooking.porchlight.example"}),
        "lead_reply": Sample(
            {"guru": "Chef Guru"}, {"reply": "Yes!\n\nCome by."}, {"site": "cooking.porchlight.example"}
        ),
    },
}
TEMPLATES = [(package, name) for package, samples in SAMPLES.items() for name in samples]


def email_templates(package: str) -> EmailTemplates:
    """Return the templates of a package, with the kinds that it declares."""
    module = f"{package}.messages" if package.endswith(".emails") else f"{package}.emails"
    templates: EmailTemplates = import_module(module).TEMPLATES
    return templates


def render(
    package: str, template: str, sample: Sample, *, name: str = "Ada", is_verified: bool = True, page_url: str = ""
) -> EmailMessage:
    """Return the email of a template with a sample's values. `page_url`: of the email settings."""
    templates = email_templates(package)
    kind = templates.kinds[template]
    return templates.create_message(
        template,
        key="key",
        to=Recipient(ADDRESS, is_verified, person=None),
        why="You're receiving this because you asked.",
        action=Action("Open it", URL),
        name=name,
        opt_out=OptOut(kind, page_url, ONE_CLICK_URL) if kind in OPTIONAL else None,
        words=sample.words,
        verbatim=sample.verbatim,
        facts=sample.facts,
    )


def replace_words(sample: Sample, text: str) -> Sample:
    """Return the sample with `text` in the place of everything that people typed."""

    def replaced(value: Any) -> Any:
        if isinstance(value, str):
            return text
        if isinstance(value, (list, tuple)):
            return type(value)(replaced(item) for item in value)
        return value

    words, verbatim = ({key: replaced(value) for key, value in of.items()} for of in (sample.words, sample.verbatim))
    return Sample(words, verbatim, sample.facts)
