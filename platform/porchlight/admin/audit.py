"""The log of acts, verified link by link and seal by seal."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence

import psycopg

from porchlight.audit import SEAL, Act, Connection, SealKey, record, seal_keys
from tenants.kit.errors import Conflict

# Every link: numbers without gaps, each entry's hash right, each previous hash that of the entry before.
_BROKEN = """
SELECT id FROM (
  SELECT e.id, e.previous, e.hash, app.audit_hash(e) AS right_hash,
         lag(e.id, 1, 0::bigint) OVER w AS id_before, lag(e.hash, 1, ''::bytea) OVER w AS hash_before
    FROM audit_log e WINDOW w AS (ORDER BY e.id)
) links
 WHERE id <> id_before + 1 OR previous <> hash_before OR hash <> right_hash
 ORDER BY id LIMIT 1"""
_HEAD = """
SELECT h.id, coalesce(l.id, 0), h.hash = coalesce(l.hash, ''::bytea)
  FROM audit_head h LEFT JOIN LATERAL (SELECT id, hash FROM audit_log ORDER BY id DESC LIMIT 1) l ON true"""
_ENDS_MISSING = "Entries at the end of the audit log are missing or were replaced."
_SEALS = """
SELECT coalesce(e.id, s.id), e.hash, s.key_name, s.seal FROM audit_log e FULL JOIN audit_seals s USING (id)
 ORDER BY 1"""
_AT_A_TIME = 5000  # rows


def fault(conn: Connection, keys: Sequence[SealKey] | None = None) -> str | None:
    """What is wrong with the log, in a sentence; None when every link and every seal holds.

    `keys` are those that may have sealed it; by default those of this process and connection.
    """
    return _broken_link(conn) or _broken_seal(conn, seal_keys(conn) if keys is None else keys)


def _broken_link(conn: Connection) -> str | None:
    broken = conn.execute(_BROKEN).fetchone()
    if broken is not None:
        return f"The audit log was changed at entry {broken[0]}."
    head = conn.execute(_HEAD).fetchone()
    if head is None or head[0] != head[1] or not head[2]:
        return _ENDS_MISSING
    return None


def _broken_seal(conn: Connection, keys: Sequence[SealKey]) -> str | None:
    known = {key.name: key for key in keys}
    for entry, chained, seals in _sealed(conn):
        if chained is None:
            return _ENDS_MISSING
        ours = [(known[name], seal) for name, seal in seals if name in known]
        if any(not hmac.compare_digest(key.seal(entry, chained), seal) for key, seal in ours):
            return f"The audit log was rewritten: the seal of entry {entry} is not right."
        if not ours:
            why = "is sealed by a key that PORCHLIGHT_AUDIT_KEY does not name" if seals else "carries no seal"
            return f"Entry {entry} of the audit log {why}."
    return None


def _sealed(conn: Connection) -> Iterator[tuple[int, bytes | None, list[tuple[str, bytes]]]]:
    """Each entry's number, hash (None when it is gone) and seals, by number, never all of them in memory."""
    # Without a transaction around it, the server has to hold the rows until they are read.
    with conn.cursor(name="seals", withhold=conn.autocommit) as cursor:
        cursor.itersize = _AT_A_TIME
        entry, chained = 0, b""
        seals: list[tuple[str, bytes]] = []
        for row in cursor.execute(_SEALS):
            if row[0] != entry:
                if entry:
                    yield entry, chained, seals
                entry, chained, seals = row[0], row[1], []
            if row[2] is not None:
                seals.append((row[2], row[3]))
        if entry:
            yield entry, chained, seals


def seal_unsealed(conn: Connection) -> int:
    """Seal the entries that carry no seal of the first key, and write that down; how many there were.

    For entries from before there were seals, and after another key was put first. Raises Conflict when the chain does
    not hold, a seal by a key that is known is not right, or there is no key.
    """
    keys = seal_keys(conn)
    if not keys:
        raise Conflict("PORCHLIGHT_AUDIT_KEY is not set.")
    if found := _broken_link(conn):
        raise Conflict(found)
    first, known = keys[0], {key.name: key for key in keys}
    missing: list[tuple[int, bytes]] = []
    for entry, chained, seals in _sealed(conn):
        if chained is None:
            raise Conflict(_ENDS_MISSING)
        for name, seal in seals:
            if name in known and not hmac.compare_digest(known[name].seal(entry, chained), seal):
                raise Conflict(f"The audit log was rewritten: the seal of entry {entry} is not right.")
        if first.name not in dict(seals):
            missing.append((entry, chained))
    with conn.cursor() as cursor:
        cursor.executemany(SEAL, [(entry, first.name, first.seal(entry, chained)) for entry, chained in missing])
    if missing:
        record(conn, Act("cli", "audit.seal", details={"entries": len(missing), "key": first.name}))
    return len(missing)


def head(conn: Connection) -> str:
    """The newest entry's number and hash, to be kept elsewhere: "812:5f3a…"."""
    row = conn.execute("SELECT id, hash FROM audit_head").fetchone()
    return f"{row[0]}:{row[1].hex()}" if row else ""


def holds(conn: Connection, kept: str) -> bool:
    """Whether the log still has an entry that was its head when it was kept elsewhere."""
    number, _, chained = kept.partition(":")
    if not (number.isascii() and number.isdigit()) or int(number) >= 2**63:
        return False
    row = conn.execute("SELECT hash FROM audit_log WHERE id = %s", [int(number)]).fetchone()
    return row is not None and row[0].hex() == chained.strip()


def state(overseer_dsn: str) -> dict[str, object]:
    """How many entries there are, whether the log is whole, and what is wrong with it if not."""
    with psycopg.connect(overseer_dsn) as conn:
        found = fault(conn)
        row = conn.execute("SELECT id FROM audit_head").fetchone()
    return {"whole": found is None, "entries": row[0] if row else 0, "fault": found}
