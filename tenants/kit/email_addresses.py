"""Email addresses that people type, and the form in which they travel.

Addresses of visitors are stored as people read them, with the letters of the domain (`ada@bücher.example`). In emails,
links and accounts, which are compared with each other and given to other services, the domain is in its ASCII form. The
part before the @ must be ASCII: many mail servers refuse anything else (RFC 6531).
"""

from __future__ import annotations

import re
from functools import lru_cache

import idna
from email_validator import EmailNotValidError, validate_email

INVALID_EMAIL = "Please enter a valid email address."
# One address without a name.
EMAIL_ADDRESS = re.compile(r"[^\s@,;:<>()\[\]\\\"]+@[^\s@,;:<>()\[\]\\\"]+")
_NOT_ASCII = "We can't send email to an address with “{letter}” before the @. Please use another address."
_NEVER_ANSWERED = "Email to this address never arrives. Please use an address that you read."
# The names of RFC 2606 and RFC 6762 that no mail server ever has. `example` is left to documents and demos.
_NO_MAIL_DOMAINS = frozenset({"test", "invalid", "localhost", "local", "internal", "onion", "arpa"})
MAX_LOCAL_PART_LENGTH = 64  # RFC 5321
# Invisible characters that come along when an address is copied from a page or a document.
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff"
# Needs no further normalization. email_validator, which takes 60 µs, checks all others.
_SIMPLE_LOCAL_PART = re.compile(r"[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*")
_NOT_READ = frozenset({"noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "mailer-daemon"})


class InvalidEmail(ValueError):
    """An address that email cannot reach. The message is for the person who typed it."""


def normalize_email(text: str) -> str:
    """Return a typed address in the form to store. Raise InvalidEmail if no answer could ever reach it."""
    local, _, domain = text.strip().strip(_INVISIBLE).strip().rpartition("@")
    if not 0 < len(local) <= MAX_LOCAL_PART_LENGTH:
        raise InvalidEmail(INVALID_EMAIL)
    if not local.isascii():
        letter = next(character for character in local if not character.isascii())
        raise InvalidEmail(_NOT_ASCII.format(letter=letter) if letter.isprintable() else INVALID_EMAIL)
    if domain.lower().rpartition(".")[2] in _NO_MAIL_DOMAINS or local.lower() in _NOT_READ:
        raise InvalidEmail(_NEVER_ANSWERED)
    try:
        address = f"{local}@{_normalize_domain(domain)}"
        if _SIMPLE_LOCAL_PART.fullmatch(local):
            return address
        return validate_email(address, check_deliverability=False).normalized
    except EmailNotValidError:
        raise InvalidEmail(INVALID_EMAIL) from None


def ascii_email(address: str) -> str:
    """Return an address as it travels, with the ASCII form of its domain. Raise InvalidEmail if it has none.

    It is lenient where `normalize_email` is not: addresses of settings and of earlier releases are sent to as they are.
    """
    local, _, domain = address.rpartition("@")
    try:
        ascii_domain = domain if domain.isascii() else idna.encode(domain, uts46=True).decode()
    except idna.IDNAError:
        raise InvalidEmail(INVALID_EMAIL) from None
    if not local.isascii():
        raise InvalidEmail(_NOT_ASCII.format(letter=next(letter for letter in local if not letter.isascii())))
    return f"{local}@{ascii_domain}"


def wire_email(address: str) -> str:
    """Return an address as it travels, or unchanged if email cannot reach it: for links, which are only offered."""
    try:
        return ascii_email(address)
    except InvalidEmail:
        return address


def split_sender(text: str) -> tuple[str, str]:
    """Return name and address of "Porchlight, Inc. <notices@porchlight.example>". The name may need no quotes."""
    name, bracket, rest = text.strip().rpartition("<")
    if not bracket:
        return "", rest.strip()
    return name.strip().strip('"'), rest.removesuffix(">").strip()


@lru_cache(maxsize=4096)  # many people share few domains
def _normalize_domain(domain: str) -> str:
    return validate_email(f"a@{domain}", check_deliverability=False).domain
