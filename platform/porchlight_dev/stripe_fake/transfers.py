"""Transfers to connected accounts and their reversals (https://docs.stripe.com/connect/separate-charges-and-transfers).

A transfer needs available funds of the platform, unless `source_transaction` names a charge: then it may use that
charge's funds, and becomes available with them. On the connected account it arrives as a payment `py_...`.
"""

from __future__ import annotations

from porchlight_dev.stripe_fake import accounts, balances, charges
from porchlight_dev.stripe_fake.context import (
    LIST_PARAMS,
    PAGE_PARAMS,
    Call,
    Context,
    Operation,
    list_of,
    listing,
    require,
    retrieve,
)
from porchlight_dev.stripe_fake.errors import StripeRefusal, ValidationError, missing_reference
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id


def check_amount(amount: int, param: str = "amount") -> None:
    """Refuse an amount below one cent."""
    if amount < 1:
        message = "This value must be greater than or equal to 1."
        raise ValidationError(message, code="parameter_invalid_integer", param=param)


def check_currency(currency: str) -> None:
    """Refuse a currency other than the dollar, in which no account here holds a balance."""
    if currency.lower() != "usd":
        message = f"You have insufficient available funds in your Stripe account: no balance in {currency}."
        raise StripeRefusal(message, code="balance_insufficient")


def create(ctx: Context, call: Call) -> Json:
    """Move money from the platform to a connected account."""
    amount, destination = call.params["amount"], call.params["destination"]
    check_amount(amount)
    check_currency(call.params["currency"])
    account = ctx.store.account(destination)
    if account is None or account["deleted"]:
        raise missing_reference("destination", destination, "destination")
    if not accounts.standing(account)["charges_enabled"]:
        message = (
            "Your destination account needs to have at least one of the following capabilities enabled: transfers,"
            " crypto_transfers, legacy_payments"
        )
        raise StripeRefusal(message, code="insufficient_capabilities_for_transfer")
    source = _source(ctx, call)
    available_on = ctx.now()
    if source is None:
        if balances.cents(ctx, "")[0] < amount:
            message = (
                "You have insufficient available funds in your Stripe account. One likely reason you have insufficient"
                " funds is that your funds are automatically being paid out; try enabling manual payouts."
            )
            raise StripeRefusal(message, code="balance_insufficient")
    else:
        available_on = max(
            available_on, require(ctx, "balance_transaction", source["balance_transaction"])["available_on"]
        )
    return _transfer(ctx, call, source, available_on)


def _source(ctx: Context, call: Call) -> Json | None:
    if not call.get("source_transaction"):
        return None
    charge = ctx.store.get(call.params["source_transaction"], "")
    if charge is None or charge["object"] != "charge" or not charge["captured"]:
        raise missing_reference("charge", call.params["source_transaction"], "source_transaction")
    used = sum(
        transfer["amount"] - transfer["amount_reversed"]
        for transfer in ctx.store.find("transfer", where={"source_transaction": charge["id"]})
    )
    if used + call.params["amount"] > charge["amount_captured"]:
        message = "The transfer amount is greater than the source_transaction's remaining amount."
        raise StripeRefusal(message, code="balance_insufficient", param="amount")
    return charge


def _transfer(ctx: Context, call: Call, source: Json | None, available_on: int) -> Json:
    transfer_id, amount, destination = new_id("tr"), call.params["amount"], call.params["destination"]
    payment = charges.charge_object(ctx, new_id("py"), amount) | {
        "source_transfer": transfer_id,
        "payment_method_details": {"stripe_account": {}, "type": "stripe_account"},
        "receipt_url": None,
    }
    description = call.get("description")
    line = balances.add_line(ctx, "", "transfer", -amount, transfer_id, description=description)
    received = balances.add_line(ctx, destination, "payment", amount, payment["id"], available_on=available_on)
    transfer = {
        "id": transfer_id,
        "object": "transfer",
        "amount": amount,
        "amount_reversed": 0,
        "balance_transaction": line["id"],
        "created": ctx.now(),
        "currency": "usd",
        "description": description,
        "destination": destination,
        "destination_payment": payment["id"],
        "livemode": False,
        "metadata": call.get("metadata") or {},
        "reversals": list_of([], f"/v1/transfers/{transfer_id}/reversals"),
        "reversed": False,
        "source_transaction": source["id"] if source else None,
        "source_type": "card",
        "transfer_group": call.get("transfer_group") or (source["transfer_group"] if source else None),
    }
    if source and not source["transfer_group"]:
        transfer["transfer_group"] = transfer["transfer_group"] or f"group_{source['id']}"
        ctx.store.put(source | {"transfer_group": transfer["transfer_group"]})
    ctx.store.put(payment | {"balance_transaction": received["id"]}, destination)
    ctx.store.put(transfer)
    ctx.events.emit("transfer.created", transfer)
    return transfer


