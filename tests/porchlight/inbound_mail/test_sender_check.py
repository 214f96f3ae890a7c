"""The proof of who sent an email: real DKIM signatures, and results that a mail server wrote."""

from __future__ import annotations

from base64 import b64encode
from functools import cache

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from porchlight.inbound_mail.sender_check import SenderCheck, check_sender, dmarc_policy, is_aligned
from porchlight.ports import DnsOutage, RecordType

EMAIL = b"From: Ada <ada@mail-house.example>\r\nTo: x@y.example\r\nSubject: Re: hi\r\n\r\nYes!\r\n"


class Zone:
    """Name servers with the records of one test."""

    def __init__(self, **records: str) -> None:
        self.answers = {name.replace("__", "-"): value for name, value in records.items()}
        self.is_down = False

    def records(self, name: str, kind: RecordType) -> list[str]:
        """Return the records of a name."""
        if self.is_down:
            raise DnsOutage
        value = self.answers.get(name)
        return [value] if value and kind == "TXT" else []


@cache
def _key() -> RSAPrivateKey:
    return generate_private_key(65537, 2048)


def private_key() -> bytes:
    """Return the key with which emails are signed."""
    return _key().private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


def zone_of(domain: str) -> Zone:
    """Return name servers with the public key of a domain."""
    public = _key().public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    zone = Zone()
    zone.answers[f"s1._domainkey.{domain}"] = f"v=DKIM1; k=rsa; p={b64encode(public).decode()}"
    return zone


def _signed(domain: str = "mail-house.example") -> bytes:
    return bytes(dkim.sign(EMAIL, b"s1", domain.encode(), private_key())) + EMAIL


def _zone(domain: str = "mail-house.example", policy: str = "") -> Zone:
    zone = zone_of(domain)
    if policy:
        zone.answers["_dmarc.mail-house.example"] = policy
    return zone


def _check(content: bytes, zone: Zone, headers: tuple[str, ...] = (), server: str = "") -> SenderCheck:
    return check_sender(content, "mail-house.example", headers, server, zone)


def test_check_sender_of_valid_signature_returns_verified() -> None:
    assert _check(_signed(), _zone(policy="v=DMARC1; p=reject")) is SenderCheck.VERIFIED


def test_check_sender_of_subdomain_signature_is_verified() -> None:
    domain = "news.mail-house.example"

    assert _check(_signed(domain), _zone(domain)) is SenderCheck.VERIFIED


@pytest.mark.parametrize(
    ("policy", "result"),
    [
        ("", SenderCheck.UNKNOWN),
        ("v=DMARC1; p=none", SenderCheck.UNKNOWN),
        ("v=DMARC1; p=quarantine; pct=100", SenderCheck.FORGED),
        ("v=DMARC1;p=reject", SenderCheck.FORGED),
    ],
)
def test_check_sender_of_changed_email_follows_the_policy(policy: str, result: SenderCheck) -> None:
    assert _check(_signed().replace(b"Yes!", b"No!!"), _zone(policy=policy)) is result


def test_check_sender_of_foreign_signature_is_not_verified() -> None:
    domain = "other.example"

    assert _check(_signed(domain), _zone(domain)) is SenderCheck.UNKNOWN


def test_check_sender_without_name_servers_raises_outage() -> None:
    zone = _zone()
    zone.is_down = True

    with pytest.raises(DnsOutage):
        _check(_signed(), zone)


def test_check_sender_of_malformed_signature_is_unknown() -> None:
    content = b"DKIM-Signature: v=1; a=rsa-sha256; d=mail-house.example; b=###\r\n" + EMAIL

    assert _check(content, _zone()) is SenderCheck.UNKNOWN


@pytest.mark.parametrize(
    ("header", "result"),
    [
        ("mx.example; dkim=pass header.d=mail-house.example", SenderCheck.VERIFIED),
        ("mx.example; dkim=pass header.i=@mail-house.example", SenderCheck.VERIFIED),
        ("mx.example; spf=pass smtp.mailfrom=ada@mail-house.example", SenderCheck.VERIFIED),
        ("mx.example; spf=pass smtp.mailfrom=mail-house.example", SenderCheck.VERIFIED),
        ("mx.example; dmarc=pass header.from=mail-house.example", SenderCheck.VERIFIED),
        (
            "mx.example; spf=pass smtp.mailfrom=a@bulk.example; dkim=fail header.d=mail-house.example",
            SenderCheck.FORGED,
        ),
        ("mx.example; none", SenderCheck.FORGED),
        ("elsewhere.example; dkim=pass header.d=mail-house.example", SenderCheck.FORGED),
        ("mx.example; =;;", SenderCheck.FORGED),
    ],
)
def test_check_sender_of_written_result_follows_it(header: str, result: SenderCheck) -> None:
    zone = _zone(policy="v=DMARC1; p=reject")

    assert _check(EMAIL, zone, (header,), "mx.example") is result


def test_check_sender_of_two_results_trusts_the_topmost() -> None:
    headers = ("mx.example; dkim=fail header.d=mail-house.example", "mx.example; dkim=pass header.d=mail-house.example")

    assert _check(EMAIL, _zone(policy="v=DMARC1; p=reject"), headers, "mx.example") is SenderCheck.FORGED


def test_check_sender_without_trusted_server_ignores_headers() -> None:
    headers = ("mx.example; dkim=pass header.d=mail-house.example",)

    assert _check(EMAIL, _zone(), headers) is SenderCheck.UNKNOWN


@pytest.mark.parametrize(
    ("domain", "sender", "is_one"),
    [
        ("a-b.example", "a-b.example", True),
        ("mail.a-b.example", "A-B.example", True),
        ("b.example", "a-b.example", False),
        ("co.uk", "shop.co.uk", False),
        ("one.co.uk", "two.co.uk", False),
        ("", "a.example", False),
    ],
)
def test_is_aligned_compares_organizations(domain: str, sender: str, is_one: bool) -> None:
    assert is_aligned(domain, sender) is is_one


def test_dmarc_policy_of_subdomain_is_that_of_organization() -> None:
    zone = Zone()
    zone.answers["_dmarc.house.example"] = "v=DMARC1; p=reject; sp=none"

    assert dmarc_policy("mail.house.example", zone) == "none"
    assert dmarc_policy("house.example", zone) == "reject"
