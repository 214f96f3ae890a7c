"""Errors of messages, with the sentences for people."""

from __future__ import annotations

from porchlight.features.messages.delivery.rules import DeliveryRefusal
from tenants.kit.errors import Conflict, Forbidden, KeyReused, ProductError, ValidationFailed

NOT_TAKING_MESSAGES = "This neighbor is not taking messages."
BLOCKED = "You blocked this neighbor. Unblock them to write."


class NotTakingMessages(Forbidden):
    """The other person blocked the sender, or their account is not active: the answer is the same."""

    code = "not_taking_messages"
    message = NOT_TAKING_MESSAGES


class RecipientBlocked(Forbidden):
    """The sender blocked the other person."""

    code = "recipient_blocked"
    message = BLOCKED


class MessagesLimited(Conflict):
    """The sender reached the limit of messages or of new threads."""

    code = "quota_exceeded"
    message = "You've sent a lot of messages. Please try again in a while."


class NewThreadsLimited(MessagesLimited):
    """The sender wrote to many new people today."""

    message = "You've written to many new neighbors today. Please try again tomorrow."


class TooManyFiles(ValidationFailed):
    """A message with more files than it may have."""

    code = "too_many_files"


def error_of(refusal: DeliveryRefusal) -> ProductError:
    """Return the error of a refused message."""
    match refusal:
        case DeliveryRefusal.NOT_TAKING:
            return NotTakingMessages()
        case DeliveryRefusal.BLOCKED:
            return RecipientBlocked()
        case DeliveryRefusal.UNVERIFIED:
            return Forbidden()  # the routes say before that the address needs to be verified
        case DeliveryRefusal.TOO_MANY_THREADS:
            return NewThreadsLimited()
        case DeliveryRefusal.TOO_MANY_MESSAGES:
            return MessagesLimited()
        case DeliveryRefusal.FILE_GONE:
            return ValidationFailed(fields={"fileIds": "A file has expired. Please add it again."})
        case DeliveryRefusal.KEY_REUSED:
            return KeyReused()
