"""The identity service of tests: the real Auth emulator, and keys of our own for tokens that must be signed."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import threading
import time
import uuid
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.support.ports import free_ports
from tests.support.product import eventually
from tests.support.sharing import Facts, Stop

PROJECT = "demo-porchlight"
ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "a porch light"


def start_emulator(folder: Path) -> tuple[Facts, Stop]:
    """Start the Auth emulator with its state in `folder`."""
    port = free_ports()
    argv = ["node", str(ROOT / "infra/auth-emulator/server.js"), "--port", str(port), "--state", str(folder / "auth")]
    with (folder / "auth.log").open("wb") as output:
        process = subprocess.Popen(argv, cwd=ROOT, stdout=output, stderr=output, env=os.environ | {"CI": "1"})

    def ready() -> bool:
        if process.poll() is not None:
            raise AssertionError((folder / "auth.log").read_text())
        connection = HTTPConnection("127.0.0.1", port, timeout=2)
        try:
            connection.request("GET", "/")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def stop() -> None:
        process.terminate()
        process.wait(60)

    try:
        eventually("the Auth emulator answers", ready)
    except AssertionError:
        process.kill()
        raise
    return {"host": f"127.0.0.1:{port}"}, stop


class Emulator:
    """The Auth emulator's own REST API, as the browser's SDK and the Admin SDK call it."""

    def __init__(self, host: str) -> None:
        self.host = host
        self._http = httpx.Client(
            base_url=f"http://{host}/identitytoolkit.googleapis.com/v1",
            timeout=60,
            headers={"authorization": "Bearer owner"},
        )

    def close(self) -> None:
        """Hang up."""
        self._http.close()

    def _accounts(self, action: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = httpx.post(
            f"http://{self.host}/identitytoolkit.googleapis.com/v1/accounts:{action}?key=local", json=body, timeout=60
        )
        made: dict[str, Any] = answer.json()
        assert answer.status_code == 200, made
        return made

    def sign_up(self, email: str | None = None) -> tuple[str, str, str]:
        """A new account: (e-mail, uid, ID token)."""
        email = email or f"{uuid.uuid4().hex[:12]}@example.com"
        made = self._accounts("signUp", {"email": email, "password": PASSWORD, "returnSecureToken": True})
        return email, made["localId"], made["idToken"]

    def sign_in(self, email: str) -> str:
        """A fresh ID token."""
        body = {"email": email, "password": PASSWORD, "returnSecureToken": True}
        return str(self._accounts("signInWithPassword", body)["idToken"])

    def send_code(self, kind: str, **fields: str) -> None:
        """Have a mail code made (VERIFY_EMAIL, PASSWORD_RESET)."""
        self._accounts("sendOobCode", {"requestType": kind, **fields})

    def create(self, uid: str) -> None:
        """An account with this very uid."""
        self._owner("", {"localId": uid, "email": f"{uid}@example.com", "password": PASSWORD})

    def disable(self, uid: str) -> None:
        """Disable an account."""
        self._owner(":update", {"localId": uid, "disableUser": True})

    def revoke(self, uid: str) -> None:
        """Revoke every token issued before this second."""
        self._owner(":update", {"localId": uid, "validSince": str(int(time.time()))})

    def knows(self, uid: str) -> bool:
        """Whether the account is there."""
        return "users" in self._owner(":lookup", {"localId": [uid]})

    def _owner(self, action: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self._http.post(f"/projects/{PROJECT}/accounts{action}", json=body)
        assert answer.status_code == 200, answer.text
        made: dict[str, Any] = answer.json()
        return made


class Signer:
    """An RSA key of our own with its certificate, as Google has them."""

    def __init__(self, kid: str) -> None:
        self.kid = kid
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "securetoken.test")])
        now = dt.datetime.now(dt.UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .sign(self.key, hashes.SHA256())
        )
        self.pem = certificate.public_bytes(serialization.Encoding.PEM).decode()

    def token(self, claims: dict[str, Any], **header: Any) -> str:
        """A token signed with this key."""
        return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": self.kid} | header)


def claims(uid: str = "somebody", **changes: Any) -> dict[str, Any]:
    """The claims of a good ID token. A change to None takes a claim away."""
    now = int(time.time())
    made = {
        "iss": f"https://securetoken.google.com/{PROJECT}",
        "aud": PROJECT,
        "auth_time": now,
        "user_id": uid,
        "sub": uid,
        "iat": now,
        "exp": now + 3600,
        "email": f"{uid}@example.com",
        "email_verified": True,
        "firebase": {"identities": {}, "sign_in_provider": "password"},
    } | changes
    return {name: value for name, value in made.items() if value is not None}


class CertificateServer:
    """Serves certificates by key id, as Google's address does. Counts how often it is asked; may be out."""

    def __init__(self, *signers: Signer) -> None:
        self.signers = list(signers)
        self.asked = 0
        self.out = False
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked += 1
                body = json.dumps({signer.kid: signer.pem for signer in outer.signers}).encode()
                self.send_response(500 if outer.out else 200)
                self.send_header("cache-control", "public, max-age=19000, must-revalidate")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", free_ports()), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/certs"

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
