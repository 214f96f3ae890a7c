"""Email templates: each feature keeps `templates/<name>.{subject,txt,html}.j2` next to its `emails.py`.

The layout in `emails/templates/` adds the greeting, the button and the line that says why the person gets the email.

What people typed goes to verified addresses only: any other address, which was merely typed, gets a notice without it.
So a user cannot make the product carry a text to a third person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from uuid import UUID

from markupsafe import Markup, escape

from porchlight.emails.kinds import OPTIONAL, MailKind, OptOut
from porchlight.ports import CalendarFile, EmailMessage
from tenants.kit import money
from tenants.kit.templates import create_environment

NOTICE_TEMPLATE = "emails/notice"
VERIFY_HINT = "Once you verify this email address, we'll put the details in the email."
_BLANK_LINES = re.compile(r"\n{3,}")
# What mail programs turn into a link by themselves: a scheme, a domain with one of the dots of IDNA, an address.
_LINK = re.compile(r"(?<=\S)(?::(?=//)|[.\u3002\uff0e\uff61](?=[^\W\d_]{2})|@(?=\w))")


@dataclass(frozen=True, slots=True)
class Recipient:
    """An address, and whether the person at it has proven that it is theirs."""

    address: str
    is_verified: bool


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
    ) -> EmailMessage:
        """Return an email with the three files of `template`.

        `variant`: of the template, if it has kinds of its own. `opt_out`: required for a kind that its recipients
        can turn off, and for no other. Its page is the last link.

        `name`: of the recipient, for the greeting. `words`: what people typed, such as names and titles, shown without
        links. `verbatim`: what people typed and the recipient needs unchanged, such as a message. `facts`: all other
        values. Without a verified address, the recipient gets `notice` and `notice_hint`
        instead of `words` and `verbatim`. `links` follow the line that says why the person gets the email.

        The subject is one line, even if a value contains line breaks. The other templates can use it as `subject`.
        """
        kind = self.kinds[f"{template}/{variant}" if variant else template]
        if (opt_out.kind if opt_out else None) != (kind if kind in OPTIONAL else None):
            raise ValueError(f"an email of the kind {kind} needs {'its' if kind in OPTIONAL else 'no'} opt-out")
        if opt_out is not None and opt_out.page_url:
            links = [*links, Action("Choose which emails you get", opt_out.page_url)]
        values: dict[str, object] = {"why": why, "action": action, "links": links, "name": "", **(facts or {})}
        if to.is_verified:
            values |= {"name": unlink(name), **_unlink_all(words or {}), **(verbatim or {})}
        elif words or verbatim:
            template, reply_to, invitation, further_invitations = NOTICE_TEMPLATE, "", None, ()
            values |= {"notice": notice, "notice_hint": notice_hint}
        subject = " ".join(self._render(f"{template}.subject.j2", values).split())
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
        )

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
