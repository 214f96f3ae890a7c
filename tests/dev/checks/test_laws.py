"""The laws of tests: what breaks them."""

from __future__ import annotations

import ast
from itertools import islice

import pytest

from porchlight_dev.checks.laws import (
    default_timeouts,
    random_texts,
    shared_people,
    sleeps,
    timeouts_elsewhere,
    unsettled_reads,
)
from tests.fixtures import seeded


@pytest.mark.parametrize(
    ("statement", "count"),
    [
        ("time.sleep(1)", 1),
        ("await asyncio.sleep(0.01)", 1),
        ("await page.wait_for_timeout(500)", 1),
        ("await phone.wait_for_timeout(500)", 1),
        ("await asyncio.sleep(0)", 0),
        ("await machine.sleep(5)", 0),
    ],
)
def test_sleep_in_test_is_found(statement: str, count: int) -> None:
    tree = ast.parse(f"async def test_a(page):\n    {statement}\n")
    assert len(list(sleeps("tests/a.py", tree))) == count
    assert list(sleeps("tests/fixtures/product.py", tree)) == []


@pytest.mark.parametrize(
    ("statement", "count"),
    [
        ("page = httpx.get(url)", 1),
        ("client = httpx.AsyncClient(base_url=url)", 1),
        ("schema = schemathesis.openapi.from_url(url)", 1),
        ("page = httpx.get(url, timeout=60)", 0),
        ("client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app))", 0),
        ("page = client.get(url)", 0),
    ],
)
def test_http_call_with_default_timeout_is_found(statement: str, count: int) -> None:
    assert len(list(default_timeouts("tests/a.py", ast.parse(statement)))) == count


@pytest.mark.parametrize(
    ("statement", "count"),
    [
        ("CALL_TIMEOUT_SECONDS = 2.0", 1),
        ("_RENDER_TIMEOUT: float = 2", 1),
        ("RESPONSE_SECONDS = 8.0", 1),
        ("client = httpx.Client(timeout=5)", 1),
        ("conn = psycopg.connect(dsn, connect_timeout=5)", 1),
        ("limit = asyncio.timeout(3)", 1),
        ("limit = asyncio.timeout(timeouts.current.read_seconds)", 0),
        ("RETRY_DELAY_SECONDS = 0.5", 0),
        ("client = httpx.Client(timeout=timeouts.current.geocoder_seconds)", 0),
        ("queue.wait(5)", 0),
    ],
)
def test_timeout_outside_of_its_file_is_found(statement: str, count: int) -> None:
    assert len(list(timeouts_elsewhere("sites/a.py", ast.parse(statement)))) == count


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("await link.click()\n    assert await rows.count() == 2", 1),
        ("await link.click()\n    texts = await rows.all_inner_texts()\n    assert texts == []", 1),
        ("await expect(rows).to_have_count(2)\n    await link.click()\n    assert await rows.count() == 2", 1),
        ("await link.click()\n    await expect(rows).to_have_count(2)\n    assert await rows.count() == 2", 0),
        ("await link.click()\n    await page.wait_for_url('/b')\n    assert await rows.count() == 2", 0),
        ("await link.click()\n    await expect_toast(page, 'a')\n    assert await rows.is_visible()", 0),
        ("texts = await rows.all_inner_texts()\n    assert other == []", 0),
    ],
)
def test_assertion_before_expect_is_found(body: str, count: int) -> None:
    tree = ast.parse(f"async def test_a(page):\n    {body}\n")
    assert len(list(unsettled_reads("tests/e2e/test_a.py", tree))) == count


@pytest.mark.parametrize(
    ("statement", "count"),
    [
        ('send(json={"title": f"Bread {uuid4().hex}"})', 1),
        ("create(title=uuid4().hex[:8])", 1),
        ('mark = uuid4().hex\n    create(bio=f"I bake {mark}")', 1),
        ('mark = uuid4().hex\n    await page.get_by_label("Title").fill(f"Bread {mark}")', 1),
        ('create(email=f"{uuid4().hex}@example.com", label=uuid4().hex)', 0),
        ('send(json={"name": f"{uuid4().hex}@example.com"})', 0),
        ("create(title=seeded.text(), id=uuid4())", 0),
        ("row_id = new_id()\n    create(title='Bread', body={'id': row_id})", 0),
        ('mark = uuid4().hex\n    page.get_by_role("link", name=mark)', 0),
    ],
)
def test_random_text_in_read_field_is_found(statement: str, count: int) -> None:
    tree = ast.parse(f"async def test_a(page):\n    {statement}\n")
    assert len(list(random_texts("tests/a.py", tree))) == count


def test_demo_person_of_two_modules_is_found() -> None:
    sources = {
        "tests/e2e/test_a.py": "ada@example.com ben@example.com new@example.com",
        "tests/e2e/test_b.py": "ada@example.com new@example.com",
    }
    found = list(shared_people(sources, ["ada@example.com", "ben@example.com"]))
    assert [(one.path, one.message.split()[0]) for one in found] == [("tests/e2e/test_b.py", "ada@example.com")]


def test_seeded_texts_are_readable_and_never_repeat() -> None:
    for create in (seeded.person_name, seeded.text, seeded.skill_name):
        texts = [create() for _ in range(2000)]
        assert len(set(texts)) == len(texts)
        assert all(len(text.split()) >= 2 for text in islice(texts, 50))
