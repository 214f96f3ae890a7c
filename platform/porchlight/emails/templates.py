"""Email templates: each feature keeps `templates/<name>.{subject,txt,html}.j2` next to its `emails.py`."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from uuid import UUID

from markupsafe import Markup, escape

from porchlight.ports import CalendarFile, EmailMessage
from tenants.kit import money
from tenants.kit.templates import create_environment


class EmailTemplates:
    """The email templates of one package. They can extend `emails/base.txt.j2` and `emails/base.html.j2`."""

    def __init__(self, package: str) -> None:
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
        recipient: str,
        reply_to: str = "",
        tenant_id: UUID | None = None,
        invitation: CalendarFile | None = None,
        **values: object,
    ) -> EmailMessage:
        """Return an email with the three files of `template` rendered from `values`.

        The subject is one line, even if a value contains line breaks. The other
        templates can use it as `subject`.
        """
        subject = " ".join(self._render(f"{template}.subject.j2", values).split())
        values["subject"] = subject
        return EmailMessage(
            key=key,
            recipient=recipient,
            subject=subject,
            text=self._render(f"{template}.txt.j2", values).strip() + "\n",
            html=self._render(f"{template}.html.j2", values),
            reply_to=reply_to,
            tenant_id=tenant_id,
            invitation=invitation,
        )

    def _render(self, template: str, values: dict[str, object]) -> str:
        return self._environment.get_template(template).render(values)


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
