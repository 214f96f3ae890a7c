"""Emails that no person wrote: out-of-office notes, bounces, lists, and our own. Answering them could go on forever."""

from __future__ import annotations

from email.message import EmailMessage

MAX_RECEIVED = 30  # servers on the way; more of them is a loop
_BULK = frozenset({"bulk", "junk", "list", "auto_reply"})
_ROBOTS = ("mailer-daemon", "postmaster", "noreply", "no-reply", "donotreply", "do-not-reply")


def why_automatic(message: EmailMessage, mail_from: str, own_domains: frozenset[str]) -> str:
    """Return why an email counts as automatic, as a word for the log, or "" for one that a person wrote.

    `mail_from`: the envelope's sender, "" for bounces. `own_domains`: those that we send from.
    """
    if not mail_from:
        return "bounce"
    if str(message.get("Auto-Submitted", "no")).split(";")[0].strip().lower() != "no":  # RFC 3834
        return "auto_submitted"
    if str(message.get("Precedence", "")).strip().lower() in _BULK:
        return "precedence"
    if any(message.get(name) for name in ("List-Id", "List-Unsubscribe", "X-Autoreply", "X-Autorespond", "X-Loop")):
        return "list_or_autoreply"
    if message.get_content_type() == "multipart/report":  # RFC 6522
        return "report"
    if len(message.get_all("Received", [])) > MAX_RECEIVED:
        return "loop"
    if mail_from.rpartition("@")[2].lower() in own_domains:
        return "own"
    if mail_from.rpartition("@")[0].lower() in _ROBOTS:
        return "robot"
    return ""
