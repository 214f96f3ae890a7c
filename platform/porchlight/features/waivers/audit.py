"""Verification of the stored waivers by the service role: every chain, record and PDF, and that none is missing.

The audit log has the acknowledgment of the texts, so a new text asks for a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from psycopg.rows import class_row

from porchlight.audit.recording import AuditEvent, record
from porchlight.features.waivers.chain import EMPTY_CHAIN, ChainHead, SignedChainLink, chain_fault
from porchlight.features.waivers.keys import WaiverKeyring
from porchlight.features.waivers.queries import SAMPLE_CHAIN, signed_link
from porchlight.features.waivers.records import matches_commitment
from porchlight.features.waivers.retention import WAIVER_TTL
from porchlight.features.waivers.schemas import LastLink, WaiverChainsState, WaiverChainState, WaiverKeyState
from porchlight.features.waivers.texts import current_texts_digest
from tenants.db.rows import Connection, fetch_all
from tenants.kit import clock
from tenants.kit.clock import to_iso8601

_HEADS = "SELECT chain_id, number, hash FROM waiver_heads WHERE number > 0 ORDER BY chain_id"
# Each link with the end of its chain.
_LINKS = """
SELECT chain_id, l.number, previous, record_sha256, pdf_sha256, at, key_id, signature,
       h.number AS head_number, h.hash AS head_hash
  FROM waiver_links l LEFT JOIN waiver_heads h USING (chain_id) ORDER BY chain_id, l.number LIMIT %s"""
_LINK = """
SELECT chain_id, number, previous, record_sha256, pdf_sha256, at, key_id, signature
  FROM waiver_links WHERE chain_id = %s AND number = %s"""
# Chains without a link, and the first changed and the first missing waiver of each chain. Every stored waiver needs a
# link, and every link its waiver, which `retention` deletes WAIVER_TTL after its end: later than the link. The columns
# that bookings rely on are copies of the record, which is read as JSON only if its hash is right. A PDF is empty once
# the drawn signature is erased.
_FAULTS = """
SELECT chain_id, NULL AS number, 'unlinked' AS fault FROM waiver_heads h
 WHERE h.number > 0 AND NOT EXISTS (SELECT FROM waiver_links l WHERE l.chain_id = h.chain_id)
UNION ALL (
SELECT DISTINCT ON (w.chain_id) w.chain_id, w.number, 'changed'
  FROM waivers w LEFT JOIN waiver_links l USING (chain_id, number)
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
              OR (w.guru_id IS NULL) = (w.chain_id LIKE 'guru:%%')
       END
 ORDER BY w.chain_id, w.number)
