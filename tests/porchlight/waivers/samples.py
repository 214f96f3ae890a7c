"""Sample waivers, their receipts, and random edits of receipts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any
from uuid import UUID

from porchlight.features.waivers.canonical import canonical_json, sha256_hex
from porchlight.features.waivers.chain import EMPTY_CHAIN, LinkContent, SignedChainLink, sign_next_link
from porchlight.features.waivers.drawings import describe_drawing
from porchlight.features.waivers.keys import WaiverKey
from porchlight.features.waivers.pdf import render_pdf
from porchlight.features.waivers.receipts import build_receipt, pack_files, unpack_files
from porchlight.features.waivers.records import (
    CONSENTS,
    EmergencyContact,
    WaiverAcceptance,
    build_record,
    create_erasable,
)
from porchlight.features.waivers.texts import current_text

ACCEPTED_AT = datetime(2026, 10, 22, 15, 30, 5, 999_999, tzinfo=UTC)
KEY = WaiverKey("2026", hashlib.sha256(b"key of tests").digest())
OLD_KEY = WaiverKey("2025", hashlib.sha256(b"old key of tests").digest())
PUBLIC_KEYS = {key.id: key.public_key for key in (KEY, OLD_KEY)}
CONTACT = EmergencyContact("Maria Ortiz", "+1 303 555 0199", "sister")
NETWORK_ADDRESS = "203.0.113.77"
# Two lines and a dot.
LINES = [[20, 300, 180, 40, 340, 300], [80, 220, 280, 220], [400, 300]]
DRAWING = describe_drawing(LINES)

# Changes of a receipt's bytes.
Edit = Callable[[Random, bytes, bytes], bytes]


def create_acceptance(**changes: Any) -> WaiverAcceptance:
    """Return an accepted high-risk waiver; `changes` are fields of WaiverAcceptance."""
    values: dict[str, Any] = {
        "waiver_id": UUID(int=1),
        "account_id": UUID(int=2),
        "accepted_at": ACCEPTED_AT,
        "level": "high",
        "reasons": ["Power tools can cause deep cuts."],
        "category": "woodworking",
        "activity": "Table saw basics",
        "exchange_id": "service-7",
        "exchange_title": "Woodworking for beginners",
        "participant_name": "Łukasz Nowak",
        "signed_by": "self",
        "consents": CONSENTS,
        "texts": [current_text("high").reference],
        "typed_signature": "Łukasz Nowak",
    }
    return WaiverAcceptance(**(values | changes))


@cache
def create_receipt(number: int) -> bytes:
    """Return the receipt of the sample waiver `number`, link `number` + 1 of its chain. Odd ones have a drawing."""
    drawing = DRAWING if number % 2 else None
    erasable = create_erasable(CONTACT, NETWORK_ADDRESS, f"Browser/{number}", drawing)
    record = build_record(create_acceptance(waiver_id=UUID(int=number)), erasable)
    content = canonical_json(record)
    pdf = render_pdf(record, [current_text("high")], drawing)
    signed = sign_links("guru:7", [(sha256_hex(content), sha256_hex(pdf))] * (number + 1))[-1]
    return build_receipt(content, pdf, signed, KEY.public_key, erasable)


def sign_links(chain_id: str, hashes: Sequence[tuple[str, str]]) -> list[SignedChainLink]:
    """Return the links of a new chain that cover pairs of hashes: of a record and of its PDF."""
    links: list[SignedChainLink] = []
    head = EMPTY_CHAIN
    for record, pdf in hashes:
        links.append(sign_next_link(chain_id, head, LinkContent(record, pdf, ACCEPTED_AT), KEY))
        head = links[-1].link.head
    return links


def create_old_receipt() -> bytes:
    """Return a receipt of the time when a record had the hash of an image of the drawn signature."""
    record = build_record(create_acceptance(), {})
    record["signature"]["drawnSha256"] = "ab" * 32
    content, pdf = canonical_json(record), render_pdf(record, [current_text("high")])
    signed = sign_next_link("guru:7", EMPTY_CHAIN, LinkContent(sha256_hex(content), sha256_hex(pdf), ACCEPTED_AT), KEY)
    return build_receipt(content, pdf, signed, KEY.public_key)


def erase(receipt: bytes, *names: str) -> bytes:
    """Return a receipt after the erasure of some of its data, of all without `names`."""
    contents = unpack_files(receipt)
    kept = json.loads(contents.pop("erasable.json"))
    kept = {name: value for name, value in kept.items() if names and name not in names}
    return pack_files(contents | ({"erasable.json": canonical_json(kept)} if kept else {}))


def edit_receipt(random: Random, receipt: bytes, other: bytes) -> bytes:
    """Return a receipt with a random change that is not an erasure. `other`: a receipt to swap files with."""
    return random.choice(EDITS)(random, receipt, other)


def flip_bits(random: Random, receipt: bytes, _other: bytes) -> bytes:
    changed = bytearray(receipt)
    for position in {random.randrange(len(changed)) for _ in range(random.randint(1, 3))}:
        changed[position] ^= 1 << random.randrange(8)
    return bytes(changed)


def change_length(random: Random, receipt: bytes, _other: bytes) -> bytes:
    position = random.randrange(len(receipt))
    changes = [receipt[:position], receipt + b"\0", b"\0" + receipt, receipt[:position] + b"x" + receipt[position:]]
    return random.choice(changes)


def swap_file(random: Random, receipt: bytes, other: bytes) -> bytes:
    """Take a file from another receipt, or another file's content from the same receipt."""
    contents, others = unpack_files(receipt), unpack_files(other)
    name = random.choice(["waiver.json", "waiver.pdf", "proof.json", "erasable.json", "README.txt"])
    replacements = {*others.values(), *contents.values()} - {contents[name]}
    return pack_files(contents | {name: random.choice(sorted(replacements))})


