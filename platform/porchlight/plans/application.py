"""Let what others see of a user follow the plan: in jobs after it changed or ended, and in the demo data."""

from __future__ import annotations

from uuid import UUID

from porchlight.plans.limits import limits_json
from porchlight.plans.site_limits import LIMIT_SITE
from tenants.db.rows import Connection, fetch_value

_LOCK = "SELECT app.lock_plan()"
_LIMIT_OFFERS = "SELECT app.limit_offers(%s::jsonb)"
_OWN_GURU = "SELECT tenant_id FROM app.own_guru()"
_SET_TENANT = "SELECT set_config('app.tenant_id', %s, true)"
_SAVE = """
UPDATE users SET listed_plan = %s, plan_check_at = (SELECT min(r.until) FROM app.plan_rights(app.user_id()) r)
 WHERE user_id = app.user_id()"""


def apply_plan(conn: Connection) -> None:
    """Unlist what exceeds the plan of the transaction's user, and list again what it allows. Nothing is deleted.

    That is offers, photos, the guru site, and the plan that lists show. Also stores when the plan may change by itself.
    The transaction has no tenant.
    """
    limits = limits_json()
    plan = fetch_value(conn, str, _LOCK)
    conn.execute(_LIMIT_OFFERS, [limits])
    guru_id = fetch_value(conn, UUID, _OWN_GURU)
    if guru_id is not None:
        conn.execute(_SET_TENANT, [str(guru_id)])
        conn.execute(LIMIT_SITE, {"limits": limits})
        conn.execute(_SET_TENANT, [""])
    conn.execute(_SAVE, [plan])
