"""Emails for the codes of the Auth emulator, which sends none itself. Development only."""

from __future__ import annotations

import asyncio

import httpx

from porchlight.auth.emails import auth_action_email
from porchlight.ports import Mailer
from tenants.kit import timeouts
from tenants.kit.logs import log

POLL_INTERVAL_SECONDS = 1.0
_MAX_REMEMBERED_KEYS = 10_000


async def send_emulator_emails(emulator_url: str, project_id: str, main_origin: str, mailer: Mailer) -> None:
    """Send an email for every new code, once. Runs until canceled; retries while the emulator does not respond."""
    codes_url = f"{emulator_url}/emulator/v1/projects/{project_id}/oobCodes"
    sent_keys: set[str] = set()
    async with httpx.AsyncClient(timeout=timeouts.current.emulator_seconds) as client:
        while True:
            try:
                response = await client.get(codes_url)
                for code in response.json().get("oobCodes", []):
                    message = auth_action_email(code, main_origin)
                    if message is not None and message.key not in sent_keys:
                        await asyncio.to_thread(mailer.send, message)
                        sent_keys.add(message.key)
            except (httpx.HTTPError, OSError, ValueError, AttributeError) as error:
                log.debug("auth_emulator_unavailable", kind=type(error).__name__)
            if len(sent_keys) > _MAX_REMEMBERED_KEYS:
                sent_keys.clear()
            await asyncio.sleep(POLL_INTERVAL_SECONDS)
