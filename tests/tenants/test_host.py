"""Host headers, well-meant and otherwise."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tenants.host import MALFORMED, RESERVED_LABELS, Host, Kind, is_domain, is_label, label_refusal, parse
from tests.platform_.world import BASE, ask, serving
from tests.support.databases import Database

LONG = "a" * 63
DEEP = ".".join(["a" * 60] * 5)

PARSED: list[tuple[bytes | None, Kind, str, int | None]] = [
    (b"porchlight.localhost", Kind.PLATFORM, BASE, None),
    (b"porchlight.localhost:8000", Kind.PLATFORM, BASE, 8000),
    (b"PORCHLIGHT.LocalHost.:8000", Kind.PLATFORM, BASE, 8000),
    (b"www.porchlight.localhost", Kind.PLATFORM, f"www.{BASE}", None),
    *((f"{label}.{BASE}".encode(), Kind.PLATFORM, f"{label}.{BASE}", None) for label in sorted(RESERVED_LABELS)),
    (b"ADMIN.porchlight.localhost.", Kind.PLATFORM, f"admin.{BASE}", None),
    (b"cooking.porchlight.localhost", Kind.GURU, "cooking", None),
    (b"CooKing.Porchlight.LOCALHOST", Kind.GURU, "cooking", None),
    (b"cooking.porchlight.localhost.", Kind.GURU, "cooking", None),
    (b"cooking.porchlight.localhost.:443", Kind.GURU, "cooking", 443),
    (b"cooking.porchlight.localhost:0080", Kind.GURU, "cooking", 80),
    (b"cooking.porchlight.localhost:65535", Kind.GURU, "cooking", 65535),
    (b"a.porchlight.localhost", Kind.GURU, "a", None),
    (b"0.porchlight.localhost", Kind.GURU, "0", None),
    (b"xn--caf-dma.porchlight.localhost", Kind.GURU, "xn--caf-dma", None),
    (f"{LONG}.{BASE}".encode(), Kind.GURU, LONG, None),
    (b"chef.example", Kind.CUSTOM, "chef.example", None),
    (b"www.CHEF.example.:8443", Kind.CUSTOM, "www.chef.example", 8443),
    (b"xn--bcher-kva.example", Kind.CUSTOM, "xn--bcher-kva.example", None),
    (b"cooking.porchlight.localhost.evil.example", Kind.CUSTOM, "cooking.porchlight.localhost.evil.example", None),
    (b"porchlight.localhost.evil.example", Kind.CUSTOM, "porchlight.localhost.evil.example", None),
    (b"evilporchlight.localhost", Kind.CUSTOM, "evilporchlight.localhost", None),
    (b"deep.cooking.porchlight.localhost", Kind.UNKNOWN, f"deep.cooking.{BASE}", None),
    (b"admin.cooking.porchlight.localhost", Kind.UNKNOWN, f"admin.cooking.{BASE}", None),
    (b"localhost", Kind.UNKNOWN, "localhost", None),
    (b"cooking", Kind.UNKNOWN, "cooking", None),
    (b"127.0.0.1", Kind.UNKNOWN, "127.0.0.1", None),
    (b"127.0.0.1:8000", Kind.UNKNOWN, "127.0.0.1", 8000),
    (b"203.0.113.9", Kind.UNKNOWN, "203.0.113.9", None),
    (b"2130706433", Kind.UNKNOWN, "2130706433", None),
    (b"[::1]", Kind.UNKNOWN, "::1", None),
    (b"[::1]:8000", Kind.UNKNOWN, "::1", 8000),
    (b"[2001:DB8::1]", Kind.UNKNOWN, "2001:db8::1", None),
]
REFUSED: list[bytes | None] = [
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
    "ｃooking.porchlight.localhost".encode(), b"\xff\xfe.porchlight.localhost", f"{LONG}a.{BASE}".encode(),
    f"{DEEP}.{BASE}".encode(), b"a" * 300, b"a." * 4000, b"[", b"[]", b"[::1", b"::1", b"[::1]x", b"[::1]:", b"[::1]:0",
    b"[::1]:99999", b"[127.0.0.1]", b"[::g]", b"[cooking.porchlight.localhost]", b"under_score.example", b"a..example",
]  # fmt: skip


@pytest.mark.parametrize(("raw", "kind", "name", "port"), PARSED)
def test_what_a_host_names(raw: bytes, kind: Kind, name: str, port: int | None) -> None:
    assert parse(raw, BASE) == Host(kind, name, port)


@pytest.mark.parametrize("raw", REFUSED)
def test_what_no_host_is(raw: bytes | None) -> None:
    assert parse(raw, BASE) == MALFORMED
    assert parse(raw, BASE, loopback=True) == MALFORMED


@pytest.mark.parametrize("raw", [b"localhost:8000", b"127.0.0.1:8000", b"[::1]:8000", b"LOCALHOST."])
def test_the_machine_itself_is_the_main_platform_only_in_development(raw: bytes) -> None:
    assert parse(raw, BASE, loopback=True).kind is Kind.PLATFORM
    assert parse(raw, BASE).kind is Kind.UNKNOWN


@given(st.binary(max_size=400) | st.text(max_size=80).map(lambda text: (text + "." + BASE).encode()))
@example(b"a" * 63 + b".porchlight.localhost")
def test_any_bytes_parse_to_something_safe(raw: bytes) -> None:
    for loopback in (False, True):
        host = parse(raw, BASE, loopback=loopback)
        if host.kind is Kind.GURU:
            assert is_label(host.name)
            assert host.name not in RESERVED_LABELS
        elif host.kind is Kind.CUSTOM:
            assert is_domain(host.name)
            assert not host.name.endswith("." + BASE)
        elif host.kind is Kind.MALFORMED:
            assert host == MALFORMED
        assert host.name == host.name.lower()
        assert host.port is None or 0 < host.port < 65536


labels = st.from_regex(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", fullmatch=True)


@given(labels, st.integers(1, 65535), st.data())
def test_case_port_and_trailing_dot_change_nothing(label: str, port: int, data: st.DataObject) -> None:
    name = f"{label}.{BASE}"
    shouted = "".join(data.draw(st.sampled_from([c.lower(), c.upper()])) for c in name)
    plain = parse(name.encode(), BASE)
    assert plain.kind is (Kind.PLATFORM if label in RESERVED_LABELS else Kind.GURU)
    for written in (shouted, shouted + ".", f"{shouted}:{port}", f"{shouted}.:{port}"):
        found = parse(written.encode(), BASE)
        assert (found.kind, found.name) == (plain.kind, plain.name)


@pytest.mark.parametrize(
    ("label", "word"),
    [
        *((label, "reserved") for label in sorted(RESERVED_LABELS)),
        ("", "only letters"), ("ab", "at least 3"), ("a" * 64, "at most 63"), ("-abc", "only letters"),
        ("abc-", "only letters"), ("a_b", "only letters"), ("Chef", "only letters"), ("chef ", "only letters"),
        ("café", "only letters"), ("xn--caf-dma", "encoded"), ("ab--cd", "encoded"), ("a.b", "only letters"),
        ("chef\n", "only letters"), ("chef\0", "only letters"), ("١٢٣", "only letters"),
    ],
)  # fmt: skip
def test_why_a_label_is_refused(label: str, word: str) -> None:
    assert word in (label_refusal(label) or "")


@pytest.mark.parametrize("label", ["chef", "a1b", "123", "chef-ann", "a" * 63, "wwww", "apis"])
def test_a_label_a_guru_may_have(label: str) -> None:
    assert label_refusal(label) is None


async def test_hosts_that_are_nobodys_are_refused_in_the_form_the_request_wants(database: Database) -> None:
    async with serving(database) as app:
        for raw in REFUSED:
            answer = await ask(app, b"/", raw)
            assert answer.status == 400, raw
            assert b"<h1>" in answer.body
        doubled = [(b"host", f"cooking.{BASE}".encode()), (b"host", f"music.{BASE}".encode())]
        for target in (b"/", b"/api/gurus/cooking/home", b"/contact"):
            answer = await ask(app, target, None, headers=doubled)
            assert answer.status == 400
        assert b'"code":"bad_request"' in (await ask(app, b"/api/gurus/cooking/home", None)).body
        for raw in (b"nobody.porchlight.localhost", b"deep.down.porchlight.localhost", b"chef.example", b"203.0.113.9"):
            answer = await ask(app, b"/", raw)
            assert answer.status == 404
            assert b"Guru Not Found" in answer.body
            assert b"Go to Main Site" in answer.body
            assert b'"guru_not_found"' in (await ask(app, b"/api/gurus/cooking/home", raw)).body