def reverse(ctx: Context, call: Call) -> Json:
    """Take a transfer back, in whole or in part. The connected account needs the funds."""
    transfer = require(ctx, "transfer", call.path["id"])
    left = transfer["amount"] - transfer["amount_reversed"]
    amount = call.get("amount")
    amount = left if amount is None else amount
    if not left:
        raise StripeRefusal("Transfer is already fully reversed.", code="transfer_already_reversed")
    check_amount(amount)
    if amount > left:
        message = f"Reversal amount (${amount / 100:.2f}) is greater than unreversed amount (${left / 100:.2f})"
        raise StripeRefusal(message, code="amount_too_large", param="amount")
    account = transfer["destination"]
    if sum(balances.cents(ctx, account)) < amount:
        message = "The connected account has insufficient funds to cover the amount of this reversal."
        raise StripeRefusal(message, code="balance_insufficient")
    reversal_id, refund_id = new_id("trr"), new_id("pyr")
    payment = require(ctx, "charge", transfer["destination_payment"], account)
    received = require(ctx, "balance_transaction", payment["balance_transaction"], account)
    line = balances.add_line(ctx, "", "transfer_refund", amount, reversal_id, description=call.get("description"))
    balances.add_line(
        ctx, account, "payment_refund", -amount, refund_id, available_on=max(ctx.now(), received["available_on"])
    )
    reversal = {
        "id": reversal_id,
        "object": "transfer_reversal",
        "amount": amount,
        "balance_transaction": line["id"],
        "created": ctx.now(),
        "currency": "usd",
        "destination_payment_refund": refund_id,
        "metadata": call.get("metadata") or {},
        "source_refund": None,
        "transfer": transfer["id"],
    }
    total = transfer["amount_reversed"] + amount
    transfer |= {"amount_reversed": total, "reversed": total == transfer["amount"]}
    transfer["reversals"]["data"].insert(0, reversal)
    refunded = payment["amount_refunded"] + amount
    ctx.store.put(payment | {"amount_refunded": refunded, "refunded": refunded == payment["amount"]}, account)
    ctx.store.put(transfer)
    ctx.store.put(reversal)
    ctx.events.emit("transfer.reversed", transfer)
    return reversal


def update(ctx: Context, call: Call) -> Json:
    """Change a transfer's metadata or description."""
    transfer = require(ctx, "transfer", call.path["id"])
    transfer["metadata"] = merged_metadata(transfer["metadata"], call.get("metadata"))
    transfer["description"] = call.get("description", transfer["description"])
    ctx.store.put(transfer)
    ctx.events.emit("transfer.updated", transfer)
    return transfer


def list_reversals(ctx: Context, call: Call) -> Json:
    """List the reversals of a transfer."""
    transfer = require(ctx, "transfer", call.path["id"])
    return list_of(transfer["reversals"]["data"], call.url)


OPERATIONS = (
    Operation(
        "POST",
        "/v1/transfers",
        "amount:int! currency! destination! description metadata{} source_transaction source_type:card transfer_group"
        " expand[]",
        create,
    ),
    Operation(
        "GET",
        "/v1/transfers",
        f"{LIST_PARAMS} destination transfer_group",
        listing("transfer", ("destination", "transfer_group")),
    ),
    Operation("GET", "/v1/transfers/{id}", "expand[]", retrieve("transfer")),
    Operation("POST", "/v1/transfers/{id}", "metadata{} description expand[]", update),
    Operation(
        "POST",
        "/v1/transfers/{id}/reversals",
        "amount:int description metadata{} refund_application_fee:bool expand[]",
        reverse,
    ),
    Operation("GET", "/v1/transfers/{id}/reversals", PAGE_PARAMS, list_reversals),
)
