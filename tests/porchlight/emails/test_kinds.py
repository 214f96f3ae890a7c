"""The declared kind of every email, and the links of those that a person can turn off."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import psycopg
import pytest

from porchlight.emails.kinds import CHOICES, OPTIONAL, MailKind, OptOut, find_opt_out
from porchlight.emails.templates import Action, Recipient
from porchlight.emails.wire import to_wire
from porchlight.features.bookings.emails.texts import REMINDERS, TEXTS
from tests.fixtures.databases import Database
from tests.fixtures.jobs import running_job
from tests.fixtures.smtp import SmtpServer, smtp_server
from tests.fixtures.strict_email import read_email
from tests.porchlight.emails.samples import ONE_CLICK_URL, SAMPLES, TEMPLATES, email_templates, render

__all__ = ["smtp_server"]

PAGE_URL = "https://porchlight.example/email-settings/019aeb3c-1111-7111-8111-222222222222"
# Whose recipients did not cause them just now, by package. All others answer them, or keep an agreement or account.
UNTRIGGERED = {
    "search": {"search_alert"},
    "needs": {"need_posted", "need_expired"},
    "matches": {"swap_ring_proposed", "swap_ring_agreed", "swap_ring_declined"},
    "documents": {"document_expiring", "document_expired"},
    "emails": {"agenda", "booking/reminder", "review"},
    "exchanges": {"exchange/reminder"},
    "notifications": {"digest"},
    "messages": {"messages_unread"},
    "busy_sources": {"source_failing"},
    "leads": {"lead_received", "lead_digest", "lead_receipt", "lead_reply"},
}
OPTIONAL_TEMPLATES = [
    (package, name) for package, name in TEMPLATES if email_templates(package).kinds[name] in OPTIONAL
]


def test_every_email_has_a_declared_kind() -> None:
    for package, samples in SAMPLES.items():
        kinds = email_templates(package).kinds
        assert {name.partition("/")[0] for name in kinds} == set(samples)
        optional = {name for name, kind in kinds.items() if kind in OPTIONAL}
        assert optional == UNTRIGGERED.get(package.rpartition(".")[2], set())
    assert {kind for kind, _ in TEXTS} >= REMINDERS
    used = {kind for package in SAMPLES for kind in email_templates(package).kinds.values()}
    assert used == set(MailKind)
    assert set(CHOICES) == OPTIONAL - {MailKind.VISITOR}


def test_untriggered_email_without_subscription_is_refused() -> None:
    def create(package: str, template: str, opt_out: OptOut | None) -> None:
        email_templates(package).create_message(
            template,
            key="key",
            to=Recipient("ada@example.com", True, person=None),
            why="",
            action=Action("Open", PAGE_URL),
            opt_out=opt_out,
        )

    for package, template in TEMPLATES:
        kind = email_templates(package).kinds[template]
        wrong = OptOut(MailKind.SEARCH_ALERTS if kind != MailKind.SEARCH_ALERTS else MailKind.AGENDA, "", "")
        with pytest.raises(ValueError, match="opt-out"):
            create(package, template, wrong)
        if kind in OPTIONAL:
            with pytest.raises(ValueError, match="needs its opt-out"):
                create(package, template, None)
    with pytest.raises(KeyError):
        create("porchlight.features.search", "new_template", None)


@pytest.mark.parametrize("is_verified", [True, False])
@pytest.mark.parametrize(("package", "template"), OPTIONAL_TEMPLATES)
def test_untriggered_email_can_be_ended(package: str, template: str, is_verified: bool) -> None:
    message = render(package, template, SAMPLES[package][template], is_verified=is_verified, page_url=PAGE_URL)
    strict = read_email(to_wire(message, "notices@porchlight.example").content)
    assert strict.all("List-Unsubscribe") == [f"<{ONE_CLICK_URL}>"]
    assert strict.all("List-Unsubscribe-Post") == ["List-Unsubscribe=One-Click"]
    assert message.text.endswith(f"\n\nChoose which emails you get:\n{PAGE_URL}\n")
    assert f'<a class="link" href="{PAGE_URL}" style="color:#15803d">Choose which emails you get</a>' in unescape(
        message.html
    )


def test_other_emails_have_no_unsubscription(smtp_server: SmtpServer) -> None:
    for package, template in sorted(set(TEMPLATES) - set(OPTIONAL_TEMPLATES)):
        assert smtp_server.mailer().send(replace(render(package, template, SAMPLES[package][template]), key=template))
    assert len(smtp_server.messages) == len(TEMPLATES) - len(OPTIONAL_TEMPLATES)
    assert all("List-Unsubscribe" not in message for _, message in smtp_server.messages)


def test_subscription_is_for_running_jobs_only(database: Database) -> None:
    with running_job(database, "search:send_alerts") as job, job.transaction() as conn:
        # The site of the operator, or an account that is gone.
        assert find_opt_out(conn, MailKind.LEADS, None, "https://a.example") == OptOut(MailKind.LEADS, "", "")
    with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        find_opt_out(conn, MailKind.LEADS, None, "https://a.example")
