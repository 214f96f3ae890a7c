"""The addresses of all screens of the main platform, with demo data as parameters."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import psycopg

_SOURCE = Path(__file__).resolve().parents[2] / "main-web" / "src"
_PATHS_FILE = _SOURCE / "config" / "paths.ts"
_ROUTES_FILES = [_SOURCE / "app" / "routes.tsx", _SOURCE / "app" / "other-routes.tsx"]
_FIRST_OF_COOKING = "SELECT t.id::text FROM {} t JOIN gurus g ON g.id = t.tenant_id WHERE g.label = 'cooking' LIMIT 1"
# The parameters of the paths, without the mark of optional ones: a value of the demo data, or a query for one.
EXAMPLES = {
    "/u/:handle": "maya-lindqvist",
    "/angels-list/:service": "pet-sitting",
    "/needs/:need": "SELECT id::text FROM needs WHERE status = 'open' ORDER BY id LIMIT 1",
    "/messages/:thread": "unknown",
    "/guru/messages/:thread": "unknown",
    # Not of a user of another test, who may delete it.
    "/listings/:id": (
        "SELECT o.id::text FROM skill_offers o JOIN profiles p USING (user_id)"
        " WHERE p.handle = 'maya-lindqvist' AND o.visible ORDER BY o.id LIMIT 1"
    ),
    # Without a hold or a booking of the viewer: e2e tests of bookings look at the others.
    "/book/:token": "unknown",
    "/mail/:token": (
        "SELECT replace(a.tenant_id::text || a.token::text, '-', '') FROM lead_addresses a"
        " JOIN gurus g ON g.id = a.tenant_id WHERE g.label = 'cooking' AND a.state = 'confirmed' LIMIT 1"
    ),
    "/email-settings/:token": "SELECT token::text FROM email_settings WHERE kind = 'all' LIMIT 1",
    "/sign/:link": (
        "SELECT rtrim(translate(encode(uuid_send(tenant_id) || uuid_send(token), 'base64'), '+/', '-_'), '=')"
        " FROM participants WHERE token IS NOT NULL ORDER BY name LIMIT 1"
    ),
    "/booked/:link": (
        "SELECT rtrim(translate(encode(uuid_send(tenant_id) || uuid_send(customer_token), 'base64'), '+/', '-_'), '=')"
        " FROM bookings WHERE customer_token IS NOT NULL AND package_grant_id IS NOT NULL ORDER BY id LIMIT 1"
    ),
    "/booked/:link/pass": (
        "SELECT rtrim(translate(encode(uuid_send(tenant_id) || uuid_send(customer_token), 'base64'), '+/', '-_'), '=')"
        " FROM bookings WHERE customer_token IS NOT NULL AND package_grant_id IS NOT NULL ORDER BY id LIMIT 1"
    ),
    "/sessions/:id/pass": "SELECT id::text FROM bookings WHERE status = 'confirmed' ORDER BY id LIMIT 1",
    "/sessions/:id": "SELECT id::text FROM bookings WHERE status = 'confirmed' ORDER BY id LIMIT 1",
    "/sessions/waitlist/:id": "unknown",
    "/packages/buy/:label/:id": "cooking/unknown",
    "/packages/bought/:id": "unknown",
    "/exchanges/:id": "SELECT id::text FROM exchanges WHERE status = 'confirmed' ORDER BY id LIMIT 1",
    "/guru/posts/:id": _FIRST_OF_COOKING.format("posts"),
    "/guru/services/:id/booking": _FIRST_OF_COOKING.format("services"),
    "/guru/leads/:id": _FIRST_OF_COOKING.format("leads"),
    # With a note and several sessions.
    "/guru/clients/:id": (
        "SELECT b.person_id::text FROM client_notes n"
        " JOIN bookings b ON b.tenant_id = n.tenant_id AND b.id = n.booking_id"
        " WHERE b.guru_label = 'cooking' AND b.person_name = 'Maya Lindqvist' LIMIT 1"
    ),
}
# Prefixes of the paths that require sign-in. The guru and admin consoles are separate.
SIGNED_IN = (
    "/dashboard",
    "/profile",
    "/onboarding",
    "/account",
    "/notifications",
    "/settings",
    "/needs",
    "/messages",
    "/be-an-angel",
    "/skills/mine",
    "/sessions",
    "/packages",
    "/exchanges",
    "/waivers",
    "/book",
)
GURU, STAFF = ("/guru",), ("/admin",)
GURU_OWNER = "rosa.delgado@example.com"


def screen_paths() -> list[str]:
    """Return every path of the main platform, with the names of its parameters."""
    paths = re.findall(r':\s*"(/[^"]*)"', _PATHS_FILE.read_text(encoding="utf-8"))
    routes = "".join(file.read_text(encoding="utf-8") for file in _ROUTES_FILES)
    written_out = set(re.findall(r"""\bpath[:=]\s*\{?["'`]([^"'`]*)""", routes))
    assert written_out <= {"*"}, f"move {written_out} to paths.ts, so that its screen is looked at too"
    missing = [path for path in paths if ":" in path and path.rstrip("?") not in EXAMPLES]
    assert missing == [], f"name an example of {missing} in EXAMPLES, so that its screen is looked at too"
    return paths


def screen_address(product: dict[str, Any], path: str) -> str:
    """Return the path with an example of the demo data as its parameters, which follow each other."""
    example = EXAMPLES.get(path.rstrip("?"), "")
    if example.startswith("SELECT"):
        with psycopg.connect(product["overseer_url"]) as conn:
            row = conn.execute(example).fetchone()
        assert row is not None, f"the demo has nothing for {path}"
        example = str(row[0])
    return re.sub(r":\w+(/:\w+)*\??", example, path)


def screen_addresses(product: dict[str, Any]) -> list[str]:
    """Return the address of every screen."""
    return [screen_address(product, path) for path in screen_paths()]


def starting_with(addresses: list[str], prefixes: tuple[str, ...]) -> list[str]:
    """Return the addresses that start with one of the prefixes."""
    return [address for address in addresses if address.startswith(prefixes)]
