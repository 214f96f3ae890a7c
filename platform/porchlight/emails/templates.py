"""Email templates: each feature keeps `templates/<name>.{subject,txt,html}.j2` next to its `emails.py`.

The layout in `emails/templates/` adds the greeting, the button and the line that says why the person gets the email.

What people typed goes to verified addresses only: any other address, which was merely typed, gets a notice without it.
So a user cannot make the product carry a text to a third person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from uuid import UUID

from markupsafe import Markup, escape

from porchlight.emails.greetings import first_name
from porchlight.emails.kinds import OPTIONAL, TOPICS, MailKind, OptOut
from porchlight.ports import CalendarFile, EmailMessage, Notification
from tenants.kit import money
from tenants.kit.templates import create_environment

NOTICE_TEMPLATE = "emails/notice"
_NEVER_WAIT = frozenset(kind for kind, topic in TOPICS.items() if not topic.can_wait)
VERIFY_HINT = "Once you verify this email address, we'll put the details in the email."
_BLANK_LINES = re.compile(r"\n{3,}")
# What mail programs turn into a link by themselves: a scheme, a domain with one of the dots of IDNA, an address.
_LINK = re.compile(r"(?<=\S)(?::(?=//)|[.\u3002\uff0e\uff61](?=[^\W\d_]{2})|@(?=\w))")


@dataclass(frozen=True, slots=True)
class Recipient:
    """An address, and whether the person at it has proven that it is theirs.

    `person`: the account to which the email belongs. It gets a notification too, so that no email can be forgotten
    there; None only for an address without an account, or an email with a secret link.
    """

    address: str
    is_verified: bool
    person: UUID | None = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Action:
    """The button of an email, or a link at its end. `label` is ours: it has no words of a person."""

    label: str
    url: str


class EmailTemplates:
    """The email templates of one package. They extend `emails/base.txt.j2` and `emails/base.html.j2`.

    `kinds`: the kind of each template, or of a template and a variant of it.
    """

    def __init__(self, package: str, kinds: Mapping[str, MailKind]) -> None:
        self.kinds = kinds
        self._environment = create_environment(package, shared={"emails": "porchlight.emails"})
        self._environment.filters.update(
            date=format_date,
            day_range=format_day_range,
            hours=format_hours,
            line_breaks=line_breaks,
            money=money.format_cents,
            quote=quote_lines,
        )

    def create_message(
        self,
        template: str,
        /,
        *,
        key: str,
        to: Recipient,
        why: str,
        action: Action,
        name: str = "",
        words: Mapping[str, object] | None = None,
        verbatim: Mapping[str, object] | None = None,
        facts: Mapping[str, object] | None = None,
        notice: str = "There's news for you on Porchlight",
        notice_hint: str = VERIFY_HINT,
        links: Sequence[Action] = (),
        reply_to: str = "",
        tenant_id: UUID | None = None,
        invitation: CalendarFile | None = None,
        further_invitations: Sequence[CalendarFile] = (),
        variant: str = "",
        opt_out: OptOut | None = None,
        is_urgent: bool = False,
    ) -> EmailMessage:
        """Return an email with the three files of `template`.

        `variant`: of the template, if it has kinds of its own. `opt_out`: required for a kind that its recipients
        can turn off, and for no other. Its page is the last link.

        `name`: of the recipient, whom the greeting calls by first name. `words`: what people typed, such as names and
        titles, shown without links. `verbatim`: what people typed and the recipient needs unchanged, such as a message.
        `facts`: all other values. Without a verified address, the recipient gets `notice` and `notice_hint` instead of
        `words` and `verbatim`. `links` follow the line that says why the person gets the email.

        `is_urgent`: the person can act on it today only, so quiet hours do not hold the note on their devices.
        The notification is for the account, which is signed in: it has the subject with its words.

        The subject is one line, even if a value contains line breaks. The other templates can use it as `subject`.
        """
        kind = self.kinds[f"{template}/{variant}" if variant else template]
        if (opt_out.kind if opt_out else None) != (kind if kind in OPTIONAL else None):
            raise ValueError(f"an email of the kind {kind} needs {'its' if kind in OPTIONAL else 'no'} opt-out")
        if opt_out is not None and opt_out.page_url:
            links = [*links, Action("Choose which emails you get", opt_out.page_url)]
        values: dict[str, object] = {"why": why, "action": action, "links": links, "name": "", **(facts or {})}
        known = {**values, "name": unlink(first_name(name)), **_unlink_all(words or {}), **(verbatim or {})}
        title = self._render_line(f"{template}.subject.j2", known)
        if to.is_verified:
            values = known
        elif words or verbatim:
            template, reply_to, invitation, further_invitations = NOTICE_TEMPLATE, "", None, ()
            values |= {"notice": notice, "notice_hint": notice_hint}
        subject = self._render_line(f"{template}.subject.j2", values)
        values["subject"] = subject
        return EmailMessage(
            key=key,
            recipient=to.address,
            subject=subject,
            text=_BLANK_LINES.sub("\n\n", self._render(f"{template}.txt.j2", values)).strip() + "\n",
            html=self._render(f"{template}.html.j2", values),
            reply_to=reply_to,
            tenant_id=tenant_id,
            invitation=invitation,
            further_invitations=further_invitations,
            unsubscribe_url=opt_out.one_click_url if opt_out else "",
            notification=Notification(to.person, kind, title, action.url, is_urgent or kind in _NEVER_WAIT)
            if to.person is not None and kind in TOPICS
            else None,
        )

    def _render_line(self, template: str, values: dict[str, object]) -> str:
        return " ".join(self._render(template, values).split())

    def _render(self, template: str, values: dict[str, object]) -> str:
        return self._environment.get_template(template).render(values)


def unlink(text: str) -> str:
    """Return `text` with a space in everything that a mail program would turn into a link."""
    return _LINK.sub(lambda match: match[0] + " ", text)


def _unlink_all(words: Mapping[str, object]) -> dict[str, object]:
    return {name: _unlink_value(value) for name, value in words.items()}


def _unlink_value(value: object) -> object:
    if isinstance(value, str):
        return unlink(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_unlink_value(item) for item in value)
    return value


def format_date(day: date) -> str:
    """Return a date like "January 1, 2027"."""
    return f"{day:%B} {day.day}, {day.year}"


def format_day_range(days: tuple[date, date]) -> str:
    """Return the first and last day like "Friday, January 1 to Monday, January 4", or the one day."""
    first, last = (f"{day:%A, %B} {day.day}" for day in days)
    return first if first == last else f"{first} to {last}"


def format_hours(hours: Decimal | float) -> str:
    """Return a duration like "1 hour" or "2.5 hours"."""
    return "1 hour" if hours == 1 else f"{float(hours):g} hours"


def line_breaks(text: str) -> Markup:
    """Return `text` as HTML that keeps its line breaks."""
    return Markup("<br>\n").join(escape(line) for line in text.splitlines())


def quote_lines(text: str) -> str:
    """Return `text` with every line quoted, as email programs do in a reply."""
    return "\n".join(f"> {line}" for line in text.splitlines())
