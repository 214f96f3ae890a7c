"""Connected accounts: which facts Stripe requires, and when an account can charge and receive payouts."""

from __future__ import annotations

import time
from typing import Any

from porchlight_dev.stripe_fake import external_accounts, schedules
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, blank, list_of
from porchlight_dev.stripe_fake.errors import StripeRefusal, missing_reference, no_such
from porchlight_dev.stripe_fake.external_accounts import CLOSED_BANK_ACCOUNT
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

LINK_SECONDS = 300

# The required facts under Stripe's names, in the order of the pages that ask for them.
PERSON = (
    "individual.first_name",
    "individual.last_name",
    "individual.dob.day",
    "individual.dob.month",
    "individual.dob.year",
    "individual.email",
    "individual.phone",
)
HOME = (
    "individual.address.line1",
    "individual.address.city",
    "individual.address.state",
    "individual.address.postal_code",
    "individual.ssn_last_4",
)
BANK = ("external_account",)
TERMS = ("tos_acceptance.date", "tos_acceptance.ip")
ALL = PERSON + HOME + BANK + TERMS

# Test values, as Stripe has them.
UNVERIFIED_SSN = "1111"  # requires the full number and a photo; no charges and no payouts until then


def new_account(email: str, country: str, created: int) -> Json:
    """Return a new account without facts."""
    return {
        "id": new_id("acct"),
        "email": email,
        "country": country.upper(),
        "created": created,
        "facts": {},
        "submitted": False,
        "deleted": False,
    }


def currently_due(account: Json) -> list[str]:
    """Return the names of the facts that are still required."""
    facts: dict[str, str] = account["facts"]
    due = [name for name in ALL if not facts.get(name)]
    if account["submitted"]:
        if facts.get("individual.ssn_last_4") == UNVERIFIED_SSN:
            due += ["individual.id_number", "individual.verification.document"]
        if facts.get("external_account", "").endswith(CLOSED_BANK_ACCOUNT):
            due.append("external_account")
    return sorted(due)


def standing(account: Json) -> dict[str, bool]:
    """Return the three booleans of SPEC's payout account."""
    due = currently_due(account)
    submitted = bool(account["submitted"])
    return {
        "charges_enabled": submitted and not [name for name in due if name != "external_account"],
        "payouts_enabled": submitted and not due,
        "details_submitted": bool(account["submitted"]),
    }


def v1_view(ctx: Context, account: Json) -> Json:
    """Return the account as in GET /v1/accounts/{id}."""
    due = currently_due(account)
    state = standing(account)
    url = f"/v1/accounts/{account['id']}/external_accounts"
    payouts = schedules.settings(ctx, account["id"])["payments"]
    return {
        "id": account["id"],
        "object": "account",
        "type": "express",
        "business_profile": blank(
            "annual_revenue estimated_worker_count mcc minority_owned_business_designation name product_description"
            " support_address support_email support_phone support_url url"
        ),
        "business_type": "individual",
        "country": account["country"],
        "created": account["created"],
        "controller": {
            "fees": {"payer": "application_express"},
            "is_controller": True,
            "losses": {"payments": "application"},
            "requirement_collection": "stripe",
            "stripe_dashboard": {"type": "express"},
            "type": "application",
        },
        "default_currency": "usd",
        "email": account["email"],
        **state,
        "capabilities": dict.fromkeys(
            ("card_payments", "transfers"), "active" if state["charges_enabled"] else "inactive"
        ),
        "requirements": _requirements(due),
        "future_requirements": _requirements([]),
        "external_accounts": list_of(external_accounts.of_json(account), url),
        "metadata": account.get("metadata", {}),
        "settings": {
            "branding": blank("icon logo primary_color secondary_color"),
            "card_payments": {
                "decline_on": {"avs_failure": False, "cvc_failure": False},
                **blank(
                    "statement_descriptor_prefix statement_descriptor_prefix_kana statement_descriptor_prefix_kanji"
                ),
            },
            "dashboard": {"display_name": None, "timezone": "Etc/UTC"},
            "payments": blank("statement_descriptor statement_descriptor_kana statement_descriptor_kanji"),
            "payouts": {
                "debit_negative_balances": payouts["debit_negative_balances"],
                "schedule": {"delay_days": 2, **payouts["payouts"]["schedule"]},
                "statement_descriptor": payouts["payouts"]["statement_descriptor"],
            },
        },
        "tos_acceptance": {"date": _terms_date(account)},
    }


def _terms_date(account: Json) -> int | None:
    date = account["facts"].get("tos_acceptance.date")
    return int(date) if date else None


def _requirements(due: list[str]) -> Json:
    return {
        "alternatives": [],
        "currently_due": due,
        "eventually_due": due,
        "past_due": due,
        "pending_verification": [],
        "current_deadline": None,
        "disabled_reason": "requirements.past_due" if due else None,
        "errors": [],
    }


def v2_view(account: Json) -> Json:
    """Return an account as in the v2 API, without what only `include` adds."""
    return {
        "id": account["id"],
        "object": "v2.core.account",
        "applied_configurations": ["merchant", "recipient"],
        "closed": account["deleted"],
        "contact_email": account["email"],
        "created": _timestamp(account["created"]),
        "dashboard": "express",
        "livemode": False,
        "metadata": account.get("metadata", {}),
        **blank("configuration contact_phone defaults display_name future_requirements identity requirements"),
    }


