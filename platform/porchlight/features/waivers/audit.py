"""Verification of the stored waivers by the service role: every chain, and every record and PDF that is not deleted.

The audit log has the acknowledgment of the texts, so a new text asks for a new one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import groupby
from typing import Any

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from porchlight.audit.recording import AuditEvent, record
from porchlight.features.waivers.chain import EMPTY_CHAIN, ChainHead, SignedChainLink, chain_fault
from porchlight.features.waivers.keys import WaiverKeyring
from porchlight.features.waivers.queries import SAMPLE_CHAIN, signed_link
from porchlight.features.waivers.records import matches_commitment
from porchlight.features.waivers.schemas import LastLink, WaiverChainsState, WaiverChainState, WaiverKeyState
from porchlight.features.waivers.texts import current_texts_digest
from tenants.kit.clock import to_iso8601

Connection = psycopg.Connection[Any]

_HEADS = "SELECT chain_id, number, hash FROM waiver_heads WHERE number > 0 ORDER BY chain_id"
_LINKS = """
SELECT chain_id, number, previous, record_sha256, pdf_sha256, at, key_id, signature
  FROM waiver_links ORDER BY chain_id, number LIMIT %s"""
_LINK = """
SELECT chain_id, number, previous, record_sha256, pdf_sha256, at, key_id, signature
  FROM waiver_links WHERE chain_id = %s AND number = %s"""
# A deleted waiver leaves its link; every stored waiver needs one. The columns that bookings rely on are copies of the
# record, which is read as JSON only if its hash is right. A PDF is empty once the drawn signature is erased.
_CHANGED = """
SELECT DISTINCT ON (w.chain_id) w.chain_id, w.number FROM waivers w LEFT JOIN waiver_links l USING (chain_id, number)
 WHERE CASE
         WHEN l.number IS NULL OR l.record_sha256 <> encode(sha256(convert_to(w.record, 'UTF8')), 'hex')
           OR l.pdf_sha256 <> encode(sha256(w.pdf), 'hex')
              AND NOT (w.pdf = '' AND strpos(w.record, '"drawnSignature":') > 0
                       AND NOT jsonb_exists(w.erasable, 'drawnSignature')) THEN true
         ELSE (w.id::text, w.user_id::text, w.level, w.exchange_id, w.text_version::text,
               w.guru_text_version::text, w.signed, w.accepted_at,
               w.expires_at, w.sha256, coalesce('guru:' || w.guru_id, w.chain_id))
              IS DISTINCT FROM
              (w.record::jsonb ->> 'waiverId', w.record::jsonb ->> 'accountId', w.record::jsonb ->> 'level',
               w.record::jsonb #>> '{exchange,id}', w.record::jsonb #>> '{texts,0,version}',
               w.record::jsonb #>> '{texts,1,version}',
               w.record::jsonb #> '{signature,typed}' IS NOT NULL, (w.record::jsonb ->> 'acceptedAt')::timestamptz,
               (w.record::jsonb ->> 'expiresAt')::timestamptz, l.record_sha256, w.chain_id)
              OR (w.guru_id IS NULL) = (w.chain_id LIKE 'guru:%')
       END
 ORDER BY w.chain_id, w.number"""
_ERASABLE = "SELECT chain_id, number, record, erasable FROM waivers WHERE erasable <> '{}' ORDER BY 1, 2"
_FETCH_SIZE = 2000
# A request verifies no more than this, in about two seconds; `porchlight waivers audit` verifies all.
MAX_VERIFIED_LINKS = 5000
ACKNOWLEDGE, TEXTS = "waiver.acknowledge", "waiver texts"
_COUNTS = "SELECT (SELECT count(*) FROM waiver_heads WHERE number > 0), (SELECT count(*) FROM waiver_links)"
_NEWEST = """
SELECT chain_id, number, h.hash, l.at FROM waiver_links l JOIN waiver_heads h USING (chain_id, number)
 ORDER BY l.at DESC, chain_id LIMIT 1"""
_ACKNOWLEDGMENT = "SELECT at, actor FROM audit_log WHERE subject_kind = %s AND subject_id = %s ORDER BY id LIMIT 1"
MAX_LISTED_CHAINS = 50
# What a chain is called: the guru's name, the neighbor's handle, or "Platform" for samples. Chains with faults first,
# then those with the newest links.
_CHAINS = """
SELECT c.chain_id, coalesce(g.character, '@' || p.handle, CASE c.chain_id WHEN %(samples)s THEN 'Platform' END, ''),
       c.number, c.at
  FROM (SELECT h.chain_id, h.number, l.at FROM waiver_heads h LEFT JOIN waiver_links l USING (chain_id, number)
         WHERE h.number > 0
         ORDER BY h.chain_id = ANY(%(faulty)s) DESC, l.at DESC NULLS LAST, h.chain_id LIMIT %(limit)s) c
  LEFT JOIN gurus g ON g.id = CASE WHEN c.chain_id LIKE 'guru:%%' THEN substr(c.chain_id, 6)::uuid END
  LEFT JOIN profiles p ON p.user_id = CASE WHEN c.chain_id LIKE 'neighbor:%%' THEN substr(c.chain_id, 10)::uuid END
 ORDER BY c.chain_id = ANY(%(faulty)s) DESC, c.at DESC NULLS LAST, c.chain_id"""


def chain_heads(conn: Connection) -> dict[str, ChainHead]:
    """Return the stored head of each chain by its id."""
    return {chain_id: ChainHead(number, sha256) for chain_id, number, sha256 in conn.execute(_HEADS)}


def audit_fault(conn: Connection, keys: Mapping[str, Ed25519PublicKey], *, max_links: int | None = None) -> str | None:
    """Return the first fault of the stored waivers as a sentence, or None. `keys`: the accepted keys by id.

    With `max_links`, which is less than the number of links, only that many are verified, and no records and PDFs.
    """
    for chain_id, fault in _faults(conn, keys, max_links):
        return f"{chain_id}: {fault}"
    return None


def _faults(conn: Connection, keys: Mapping[str, Ed25519PublicKey], max_links: int | None) -> Iterator[tuple[str, str]]:
    """Yield chains with faults: the first fault of the links, then the first changed waiver."""
    heads = chain_heads(conn)
    verified = 0
    for chain_id, links in groupby(_links(conn, max_links), lambda signed: signed.link.chain_id):
        last, fault = EMPTY_CHAIN, None
        for signed in links:
            verified += 1
            fault = fault or chain_fault([signed], keys, after=last)
            last = signed.link.head
        is_cut = verified == max_links
        if fault is None and not is_cut and heads.get(chain_id) != last:
            fault = "The end of the chain is missing or was replaced."
        heads.pop(chain_id, None)
        if fault:
            yield chain_id, fault
        if is_cut:
            return
    for chain_id in heads:
        yield chain_id, "All links are missing."
    changed = conn.execute(_CHANGED).fetchall()
    for chain_id, number in changed:
        yield chain_id, f"The waiver of link {number} was changed."
    if not changed:
        yield from _changed_erasable(conn)


def _changed_erasable(conn: Connection) -> Iterator[tuple[str, str]]:
    """Yield the chains of waivers whose erasable data is not what the record commits to. The records are unchanged."""
    with conn.cursor("erasable") as cursor:
        cursor.itersize = _FETCH_SIZE
        for chain_id, number, record_json, erasable in cursor.execute(_ERASABLE):
            commitments = json.loads(record_json)["commitments"]
            if not all(matches_commitment(kept, commitments.get(name)) for name, kept in erasable.items()):
                yield chain_id, f"The emergency contact or network data of link {number} was changed."


def has_head(conn: Connection, chain_id: str, head: ChainHead) -> bool:
    """Return whether a chain has a link with the number and the hash of a head that was stored elsewhere."""
    row = conn.execute(_LINK, [chain_id, head.number]).fetchone()
    return row is not None and signed_link(*row).link.head == head


def waiver_state(conn: Connection, keyring: WaiverKeyring) -> WaiverChainsState:
    """Verify the stored waivers, at most MAX_VERIFIED_LINKS links of them, and return what staff see."""
    chains, links = conn.execute(_COUNTS).fetchone() or (0, 0)
    newest = conn.execute(_NEWEST).fetchone()
    is_partial = links > MAX_VERIFIED_LINKS
    faults: dict[str, str] = {}
    for chain_id, fault in _faults(conn, keyring.public_keys, MAX_VERIFIED_LINKS if is_partial else None):
        faults.setdefault(chain_id, fault)
    acknowledged = conn.execute(_ACKNOWLEDGMENT, [TEXTS, current_texts_digest()]).fetchone()
    return WaiverChainsState(
        chains=chains,
        links=links,
        verified_links=min(links, MAX_VERIFIED_LINKS),
        fault=next((f"{chain_id}: {fault}" for chain_id, fault in faults.items()), None),
        last_link=_last_link(*newest) if newest else None,
        newest_chains=_chain_states(conn, faults),
        keys=[WaiverKeyState(id=key.id, signs=key == keyring.current) for key in keyring.keys],
        texts_acknowledged_at=to_iso8601(acknowledged[0]) if acknowledged else None,
        texts_acknowledged_by=acknowledged[1] if acknowledged else None,
    )


def _chain_states(conn: Connection, faults: Mapping[str, str]) -> list[WaiverChainState]:
    """Return the chains with faults and then the newest ones, at most MAX_LISTED_CHAINS."""
    values = {"samples": SAMPLE_CHAIN, "faulty": list(faults), "limit": MAX_LISTED_CHAINS}
    return [
        WaiverChainState(
            chain_id=chain_id,
            name=name,
            links=links,
            last_at=to_iso8601(at) if at else None,
            fault=faults.get(chain_id),
        )
        for chain_id, name, links, at in conn.execute(_CHAINS, values)
    ]


def _last_link(chain_id: str, number: int, sha256: str, at: datetime) -> LastLink:
    return LastLink(chain_id=chain_id, number=number, sha256=sha256, at=to_iso8601(at))


def acknowledge_texts(conn: Connection, actor: str) -> None:
    """Record in the audit log that staff know the state of the current texts. A second time changes nothing."""
    digest = current_texts_digest()
    if conn.execute(_ACKNOWLEDGMENT, [TEXTS, digest]).fetchone() is None:
        record(conn, AuditEvent(actor, ACKNOWLEDGE, TEXTS, digest))


def _links(conn: Connection, limit: int | None) -> Iterator[SignedChainLink]:
    with conn.cursor("waiver_links") as cursor:
        cursor.itersize = _FETCH_SIZE
        cursor.execute(_LINKS, [limit])
        for row in cursor:
            yield signed_link(*row)
