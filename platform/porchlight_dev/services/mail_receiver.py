"""The mail receiver as a service."""

from __future__ import annotations

import asyncio

from porchlight_dev.environment import ROOT, DevEnvironment, program
from porchlight_dev.processes import require_free_port
from porchlight_dev.supervisor import DevService


def mail_receiver_service(environment: DevEnvironment) -> DevService:
    """Return the mail receiver, which is ready when it greets."""

    async def prepare() -> None:
        require_free_port(environment.mail_port, "email")

    async def ready() -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", environment.mail_port)
        except OSError:
            return False
        greeting = await reader.readline()
        writer.close()
        return greeting.startswith(b"220")

    argv = [program("porchlight"), "receive-mail"]
    return DevService(name="mail", argv=lambda: argv, env=environment.env, prepare=prepare, ready=ready, cwd=ROOT)
