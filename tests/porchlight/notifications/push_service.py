"""A push service on this machine, and browsers that decrypt what it gets."""

from __future__ import annotations

import datetime
import json
import os
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece
import jwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from porchlight.ports import PushSubscription
from porchlight.push.keys import public_point
from porchlight.push.web_push import WebPush
from tenants.kit import clock
from tenants.kit.base64url import decode_base64url, encode_base64url
from tenants.kit.ids import new_id

HOST = "push.example"
SUBJECT = "https://porchlight.example"


@dataclass(frozen=True, slots=True)
class Received:
    """A request that the push service got."""

    path: str
    headers: dict[str, str]
    body: bytes


class Browser:
    """A browser's subscription with its secret keys."""

    def __init__(self, port: int) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)
        self.endpoint = f"https://{HOST}:{port}/send/{new_id().hex}"

    @property
    def payload(self) -> dict[str, Any]:
        """The body with which the browser's page registers it."""
        keys = self.subscription
        return {
            "endpoint": self.endpoint, "keys": {"p256dh": keys.public_key, "auth": keys.auth_secret},
            "device": "Chrome on Android",
        }  # fmt: skip

    @property
    def subscription(self) -> PushSubscription:
        """The subscription as the product stores it."""
        point = encode_base64url(public_point(self._key.public_key()))
        return PushSubscription(self.endpoint, point, encode_base64url(self._secret))

    def read(self, received: Received) -> dict[str, str]:
        """Return the decrypted note."""
        plain = http_ece.decrypt(received.body, private_key=self._key, auth_secret=self._secret, version="aes128gcm")
        note: dict[str, str] = json.loads(plain)
        return note


@dataclass(slots=True)
class PushService:
    """Takes notes for browsers. `statuses`: what it answers for paths, else 201.

    `keys`: the public keys to which browsers subscribed, by path. Notes of others are refused, as real services do.
    """

    port: int
    tls: ssl.SSLContext
    key: ec.EllipticCurvePrivateKey
    received: list[Received] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)

    def sender(self) -> WebPush:
        """Return a sender that finds this service on this machine. All else about it is the product's."""
        return WebPush([self.key], SUBJECT, resolve=lambda _host, _port: "127.0.0.1", tls=self.tls)

    def browser(self) -> Browser:
        """Return a browser that subscribed here."""
        return Browser(self.port)

    def notes(self, browser: Browser) -> list[dict[str, str]]:
        """Return the notes for a browser."""
        return [browser.read(one) for one in self.received if browser.endpoint.endswith(one.path)]

    def claims(self, received: Received) -> dict[str, Any]:
        """Return the signed claims of a request. Raise an error if the signature or the key is not the sender's."""
        scheme, _, rest = received.headers["authorization"].partition(" ")
        fields = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert scheme == "vapid"
        public_key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_base64url(fields["k"]))
        assert public_key == self.key.public_key()
        claims: dict[str, Any] = jwt.decode(
            fields["t"], public_key, algorithms=["ES256"], audience=f"https://{HOST}:{self.port}"
        )
        return claims


def _certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = clock.machine_now()
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths = (folder / "push.crt", folder / "push.key")
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return paths


@pytest.fixture
def push_service(tmp_path: Path) -> Iterator[PushService]:
    certificate, key = _certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            service.received.append(Received(self.path, headers, body))
            wanted = service.keys.get(self.path, "")
            is_refused = not headers["authorization"].endswith(f"k={wanted}" if wanted else "")
            self.send_response(403 if is_refused else service.statuses.get(self.path, 201))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    trusted = ssl.create_default_context(cadata=certificate.read_text())
    service = PushService(server.server_port, trusted, ec.generate_private_key(ec.SECP256R1()))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield service
    server.shutdown()
    server.server_close()
    thread.join()
