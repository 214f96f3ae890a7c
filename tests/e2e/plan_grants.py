"""Plans for the users of browser tests: each test grants what it needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg


def grant_premium(product: Mapping[str, Any], email: str) -> None:
    """Make a user a Premium Angel for a day."""
    with psycopg.connect(product["overseer_url"]) as conn:
        granted = conn.execute(
            "INSERT INTO plan_grants (user_id, plan, until, reason)"
            " SELECT user_id, 'premium-angel', app.now() + interval '1 day', 'test' FROM users WHERE email = %s",
            [email],
        )
        assert granted.rowcount == 1
