"""The mailer of all jobs: what an email to an account says becomes a notification, in the app and on devices."""

from __future__ import annotations

from porchlight.features.notifications.store import add_notification
from porchlight.ports import EmailMessage, Mailer
from tenants.db.job_connections import job_connection

_BEGIN = "SELECT set_config('app.user_id', %s, true)"


class NotifyingMailer:
    """Adds the notification of an email, then sends the email unless its person wants it later or not at all."""

    def __init__(self, mailer: Mailer, app_dsn: str, main_origin: str) -> None:
        self._mailer = mailer
        self._dsn = app_dsn
        self._main_origin = main_origin

    def send(self, message: EmailMessage) -> bool:
        """Send one email, or leave it to the digest. Return False if its address will never take it.

        The notification is committed first. A job that fails to send runs again, and adds no second one.
        """
        note = message.notification
        if note is None:
            return self._mailer.send(message)
        with job_connection(self._dsn) as conn:
            conn.execute(_BEGIN, [str(note.person)])
            mails_now = add_notification(conn, note, message.key, self._main_origin)
        return self._mailer.send(message) if mails_now else True
