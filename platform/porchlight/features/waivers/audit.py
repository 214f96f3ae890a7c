"""Verification of all stored waivers by the service role: every chain, and every record and PDF that is not deleted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from porchlight.features.waivers.chain import EMPTY_CHAIN, ChainHead, SignedChainLink, chain_fault
from porchlight.features.waivers.queries import signed_link

Connection = psycopg.Connection[Any]

_HEADS = "SELECT chain_id, number, hash FROM waiver_heads WHERE number > 0 ORDER BY chain_id"
_LINKS = """
SELECT chain_id, number, previous, record_sha256, pdf_sha256, at, key_id, signature
  FROM waiver_links ORDER BY chain_id, number"""
_LINK = """
SELECT chain_id, number, previous, record_sha256, pdf_sha256, at, key_id, signature
  FROM waiver_links WHERE chain_id = %s AND number = %s"""
# A deleted waiver leaves its link; every stored waiver needs one.
_CHANGED = """
SELECT w.chain_id, w.number FROM waivers w LEFT JOIN waiver_links l USING (chain_id, number)
 WHERE l.number IS NULL OR l.record_sha256 <> encode(sha256(convert_to(w.record, 'UTF8')), 'hex')
    OR l.pdf_sha256 <> encode(sha256(w.pdf), 'hex') ORDER BY 1, 2 LIMIT 1"""
_FETCH_SIZE = 2000


def chain_heads(conn: Connection) -> dict[str, ChainHead]:
    """Return the stored head of each chain by its id."""
    return {chain_id: ChainHead(number, sha256) for chain_id, number, sha256 in conn.execute(_HEADS)}


def audit_fault(conn: Connection, keys: Mapping[str, Ed25519PublicKey]) -> str | None:
    """Return the first fault of the stored waivers as a sentence, or None. `keys`: the accepted keys by id."""
    heads = chain_heads(conn)
    for chain_id, links in groupby(_links(conn), lambda signed: signed.link.chain_id):
        last = EMPTY_CHAIN
        for signed in links:
            if fault := chain_fault([signed], keys, after=last):
                return f"{chain_id}: {fault}"
            last = signed.link.head
        if heads.pop(chain_id, EMPTY_CHAIN) != last:
            return f"{chain_id}: The end of the chain is missing or was replaced."
    for chain_id in heads:
        return f"{chain_id}: All links are missing."
    changed = conn.execute(_CHANGED).fetchone()
    return f"{changed[0]}: The waiver of link {changed[1]} was changed." if changed else None


def has_head(conn: Connection, chain_id: str, head: ChainHead) -> bool:
    """Return whether a chain has a link with the number and the hash of a head that was stored elsewhere."""
    row = conn.execute(_LINK, [chain_id, head.number]).fetchone()
    return row is not None and signed_link(*row).link.head == head


def _links(conn: Connection) -> Iterator[SignedChainLink]:
    with conn.cursor("waiver_links") as cursor:
        cursor.itersize = _FETCH_SIZE
        cursor.execute(_LINKS)
        for row in cursor:
            yield signed_link(*row)
