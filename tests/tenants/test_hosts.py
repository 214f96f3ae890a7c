"""Parsing of Host headers, and validation of labels."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tenants.tenancy.hosts import (
    MALFORMED,
    RESERVED_LABELS,
    Host,
    HostKind,
    is_domain,
    is_label,
    label_error,
    parse_host,
)
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, run_app, send_raw

LONG = "a" * 63
DEEP = ".".join(["a" * 60] * 5)

PARSED: list[tuple[bytes | None, HostKind, str, int | None]] = [
    (b"porchlight.localhost", HostKind.PLATFORM, BASE_HOST, None),
    (b"porchlight.localhost:8000", HostKind.PLATFORM, BASE_HOST, 8000),
    (b"PORCHLIGHT.LocalHost.:8000", HostKind.PLATFORM, BASE_HOST, 8000),
    (b"www.porchlight.localhost", HostKind.PLATFORM, f"www.{BASE_HOST}", None),
    *(
        (f"{label}.{BASE_HOST}".encode(), HostKind.PLATFORM, f"{label}.{BASE_HOST}", None)
        for label in sorted(RESERVED_LABELS)
    ),
    (b"ADMIN.porchlight.localhost.", HostKind.PLATFORM, f"admin.{BASE_HOST}", None),
    (b"cooking.porchlight.localhost", HostKind.GURU, "cooking", None),
    (b"CooKing.Porchlight.LOCALHOST", HostKind.GURU, "cooking", None),
    (b"cooking.porchlight.localhost.", HostKind.GURU, "cooking", None),
    (b"cooking.porchlight.localhost.:443", HostKind.GURU, "cooking", 443),
    (b"cooking.porchlight.localhost:0080", HostKind.GURU, "cooking", 80),
    (b"cooking.porchlight.localhost:65535", HostKind.GURU, "cooking", 65535),
    (b"a.porchlight.localhost", HostKind.GURU, "a", None),
    (b"0.porchlight.localhost", HostKind.GURU, "0", None),
    (b"xn--caf-dma.porchlight.localhost", HostKind.GURU, "xn--caf-dma", None),
    (f"{LONG}.{BASE_HOST}".encode(), HostKind.GURU, LONG, None),
    (b"chef.example", HostKind.CUSTOM, "chef.example", None),
    (b"www.CHEF.example.:8443", HostKind.CUSTOM, "www.chef.example", 8443),
    (b"xn--bcher-kva.example", HostKind.CUSTOM, "xn--bcher-kva.example", None),
    (b"cooking.porchlight.localhost.evil.example", HostKind.CUSTOM, "cooking.porchlight.localhost.evil.example", None),
    (b"porchlight.localhost.evil.example", HostKind.CUSTOM, "porchlight.localhost.evil.example", None),
    (b"evilporchlight.localhost", HostKind.CUSTOM, "evilporchlight.localhost", None),
    (b"deep.cooking.porchlight.localhost", HostKind.UNKNOWN, f"deep.cooking.{BASE_HOST}", None),
    (b"admin.cooking.porchlight.localhost", HostKind.UNKNOWN, f"admin.cooking.{BASE_HOST}", None),
    (b"localhost", HostKind.UNKNOWN, "localhost", None),
    (b"cooking", HostKind.UNKNOWN, "cooking", None),
    (b"127.0.0.1", HostKind.UNKNOWN, "127.0.0.1", None),
    (b"127.0.0.1:8000", HostKind.UNKNOWN, "127.0.0.1", 8000),
    (b"203.0.113.9", HostKind.UNKNOWN, "203.0.113.9", None),
    (b"2130706433", HostKind.UNKNOWN, "2130706433", None),
    (b"[::1]", HostKind.UNKNOWN, "::1", None),
    (b"[::1]:8000", HostKind.UNKNOWN, "::1", 8000),
    (b"[2001:DB8::1]", HostKind.UNKNOWN, "2001:db8::1", None),
]
MALFORMED_HEADERS: list[bytes | None] = [
    None, b"", b" ", b".", b"..", b":", b":80", b"\0", b"cooking.porchlight.localhost:", b"a..porchlight.localhost",
    b".porchlight.localhost", b"..porchlight.localhost", b"porchlight.localhost..", b"cooking.porchlight.localhost:0",
    b"cooking.porchlight.localhost:65536", b"cooking.porchlight.localhost:999999", b"cooking.porchlight.localhost:-1",
    b"cooking.porchlight.localhost:80:80", b"cooking.porchlight.localhost:8o", b"cooking.porchlight.localhost: 80",
    "cooking.porchlight.localhost:٨٠".encode(), b"my_guru.porchlight.localhost", b"_.porchlight.localhost",
    b"-cooking.porchlight.localhost", b"cooking-.porchlight.localhost", b"cook ing.porchlight.localhost",
    b" cooking.porchlight.localhost", b"cooking.porchlight.localhost ", b"cooking.porchlight.localhost\r\n",
    b"cooking.porchlight.localhost/", b"cooking.porchlight.localhost?x", b"cooking.porchlight.localhost#x",
    b"user@cooking.porchlight.localhost", b"http://cooking.porchlight.localhost", b"cooking.porchlight.localhost\0",
    b"cooking\0.porchlight.localhost", b"*.porchlight.localhost", b"%63ooking.porchlight.localhost",
    b"cooking,music.porchlight.localhost", "café.porchlight.localhost".encode(), "café.example".encode(),
    "ｃooking.porchlight.localhost".encode(), b"\xff\xfe.porchlight.localhost", f"{LONG}a.{BASE_HOST}".encode(),
    f"{DEEP}.{BASE_HOST}".encode(), b"a" * 300, b"a." * 4000, b"[", b"[]", b"[::1", b"::1", b"[::1]x", b"[::1]:",
    b"[::1]:0",
    b"[::1]:99999", b"[127.0.0.1]", b"[::g]", b"[cooking.porchlight.localhost]", b"under_score.example", b"a..example",
]  # fmt: skip


@pytest.mark.parametrize(("raw", "kind", "name", "port"), PARSED)
def test_parse_host_returns_kind_name_and_port(raw: bytes, kind: HostKind, name: str, port: int | None) -> None:
    assert parse_host(raw, BASE_HOST) == Host(kind, name, port)


@pytest.mark.parametrize("raw", MALFORMED_HEADERS)
def test_parse_host_with_malformed_header_returns_malformed(raw: bytes | None) -> None:
    assert parse_host(raw, BASE_HOST) == MALFORMED
    assert parse_host(raw, BASE_HOST, loopback=True) == MALFORMED


@pytest.mark.parametrize("raw", [b"localhost:8000", b"127.0.0.1:8000", b"[::1]:8000", b"LOCALHOST."])
def test_parse_host_loopback_is_platform_in_development_only(raw: bytes) -> None:
    assert parse_host(raw, BASE_HOST, loopback=True).kind is HostKind.PLATFORM
    assert parse_host(raw, BASE_HOST).kind is HostKind.UNKNOWN


@given(st.binary(max_size=400) | st.text(max_size=80).map(lambda text: (text + "." + BASE_HOST).encode()))
@example(b"a" * 63 + b".porchlight.localhost")
def test_parse_host_accepts_any_bytes(raw: bytes) -> None:
    for loopback in (False, True):
        host = parse_host(raw, BASE_HOST, loopback=loopback)
        if host.kind is HostKind.GURU:
            assert is_label(host.name)
            assert host.name not in RESERVED_LABELS
        elif host.kind is HostKind.CUSTOM:
            assert is_domain(host.name)
            assert not host.name.endswith("." + BASE_HOST)
        elif host.kind is HostKind.MALFORMED:
            assert host == MALFORMED
        assert host.name == host.name.lower()
        assert host.port is None or 0 < host.port < 65536


labels = st.from_regex(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", fullmatch=True)


@given(labels, st.integers(1, 65535), st.data())
def test_parse_host_ignores_case_port_and_trailing_dot(label: str, port: int, data: st.DataObject) -> None:
    name = f"{label}.{BASE_HOST}"
    mixed_case = "".join(data.draw(st.sampled_from([c.lower(), c.upper()])) for c in name)
    plain = parse_host(name.encode(), BASE_HOST)
    assert plain.kind is (HostKind.PLATFORM if label in RESERVED_LABELS else HostKind.GURU)
    for variant in (mixed_case, mixed_case + ".", f"{mixed_case}:{port}", f"{mixed_case}.:{port}"):
        host = parse_host(variant.encode(), BASE_HOST)
        assert (host.kind, host.name) == (plain.kind, plain.name)


@pytest.mark.parametrize(
    ("label", "word"),
    [
        *((label, "reserved") for label in sorted(RESERVED_LABELS)),
        ("", "only letters"), ("ab", "at least 3"), ("a" * 64, "up to 63"), ("-abc", "only letters"),
        ("abc-", "only letters"), ("a_b", "only letters"), ("Chef", "only letters"), ("chef ", "only letters"),
        ("café", "only letters"), ("xn--caf-dma", "two hyphens"), ("ab--cd", "two hyphens"), ("a.b", "only letters"),
        ("chef\n", "only letters"), ("chef\0", "only letters"), ("١٢٣", "only letters"),
    ],
)  # fmt: skip
def test_label_error_explains_invalid_label(label: str, word: str) -> None:
    assert word in (label_error(label) or "")


@pytest.mark.parametrize("label", ["chef", "a1b", "123", "chef-ann", "a" * 63, "wwww", "apis"])
def test_label_error_with_valid_label_is_none(label: str) -> None:
    assert label_error(label) is None


async def test_unknown_host_gets_html_or_json_error(database: Database) -> None:
    async with run_app(database) as app:
        for raw in MALFORMED_HEADERS:
            response = await send_raw(app, b"/", raw)
            assert response.status == 400, raw
            assert b"<h1>" in response.body
        duplicate = [(b"host", f"cooking.{BASE_HOST}".encode()), (b"host", f"music.{BASE_HOST}".encode())]
        for target in (b"/", b"/api/gurus/cooking/home", b"/contact"):
            response = await send_raw(app, target, None, headers=duplicate)
            assert response.status == 400
        assert b'"code":"bad_request"' in (await send_raw(app, b"/api/gurus/cooking/home", None)).body
        for raw in (
            b"unknown.porchlight.localhost",
            b"deep.down.porchlight.localhost",
            b"chef.example",
            b"203.0.113.9",
        ):
            response = await send_raw(app, b"/", raw)
            assert response.status == 404
            assert b"Guru Not Found" in response.body
            assert b"Go to Main Site" in response.body
            assert b'"guru_not_found"' in (await send_raw(app, b"/api/gurus/cooking/home", raw)).body
