"""Brings the Auth emulator's codes to the mailbox: it makes them, and sends no mail. Development only."""

from __future__ import annotations

import asyncio

import httpx

from porchlight.logs import log
from porchlight.notices.mail import Mailer
from porchlight.notices.sign_in import letter_for_code

POLL = 1.0  # seconds between looks
_REMEMBERED = 10_000


async def deliver_codes(emulator_url: str, project_id: str, main_origin: str, mailer: Mailer) -> None:
    """Mail every code the emulator makes, once. Runs until cancelled; an emulator that is away is asked again."""
    address = f"{emulator_url}/emulator/v1/projects/{project_id}/oobCodes"
    sent: set[str] = set()
    async with httpx.AsyncClient(timeout=5.0) as client:
        while True:
            try:
                answer = await client.get(address)
                for code in answer.json().get("oobCodes", []):
                    letter = letter_for_code(code, main_origin)
                    if letter is not None and letter.key not in sent:
                        await asyncio.to_thread(mailer.send, letter)
                        sent.add(letter.key)
            except (httpx.HTTPError, OSError, ValueError, AttributeError) as fault:
                log.debug("emulator_away", kind=type(fault).__name__)
            if len(sent) > _REMEMBERED:
                sent.clear()
            await asyncio.sleep(POLL)
