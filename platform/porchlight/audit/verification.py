"""Verification of the audit log: every link of the hash chain and every signature."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import psycopg

from porchlight.audit.recording import INSERT_SIGNATURE, AuditEvent, AuditKey, record, signing_keys
from tenants.db.rows import Connection, fetch_one, fetch_value
from tenants.kit.errors import Conflict

# The first broken link: ids have no gaps, each hash is correct, each previous hash is that of the previous entry.
_BROKEN_LINK = """
SELECT id FROM (
  SELECT e.id, e.previous, e.hash, app.audit_hash(e) AS right_hash,
         lag(e.id, 1, 0::bigint) OVER w AS id_before, lag(e.hash, 1, ''::bytea) OVER w AS hash_before
    FROM audit_log e WINDOW w AS (ORDER BY e.id)
) links
 WHERE id <> id_before + 1 OR previous <> hash_before OR hash <> right_hash
 ORDER BY id LIMIT 1"""
_CHAIN_HEAD = """
SELECT h.id, coalesce(l.id, 0) AS last_id, h.hash = coalesce(l.hash, ''::bytea) AS is_hash_equal
  FROM audit_head h LEFT JOIN LATERAL (SELECT id, hash FROM audit_log ORDER BY id DESC LIMIT 1) l ON true"""
_TRUNCATED = "Entries at the end of the audit log are missing or were replaced."
_SIGNATURES = """
SELECT coalesce(e.id, s.id), e.hash, s.key_name, s.seal FROM audit_log e FULL JOIN audit_seals s USING (id)
 ORDER BY 1"""
_FETCH_SIZE = 5000


class _Entry(NamedTuple):
    id: int
    hash: bytes


class _ChainHead(NamedTuple):
    id: int
    last_id: int
    is_hash_equal: bool


def fault(conn: Connection, keys: Sequence[AuditKey] | None = None) -> str | None:
    """Return the first fault of the log as a sentence, or None if every link and every signature is valid.

    `keys`: the accepted signing keys, by default those of this process and connection.
    """
    return _broken_link(conn) or _invalid_signature(conn, signing_keys(conn) if keys is None else keys)


def _broken_link(conn: Connection) -> str | None:
    broken = fetch_value(conn, int, _BROKEN_LINK)
    if broken is not None:
        return f"The audit log was changed at entry {broken}."
    head = fetch_one(conn, _ChainHead, _CHAIN_HEAD)
    if head is None or head.id != head.last_id or not head.is_hash_equal:
        return _TRUNCATED
    return None


def _invalid_signature(conn: Connection, keys: Sequence[AuditKey]) -> str | None:
    known = {key.name: key for key in keys}
    for entry, entry_hash, signatures in _signed_entries(conn):
        if entry_hash is None:
            return _TRUNCATED
        verifiable = [(known[name], signature) for name, signature in signatures if name in known]
        if any(not hmac.compare_digest(key.sign(entry, entry_hash), signature) for key, signature in verifiable):
            return f"The audit log was tampered with: the signature of entry {entry} is invalid."
        if not verifiable:
            reason = "is signed with a key that isn't in PORCHLIGHT_AUDIT_KEY" if signatures else "isn't signed"
            return f"Entry {entry} of the audit log {reason}."
    return None


def _signed_entries(conn: Connection) -> Iterator[tuple[int, bytes | None, list[tuple[str, bytes]]]]:
    """Yield each entry's id, hash (None if the entry is missing) and signatures, in order, in batches."""
    # In autocommit mode, the server has to keep the cursor beyond its transaction.
    with conn.cursor(name="signatures", withhold=conn.autocommit) as cursor:
        cursor.itersize = _FETCH_SIZE
        entry, entry_hash = 0, b""
        signatures: list[tuple[str, bytes]] = []
        for row_entry, row_hash, key_name, signature in cursor.execute(_SIGNATURES):
            if row_entry != entry:
                if entry:
                    yield entry, entry_hash, signatures
                entry, entry_hash, signatures = row_entry, row_hash, []
            if key_name is not None:
                signatures.append((key_name, signature))
        if entry:
            yield entry, entry_hash, signatures


def sign_entries(conn: Connection) -> int:
    """Sign the entries that the first key has not signed, and record that. Return their number.

    For entries from before there were signatures, and after a key change. Raises Conflict if there is no key, the chain
    is broken, or a signature of a known key is invalid.
    """
    keys = signing_keys(conn)
    if not keys:
        raise Conflict("PORCHLIGHT_AUDIT_KEY isn't set.")
    if broken := _broken_link(conn):
        raise Conflict(broken)
    first, known = keys[0], {key.name: key for key in keys}
    unsigned: list[tuple[int, bytes]] = []
    for entry, entry_hash, signatures in _signed_entries(conn):
        if entry_hash is None:
            raise Conflict(_TRUNCATED)
        for name, signature in signatures:
            if name in known and not hmac.compare_digest(known[name].sign(entry, entry_hash), signature):
                raise Conflict(f"The audit log was tampered with: the signature of entry {entry} is invalid.")
        if first.name not in dict(signatures):
            unsigned.append((entry, entry_hash))
    with conn.cursor() as cursor:
        rows = [(entry, first.name, first.sign(entry, entry_hash)) for entry, entry_hash in unsigned]
        cursor.executemany(INSERT_SIGNATURE, rows)
    if unsigned:
        record(conn, AuditEvent("cli", "audit.seal", details={"entries": len(unsigned), "key": first.name}))
    return len(unsigned)


def chain_head(conn: Connection) -> str:
    """Return the id and the hash of the newest entry, to be stored elsewhere: "812:5f3a…"."""
    head = fetch_one(conn, _Entry, "SELECT id, hash FROM audit_head")
    return f"{head.id}:{head.hash.hex()}" if head else ""


def has_chain_head(conn: Connection, stored_head: str) -> bool:
    """Return whether the log still contains the entry of a chain head that was stored elsewhere."""
    entry_id, _, entry_hash = stored_head.partition(":")
    if not (entry_id.isascii() and entry_id.isdigit()) or int(entry_id) >= 2**63:
        return False
    stored = fetch_value(conn, bytes, "SELECT hash FROM audit_log WHERE id = %s", [int(entry_id)])
    return stored is not None and stored.hex() == entry_hash.strip()


def audit_state(service_dsn: str) -> dict[str, object]:
    """Return whether the log is valid (`whole`), the number of entries, and the first fault."""
    with psycopg.connect(service_dsn) as conn:
        first_fault = fault(conn)
        entries = fetch_value(conn, int, "SELECT id FROM audit_head") or 0
    return {"whole": first_fault is None, "entries": entries, "fault": first_fault}
