"""Email sending: SMTP in production, a mailbox in the database for development."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage as MimeMessage
from email.policy import SMTP
from urllib.parse import parse_qs, unquote, urlsplit

from porchlight.emails.wire import to_wire
from porchlight.ports import EmailMessage, Mailer
from tenants.db.job_connections import job_connection
from tenants.kit import timeouts
from tenants.kit.email_addresses import InvalidEmail
from tenants.kit.ids import new_id
from tenants.kit.logs import log

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class UnencryptedLogin(smtplib.SMTPException):
    """The server would get the password in the clear."""


class SmtpMailer:
    """Sends through an SMTP server: `smtp://user:password@host:587` (STARTTLS if offered) or `smtps://…:465`.

    A password never travels in the clear, except on this machine or with `?tls=off`, which also skips STARTTLS.
    """

    def __init__(self, url: str, sender: str) -> None:
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            port = -1
        query = parse_qs(parts.query, keep_blank_values=True)
        if (
            parts.scheme not in ("smtp", "smtps")
            or not parts.hostname
            or port == -1
            or query not in ({}, {"tls": ["off"]})
            or (query and parts.scheme == "smtps")
        ):
            raise ValueError("PORCHLIGHT_SMTP_URL must look like smtp://user:password@host:587")
        self._tls = parts.scheme == "smtps"
        self._host = parts.hostname
        self._port = port or (465 if self._tls else 587)
        self._user = unquote(parts.username or "")
        self._password = unquote(parts.password or "")
        self._plain = bool(query)
        self._sender = sender

    def send(self, message: EmailMessage) -> bool:
        """Send one email over its own connection. Return False if its address will never take it."""
        try:
            wire = to_wire(message, self._sender)
        except InvalidEmail:
            log.warning("email_address_unusable", key=message.key)
            return False
        with self.connection() as server:
            try:
                server.sendmail(wire.sender, [wire.recipient], wire.content)
            except smtplib.SMTPRecipientsRefused as refusal:
                code = next(iter(refusal.recipients.values()))[0]
                if code < 500:  # the server asks to try again
                    raise
                log.warning("email_address_refused", key=message.key, code=code)
                return False
        return True

    @contextmanager
    def connection(self) -> Iterator[smtplib.SMTP]:
        """Open a connection, encrypted and signed in. Raises OSError."""
        context = ssl.create_default_context()
        seconds = timeouts.current.smtp_seconds
        if self._tls:
            server: smtplib.SMTP = smtplib.SMTP_SSL(self._host, self._port, timeout=seconds, context=context)
        else:
            server = smtplib.SMTP(self._host, self._port, timeout=seconds)
        with server:
            server.ehlo_or_helo_if_needed()  # before it, the server has offered nothing
            is_encrypted = self._tls
            if not self._tls and not self._plain and server.has_extn("starttls"):
                server.starttls(context=context)
                is_encrypted = True
            if self._user:
                if not (is_encrypted or self._plain or self._host in LOOPBACK):
                    raise UnencryptedLogin("the server offers no encryption")
                server.login(self._user, self._password)
            yield server

    def problem(self) -> str:
        """Return why this server takes no email from us, as a sentence for the operator, or "" if it does."""
        server = f"The mail server {self._host}:{self._port}"
        try:
            with self.connection():
                return ""
        except UnencryptedLogin:
            return (
                f"{server} offers no encryption (STARTTLS), so the password is not sent: use smtps://, or add ?tls=off "
                "to PORCHLIGHT_SMTP_URL if the network between is yours."
            )
        except smtplib.SMTPAuthenticationError as error:
            return f"{server} refuses the user or the password of PORCHLIGHT_SMTP_URL ({error.smtp_code})."
        except smtplib.SMTPNotSupportedError:
            return f"{server} accepts no login: remove user and password from PORCHLIGHT_SMTP_URL."
        except ssl.SSLCertVerificationError as error:
            return f"{server} has a certificate that cannot be trusted ({error.verify_message})."
        except OSError as error:
            return f"{server} does not respond as expected ({type(error).__name__}): check PORCHLIGHT_SMTP_URL."


class MailboxMailer:
    """Stores email in the database for the page `/_mail`. Sending the same email again changes nothing."""

    def __init__(self, service_dsn: str, sender: str = "Porchlight <notices@porchlight.localhost>") -> None:
        self._dsn = service_dsn
        self._sender = sender

    def send(self, message: EmailMessage) -> bool:
        """Store one email. The email of a guru who was deleted in the meantime is dropped."""
        try:
            original = to_wire(message, self._sender).content
        except InvalidEmail:
            log.warning("email_address_unusable", key=message.key)
            return False
        with job_connection(self._dsn) as conn:
            conn.execute(
                "INSERT INTO dev_mailbox (id, key, tenant_id, recipient, reply_to, subject, plain, html, invitation,"
                " original) SELECT %s, %s, %s::uuid, %s, %s, %s, %s, %s, %s, %s"
                "  WHERE %s::uuid IS NULL OR EXISTS (SELECT FROM gurus WHERE id = %s FOR KEY SHARE)"
                " ON CONFLICT (key) DO NOTHING",
                [
                    new_id(), message.key, message.tenant_id, message.recipient, message.reply_to, message.subject,
                    message.text, message.html, _invitations(message),
                    original, message.tenant_id, message.tenant_id,
                ],
            )  # fmt: skip
        return True


def _invitations(message: EmailMessage) -> str:
    """Return the calendar files of an email, one after the other (RFC 5545, 3.4)."""
    files = [message.invitation, *message.further_invitations]
    return "".join(file.content.decode() for file in files if file is not None)


def send_to_receiver(message: MimeMessage, port: int) -> str:
    """Send an email to the mail receiver on this machine. Return "", or why it refused the email. Development only."""
    try:
        with smtplib.SMTP(LOOPBACK[0], port, timeout=timeouts.current.smtp_seconds) as server:
            server.sendmail(str(message["From"]), [str(message["To"])], message.as_bytes(policy=SMTP))
    except smtplib.SMTPRecipientsRefused as refused:
        return next(iter(refused.recipients.values()))[1].decode("utf-8", "replace")
    except smtplib.SMTPResponseException as error:
        reply = error.smtp_error
        return reply.decode("utf-8", "replace") if isinstance(reply, bytes) else str(reply)
    except OSError:
        return "The mail receiver does not respond."
    return ""


def create_mailer(smtp_url: str, mail_from: str, service_dsn: str) -> Mailer:
    """Return the SMTP mailer, or the mailbox if `smtp_url` is empty."""
    return SmtpMailer(smtp_url, mail_from) if smtp_url else MailboxMailer(service_dsn, mail_from)
