"""HTML of the hosted pages, rendered from the templates beside this module."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import HTMLResponse

from porchlight_dev.stripe_fake.store import Json, Link
from tenants.kit.templates import create_environment

_ENVIRONMENT = create_environment(__name__.rpartition(".")[0])


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an onboarding form."""

    name: str
    label: str
    kind: str = "text"
    autocomplete: str = "off"
    pattern: str = ""
    example: str = ""

    def fault(self, value: str) -> str:
        """Return the error message for a value, or an empty string if the value is valid."""
        if not value:
            return "This field is required."
        if self.kind == "date" and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
            return "Enter a date."
        if self.kind == "email" and "@" not in value:
            return "Enter an email address."
        if self.pattern and not re.fullmatch(self.pattern, value):
            return "This doesn't look right."
        return ""


def page(template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """Return a rendered page that no browser caches."""
    html = _ENVIRONMENT.get_template(f"{template}.html.j2").render(values)
    return HTMLResponse(html, status, {"cache-control": "no-store", "referrer-policy": "no-referrer"})


def lost() -> HTMLResponse:
    """Return the page for a used, expired or unknown link."""
    return page("link_expired", status=404)


def form(
    visit: Link,
    title: str,
    description: str,
    fields: Sequence[Field],
    values: Mapping[str, str],
    errors: Mapping[str, str],
    step: tuple[int, int],
) -> HTMLResponse:
    """Return an onboarding form. `step` holds the step's number and the number of steps."""
    return page(
        "onboarding",
        title=title,
        description=description,
        fields=fields,
        values=values,
        errors=errors,
        step=step[0],
        steps=step[1],
        return_url=visit.return_url,
    )


def review(visit: Link, account: Json, summary: Sequence[tuple[str, str]]) -> HTMLResponse:
    """Return the last page of onboarding."""
    return page("review", summary=summary, submitted=account["submitted"], return_url=visit.return_url)


def dashboard(
    account: Json,
    summary: Sequence[tuple[str, str]],
    standing: Mapping[str, bool],
    due: Sequence[str],
    money: Sequence[tuple[str, str]] = (),
    payouts: Sequence[tuple[str, str, str, str]] = (),
    errors: Mapping[str, str] | None = None,
    base: str = "",
) -> HTMLResponse:
    """Return the Express dashboard at `base`. `payouts` are rows of day, amount, state and destination."""
    checks = [(name.replace("_", " ").capitalize(), "Yes" if on else "No") for name, on in standing.items()]
    return page(
        "dashboard",
        account_id=account["id"],
        summary=summary,
        checks=checks,
        due=due,
        money=money,
        payouts=payouts,
        errors=errors or {},
        base=base,
    )


def dollars(cents: int) -> str:
    """Return an amount as text."""
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"


def day(at: int) -> str:
    """Return a day as text."""
    return datetime.datetime.fromtimestamp(at, datetime.UTC).strftime("%b %-d, %Y")


def overview(
    rows: Sequence[tuple[str, str, Mapping[str, bool], Sequence[str]]],
    events: Sequence[tuple[str, str, str, int, int]],
) -> HTMLResponse:
    """Return the page with all accounts and the latest events."""
    accounts = [
        (account_id, email, [name for name, on in standing.items() if on], due)
        for account_id, email, standing, due in rows
    ]
    return page("overview", accounts=accounts, events=events)
