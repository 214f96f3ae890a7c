"""Encryption and login at a real SMTP server, and what `porchlight doctor` says about it."""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from porchlight.cli.doctor import findings
from porchlight.emails import sender
from porchlight.emails.sender import SmtpMailer, UnencryptedLogin
from porchlight.ports import EmailMessage
from porchlight.settings.environment import Settings
from tenants.kit import clock
from tests.fixtures.ports import free_ports
from tests.fixtures.smtp import run_smtp_server

LETTER = EmailMessage("key", "ada@example.com", "Hello", "Plain\n", "<p>HTML</p>")
LOGIN = "us%40er:p%40ss%3Aword@"


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for 127.0.0.1, signed by itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail")])
    now = clock.machine_now()
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "mail.pem"
    path.write_bytes(
        built.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return path


def email_findings(url: str, **settings: Any) -> list[tuple[bool | None, str]]:
    """Return what the doctor says about the mail server."""
    results = findings(Settings(database_url="", smtp_url=url, **{"env": "production", **settings}))
    return [(ok, text) for ok, text in results if "mail server" in text or "SMTP" in text or "MAIL_FROM" in text]


def test_login_uses_starttls(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with run_smtp_server(certificate=certificate) as server:
        url = f"smtp://{LOGIN}127.0.0.1:{server.port}"
        assert SmtpMailer(url, "notices@porchlight.example").send(LETTER)
        assert email_findings(url) == [(True, "The mail server accepts email.")]
    assert server.login == (b"us@er", b"p@ss:word")
    assert len(server.messages) == 1


def test_plain_login_needs_own_network(monkeypatch: pytest.MonkeyPatch) -> None:
    with run_smtp_server() as server:
        url = f"smtp://{LOGIN}127.0.0.1:{server.port}"
        assert email_findings(url) == [(True, "The mail server accepts email.")]
        monkeypatch.setattr(sender, "LOOPBACK", ())  # as if the server were another machine
        server.login = None
        ((ok, text),) = email_findings(url)
        assert ok is False
        assert "offers no encryption (STARTTLS), so the password is not sent" in text
        with pytest.raises(UnencryptedLogin):
            SmtpMailer(url, "notices@porchlight.example").send(LETTER)
        assert server.login is None
        assert email_findings(f"{url}?tls=off") == [(True, "The mail server accepts email.")]
        assert SmtpMailer(f"{url}?tls=off", "notices@porchlight.example").send(LETTER)


def test_doctor_says_what_is_wrong_with_the_server(certificate: Path) -> None:
    with run_smtp_server(certificate=certificate) as server:
        ((ok, text),) = email_findings(f"smtp://127.0.0.1:{server.port}")
        assert (ok, "a certificate that cannot be trusted (self-signed certificate)" in text) == (False, True)
    with run_smtp_server() as server:
        ((ok, text),) = email_findings(f"smtp://user:wrong@127.0.0.1:{server.port}")
        assert (ok, "refuses the user or the password of PORCHLIGHT_SMTP_URL" in text) == (False, True)
        assert "wrong" not in text
    with run_smtp_server(login=False) as server:
        ((ok, text),) = email_findings(f"smtp://{LOGIN}127.0.0.1:{server.port}")
        assert (ok, "accepts no login" in text) == (False, True)
    ((ok, text),) = email_findings(f"smtp://127.0.0.1:{free_ports()}")
    assert (ok, "does not respond as expected (ConnectionRefusedError)" in text) == (False, True)


@pytest.mark.parametrize(
    ("settings", "ok", "words"),
    [
        ({}, None, "PORCHLIGHT_SMTP_URL is not set: email is stored in the database, and none is sent."),
        ({"url": "mail.example:25"}, False, "PORCHLIGHT_SMTP_URL must look like smtp://user:password@host:587."),
        ({"mail_from": "Porchlight"}, False, "PORCHLIGHT_MAIL_FROM must look like Porchlight <"),
        ({"mail_from": "zoë@example.com"}, False, "PORCHLIGHT_MAIL_FROM needs an address with only ASCII letters"),
    ],
)
def test_doctor_names_the_wrong_setting(settings: dict[str, Any], ok: bool | None, words: str) -> None:
    found = email_findings(settings.pop("url", ""), **settings)
    assert any((result, words in text) == (ok, True) for result, text in found), found
