"""Email sending: SMTP in production, a mailbox in the database for development."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage as MimeMessage
from urllib.parse import unquote, urlsplit

import psycopg

from porchlight.ports import CalendarFile, EmailMessage, Mailer
from tenants.kit import timeouts
from tenants.kit.ids import new_id

INVITATION_NAME = "session.ics"


class SmtpMailer:
    """Sends through an SMTP server: `smtp://user:password@host:587` (STARTTLS if offered) or `smtps://…:465`."""

    def __init__(self, url: str, sender: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise ValueError("PORCHLIGHT_SMTP_URL must look like smtp://user:password@host:587")
        self._tls = parts.scheme == "smtps"
        self._host = parts.hostname
        self._port = parts.port or (465 if self._tls else 587)
        self._user = unquote(parts.username or "")
        self._password = unquote(parts.password or "")
        self._sender = sender

    def send(self, message: EmailMessage) -> None:
        """Send one email over its own connection."""
        mime = self._to_mime(message)
        context = ssl.create_default_context()
        if self._tls:
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                self._host, self._port, timeout=timeouts.current.smtp_seconds, context=context
            )
        else:
            server = smtplib.SMTP(self._host, self._port, timeout=timeouts.current.smtp_seconds)
        with server:
            if not self._tls and server.has_extn("starttls"):
                server.starttls(context=context)
            if self._user:
                server.login(self._user, self._password)
            server.send_message(mime)

    def _to_mime(self, message: EmailMessage) -> MimeMessage:
        mime = MimeMessage()
        mime["From"] = self._sender
        mime["To"] = message.recipient
        mime["Subject"] = message.subject
        mime["Message-ID"] = f"<{message.key}@{self._sender.rsplit('@', 1)[-1].strip('>')}>"
        if message.reply_to:
            mime["Reply-To"] = message.reply_to
        mime.set_content(message.text)
        mime.add_alternative(message.html, subtype="html")
        if message.invitation:
            _add_invitation(mime, message.invitation)
        return mime


def _add_invitation(mime: MimeMessage, invitation: CalendarFile) -> None:
    """Add the invitation twice with the same bytes, as Google Calendar does.

    Outlook and Gmail read the alternative part with its method (RFC 6047). Apple Mail and programs without calendar
    support offer the attachment. Its type `application/ics` has no method, so that no program applies the event twice.
    Base64 keeps the CRLF line ends of RFC 5545.
    """
    params = {"method": invitation.method, "charset": "utf-8"}
    mime.add_alternative(invitation.content, maintype="text", subtype="calendar", cte="base64", params=params)
    mime.add_attachment(
        invitation.content, maintype="application", subtype="ics", cte="base64", filename=INVITATION_NAME
    )


class MailboxMailer:
    """Stores email in the database for the page `/_mail`. Sending the same email again changes nothing."""

    def __init__(self, service_dsn: str) -> None:
        self._dsn = service_dsn

    def send(self, message: EmailMessage) -> None:
        """Store one email. The email of a guru who was deleted in the meantime is dropped."""
        with psycopg.connect(self._dsn) as conn:
            conn.execute(
                "INSERT INTO dev_mailbox (id, key, tenant_id, recipient, reply_to, subject, plain, html, invitation)"
                " SELECT %s, %s, %s::uuid, %s, %s, %s, %s, %s, %s"
                "  WHERE %s::uuid IS NULL OR EXISTS (SELECT FROM gurus WHERE id = %s FOR KEY SHARE)"
                " ON CONFLICT (key) DO NOTHING",
                [
                    new_id(), message.key, message.tenant_id, message.recipient, message.reply_to, message.subject,
                    message.text, message.html, message.invitation.content.decode() if message.invitation else "",
                    message.tenant_id, message.tenant_id,
                ],
            )  # fmt: skip


def create_mailer(smtp_url: str, mail_from: str, service_dsn: str) -> Mailer:
    """Return the SMTP mailer, or the mailbox if `smtp_url` is empty."""
    return SmtpMailer(smtp_url, mail_from) if smtp_url else MailboxMailer(service_dsn)
