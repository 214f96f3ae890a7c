"""How the hosted pages look: light, plain, and clearly a stand-in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from starlette.responses import HTMLResponse

from porchlight.local.stripe.store import Json, Link

_STYLE = """
:root{color-scheme:light}*{box-sizing:border-box}
body{margin:0;background:#f6f8fb;color:#1a1f36;font:16px/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:2rem 1rem 4rem}main.wide{max-width:60rem}
header{background:#0a2540;color:#fff;padding:.75rem 1rem;font-weight:600}header span{font-weight:400;color:#c6d3e3}
h1{font-size:1.5rem;line-height:1.25;margin:.25rem 0 .5rem}h2{font-size:1.125rem;margin:2rem 0 .5rem}
.card{background:#fff;border:1px solid #dfe5ee;border-radius:.75rem;padding:1.5rem}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input{width:100%;padding:.625rem .75rem;font:inherit;border:1px solid #8792a2;border-radius:.5rem}
input[aria-invalid]{border-color:#b3093c}.wrong{color:#b3093c;font-size:.875rem}
button,.button{display:inline-block;padding:.625rem 1.25rem;border:0;border-radius:.5rem;background:#0055de;color:#fff;
font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
button.small{padding:.25rem .75rem;font-size:.875rem}
:focus-visible{outline:3px solid #0055de;outline-offset:2px}a{color:#0049c2}
.row{display:flex;flex-wrap:wrap;gap:1rem;align-items:center;justify-content:space-between;margin-top:1.5rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.5rem 1.5rem;margin:1rem 0}dt{color:#4f5b76}dd{margin:0}
table{width:100%;border-collapse:collapse;font-size:.875rem}th,td{text-align:left;padding:.5rem;
border-bottom:1px solid #dfe5ee;vertical-align:top;overflow-wrap:anywhere}.muted{color:#4f5b76}
"""


@dataclass(frozen=True, slots=True)
class Field:
    """A question."""

    name: str
    label: str
    kind: str = "text"
    autocomplete: str = "off"
    pattern: str = ""
    example: str = ""

    def fault(self, given: str) -> str:
        """What is wrong with an answer; empty when nothing is."""
        if not given:
            return "Please fill this in."
        if self.kind == "date" and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", given):
            return "Please give a date."
        if self.kind == "email" and "@" not in given:
            return "Please give an email address."
        if self.pattern and not re.fullmatch(self.pattern, given):
            return "This does not look right."
        return ""


def page(title: str, body: str, *, wide: bool = False, status: int = 200) -> HTMLResponse:
    """A whole page."""
    return HTMLResponse(
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)} · local Stripe</title><style>{_STYLE}</style></head><body>"
        "<header>stripe <span>· local stand-in, no real money</span></header>"
        f"<main{' class=wide' if wide else ''}>{body}</main></body></html>",
        status,
        {"cache-control": "no-store", "referrer-policy": "no-referrer"},
    )


def lost() -> HTMLResponse:
    """For links that are used, old or unknown."""
    words = "This link was used already or has expired. Go back to Porchlight and open it again."
    return page(
        "Link expired", f'<div class="card"><h1>This link is no longer good</h1><p>{words}</p></div>', status=404
    )


def form(
    visit: Link,
    title: str,
    words: str,
    fields: Sequence[Field],
    known: Mapping[str, str],
    wrong: Mapping[str, str],
    step: tuple[int, int],
) -> HTMLResponse:
    """A page of onboarding."""
    rows = ""
    for field in fields:
        name, value = escape(field.name), escape(known.get(field.name, ""), quote=True)
        fault = wrong.get(field.name, "")
        rows += (
            f'<label for="{name}">{escape(field.label)}</label>'
            f'<input id="{name}" name="{name}" type="{field.kind}" value="{value}" required'
            f' autocomplete="{field.autocomplete}"'
            + (f' pattern="{escape(field.pattern)}"' if field.pattern else "")
            + (f' placeholder="{escape(field.example)}"' if field.example else "")
            + (f' aria-invalid="true" aria-describedby="{name}-wrong"' if fault else "")
            + ">"
            + (f'<p class="wrong" id="{name}-wrong">{escape(fault)}</p>' if fault else "")
        )
    body = (
        f'<p class="muted">Step {step[0]} of {step[1]}</p><div class="card"><h1>{escape(title)}</h1>'
        f'<p class="muted">{escape(words)}</p><form method="post">{rows}'
        f'<div class="row"><button>Continue</button>{_leave(visit)}</div></form></div>'
    )
    return page(title, body)


def review(visit: Link, account: Json, summary: Sequence[tuple[str, str]]) -> HTMLResponse:
    """The last page of onboarding."""
    button = "Save" if account["submitted"] else "Agree and submit"
    body = (
        f'<div class="card"><h1>Review and submit</h1>{_list(summary)}'
        "<p class=muted>By submitting you agree to the terms of this stand-in, of which there are none.</p>"
        f'<form method="post"><div class="row"><button>{button}</button>{_leave(visit)}</div></form></div>'
    )
    return page("Review and submit", body)


def dashboard(
    account: Json, summary: Sequence[tuple[str, str]], standing: Mapping[str, bool], due: Sequence[str]
) -> HTMLResponse:
    """The Express dashboard."""
    state = [(name.replace("_", " ").capitalize(), "Yes" if on else "No") for name, on in standing.items()]
    asked = f"<p>Still asked for: {escape(', '.join(due))}</p>" if due else "<p>Nothing is asked for.</p>"
    body = (
        f'<div class="card"><h1>Express dashboard</h1><p class="muted">{escape(account["id"])}</p>'
        f"{_list(summary)}<h2>Account</h2>{_list(state)}{asked}</div>"
    )
    return page("Express dashboard", body)


def overview(
    rows: Sequence[tuple[str, str, Mapping[str, bool], Sequence[str]]],
    events: Sequence[tuple[str, str, str, int, int]],
) -> HTMLResponse:
    """All accounts and the newest events."""
    people = "".join(
        f"<tr><td>{escape(name)}</td><td>{escape(email)}</td>"
        f"<td>{escape(', '.join(key for key, on in standing.items() if on)) or '—'}</td>"
        f"<td>{escape(', '.join(due)) or '—'}</td></tr>"
        for name, email, standing, due in rows
    )
    told = "".join(
        f"<tr><td>{escape(event)}</td><td>{escape(kind)}</td><td>{escape(account)}</td>"
        f"<td>{'delivered' if done else f'waiting, {attempts} attempts'}</td>"
        f'<td><form method="post" action="/events/{escape(event)}">'
        '<button class="small">Send again</button></form></td></tr>'
        for event, kind, account, done, attempts in events
    )
    body = (
        "<h1>Local Stripe</h1><p>Stands in for Stripe on this machine: what the product asks of it, it answers.</p>"
        '<h2>Accounts</h2><div class="card"><table><thead><tr><th>Account</th><th>Email</th><th>True</th>'
        f"<th>Asked for</th></tr></thead><tbody>{people}</tbody></table></div>"
        '<h2>Events</h2><div class="card"><table><thead><tr><th>Event</th><th>Type</th><th>Account</th><th>State</th>'
        f"<th></th></tr></thead><tbody>{told}</tbody></table></div>"
    )
    return page("Overview", body, wide=True)


def _leave(visit: Link) -> str:
    return f'<a href="{escape(visit.return_url, quote=True)}">Return to Porchlight</a>'


def _list(rows: Sequence[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value) or '—'}</dd>" for name, value in rows) + "</dl>"