UNION ALL (
SELECT DISTINCT ON (l.chain_id) l.chain_id, l.number, 'deleted'
  FROM waiver_links l LEFT JOIN waivers w USING (chain_id, number)
 WHERE w.id IS NULL AND l.at > %s
 ORDER BY l.chain_id, l.number)
 ORDER BY chain_id, number NULLS FIRST"""
_SENTENCES = {
    "unlinked": "All links are missing.",
    "changed": "The waiver of link {} was changed.",
    "deleted": "The waiver of link {} was deleted before its time.",
}
_ERASABLE = """
SELECT chain_id, number, record::jsonb -> 'commitments', erasable FROM waivers WHERE erasable <> '{}' ORDER BY 1, 2"""
_FETCH_SIZE = 2000
# A request verifies no more than this, in about two seconds; `porchlight waivers audit` verifies all.
MAX_VERIFIED_LINKS = 5000
ACKNOWLEDGE, TEXTS = "waiver.acknowledge", "waiver texts"
_STATE = """
SELECT (SELECT count(*) FROM waiver_heads WHERE number > 0), (SELECT count(*) FROM waiver_links),
       newest.chain_id, newest.number, newest.hash, newest.at, acknowledged.at, acknowledged.actor
  FROM (VALUES (1)) one
  LEFT JOIN (SELECT chain_id, number, h.hash, l.at FROM waiver_links l JOIN waiver_heads h USING (chain_id, number)
              ORDER BY l.at DESC, chain_id LIMIT 1) newest ON true
  LEFT JOIN (SELECT at, actor FROM audit_log WHERE subject_kind = %s AND subject_id = %s ORDER BY id LIMIT 1)
            acknowledged ON true"""
_ACKNOWLEDGMENT = "SELECT FROM audit_log WHERE subject_kind = %s AND subject_id = %s LIMIT 1"
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


class _StoredLink(NamedTuple):
    chain_id: str
    number: int
    previous: str
    record_sha256: str
    pdf_sha256: str
    at: datetime
    key_id: str
    signature: bytes
    head_number: int
    head_hash: str

    @property
    def signed(self) -> SignedChainLink:
        return signed_link(
            self.chain_id, self.number, self.previous, self.record_sha256, self.pdf_sha256, self.at, self.key_id,
            self.signature,
        )  # fmt: skip


def chain_heads(conn: Connection) -> dict[str, ChainHead]:
    """Return the stored head of each chain by its id."""
    return {chain_id: ChainHead(number, sha256) for chain_id, number, sha256 in conn.execute(_HEADS)}


def audit_fault(conn: Connection, keys: Mapping[str, Ed25519PublicKey]) -> str | None:
    """Return the first fault of the stored waivers as a sentence, or None. `keys`: the accepted keys by id."""
    for chain_id, fault in _faults(conn, keys, _all_links(conn)):
        return f"{chain_id}: {fault}"
    return None


def _faults(
    conn: Connection, keys: Mapping[str, Ed25519PublicKey], rows: Iterable[_StoredLink], cut_chain_id: str | None = None
) -> Iterator[tuple[str, str]]:
    """Yield chains with faults: the first fault of its links, of its end, and of its waivers.

    `rows`: those of _LINKS. `cut_chain_id`: the last chain of `rows` if they are not all. Then its end, the records and
    the PDFs are not verified.
    """
    for chain_id, links in groupby(rows, attrgetter("chain_id")):
        last, stored, fault = EMPTY_CHAIN, EMPTY_CHAIN, None
        for link in links:
            signed = link.signed
            fault = fault or chain_fault([signed], keys, after=last)
            last, stored = signed.link.head, ChainHead(link.head_number, link.head_hash)
        if fault is None and chain_id != cut_chain_id and stored != last:
            fault = "The end of the chain is missing or was replaced."
        if fault:
            yield chain_id, fault
    if cut_chain_id is not None:
        return
    changed = False
    for chain_id, number, fault in conn.execute(_FAULTS, [clock.now() - WAIVER_TTL]).fetchall():
        changed = changed or fault == "changed"
        yield chain_id, _SENTENCES[fault].format(number)
    if not changed:
        yield from _changed_erasable(conn)


def _changed_erasable(conn: Connection) -> list[tuple[str, str]]:
    """Return the chains of waivers whose erasable data is not what the record commits to. The records are unchanged."""
    faults: dict[str, str] = {}
    with conn.cursor() as cursor:
        # The drawn signatures among them are large, so that they are read one by one.
        for chain_id, number, commitments, erasable in cursor.stream(_ERASABLE):
            if not all(matches_commitment(kept, commitments.get(name)) for name, kept in erasable.items()):
                fault = f"The emergency contact or network data of link {number} was changed."
                faults.setdefault(chain_id, fault)
    return list(faults.items())


def has_head(conn: Connection, chain_id: str, head: ChainHead) -> bool:
    """Return whether a chain has a link with the number and the hash of a head that was stored elsewhere."""
    row = conn.execute(_LINK, [chain_id, head.number]).fetchone()
    return row is not None and signed_link(*row).link.head == head


def waiver_state(conn: Connection, keyring: WaiverKeyring) -> WaiverChainsState:
    """Verify the stored waivers, at most MAX_VERIFIED_LINKS links of them, and return what staff see."""
    values = [TEXTS, current_texts_digest()]
    ((chains, links, newest, number, sha256, at, acknowledged_at, acknowledged_by),) = conn.execute(_STATE, values)
    rows = fetch_all(conn, _StoredLink, _LINKS, [MAX_VERIFIED_LINKS + 1])
    cut_chain_id = rows[MAX_VERIFIED_LINKS - 1].chain_id if len(rows) > MAX_VERIFIED_LINKS else None
    faults: dict[str, str] = {}
    for chain_id, fault in _faults(conn, keyring.public_keys, rows[:MAX_VERIFIED_LINKS], cut_chain_id):
        faults.setdefault(chain_id, fault)
    return WaiverChainsState(
        chains=chains,
        links=links,
        verified_links=min(links, MAX_VERIFIED_LINKS),
        fault=next((f"{chain_id}: {fault}" for chain_id, fault in faults.items()), None),
        last_link=_last_link(newest, number, sha256, at) if newest else None,
        newest_chains=_chain_states(conn, faults),
        keys=[WaiverKeyState(id=key.id, signs=key == keyring.current) for key in keyring.keys],
        texts_acknowledged_at=to_iso8601(acknowledged_at) if acknowledged_at else None,
        texts_acknowledged_by=acknowledged_by,
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


def _all_links(conn: Connection) -> Iterator[_StoredLink]:
    """Yield the rows of _LINKS, which are read in parts."""
    with conn.cursor("waiver_links", row_factory=class_row(_StoredLink)) as cursor:
        cursor.itersize = _FETCH_SIZE
        yield from cursor.execute(_LINKS, [None])
