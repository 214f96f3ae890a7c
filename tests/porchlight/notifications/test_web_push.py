"""Notes to browsers: encrypted, signed, and to hosts on the public internet only."""

from __future__ import annotations

import socket
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from porchlight.ports import PushGone, PushNote, PushOutage
from porchlight.push.endpoints import UnreachableHost, endpoint_problem, global_address
from porchlight.push.keys import public_point
from porchlight.push.web_push import MAX_PAYLOAD_BYTES, WebPush, keys_problem, payload_of
from tenants.kit.base64url import encode_base64url
from tests.fixtures.private_addresses import PRIVATE
from tests.porchlight.notifications.push_service import HOST, SUBJECT, PushService

NOTE = PushNote("Ada booked Soup", "Sessions, requests and offers", "/sessions/1", "a" * 32, is_urgent=True)


def test_note_reaches_its_browser_only(push_service: PushService) -> None:
    browser, other = push_service.browser(), push_service.browser()
    push_service.sender().send(browser.subscription, NOTE)
    (received,) = push_service.received
    assert browser.read(received) == {"title": NOTE.title, "body": NOTE.body, "url": NOTE.url, "tag": NOTE.tag}
    assert b"Ada" not in received.body
    with pytest.raises(Exception, match="Decryption error"):
        other.read(received)
    claims = push_service.claims(received)
    assert claims["sub"] == SUBJECT
    headers = received.headers
    assert (headers["ttl"], headers["topic"], headers["urgency"]) == ("43200", "a" * 32, "high")
    assert (headers["content-encoding"], headers["host"]) == ("aes128gcm", f"{HOST}:{push_service.port}")


@pytest.mark.parametrize(
    ("status", "error"), [(404, PushGone), (410, PushGone), (302, PushOutage), (429, PushOutage), (500, PushOutage)]
)
def test_push_service_that_refuses_raises(push_service: PushService, status: int, error: type[Exception]) -> None:
    browser = push_service.browser()
    push_service.statuses["/send/" + browser.endpoint.rpartition("/")[2]] = status
    with pytest.raises(error):
        push_service.sender().send(browser.subscription, NOTE)


def test_host_with_other_certificate_gets_nothing(push_service: PushService) -> None:
    browser = push_service.browser()
    elsewhere = replace(browser.subscription, endpoint=browser.endpoint.replace(HOST, "other.example"))
    with pytest.raises(PushOutage):
        push_service.sender().send(elsewhere, NOTE)
    assert push_service.received == []


def test_private_host_is_never_connected(push_service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    sender = WebPush([push_service.key], SUBJECT, tls=push_service.tls)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: [(0, 0, 0, "", ("127.0.0.1", 0))])
    with pytest.raises(PushOutage, match="no public address"):
        sender.send(push_service.browser().subscription, NOTE)
    assert push_service.received == []


@pytest.mark.parametrize(
    "addresses",
    [[], ["8.8.8.8", "169.254.169.254"], *([address] for address in PRIVATE)],
)
def test_address_outside_the_internet_is_refused(monkeypatch: pytest.MonkeyPatch, addresses: list[str]) -> None:
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_args, **_options: [(0, 0, 0, "", (one, 0)) for one in addresses]
    )
    with pytest.raises(UnreachableHost):
        global_address("push.example", 443)


def test_address_on_the_internet_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: [(0, 0, 0, "", ("8.8.8.8", 443))])
    assert global_address("push.example", 443) == "8.8.8.8"


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/x", "https://127.0.0.1/x", "https://[::1]/x", "https://localhost/x", "https://0x7f.1/x",
        "https://user@push.example/x", "https://push.example:99999/x", "https://push.example/ x", "push.example",
        "https://push.example/é", "https://push.example/" + "x" * 1000, "https://2130706433/x",
    ],
)  # fmt: skip
def test_endpoint_that_is_no_push_service_is_refused(endpoint: str) -> None:
    assert endpoint_problem(endpoint)


def test_endpoints_of_browsers_are_accepted() -> None:
    for endpoint in (
        "https://fcm.googleapis.com/fcm/send/abc:APA91b-_x", "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/QGuQ-x", "https://wns2-by3p.notify.windows.com/w/?token=BQYA%3d",
    ):  # fmt: skip
        assert endpoint_problem(endpoint) == ""


def test_bad_keys_are_refused(push_service: PushService) -> None:
    good = push_service.browser().subscription
    assert keys_problem(good.public_key, good.auth_secret) == ""
    for public_key, secret in (("", good.auth_secret), ("A" * 87, good.auth_secret), (good.public_key, "AAAA")):
        assert keys_problem(public_key, secret)
    with pytest.raises(PushGone):
        push_service.sender().send(replace(good, public_key="A" * 87), NOTE)


def test_payload_is_never_too_long() -> None:
    for note in (
        replace(NOTE, title="ü" * 5000),
        replace(NOTE, url="/" + "x" * 9000),
        replace(NOTE, title="\x01" * 900),
    ):
        assert len(payload_of(note)) <= MAX_PAYLOAD_BYTES


def test_encryption_matches_the_example_of_the_standard() -> None:
    """The browser's part of RFC 8291, appendix A: http-ece reads what the standard shows."""
    import http_ece

    from tenants.kit.base64url import decode_base64url

    private = int.from_bytes(decode_base64url("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
    body = decode_base64url(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    secret = decode_base64url("BTBZMqHH6r4Tts7J_aSIgg")
    key = ec.derive_private_key(private, ec.SECP256R1())
    plain = http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm")
    assert plain == b"When I grow up, I want to be a watermelon"


def test_note_reaches_who_subscribed_to_an_old_key(push_service: PushService) -> None:
    old, new = push_service.key, ec.generate_private_key(ec.SECP256R1())
    sender = WebPush([new, old], SUBJECT, resolve=lambda _host, _port: "127.0.0.1", tls=push_service.tls)
    before, after, gone = (push_service.browser() for _ in range(3))
    for browser, key in ((before, old), (after, new)):
        push_service.keys[urlsplit(browser.endpoint).path] = encode_base64url(public_point(key.public_key()))
    for _ in range(2):
        sender.send(before.subscription, NOTE)
    sender.send(after.subscription, NOTE)
    # The first note was refused once; then the process knows the key.
    paths = [urlsplit(one.endpoint).path for one in (before, before, before, after)]
    assert [one.path for one in push_service.received] == paths
    push_service.keys[urlsplit(gone.endpoint).path] = "another"
    with pytest.raises(PushOutage, match="403"):
        sender.send(gone.subscription, NOTE)
