"""Our addresses that receive email: of each person in a thread, and of each guru for the answers of calendars."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

_REPLY = "reply"
_CALENDAR = "calendar"
_TOKEN = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """One of our addresses. `token` names a person's side of a thread, or it is the id of a guru for calendars."""

    kind: Literal["reply", "calendar"]
    token: UUID


def reply_address(token: UUID, domain: str) -> str:
    """Return the address whose emails go into a thread as its person. The token is a secret of that person."""
    return f"{_REPLY}+{token.hex}@{domain}"


def calendar_address(tenant_id: UUID, domain: str) -> str:
    """Return the address to which calendar programs send the answers to a guru's invitations."""
    return f"{_CALENDAR}+{tenant_id.hex}@{domain}"


def parse_own_address(address: str, domain: str) -> OwnAddress | None:
    """Return the meaning of a recipient, or None for an address that we do not have. Servers may change its case."""
    local, _, host = address.strip().lower().rpartition("@")
    name, _, text = local.partition("+")
    if not domain or host != domain or not _TOKEN.fullmatch(text):
        return None
    if name == _REPLY:
        return OwnAddress("reply", UUID(hex=text))
    return OwnAddress("calendar", UUID(hex=text)) if name == _CALENDAR else None
