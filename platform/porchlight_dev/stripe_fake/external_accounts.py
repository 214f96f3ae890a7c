"""External accounts: the bank account and debit cards to which a connected account is paid.

`available_payout_methods` says which can receive instant payouts (https://docs.stripe.com/connect/instant-payouts):
debit cards and some bank accounts. Test numbers as at https://docs.stripe.com/connect/testing#account-numbers.
"""

from __future__ import annotations

import hashlib

from porchlight_dev.stripe_fake import cards
from porchlight_dev.stripe_fake.context import PAGE_PARAMS, Call, Context, Operation, blank, list_of
from porchlight_dev.stripe_fake.errors import StripeRefusal, no_such
from porchlight_dev.stripe_fake.store import Json

CLOSED_BANK_ACCOUNT = "000111111113"
STANDARD_ONLY = "000555555559"  # ours: a bank that Stripe's instant payouts do not reach
FAILURES = {
    "000111111116": ("no_account", "The bank account details on file are probably incorrect: no such account."),
    CLOSED_BANK_ACCOUNT: ("account_closed", "The bank account has been closed."),
    "000222222227": ("insufficient_funds", "Your Stripe account has insufficient funds to cover the payout."),
    "000333333335": ("debit_not_authorized", "Debit transactions are not approved on the bank account."),
    "000444444440": ("invalid_currency", "The bank was unable to process this payout because of its currency."),
}
CARD_FAILURES = {"4000056655665572": ("declined", "The bank has declined this payout.")}
PLATFORM_BANK = "ba_platform"


def bank_number(account: Json) -> str:
    """Return the account number that was entered during onboarding."""
    return str(account["facts"].get("external_account", ""))


def _bank(account: Json) -> Json:
    number = bank_number(account)
    facts = account["facts"]
    name = f"{facts.get('individual.first_name', '')} {facts.get('individual.last_name', '')}".strip()
    digest = hashlib.sha256(f"{account['id']}{number}".encode()).hexdigest()[:24]
    return _bank_account(f"ba_1{digest}", number) | {
        "account": account["id"],
        "account_holder_name": name or None,
        "available_payout_methods": ["standard"] if number == STANDARD_ONLY else ["standard", "instant"],
        "default_for_currency": not account.get("default_card"),
        "status": "errored" if account.get("errored") == number else "new",
    }


def _bank_account(bank_id: str, number: str) -> Json:
    requirements: Json = {"currently_due": [], "errors": [], "past_due": [], "pending_verification": []}
    return {
        "id": bank_id,
        "object": "bank_account",
        "account": None,
        "account_holder_name": None,
        "account_holder_type": "individual",
        "account_type": None,
        "available_payout_methods": ["standard"],
        "bank_name": "STRIPE TEST BANK",
        "country": "US",
        "currency": "usd",
        "default_for_currency": True,
        "fingerprint": f"fp{number[-6:]}",
        "future_requirements": requirements,
        "last4": number[-4:],
        "metadata": {},
        "requirements": requirements,
        "routing_number": "110000000",
        "status": "new",
    }


def _card(account: Json, number: str) -> Json:
    digest = hashlib.sha256(f"{account['id']}{number}".encode()).hexdigest()[:24]
    return {
        "id": f"card_1{digest}",
        "object": "card",
        "account": account["id"],
        "available_payout_methods": ["standard", "instant"],
        "brand": "Visa",
        "country": "US",
        "currency": "usd",
        "cvc_check": "pass",
        "default_for_currency": account.get("default_card") == number,
        "exp_month": 12,
        "exp_year": 2034,
        "fingerprint": f"fp{number[-6:]}",
        "funding": "debit",
        "last4": number[-4:],
        "metadata": {},
        "status": "new",
        **blank(
            "address_city address_country address_line1 address_line1_check address_line2 address_state address_zip"
            " address_zip_check dynamic_last4 name regulated_status tokenization_method"
        ),
    }


def of_json(account: Json) -> list[Json]:
    """Return the external accounts of a connected account, the default one first."""
    found = [_bank(account)] if bank_number(account) else []
    found += [_card(account, number) for number in account.get("cards", [])]
    return sorted(found, key=lambda external: not external["default_for_currency"])


def of_account(ctx: Context, account_id: str) -> list[Json]:
    """Return the external accounts of an account by its id. The platform has one bank account."""
    if not account_id:
        return [_bank_account(PLATFORM_BANK, "000123456789")]
    account = ctx.store.account(account_id)
    return of_json(account) if account else []


def failure(ctx: Context, account_id: str, external_id: str) -> tuple[str, str] | None:
    """Return code and words of the failure that payouts to an external account end in, or None."""
    account = ctx.store.account(account_id)
    if account is None:
        return None
    if any(external["id"] == external_id for external in of_json(account) if external["object"] == "bank_account"):
        return FAILURES.get(bank_number(account))
    numbers = {_card(account, number)["id"]: number for number in account.get("cards", [])}
    return CARD_FAILURES.get(numbers.get(external_id, ""))


def add_debit_card(account: Json, number: str) -> Json:
    """Return an account with another debit card, or raise the error that Stripe's form shows."""
    plain = number.replace(" ", "")
    known = cards.find(plain).funding == "debit" or plain in CARD_FAILURES
    if not known:
        raise StripeRefusal("This card doesn't appear to be a debit card.", code="card_declined", kind="card_error")
    return account | {"cards": [*[card for card in account.get("cards", []) if card != plain], plain]}


def _account(ctx: Context, call: Call) -> Json:
    account = ctx.store.account(call.path["account"])
    if account is None or account["deleted"]:
        raise no_such("account", call.path["account"], "account")
    return account


def list_external(ctx: Context, call: Call) -> Json:
    """List the external accounts of a connected account."""
    found = of_json(_account(ctx, call))
    kind = call.get("object")
    return list_of([external for external in found if kind in (None, external["object"])], call.url)


def retrieve_external(ctx: Context, call: Call) -> Json:
    """Return one external account."""
    for external in of_json(_account(ctx, call)):
        if external["id"] == call.path["id"]:
            return external
    raise no_such("external account", call.path["id"])


OPERATIONS = (
    Operation(
        "GET", "/v1/accounts/{account}/external_accounts", f"{PAGE_PARAMS} object:bank_account|card", list_external
    ),
    Operation("GET", "/v1/accounts/{account}/external_accounts/{id}", "expand[]", retrieve_external),
)
