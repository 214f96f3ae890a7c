"""The notifications between processes about changed inboxes."""

from __future__ import annotations

from collections.abc import Iterable

from porchlight.features.messages.delivery.actions import Wake

CHANNEL = "porchlight_messages"


def notification(wakes: Iterable[Wake]) -> str:
    """Return the text of a notification: for each person the id, the change and the number of unread messages."""
    return " ".join(f"{wake.user_id}:{wake.change}:{wake.unread}" for wake in wakes)
