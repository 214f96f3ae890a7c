"""`porchlight demo` as a person meets it: started, hurt, stopped, started again."""

from __future__ import annotations

import http.client
import json
import shutil
import signal
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from porchlight.local.postgres import LocalPostgres
from porchlight.local.processes import parts_of, port_is_free
from tests.support.ports import free_ports
from tests.support.product import Product, eventually, lives, part_of, run_program, words_of

pytestmark = pytest.mark.parts


@pytest.fixture(scope="module")
def product(run_directory: Path) -> Iterator[Product]:
    """One product for this module; its tests stop and kill it as they like."""
    made = Product(run_directory / f"demo-{uuid.uuid4().hex[:8]}", free_ports(5))
    yield made
    made.stop()
    shutil.rmtree(made.state)


@pytest.fixture
def facts(product: Product) -> dict[str, Any]:
    """`demo.json` of the running product, started when an earlier test has left it stopped."""
    return product.ensure_running()


def answer(port: int, host: str, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path, headers={"Host": f"{host}:{port}"})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def serves(product: Product) -> bool:
    try:
        return answer(product.port, "porchlight.localhost", "/readyz")[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def remember(facts: dict[str, Any], word: str) -> None:
    with psycopg.connect(facts["superuser_url"]) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS demo_words (word text)")
        connection.execute("INSERT INTO demo_words VALUES (%s)", [word])


def remembers(facts: dict[str, Any], word: str) -> bool:
    with psycopg.connect(facts["superuser_url"]) as connection:
        return connection.execute("SELECT 1 FROM demo_words WHERE word = %s", [word]).fetchone() is not None


def assert_nothing_runs(product: Product) -> None:
    assert parts_of(str(product.state.resolve())) == []
    data = str((product.state / "postgres").resolve())
    servers = [p for p in psutil.process_iter(["name", "cwd"]) if (p.info["cwd"] or "").startswith(data)]
    assert servers == []
    assert [port for port in range(product.port, product.port + 5) if not port_is_free(port)] == []
    assert not product.facts_path.exists()


def test_demo_json_says_how_to_reach_everything(product: Product, facts: dict[str, Any]) -> None:
    assert facts["base_url"] == f"http://porchlight.localhost:{product.port}"
    assert set(facts) >= {"auth_url", "stripe_url", "webhook_secret", "users"}
    assert len(facts["admin_key"]) >= 32
    assert product.facts_path.stat().st_mode & 0o777 == 0o600
    for name, role in (("database", "app"), ("overseer", "overseer"), ("owner", "owner")):
        with psycopg.connect(facts[f"{name}_url"]) as connection:
            row = connection.execute("SELECT current_user::text, inet_server_port()").fetchone()
        assert row == (f"porchlight_{role}", product.port + 3)


def test_it_serves_the_stories_and_says_where(product: Product, facts: dict[str, Any]) -> None:
    for guru in ("cooking", "music", "tech"):
        status, body = answer(product.port, f"{guru}.porchlight.localhost", f"/api/gurus/{guru}/home")
        assert status == 200
        assert json.loads(body)["success"] is True
        assert f"http://{guru}.porchlight.localhost:{product.port}" in product.output
    assert f"{facts['base_url']}/api/docs" in product.output
    assert f"{facts['base_url']}/_mail" in product.output


def test_a_second_start_from_the_same_folder_is_refused(product: Product, facts: dict[str, Any]) -> None:
    code, said = run_program("demo", "--port", str(free_ports(5)), "--state", str(product.state))
    assert code == 1
    assert f"Porchlight already runs from {product.state} (process {facts['pid']})" in said
    assert "Traceback" not in said
    assert product.facts_path.exists()
    assert serves(product)


@pytest.mark.parametrize("name", ["postgres", "api", "worker"])
def test_a_killed_part_comes_back_by_itself(product: Product, facts: dict[str, Any], name: str) -> None:
    word = f"before the kill of {name} {uuid.uuid4()}"
    remember(facts, word)
    before = part_of(facts, name)
    lines = product.output.count(f"{name} is back.")
    before.kill()
    eventually(f"{name} is back", lambda: product.output.count(f"{name} is back.") > lines)
    assert part_of(facts, name).pid != before.pid
    assert remembers(facts, word)
    eventually("the product serves", lambda: serves(product))


def test_a_killed_api_worker_comes_back_by_itself(product: Product, facts: dict[str, Any]) -> None:
    api = part_of(facts, "api")

    def servers() -> set[int]:
        return {child.pid for child in api.children() if lives(child) and "spawn_main" in " ".join(words_of(child))}

    eventually("two API workers run", lambda: len(servers()) == 2)
    killed = min(servers())
    psutil.Process(killed).kill()
    eventually("two API workers run again", lambda: len(servers()) == 2 and killed not in servers())
    eventually("the product serves", lambda: serves(product))


@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGINT])
def test_stopping_leaves_nothing_running(product: Product, facts: dict[str, Any], order: signal.Signals) -> None:
    assert len(product.everything()) > 5
    assert product.stop(order) == 0
    assert_nothing_runs(product)
    assert f"Everything is kept in {product.state}" in product.output


def test_stopping_during_the_start_leaves_nothing_running(product: Product) -> None:
    product.stop()
    product.launch()
    eventually("the database answers", lambda: not port_is_free(product.port + 3))
    assert product.stop() == 0
    assert_nothing_runs(product)


def test_a_kill_of_everything_loses_nothing(product: Product, facts: dict[str, Any]) -> None:
    word = f"acknowledged {uuid.uuid4()}"
    remember(facts, word)
    product.kill_everything()
    again = product.start()
    assert remembers(again, word)
    assert {name: again[name] for name in facts if name != "pid"} == {
        name: facts[name] for name in facts if name != "pid"
    }


def test_a_kill_of_the_supervisor_takes_the_parts_along(product: Product, facts: dict[str, Any]) -> None:
    parts = product.everything()
    word = f"acknowledged {uuid.uuid4()}"
    remember(facts, word)
    product.process.kill()
    product.process.wait()
    eventually("the parts have ended", lambda: not any(lives(part) for part in parts))
    assert remembers(product.start(), word)


@pytest.mark.parametrize(("step", "purpose"), [(0, "the product"), (3, "the database")])
def test_a_taken_port_is_one_sentence(place: Path, step: int, purpose: str) -> None:
    port = free_ports(5)
    with socket.socket() as other:
        other.bind(("127.0.0.1", port + step))
        other.listen()
        code, said = run_program("demo", "--port", str(port), "--state", str(place), "--no-seed")
    assert code == 1
    assert f"Port {port + step} ({purpose}) is taken by" in said
    assert "PORT=" in said
    assert "Traceback" not in said


def test_data_of_another_release_is_one_sentence(place: Path) -> None:
    postgres = LocalPostgres(place / "postgres", free_ports())
    (place / "postgres").mkdir(parents=True)
    (place / "porchlight.json").write_text('{"format": 1}')
    postgres.start()
    postgres.stop()
    (postgres.data / "PG_VERSION").write_text("9\n")
    code, said = run_program("demo", "--port", str(free_ports(5)), "--state", str(place))
    assert code == 1
    assert "was made by PostgreSQL 9" in said
    assert "Traceback" not in said


def test_files_of_someone_else_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    code, said = run_program("demo", "--port", str(free_ports(5)), "--state", str(tmp_path))
    assert code == 1
    assert "holds files that are not Porchlight's (thesis.txt)" in said
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_port_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    code, said = run_program("demo", "--port", "65535", "--state", str(tmp_path / "state"))
    assert code == 1
    assert "65535 cannot be the first of six ports" in said
