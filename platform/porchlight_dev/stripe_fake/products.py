"""Products and prices (https://docs.stripe.com/products-prices/manage-prices)."""

from __future__ import annotations

from porchlight_dev.stripe_fake.context import (
    LIST_PARAMS,
    Call,
    Context,
    Operation,
    blank,
    page,
    require,
    retrieve,
)
from porchlight_dev.stripe_fake.errors import StripeRefusal, ValidationError, missing_reference
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

# What the pricing table offers when the product has created no prices: lookup key, name, cents, interval.
PLANS = (
    ("skill-sharer-month", "Skill Sharer", 900, "month"),
    ("skill-sharer-year", "Skill Sharer", 9000, "year"),
    ("premium-angel-month", "Premium Angel", 1900, "month"),
    ("premium-angel-year", "Premium Angel", 19000, "year"),
)


def make_product(
    ctx: Context,
    name: str,
    metadata: dict[str, str] | None = None,
    description: str | None = None,
    *,
    active: bool = True,
) -> Json:
    """Create a product and emit its event."""
    product = {
        "id": new_id("prod"),
        "object": "product",
        "active": active,
        "created": ctx.now(),
        "default_price": None,
        "description": description,
        "images": [],
        "livemode": False,
        "marketing_features": [],
        "metadata": metadata or {},
        "name": name,
        "package_dimensions": None,
        "shippable": None,
        "statement_descriptor": None,
        "tax_code": None,
        "type": "service",
        "unit_label": None,
        "updated": ctx.now(),
        "url": None,
    }
    ctx.store.put(product)
    ctx.events.emit("product.created", product)
    return product


def create_product(ctx: Context, call: Call) -> Json:
    """Create a product."""
    return make_product(ctx, call.params["name"], call.get("metadata"), call.get("description"))


def update_product(ctx: Context, call: Call) -> Json:
    """Change a product."""
    product = require(ctx, "product", call.path["id"])
    product["metadata"] = merged_metadata(product["metadata"], call.get("metadata"))
    product |= {
        name: call.params[name] for name in ("name", "description", "active", "default_price") if name in call.params
    }
    product["updated"] = ctx.now()
    ctx.store.put(product)
    ctx.events.emit("product.updated", product)
    return product


def make_price(
    ctx: Context,
    product: str,
    cents: int,
    interval: str | None,
    *,
    lookup_key: str | None = None,
    count: int = 1,
    metadata: dict[str, str] | None = None,
    nickname: str | None = None,
    tax_behavior: str | None = None,
    active: bool = True,
) -> Json:
    """Create a price and emit its event."""
    price = {
        "id": new_id("price"),
        "object": "price",
        "active": active,
        "billing_scheme": "per_unit",
        "created": ctx.now(),
        "currency": "usd",
        "custom_unit_amount": None,
        "livemode": False,
        "lookup_key": lookup_key,
        "metadata": metadata or {},
        "nickname": nickname,
        "product": product,
        "recurring": None
        if interval is None
        else {
            "interval": interval,
            "interval_count": count,
            "meter": None,
            "trial_period_days": None,
            "usage_type": "licensed",
        },
        "tax_behavior": tax_behavior or "unspecified",
        "tiers_mode": None,
        "transform_quantity": None,
        "type": "recurring" if interval else "one_time",
        "unit_amount": cents,
        "unit_amount_decimal": str(cents),
    }
    ctx.store.put(price)
    ctx.events.emit("price.created", price)
    return price


def create_price(ctx: Context, call: Call) -> Json:
    """Create a price for a product, or with `product_data` for a new one."""
    if call.params["currency"].lower() != "usd":
        raise StripeRefusal("This fake Stripe knows only prices in usd.", param="currency")
    if call.get("unit_amount") is None or call.params["unit_amount"] < 0:
        raise ValidationError("Missing required param: unit_amount.", code="parameter_missing", param="unit_amount")
    product = call.get("product")
    if not product and not call.get("product_data"):
        raise ValidationError("Missing required param: product.", code="parameter_missing", param="product")
    if product:
        if (ctx.store.get(product, "") or {}).get("object") != "product":
            raise missing_reference("product", product, "product")
    else:
        product = make_product(ctx, call.params["product_data"]["name"])["id"]
    _claim_lookup_key(ctx, call)
    recurring = call.get("recurring") or {}
    return make_price(
        ctx,
        product,
        call.params["unit_amount"],
        recurring.get("interval"),
        lookup_key=call.get("lookup_key"),
        count=recurring.get("interval_count") or 1,
        metadata=call.get("metadata"),
        nickname=call.get("nickname"),
        tax_behavior=call.get("tax_behavior"),
    )


def _claim_lookup_key(ctx: Context, call: Call, own: str = "") -> None:
    """Free a lookup key for a price: with `transfer_lookup_key` its present price loses it."""
    if not call.get("lookup_key"):
        return
    for other in ctx.store.find("price", where={"lookup_key": call.params["lookup_key"]}):
        if other["id"] == own:
            continue
        if not call.get("transfer_lookup_key"):
            message = f"A price (`{other['id']}`) already uses that lookup key."
            raise StripeRefusal(message, code="resource_already_exists", param="lookup_key")
        ctx.store.put(other | {"lookup_key": None})


def update_price(ctx: Context, call: Call) -> Json:
    """Change a price. Its amount never changes."""
    price = require(ctx, "price", call.path["id"])
    _claim_lookup_key(ctx, call, price["id"])
    price["metadata"] = merged_metadata(price["metadata"], call.get("metadata"))
    price |= {
        name: call.params[name] for name in ("active", "lookup_key", "nickname", "tax_behavior") if name in call.params
    }
    ctx.store.put(price)
    ctx.events.emit("price.updated", price)
    return price


