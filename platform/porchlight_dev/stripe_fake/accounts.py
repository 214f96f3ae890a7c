"""Connected accounts: which facts Stripe requires, and when an account can charge and receive payouts."""

from __future__ import annotations

import time
from typing import Any

from porchlight_dev.stripe_fake.store import Json, Store, new_id

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
CLOSED_BANK_ACCOUNT = "000111111113"  # charges, but no payouts until the account is replaced


def new_account(email: str, country: str) -> Json:
    """Return a new account without facts."""
    return {
        "id": new_id("acct"),
        "email": email,
        "country": country.upper(),
        "created": int(time.time()),
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


def v1_view(account: Json) -> Json:
    """Return the account as in GET /v1/accounts/{id}."""
    due = currently_due(account)
    return {
        "id": account["id"],
        "object": "account",
        "type": "express",
        "business_type": "individual",
        "country": account["country"],
        "created": account["created"],
        "default_currency": "usd",
        "email": account["email"],
        **standing(account),
        "capabilities": {
            name: "active" if standing(account)["charges_enabled"] else "inactive"
            for name in ("card_payments", "transfers")
        },
        "requirements": {
            "currently_due": due,
            "eventually_due": due,
            "past_due": due,
            "pending_verification": [],
            "current_deadline": None,
            "disabled_reason": "requirements.past_due" if due else None,
            "errors": [],
        },
        "external_accounts": {"object": "list", "data": _bank_accounts(account), "has_more": False},
        "metadata": {},
    }


def _bank_accounts(account: Json) -> list[Json]:
    number = account["facts"].get("external_account", "")
    if not number:
        return []
    return [{"id": f"ba_{account['id'][5:]}", "object": "bank_account", "currency": "usd", "last4": number[-4:]}]


def v2_view(account: Json) -> Json:
    """Return a new account as in the v2 API."""
    return {
        "id": account["id"],
        "object": "v2.core.account",
        "applied_configurations": ["merchant", "recipient"],
        "contact_email": account["email"],
        "created": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(account["created"])),
        "dashboard": "express",
        "livemode": False,
    }


def change(store: Store, account: Json, **changes: Any) -> Json:
    """Change an account and queue its event in one transaction; return the changed account."""
    changed = account | changes
    with store.transaction():
        store.put_account(changed)
        store.put_event(
            {
                "id": new_id("evt"),
                "object": "event",
                "api_version": "2026-10-28.endive",
                "type": "account.updated",
                "created": int(time.time()),
                "livemode": False,
                "pending_webhooks": 1,
                "request": {"id": None, "idempotency_key": None},
                "account": changed["id"],
                "data": {"object": v1_view(changed)},
            }
        )
    return changed
