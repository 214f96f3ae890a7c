"""`porchlight demo` from the outside: start, kill, stop, restart."""

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

from porchlight_dev.postgres.server import LocalPostgres
from porchlight_dev.processes import is_port_free, service_processes
from porchlight_dev.state import FORMAT
from tests.fixtures.ports import free_ports
from tests.fixtures.product import Product, eventually, is_running, run_program, service_process

pytestmark = pytest.mark.parts


@pytest.fixture(scope="module")
def product(run_directory: Path) -> Iterator[Product]:
    """One product for this module. Its tests may stop and kill it.

    Without the embedding model, which takes the worker seconds of CPU time at each start.
    """
    folder = run_directory / f"demo-{uuid.uuid4().hex[:8]}"
    product = Product(folder, free_ports(5), env={"PORCHLIGHT_EMBEDDINGS_URL": "off"})
    yield product
    product.stop()
    shutil.rmtree(product.state)


@pytest.fixture
def facts(product: Product) -> dict[str, Any]:
    """The `demo.json` of the product, which is started again if an earlier test stopped it."""
    return product.ensure_running()


def get(port: int, host: str, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path, headers={"Host": f"{host}:{port}"})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def is_ready(product: Product) -> bool:
    try:
        return get(product.port, "porchlight.localhost", "/readyz")[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def insert_word(facts: dict[str, Any], word: str) -> None:
    with psycopg.connect(facts["superuser_url"]) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS demo_words (word text)")
        connection.execute("INSERT INTO demo_words VALUES (%s)", [word])


def has_word(facts: dict[str, Any], word: str) -> bool:
    with psycopg.connect(facts["superuser_url"]) as connection:
        return connection.execute("SELECT 1 FROM demo_words WHERE word = %s", [word]).fetchone() is not None


def assert_nothing_runs(product: Product) -> None:
    assert service_processes(str(product.state.resolve())) == []
    data = str((product.state / "postgres").resolve())
    servers = [p for p in psutil.process_iter(["name", "cwd"]) if (p.info["cwd"] or "").startswith(data)]
    assert servers == []
    assert [port for port in range(product.port, product.port + 5) if not is_port_free(port)] == []
    assert not product.facts_path.exists()


@pytest.mark.drill
@pytest.mark.parametrize("name", ["postgres", "api", "worker"])
def test_killed_service_is_restarted(product: Product, facts: dict[str, Any], name: str) -> None:
    word = f"before the kill of {name} {uuid.uuid4()}"
    insert_word(facts, word)
    before = service_process(facts, name)
    lines = product.output.count(f"{name} is running again.")
    before.kill()
    eventually(f"{name} runs again", lambda: product.output.count(f"{name} is running again.") > lines)
    assert service_process(facts, name).pid != before.pid
    assert has_word(facts, word)
    eventually("the product serves", lambda: is_ready(product))


@pytest.mark.drill
def test_killed_api_worker_is_restarted(product: Product, facts: dict[str, Any]) -> None:
    api = service_process(facts, "api")

    def worker_pids() -> set[int]:
        return {child.pid for child in api.children() if is_running(child)}

    eventually("two API workers run", lambda: len(worker_pids()) == 2)
    killed = min(worker_pids())
    psutil.Process(killed).kill()
    eventually("two API workers run again", lambda: len(worker_pids()) == 2 and killed not in worker_pids())
    eventually("the product serves", lambda: is_ready(product))


def _kill_supervisor(product: Product, facts: dict[str, Any]) -> None:
    services = product.processes()
    word = f"acknowledged {uuid.uuid4()}"
    insert_word(facts, word)
    product.process.kill()
    product.process.wait()
    eventually("the services have ended", lambda: not any(is_running(service) for service in services))
    assert has_word(product.start(), word)


def _kill_all(product: Product, facts: dict[str, Any]) -> None:
    word = f"acknowledged {uuid.uuid4()}"
    insert_word(facts, word)
    product.kill_all()
    again = product.start()
    assert has_word(again, word)
    assert {name: again[name] for name in facts if name != "pid"} == {
        name: facts[name] for name in facts if name != "pid"
    }


def _stop(product: Product, order: signal.Signals) -> None:
    assert len(product.processes()) > 5
    assert product.stop(order) == 0
    assert_nothing_runs(product)
    assert f"Your data is in {product.state}" in product.output


def _stop_during_start(product: Product) -> None:
    product.launch()
    eventually("the database answers", lambda: not is_port_free(product.port + 3))
    assert product.stop() == 0
    assert_nothing_runs(product)


@pytest.mark.drill
@pytest.mark.last
def test_killed_or_stopped_product_starts_again(product: Product, facts: dict[str, Any]) -> None:
    """One test, because each start takes many seconds of CPU time: each end of the product follows the last start."""
    _kill_supervisor(product, facts)
    _kill_all(product, facts)
    _stop(product, signal.SIGTERM)
    _stop_during_start(product)
    product.start()
    _stop(product, signal.SIGINT)


@pytest.mark.parametrize(
    ("step", "purpose"), [(0, "the product"), pytest.param(3, "the database", marks=pytest.mark.sweep)]
)
def test_used_port_gives_one_sentence(place: Path, step: int, purpose: str) -> None:
    port = free_ports(5)
    with socket.socket() as other:
        other.bind(("127.0.0.1", port + step))
        other.listen()
        code, output = run_program("demo", "--port", str(port), "--state", str(place), "--no-seed")
    assert code == 1
    assert f"Port {port + step} ({purpose}) is in use by" in output
    assert "PORT=" in output
    assert "Traceback" not in output


def test_data_of_other_postgres_gives_one_sentence(place: Path) -> None:
    postgres = LocalPostgres(place / "postgres", free_ports())
    (place / "postgres").mkdir(parents=True)
    (place / "porchlight.json").write_text(json.dumps({"format": FORMAT}))
    postgres.start()
    postgres.stop()
    (postgres.data / "PG_VERSION").write_text("9\n")
    code, output = run_program("demo", "--port", str(free_ports(5)), "--state", str(place))
    assert code == 1
    assert "was created by PostgreSQL 9" in output
    assert "Traceback" not in output


def test_folder_with_other_files_gives_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    code, output = run_program("demo", "--port", str(free_ports(5)), "--state", str(tmp_path))
    assert code == 1
    assert "contains files that are not Porchlight's (thesis.txt)" in output
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


def test_port_too_high_gives_one_sentence(tmp_path: Path) -> None:
    code, output = run_program("demo", "--port", "65535", "--state", str(tmp_path / "state"))
    assert code == 1
    assert "65535 cannot be the first of nine ports" in output