def list_prices(ctx: Context, call: Call) -> Json:
    """List prices."""
    names = ("product", "type", "currency")
    where = {name: call.params[name] for name in names if call.get(name) is not None}
    if call.get("active") is not None:
        where["active"] = int(call.params["active"])
    if call.get("lookup_keys"):
        where["lookup_key"] = call.params["lookup_keys"]
    if call.get("recurring"):
        where |= {f"recurring.{name}": value for name, value in call.params["recurring"].items()}
    return page(ctx, call, "price", where)


def list_products(ctx: Context, call: Call) -> Json:
    """List products."""
    where = {} if call.get("active") is None else {"active": int(call.params["active"])}
    if call.get("ids"):
        where |= {"id": call.params["ids"]}
    return page(ctx, call, "product", where)


def plan_of(price: Json) -> Json:
    """Return the legacy plan object that subscription items still carry beside their price."""
    return {
        "id": price["id"],
        "object": "plan",
        "active": price["active"],
        "amount": price["unit_amount"],
        "amount_decimal": price["unit_amount_decimal"],
        "billing_scheme": "per_unit",
        "created": price["created"],
        "currency": "usd",
        "interval": price["recurring"]["interval"],
        "interval_count": price["recurring"]["interval_count"],
        "livemode": False,
        "metadata": price["metadata"],
        "nickname": price["nickname"],
        "product": price["product"],
        "usage_type": "licensed",
        **blank("meter tiers_mode transform_usage trial_period_days"),
    }


def _active_price(ctx: Context, price_id: str, param: str) -> Json:
    price = ctx.store.get(price_id, "")
    if price is None or price["object"] != "price":
        raise missing_reference("price", price_id, param)
    if not price["active"]:
        raise StripeRefusal("The price specified is inactive.", code="price_inactive", param=param)
    return price


def one_time_price(ctx: Context, price_id: str, param: str) -> Json:
    """Return an active price for one payment that a parameter names."""
    price = _active_price(ctx, price_id, param)
    if price["recurring"] is not None:
        message = (
            "You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use"
            " only one-time prices."
        )
        raise StripeRefusal(message, param=param)
    return price


def inline_price(ctx: Context, data: Json, param: str) -> Json:
    """Create the price that `price_data` describes. Like its product it is inactive: nothing else can use it."""
    if data["currency"].lower() != "usd":
        raise StripeRefusal("This fake Stripe knows only prices in usd.", param=f"{param}[currency]")
    cents = data.get("unit_amount")
    if cents is None or cents < 0:
        path = f"{param}[unit_amount]"
        raise ValidationError(f"Missing required param: {path}.", code="parameter_missing", param=path)
    product: str | None = data.get("product")
    described: Json = data.get("product_data") or {}
    if bool(product) == bool(described):
        message = f"You must specify either `product` or `product_data` for {param}."
        raise ValidationError(message, code="parameter_missing", param=param)
    if product:
        if (ctx.store.get(product, "") or {}).get("object") != "product":
            raise missing_reference("product", product, f"{param}[product]")
        return make_price(ctx, product, cents, None, active=False)
    made = make_product(
        ctx, described["name"], described.get("metadata"), described.get("description") or None, active=False
    )
    return make_price(ctx, made["id"], cents, None, active=False)


def recurring_price(ctx: Context, price_id: str, param: str) -> Json:
    """Return an active recurring price that a parameter names."""
    price = _active_price(ctx, price_id, param)
    if price["recurring"] is None:
        raise StripeRefusal("The price specified is set to `type=one_time` but must be recurring.", param=param)
    return price


def offered(ctx: Context) -> list[Json]:
    """Return the active recurring prices, the cheapest product first; create the plans if there are none."""
    found = ctx.store.find("price", where={"active": 1, "type": "recurring"})
    if not found:
        with ctx.store.transaction():
            made = {name: make_product(ctx, name)["id"] for _key, name, _cents, _interval in PLANS}
            found = [
                make_price(ctx, made[name], cents, interval, lookup_key=key) for key, name, cents, interval in PLANS
            ]
    return sorted(found, key=lambda price: price["unit_amount"])


OPERATIONS = (
    Operation("POST", "/v1/products", "name! description metadata{} active:bool expand[]", create_product),
    Operation("GET", "/v1/products", f"{LIST_PARAMS} active:bool ids[]", list_products),
    Operation("GET", "/v1/products/{id}", "expand[]", retrieve("product")),
    Operation(
        "POST", "/v1/products/{id}", "name description metadata{} active:bool default_price expand[]", update_product
    ),
    Operation(
        "POST",
        "/v1/prices",
        "currency! unit_amount:int product product_data.name recurring.interval:day|month|week|year"
        " recurring.interval_count:int lookup_key transfer_lookup_key:bool nickname metadata{} active:bool"
        " tax_behavior:exclusive|inclusive|unspecified expand[]",
        create_price,
    ),
    Operation(
        "GET",
        "/v1/prices",
        f"{LIST_PARAMS} active:bool product lookup_keys[] type:one_time|recurring currency"
        " recurring.interval:day|month|week|year",
        list_prices,
    ),
    Operation("GET", "/v1/prices/{id}", "expand[]", retrieve("price")),
    Operation(
        "POST",
        "/v1/prices/{id}",
        "active:bool lookup_key transfer_lookup_key:bool nickname metadata{}"
        " tax_behavior:exclusive|inclusive|unspecified"
        " expand[]",
        update_price,
    ),
)