def remove_file(random: Random, receipt: bytes, _other: bytes) -> bytes:
    contents = unpack_files(receipt)
    del contents[random.choice(["waiver.json", "waiver.pdf", "proof.json", "README.txt"])]
    return pack_files(contents)


def reformat_file(random: Random, receipt: bytes, _other: bytes) -> bytes:
    """Write the same JSON in another form."""
    contents = unpack_files(receipt)
    name = random.choice(["waiver.json", "proof.json", "erasable.json"])
    value = json.loads(contents[name])
    return pack_files(contents | {name: json.dumps(value, indent=random.choice([None, 2])).encode()})


def edit_field(random: Random, receipt: bytes, _other: bytes) -> bytes:
    """Change, add or remove a value in one of the JSON files, and write it in canonical form.

    In half of the cases, also correct every hash that needs no key, as a forger would.
    """
    contents = unpack_files(receipt)
    values = {name: json.loads(contents[name]) for name in ("waiver.json", "proof.json", "erasable.json")}
    name = random.choice(sorted(values))
    # An entry that is removed from erasable.json is an erasure, so the top of that file is not edited.
    root = values[name]
    _change_value(random, random.choice(sorted(root.items()))[1] if name == "erasable.json" else root)
    edited = pack_files(contents | {name: canonical_json(value) for name, value in values.items()})
    _correct_hashes(values)
    corrected = pack_files(contents | {name: canonical_json(value) for name, value in values.items()})
    # The correction undoes the change of a hash.
    return corrected if random.random() < 0.5 and corrected != receipt else edited


def _change_value(random: Random, container: Any) -> None:
    keys = sorted(container) if isinstance(container, dict) else range(len(container))
    key = random.choice(list(keys)) if keys else None
    value: Any = None if key is None else container[key]
    if isinstance(value, dict | list) and random.random() < 0.8:
        _change_value(random, value)
    elif key is None or random.random() < 0.2:
        container.append("more") if isinstance(container, list) else container.update(more=1)
    elif isinstance(value, dict | list) or random.random() < 0.2:
        del container[key]
    else:
        container[key] = value + 1 if isinstance(value, int) else _change_text(random, value)


def _change_text(random: Random, text: str) -> str:
    position = random.randrange(len(text) + 1)
    letter = random.choice([c for c in "0123456789abcdefABZé李-_ " if c != text[position : position + 1]])
    return random.choice([text[:position] + letter + text[position + 1 :], text[:position] + letter + text[position:]])


def _correct_hashes(values: dict[str, Any]) -> None:
    record, proof, erasable = values["waiver.json"], values["proof.json"], values["erasable.json"]
    if isinstance(record.get("commitments"), dict):
        for name, kept in erasable.items():
            if set(kept) == {"salt", "value"}:
                record["commitments"][name] = sha256_hex(canonical_json([kept["salt"], kept["value"]]))
    if isinstance(proof.get("link"), dict):
        proof["link"]["recordSha256"] = sha256_hex(canonical_json(record))
        proof["linkSha256"] = sha256_hex(canonical_json(proof["link"]))


EDITS: tuple[Edit, ...] = (flip_bits, change_length, swap_file, remove_file, reformat_file, edit_field, edit_field)
