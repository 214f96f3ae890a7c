"""A fake Stripe for one machine: the part of the API, hosted pages and webhooks that the product uses.

The real SDK talks to it through STRIPE_API_BASE. It stores its data in one SQLite file before it responds. Each
resource is a module that lists its operations (`OPERATIONS`). api.py applies authentication, parameters, idempotency
keys and faults to all of them, expansion.py shapes answers, events.py and webhooks.py report what happened.

Tests drive it by the control API (control.py), which Stripe does not have:

    GET, POST   /_twin/clock            {"advance_s": 3600}: runs all that becomes due, each at its own time
    GET, POST, DELETE /_twin/faults     {"match": "POST /v1/transfers", "do": "drop_after_commit", "times": 1}
    POST        /_twin/events/hold      no event is delivered until
    POST        /_twin/events/release   {"order": "given|reverse|shuffle:SEED", "copies": 2}
    GET         /_twin/objects          ?type=transfer&transfer_group=...&metadata.outbox=...: also type=event, account
    GET         /_twin/calls            ?idempotency_key=...&path=...: calls of the API with their result
    POST        /_twin/charges          {"account", "amount", "pending"?}: test earnings; without account a charge alone
    POST        /_twin/lines            {"account", "amount", "type", "source"?, "fee"?, "available_in_s"?, "count"?}
    POST        /_twin/disputes         {"charge" or "payment_intent", "amount"?, "reason"?, "inquiry"?}
                                or {"dispute", "status": "won"}
    POST        /_twin/payouts/{id}/fail  {"code": "account_closed"}
    POST        /_twin/refunds/{id}/fail
    POST        /_twin/cards            {"customer", "card": "pm_card_chargeCustomerFail"}: the card of its invoices
    POST        /_twin/pricing          {"instant_bps", "instant_minimum", "instant_daily_limit"...} (pricing.py)
"""
