"""Customer Portal sessions and configurations (https://docs.stripe.com/customer-management). Pages: portal_pages.py."""

from __future__ import annotations

import secrets

from porchlight_dev.stripe_fake import customers
from porchlight_dev.stripe_fake.clock import HOUR
from porchlight_dev.stripe_fake.context import PAGE_PARAMS, Call, Context, Operation, blank, page, require, retrieve
from porchlight_dev.stripe_fake.errors import missing_reference
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

SESSION_SECONDS = HOUR
FLOWS = "customer_update|payment_method_update|subscription_cancel|subscription_update|subscription_update_confirm"
SWITCHES = ("customer_update", "invoice_history", "payment_method_update", "subscription_cancel", "subscription_update")


def _configuration(ctx: Context, *, default: bool) -> Json:
    return {
        "id": new_id("bpc"),
        "object": "billing_portal.configuration",
        "active": True,
        "application": None,
        "business_profile": blank("headline privacy_policy_url terms_of_service_url"),
        "created": ctx.now(),
        "default_return_url": None,
        "features": {
            "customer_update": {"allowed_updates": [], "enabled": False},
            "invoice_history": {"enabled": True},
            "payment_method_update": {"enabled": True, "payment_method_configuration": None},
            "subscription_cancel": {
                "cancellation_reason": {"enabled": False, "options": []},
                "enabled": True,
                "mode": "at_period_end",
                "proration_behavior": "none",
            },
            "subscription_pause": {"duration": {"interval_options": [], "type": "indefinite"}, "enabled": False},
            "subscription_update": {
                "default_allowed_updates": [],
                "enabled": False,
                "proration_behavior": "none",
                "schedule_at_period_end": {"conditions": []},
                "trial_update_behavior": "end_trial",
                **blank("billing_cycle_anchor products"),
            },
        },
        "is_default": default,
        "livemode": False,
        "login_page": {"enabled": False, "url": None},
        "metadata": {},
        "name": None,
        "updated": ctx.now(),
    }


def default_configuration(ctx: Context) -> Json:
    """Return the default configuration; create it on first use."""
    found = ctx.store.find("billing_portal.configuration", where={"is_default": 1}, limit=1)
    return found[0] if found else ctx.store.put(_configuration(ctx, default=True))


def create_configuration(ctx: Context, call: Call) -> Json:
    """Create a configuration."""
    return _apply(ctx, call, _configuration(ctx, default=False), "created")


def update_configuration(ctx: Context, call: Call) -> Json:
    """Change a configuration."""
    return _apply(ctx, call, require(ctx, "billing_portal.configuration", call.path["id"]), "updated")


def _apply(ctx: Context, call: Call, configuration: Json, kind: str) -> Json:
    for name in SWITCHES:
        configuration["features"][name] |= (call.get("features") or {}).get(name) or {}
    configuration["business_profile"] |= call.get("business_profile") or {}
    configuration["metadata"] = merged_metadata(configuration["metadata"], call.get("metadata"))
    configuration |= {
        name: call.params[name] for name in ("active", "default_return_url", "name") if name in call.params
    }
    configuration["updated"] = ctx.now()
    ctx.store.put(configuration)
    ctx.events.emit(f"billing_portal.configuration.{kind}", configuration)
    return configuration


def list_configurations(ctx: Context, call: Call) -> Json:
    """List configurations."""
    where = {name: int(call.params[name]) for name in ("active", "is_default") if call.get(name) is not None}
    return page(ctx, call, "billing_portal.configuration", where)


def create_session(ctx: Context, call: Call) -> Json:
    """Create a session, whose page works for an hour."""
    customer = customers.existing(ctx, call.params["customer"])
    if call.get("configuration"):
        configuration = require(ctx, "billing_portal.configuration", call.params["configuration"])
    else:
        configuration = default_configuration(ctx)
    token = secrets.token_urlsafe(24)
    session = {
        "id": new_id("bps"),
        "object": "billing_portal.session",
        "_token": token,
        "_expires": ctx.now() + SESSION_SECONDS,
        "configuration": configuration["id"],
        "created": ctx.now(),
        "customer": customer["id"],
        "customer_account": None,
        "flow": _flow(ctx, call, customer),
        "livemode": False,
        "locale": call.get("locale"),
        "on_behalf_of": None,
        "return_url": call.get("return_url") or configuration["default_return_url"],
        "url": f"{ctx.url}/p/session/{token}",
    }
    ctx.store.put(session)
    ctx.events.emit("billing_portal.session.created", session)
    return session


def _flow(ctx: Context, call: Call, customer: Json) -> Json | None:
    data = call.get("flow_data")
    if not data:
        return None
    cancel = data.get("subscription_cancel")
    if data["type"] == "subscription_cancel":
        subscription = ctx.store.get((cancel or {}).get("subscription") or "", "")
        if subscription is None or subscription["customer"] != customer["id"]:
            param = "flow_data[subscription_cancel][subscription]"
            raise missing_reference("subscription", (cancel or {}).get("subscription"), param)
    after = data.get("after_completion") or {"type": "portal_homepage"}
    return {
        "after_completion": {"hosted_confirmation": None, "redirect": after.get("redirect"), "type": after["type"]},
        "subscription_cancel": {"retention": None, "subscription": cancel["subscription"]} if cancel else None,
        "subscription_update": None,
        "subscription_update_confirm": None,
        "type": data["type"],
    }


_FEATURES = " ".join(f"features.{name}.enabled:bool" for name in SWITCHES)
CONFIGURATION = (
    f"{_FEATURES} features.subscription_cancel.mode:at_period_end|immediately"
    " features.subscription_cancel.proration_behavior:always_invoice|create_prorations|none"
    " features.customer_update.allowed_updates[] business_profile.headline business_profile.privacy_policy_url"
    " business_profile.terms_of_service_url metadata{} default_return_url name expand[]"
)
OPERATIONS = (
    Operation(
        "POST",
        "/v1/billing_portal/sessions",
        f"customer! return_url configuration locale flow_data.type:{FLOWS} flow_data.subscription_cancel.subscription"
        " flow_data.after_completion.type:hosted_confirmation|portal_homepage|redirect"
        " flow_data.after_completion.redirect.return_url expand[]",
        create_session,
    ),
    Operation("POST", "/v1/billing_portal/configurations", CONFIGURATION, create_configuration),
    Operation(
        "GET",
        "/v1/billing_portal/configurations",
        f"{PAGE_PARAMS} active:bool is_default:bool",
        list_configurations,
    ),
    Operation("GET", "/v1/billing_portal/configurations/{id}", "expand[]", retrieve("billing_portal.configuration")),
    Operation("POST", "/v1/billing_portal/configurations/{id}", f"{CONFIGURATION} active:bool", update_configuration),
)
