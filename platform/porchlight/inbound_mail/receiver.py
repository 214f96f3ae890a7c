"""Decides about each email to one of our addresses: delivered, dropped, or refused with a reason for its writer.

A refusal is an SMTP reply, so the writer's own mail server reports it. We send no bounces, whose recipients may have
written nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from uuid import UUID

from porchlight.inbound_mail.addresses import OwnAddress, reply_address
from porchlight.inbound_mail.automatic import why_automatic
from porchlight.inbound_mail.calendar_answer import read_calendar_answer
from porchlight.inbound_mail.ports import Invitations, Relay, Reply, ReplyRefused, Threads
from porchlight.inbound_mail.received_email import ReceivedEmail, read_email
from porchlight.inbound_mail.reply_text import new_words
from porchlight.inbound_mail.sender_check import SenderCheck, check_sender
from porchlight.ports import DnsOutage, Resolver
from tenants.kit.logs import log

ACCEPTED = "250 2.0.0 OK"
TRY_LATER = "451 4.3.0 Please try again later."
NO_SUCH_ADDRESS = "550 5.1.1 We have no such address."
WRONG_SENDER = "550 5.7.1 Please answer from the email address of your Porchlight account, or here: {url}"
FORGED = "550 5.7.26 We could not verify that your email comes from {domain}. Please answer here: {url}"
NOTHING_NEW = "550 5.6.0 We found no new words in your email. Please answer here: {url}"
REFUSED = "550 5.7.1 {reason} {url}"
CALENDARS_ONLY = "550 5.1.1 This address takes the answers of calendar programs only."
NOT_INVITED = "550 5.7.1 We found no session to which this address was invited."


@dataclass(frozen=True, slots=True)
class ReceiverSettings:
    """`domain`: of our addresses. `trusted_server`: its id in Authentication-Results, "" without one."""

    domain: str
    base_host: str
    sender_domain: str
    trusted_server: str


class MailReceiver:
    """Receives the emails to our addresses."""

    def __init__(
        self, settings: ReceiverSettings, threads: Threads, invitations: Invitations, resolver: Resolver
    ) -> None:
        self.settings = settings
        self._threads = threads
        self._invitations = invitations
        self._resolver = resolver
        self._own_domains = frozenset({settings.domain, settings.sender_domain})

    async def find_recipient(self, address: OwnAddress) -> Relay | UUID | None:
        """Return whose side of a thread an address is, or the guru whose calendar address it is; None if unknown."""
        return address.token if address.kind == "calendar" else await self._threads.find_relay(address.token)

    async def receive(self, content: bytes, mail_from: str, recipient: Relay | UUID) -> str:
        """Handle an email to a recipient that we know. Return the SMTP reply."""
        email = await asyncio.to_thread(read_email, content)
        try:
            if isinstance(recipient, Relay):
                return await self._receive_reply(email, content, mail_from, recipient)
            return await self._receive_answer(email, content, mail_from, recipient)
        except DnsOutage:
            return TRY_LATER

    async def _receive_reply(self, email: ReceivedEmail, content: bytes, mail_from: str, relay: Relay) -> str:
        if reason := why_automatic(email.mime, mail_from, self._own_domains):
            log.info("inbound_email_dropped", reason=reason)
            return ACCEPTED
        if email.sender != relay.address:
            log.info("inbound_email_refused", reason="wrong_sender")
            return WRONG_SENDER.format(url=relay.url)
        check = await self._check(email, content)
        if check is SenderCheck.FORGED:
            log.info("inbound_email_refused", reason="forged")
            return FORGED.format(domain=_domain(email.sender), url=relay.url)
        words = new_words(email.text, (reply_address(relay.token, self.settings.domain), relay.url))
        if not words and not email.files:
            return NOTHING_NEW.format(url=relay.url)
        try:
            await self._threads.deliver(relay, Reply(words, email.files, _key(email, content), check))
        except ReplyRefused as refusal:
            return REFUSED.format(reason=_one_line(str(refusal)), url=relay.url)
        log.info("inbound_email_delivered", check=check)
        return ACCEPTED

    async def _receive_answer(self, email: ReceivedEmail, content: bytes, mail_from: str, tenant_id: UUID) -> str:
        if mail_from.rpartition("@")[2].lower() in self._own_domains:
            return ACCEPTED
        answers = [read_calendar_answer(calendar, self.settings.base_host) for calendar in email.calendars]
        answer = next((answer for answer in answers if answer is not None), None)
        if answer is None:
            return CALENDARS_ONLY
        check = await self._check(email, content)
        if check is SenderCheck.FORGED:
            return NOT_INVITED
        is_invited = await self._invitations.record_answer(tenant_id, answer, email.sender, check)
        return ACCEPTED if is_invited else NOT_INVITED

    async def _check(self, email: ReceivedEmail, content: bytes) -> SenderCheck:
        return await asyncio.to_thread(
            check_sender, content, _domain(email.sender), email.checks, self.settings.trusted_server, self._resolver
        )


def _domain(address: str) -> str:
    return address.rpartition("@")[2]


def _key(email: ReceivedEmail, content: bytes) -> str:
    """Return what all deliveries of one email share: its Message-ID, else its bytes."""
    return "mail-" + hashlib.sha256(email.message_id.encode() or content).hexdigest()[:40]


def _one_line(text: str) -> str:
    return " ".join(text.encode("ascii", "replace").decode().split())[:300]
