#!/usr/bin/env bash
# stripe 16.1.0 (PyPI) has no `payment_method_types` among the parameters of Checkout sessions, payment intents and setup
# intents, but still among those of payment links; and a Checkout session that is read still has the field.
#
# The parameter stood in most examples of Checkout for years. With API 2026-10-28.endive its successor is
# `allowed_payment_method_types`, while payment links keep the old name. The SDK checks no names when it runs: a call with
# the old one type-checks as wrong, is sent all the same, and only Stripe refuses it. Seen: session, intent and setup
# intent: allowed_payment_method_types; payment link: payment_method_types; field of a session: both; sent:
# payment_method_types[0]=card. The script fails when one of these changes.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check stripe==16.1.0
cat > names.py <<'END'
from urllib.parse import parse_qs

import stripe
from stripe.checkout import Session
from stripe.params import PaymentIntentCreateParams, PaymentLinkCreateParams, SetupIntentCreateParams
from stripe.params.checkout import SessionCreateParams

OLD, NEW = "payment_method_types", "allowed_payment_method_types"


def named(kind):
    return [name for name in (OLD, NEW) if name in kind.__annotations__]


class Recorder(stripe.HTTPClient):
    name = "recorder"
    sent = ""

    def request(self, method, url, headers, post_data=None, **_):
        Recorder.sent = post_data
        return '{"id": "cs_1", "object": "checkout.session"}', 200, {}

    def close(self):
        pass


client = stripe.StripeClient("sk_test_1", http_client=Recorder())
client.v1.checkout.sessions.create(params={"mode": "payment", OLD: ["card"]})
sent = [name for name in parse_qs(Recorder.sent) if OLD in name]
seen = [named(kind) for kind in (SessionCreateParams, PaymentIntentCreateParams, SetupIntentCreateParams)]
seen += [named(PaymentLinkCreateParams), named(Session), sent]
print(stripe.api_version, *seen)
assert seen == [[NEW], [NEW], [NEW], [OLD], [OLD, NEW], [f"{OLD}[0]"]], seen
END
venv/bin/python names.py
