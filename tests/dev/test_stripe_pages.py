"""Hosted pages of the local Stripe, rendered with values that look like HTML."""

from __future__ import annotations

from starlette.responses import Response

from porchlight_dev.stripe_fake import layout
from porchlight_dev.stripe_fake.layout import Field
from porchlight_dev.stripe_fake.store import Link

UNSAFE_HTML = "<script>alert(1)</script>\" onload='x'"
LINK = Link("token", "visit", "acct_1", f"https://porchlight.example/?a=1&b=2{UNSAFE_HTML}", "", 0, False)


def text_of(response: Response) -> str:
    return bytes(response.body).decode()


def assert_escaped(html: str) -> None:
    assert html.startswith("<!doctype html>")
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert '" onload' not in html


def test_stripe_onboarding_page_escapes_values() -> None:
    field = Field("routing", UNSAFE_HTML, pattern=r"\d{9}", example=UNSAFE_HTML)
    page = layout.form(
        LINK,
        UNSAFE_HTML,
        UNSAFE_HTML,
        [field],
        {"routing": UNSAFE_HTML},
        {"routing": "This field is required."},
        (1, 4),
    )
    html = text_of(page)
    assert_escaped(html)
    assert "Step 1 of 4" in html
    assert ' aria-describedby="routing-error">' in html
    assert '<p class="wrong" id="routing-error">This field is required.</p>' in html
    assert page.headers["cache-control"] == "no-store"


def test_stripe_onboarding_page_without_error_shows_none() -> None:
    page = layout.form(LINK, "Title", "Text", [Field("dob", "Date of birth", kind="date")], {}, {}, (1, 4))
    assert 'type="date" value="" required autocomplete="off">' in text_of(page)
    assert "aria-invalid" not in text_of(page).split("<main>")[1]


def test_stripe_account_pages_escape_values() -> None:
    account = {"id": UNSAFE_HTML, "submitted": False}
    status = {"charges_enabled": True, "payouts_enabled": False}
    assert_escaped(text_of(layout.review(LINK, account, [("Name", UNSAFE_HTML)])))
    dashboard = text_of(layout.dashboard(account, [("Name", UNSAFE_HTML), ("Email", "")], status, ["dob"]))
    assert_escaped(dashboard)
    assert "<dt>Charges enabled</dt><dd>Yes</dd>" in dashboard
    assert "<dt>Email</dt><dd>—</dd>" in dashboard
    assert "Still required: dob" in dashboard
    overview = text_of(
        layout.overview(
            [("acct_1", UNSAFE_HTML, status, [])],
            [("evt_1", "account.updated", UNSAFE_HTML, 0, 2), ("evt_2", "account.updated", "acct_1", 1, 1)],
        )
    )
    assert_escaped(overview)
    assert "<td>charges_enabled</td><td>—</td>" in overview
    assert "waiting, 2 attempts" in overview
    assert "delivered" in overview
