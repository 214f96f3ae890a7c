"""Notes to browsers: Web Push (RFC 8030) with encrypted payloads (RFC 8291) and a signed sender (RFC 8292).

http-ece encrypts. pywebpush would send too, but looks the endpoint's host up again after any check of its address, and
brings aiohttp along.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Sequence
from datetime import timedelta
from urllib.parse import urlsplit

import http_ece
import httpx
import jwt
import orjson
from cryptography.hazmat.primitives.asymmetric import ec

from porchlight.ports import PushGone, PushNote, PushOutage, PushSubscription
from porchlight.push.endpoints import UnreachableHost, endpoint_problem, global_address
from porchlight.push.keys import public_point
from tenants.kit import clock, timeouts
from tenants.kit.base64url import decode_base64url, encode_base64url

MAX_PAYLOAD_BYTES = 3000  # push services take 4096 with the encryption
MAX_TITLE_LENGTH = 200
NOTE_TTL = timedelta(hours=12)  # a device that was off gets no older note: the page shows all
TOKEN_TTL = timedelta(hours=6)
MAX_REMEMBERED = 10_000  # subscriptions of earlier keys
# Of a note that another key signed than that of the subscription: services differ, and none says so in a standard way.
_REFUSALS_OF_KEYS = frozenset({400, 401, 403})
_POINT_BYTES = 65
_AUTH_BYTES = 16


class WebPush:
    """Sends notes, signed with the keys of this installation. `subject`: who answers for them, an https URL.

    A push service takes only notes of the key to which a browser subscribed. So the next key is tried when it refuses
    one, and the process remembers which key a subscription took.

    `resolve` returns the address to connect to; tests have a push service of their own. `tls` is for it, too.
    """

    def __init__(
        self,
        keys: Sequence[ec.EllipticCurvePrivateKey],
        subject: str,
        *,
        resolve: Callable[[str, int], str] = global_address,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._keys = list(keys)
        self._taken: dict[str, int] = {}  # by endpoint, the number of a key that is not the first
        self._subject = subject
        self._resolve = resolve
        self._tls = tls

    def send(self, subscription: PushSubscription, note: PushNote) -> None:
        """Send one note. Raises PushGone for a subscription that ended, and PushOutage."""
        if endpoint_problem(subscription.endpoint):
            raise PushGone
        parts = urlsplit(subscription.endpoint)
        host, port = parts.hostname or "", parts.port or 443
        try:
            content = encrypt(subscription, payload_of(note))
        except ValueError as error:
            raise PushGone from error
        try:
            address = self._resolve(host, port)
        except UnreachableHost as error:
            raise PushOutage("the host of the push service has no public address") from error
        # The connection goes to the address that was checked; certificate and Host are those of the name.
        url = httpx.URL(subscription.endpoint).copy_with(host=address)
        headers = {
            "host": parts.netloc, "content-encoding": "aes128gcm", "content-type": "application/octet-stream",
            "ttl": str(int(NOTE_TTL.total_seconds())), "topic": note.tag,
            "urgency": "high" if note.is_urgent else "normal",
        }  # fmt: skip
        known = self._taken.get(subscription.endpoint, 0)
        status = 0
        for number in sorted(range(len(self._keys)), key=lambda one: (one != known, one)):
            headers["authorization"] = self._authorization(self._keys[number], f"https://{parts.netloc}")
            status = self._post(url, content, headers, host)
            if status not in _REFUSALS_OF_KEYS:
                self._remember(subscription.endpoint, number)
                break
        _check(status)

    def _post(self, url: httpx.URL, content: bytes, headers: dict[str, str], host: str) -> int:
        try:
            with httpx.Client(
                timeout=timeouts.current.push_seconds, verify=self._tls or True, trust_env=False
            ) as client:
                request = client.build_request(
                    "POST", url, content=content, headers=headers, extensions={"sni_hostname": host}
                )
                response = client.send(request, stream=True)  # its body is of no use and may be endless
                response.close()
        except httpx.HTTPError as error:
            raise PushOutage(type(error).__name__) from error
        return response.status_code

    def _remember(self, endpoint: str, number: int) -> None:
        if number == 0:
            self._taken.pop(endpoint, None)
            return
        if len(self._taken) >= MAX_REMEMBERED:
            self._taken.clear()
        self._taken[endpoint] = number

    def _authorization(self, key: ec.EllipticCurvePrivateKey, audience: str) -> str:
        claims = {"aud": audience, "exp": int((clock.machine_now() + TOKEN_TTL).timestamp()), "sub": self._subject}
        public_key = encode_base64url(public_point(key.public_key()))
        return f"vapid t={jwt.encode(claims, key, algorithm='ES256')}, k={public_key}"


def _check(status: int) -> None:
    if status in (404, 410):
        raise PushGone
    if status >= 300:  # no redirect is followed
        raise PushOutage(f"status {status}")


def keys_problem(public_key: str, auth_secret: str) -> str:
    """Return why a browser's keys cannot encrypt, for the person, or ""."""
    try:
        point, secret = decode_base64url(public_key), decode_base64url(auth_secret)
        if len(point) != _POINT_BYTES or len(secret) != _AUTH_BYTES:
            raise ValueError
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return "Your browser sent keys that we can't use."
    return ""


def encrypt(subscription: PushSubscription, payload: bytes) -> bytes:
    """Return a payload that only the browser can read (RFC 8291). Raises ValueError for bad keys."""
    own_key = ec.generate_private_key(ec.SECP256R1())
    content: bytes = http_ece.encrypt(
        payload,
        private_key=own_key,
        dh=decode_base64url(subscription.public_key),
        auth_secret=decode_base64url(subscription.auth_secret),
        version="aes128gcm",
    )
    return content


def payload_of(note: PushNote) -> bytes:
    """Return the JSON that the service worker reads, at most MAX_PAYLOAD_BYTES."""
    title = note.title if len(note.title) <= MAX_TITLE_LENGTH else note.title[: MAX_TITLE_LENGTH - 1] + "…"
    content = orjson.dumps({"title": title, "body": note.body, "url": note.url, "tag": note.tag})
    if len(content) > MAX_PAYLOAD_BYTES:
        content = orjson.dumps({"title": title, "body": "", "url": "/notifications", "tag": note.tag})
    return content