def _timestamp(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at))


def change(ctx: Context, account: Json, **changes: Any) -> Json:
    """Change an account and queue its event in one transaction; return the changed account."""
    changed = account | changes
    with ctx.store.transaction():
        ctx.store.put_account(changed)
        ctx.events.emit("account.updated", v1_view(ctx, changed), changed["id"])
    return changed


def _existing(ctx: Context, account_id: str) -> Json:
    account = ctx.store.account(account_id)
    if account is None:
        raise StripeRefusal("No such account.", status=404, code="resource_missing")
    return account


def create(ctx: Context, call: Call) -> Json:
    """Create an Express account (v2)."""
    country = (call.get("identity") or {}).get("country")
    if not country or call.get("dashboard") != "express":
        message = "This fake Stripe supports only Express accounts with a country."
        raise StripeRefusal(message, code="invalid_fields")
    account = new_account(call.get("contact_email") or "", country, ctx.now())
    account["metadata"] = call.get("metadata") or {}
    ctx.store.put_account(account)
    return v2_view(account)


def create_link(ctx: Context, call: Call) -> Json:
    """Create a single-use link to the onboarding pages (v2)."""
    account = _existing(ctx, call.params["account"])
    case = (call.get("use_case") or {}).get("account_onboarding") or {}
    if not case.get("return_url") or not case.get("refresh_url"):
        raise StripeRefusal("return_url and refresh_url are required.", code="parameter_missing")
    expires = ctx.now() + LINK_SECONDS
    link = ctx.store.new_link("setup", account["id"], expires, case["return_url"], case["refresh_url"])
    return {
        "object": "v2.core.account_link",
        "account": account["id"],
        "created": _timestamp(ctx.now()),
        "expires_at": _timestamp(expires),
        "livemode": False,
        "url": f"{ctx.url}/setup/{link.token}",
        "use_case": {
            "type": "account_onboarding",
            "account_onboarding": {"return_url": case["return_url"], "refresh_url": case["refresh_url"]},
        },
    }


def retrieve(ctx: Context, call: Call) -> Json:
    """Return an account (v1)."""
    account = ctx.store.account(call.path["account"])
    if account is None or account["deleted"]:
        message = (
            f"The provided key does not have access to account '{call.path['account']}' (or that account does not"
            " exist). Application access may have been revoked."
        )
        raise StripeRefusal(message, status=403, code="account_invalid")
    return v1_view(ctx, account)


def list_accounts(ctx: Context, call: Call) -> Json:
    """List accounts (v1), newest first."""
    found = [account for account in ctx.store.accounts() if not account["deleted"]]
    ids = [account["id"] for account in found]
    if call.get("starting_after"):
        if call.params["starting_after"] not in ids:
            raise no_such("account", call.params["starting_after"], "starting_after")
        found = found[ids.index(call.params["starting_after"]) + 1 :]
    limit = max(1, min(100, call.get("limit") or 10))
    return list_of([v1_view(ctx, account) for account in found[:limit]], call.url, more=len(found) > limit)


def update(ctx: Context, call: Call) -> Json:
    """Change an account's metadata (v1)."""
    account = _existing(ctx, call.path["account"])
    changed = change(ctx, account, metadata=merged_metadata(account.get("metadata", {}), call.get("metadata")))
    return v1_view(ctx, changed)


def create_login_link(ctx: Context, call: Call) -> Json:
    """Create a single-use link to the Express dashboard."""
    account = _existing(ctx, call.path["account"])
    if not account["submitted"]:
        raise StripeRefusal("Cannot create a login link for an account that has not completed onboarding.")
    link = ctx.store.new_link("express", account["id"], ctx.now() + LINK_SECONDS)
    return {"object": "login_link", "created": ctx.now(), "url": f"{ctx.url}/express/{link.token}"}


def delete(ctx: Context, call: Call) -> Json:
    """Delete an account."""
    account = ctx.store.account(call.path["account"])
    if account is None:
        raise missing_reference("account", call.path["account"], "account")
    ctx.store.put_account(account | {"deleted": True})
    return {"id": account["id"], "object": "account", "deleted": True}


_MERCHANT = "configuration.merchant.capabilities.card_payments.requested:bool"
_RECIPIENT = "configuration.recipient.capabilities.stripe_balance.stripe_transfers.requested:bool"
OPERATIONS = (
    Operation(
        "POST",
        "/v2/core/accounts",
        f"contact_email dashboard identity.country identity.entity_type {_MERCHANT} {_RECIPIENT} defaults.currency"
        " defaults.responsibilities.fees_collector defaults.responsibilities.losses_collector metadata{} include[]"
        " display_name",
        create,
    ),
    Operation(
        "POST",
        "/v2/core/account_links",
        "account! use_case.type use_case.account_onboarding.return_url use_case.account_onboarding.refresh_url",
        create_link,
    ),
    Operation("GET", "/v1/accounts", LIST_PARAMS, list_accounts),
    Operation("GET", "/v1/accounts/{account}", "expand[]", retrieve),
    Operation("POST", "/v1/accounts/{account}", "metadata{} expand[]", update),
    Operation("POST", "/v1/accounts/{account}/login_links", "expand[]", create_login_link),
    Operation("DELETE", "/v1/accounts/{account}", "", delete),
)
