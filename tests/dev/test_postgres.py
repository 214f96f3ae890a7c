"""The embedded server: private, unprivileged, and able to recover from a killed run."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from porchlight_dev.errors import DevError
from porchlight_dev.postgres import binaries
from porchlight_dev.postgres.binaries import find_binaries
from porchlight_dev.postgres.server import LocalPostgres
from porchlight_dev.processes import popen_account, unprivileged_account
from tests.fixtures.ports import free_ports
from tests.fixtures.product import eventually, is_running

pytestmark = pytest.mark.parts

# Runs a server until it is killed, as the product does.
SERVER_SCRIPT = """
import sys, time
from pathlib import Path
from porchlight_dev.postgres.server import LocalPostgres
postgres = LocalPostgres(Path(sys.argv[1]), int(sys.argv[2]))
postgres.start()
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def stopped(run_directory: Path) -> Iterator[Path]:
    """The folder of a server that ran: a new cluster takes a second of CPU time."""
    folder = run_directory / f"stopped-{free_ports()}"
    postgres = LocalPostgres(folder, free_ports())
    postgres.start()
    postgres.stop()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def postgres(place: Path, stopped: Path) -> Iterator[LocalPostgres]:
    """A server that ran before, in a folder of its own."""
    subprocess.run(["cp", "-a", stopped, place], check=True)
    postgres = LocalPostgres(place, free_ports())
    yield postgres
    postgres.stop()


@pytest.fixture
def new_postgres(place: Path) -> Iterator[LocalPostgres]:
    """A server without a folder."""
    postgres = LocalPostgres(place, free_ports())
    yield postgres
    postgres.stop()


def insert_word(postgres: LocalPostgres, word: str) -> None:
    with psycopg.connect(postgres.owner_url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS words (word text)")
        connection.execute("INSERT INTO words VALUES (%s)", [word])


def stored_words(postgres: LocalPostgres) -> list[str]:
    with psycopg.connect(postgres.owner_url) as connection:
        return [row[0] for row in connection.execute("SELECT word FROM words ORDER BY word")]


def postmaster(postgres: LocalPostgres) -> psutil.Process:
    return psutil.Process(int((postgres.data / "postmaster.pid").read_text().splitlines()[0]))


def test_rows_survive_stop(new_postgres: LocalPostgres) -> None:
    postgres = new_postgres
    postgres.start()
    insert_word(postgres, "kept")
    process = postmaster(postgres)
    postgres.stop()
    assert not is_running(process)
    postgres.start()
    assert stored_words(postgres) == ["kept"]


def test_rows_survive_kill_of_server(postgres: LocalPostgres) -> None:
    postgres.start()
    insert_word(postgres, "acknowledged")
    postmaster(postgres).kill()
    postgres.stop()
    postgres.start()
    assert stored_words(postgres) == ["acknowledged"]


def test_rows_survive_kill_of_parent_process(place: Path) -> None:
    port = free_ports()
    postgres = LocalPostgres(place, port)
    with subprocess.Popen([sys.executable, "-c", SERVER_SCRIPT, place, str(port)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"ready\n"
        insert_word(postgres, "before the kill")
        server = postmaster(postgres)
        holder.kill()
    # The old server may still be running at this point.
    postgres.start()
    try:
        assert stored_words(postgres) == ["before the kill"]
        assert postmaster(postgres).pid != server.pid
        eventually("the old server is gone", lambda: not is_running(server))
    finally:
        postgres.stop()


def test_orphaned_server_is_replaced(postgres: LocalPostgres) -> None:
    postgres.prepare()
    with postgres.log_path.open("wb") as log:
        orphan = subprocess.Popen(
            postgres.argv(), env=postgres.env(), stdout=log, stderr=log, **popen_account(postgres.account)
        )
    postgres.release()
    eventually("the orphan is ready", postgres.is_ready)
    postgres.start()
    assert orphan.wait(60) == 0
    assert postmaster(postgres).pid != orphan.pid


def test_start_ignores_stale_pid_file(postgres: LocalPostgres) -> None:
    postgres.start()
    pid_file = postgres.data / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    postgres.stop()
    # The pid belongs to another program of the same account, so PostgreSQL alone would refuse to start.
    with subprocess.Popen(["sleep", "600"], **popen_account(postgres.account)) as other_program:
        pid_file.write_text("\n".join([str(other_program.pid), *lines[1:]]) + "\n")
        os.chown(pid_file, postgres.data.stat().st_uid, postgres.data.stat().st_gid)
        try:
            postgres.start()
            assert postgres.is_ready()
            assert other_program.poll() is None
        finally:
            other_program.kill()


def test_start_ignores_incomplete_data_folder(new_postgres: LocalPostgres) -> None:
    postgres = new_postgres
    incomplete = postgres.directory / "data.new"
    incomplete.mkdir(parents=True)
    (incomplete / "PG_VERSION").write_text("18\n")
    postgres.start()
    assert postgres.is_ready()


def test_used_port_gives_one_sentence(postgres: LocalPostgres) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", postgres.port))
        other.listen()
        with pytest.raises(DevError, match=rf"^Port {postgres.port} \(the database\) is in use by .*{os.getpid()}"):
            postgres.start()
    postgres.start()


def test_folder_in_use_is_rejected(postgres: LocalPostgres) -> None:
    postgres.start()
    with pytest.raises(DevError, match="is using"):
        LocalPostgres(postgres.directory, free_ports()).start()
    assert postgres.is_ready()


def test_server_is_private(postgres: LocalPostgres) -> None:
    postgres.start()
    process = postmaster(postgres)
    assert process.uids().real != 0
    listening = {c.laddr for c in process.net_connections("all") if c.status == psutil.CONN_LISTEN}
    assert listening == {("127.0.0.1", postgres.port)}
    assert not process.net_connections("unix")
    assert (postgres.directory / "passwords.json").stat().st_mode & 0o777 == 0o600
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(f"postgresql://porchlight_app:wrong@127.0.0.1:{postgres.port}/porchlight")
    with psycopg.connect(postgres.superuser_url) as connection:
        row = connection.execute("SELECT rolpassword FROM pg_authid WHERE rolname = 'porchlight_app'").fetchone()
    assert row is not None
    assert row[0].startswith("SCRAM-SHA-256$")


def test_settings_suit_small_machine(postgres: LocalPostgres) -> None:
    postgres.start()
    with psycopg.connect(postgres.app_url) as connection:
        rows = connection.execute(
            "SELECT name, current_setting(name) FROM pg_settings WHERE name IN ('fsync', 'jit', 'TimeZone',"
            " 'shared_buffers', 'max_connections', 'server_encoding')"
        )
        assert dict(rows.fetchall()) == {
            "TimeZone": "UTC",
            "fsync": "on",
            "jit": "off",
            "max_connections": "100",
            "server_encoding": "UTF8",
            "shared_buffers": "128MB",
        }
        assert connection.execute("SELECT lower('ÄÉŻ'), 'ä' ~ '[[:alpha:]]'").fetchone() == ("äéż", True)


def test_private_folder_keeps_create_shared_data_path(place: Path) -> None:
    place.mkdir(mode=0o700)
    lines: list[str] = []
    postgres = LocalPostgres(place / "inside", free_ports(), durable=False, print_line=lines.append)
    postgres.start()
    try:
        insert_word(postgres, "here")
        if unprivileged_account() is None:
            assert postgres.data.parent == postgres.directory
            assert lines == []
        else:
            assert len(lines) == 1
            assert str(postgres.data) in lines[0]
        postgres.stop()
        again = LocalPostgres(place / "inside", free_ports(), durable=False, print_line=lines.append)
        again.start()
        assert stored_words(again) == ["here"]
        assert len(lines) <= 1
        again.stop()
    finally:
        postgres.stop()
        subprocess.run(["rm", "-rf", postgres.data, postgres.data.with_suffix(".owner")], check=True)


def test_data_of_deleted_temporary_folder_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "SHARED_FOLDER", tmp_path / "shared")
    existing, deleted = tmp_path / "existing", tmp_path / "deleted"
    existing.touch()
    unmounted = Path("/media/unmounted-disk/location")
    data_paths = {}
    for pointer in (existing, deleted, unmounted):
        monkeypatch.setattr(tempfile, "gettempdir", lambda: "/nowhere")
        data_paths[pointer] = binaries.create_shared_data_path(pointer)
        data_paths[pointer].mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    binaries.create_shared_data_path(existing)
    assert {pointer for pointer, data in data_paths.items() if data.exists()} == {existing, unmounted}


def test_private_programs_are_copied_once(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    account = unprivileged_account()
    if account is None:
        # No other account has to run them.
        assert binaries.find_binaries().program("postgres").exists()
        return
    place.mkdir()
    monkeypatch.setattr(binaries, "SHARED_FOLDER", place / "shared")
    private = place / "private"
    installed = find_binaries()
    root = installed.folder.parents[2]
    private.mkdir(mode=0o700)
    (private / "packages").symlink_to(root)
    hidden = binaries.Binaries(private / "packages" / installed.folder.relative_to(root), installed.version)
    lines: list[str] = []
    copied = binaries.reachable_binaries(hidden, account, lines.append)
    assert copied.folder.is_relative_to(place / "shared")
    assert binaries.runs_as(copied.program("initdb"), account)
    assert binaries.reachable_binaries(hidden, account, lines.append) == copied
    assert len(lines) == 1


def fake_installation(folder: Path, version: str) -> Path:
    folder.mkdir(parents=True)
    for name in ("postgres", "initdb"):
        (folder / name).write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) {version}'\n")
        (folder / name).chmod(0o755)
    return folder


def test_system_programs_replace_missing_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = [fake_installation(tmp_path / name, version) for name, version in (("a", "17.2"), ("b", "16.9"))]
    old = fake_installation(tmp_path / "old", "13.4")
    monkeypatch.setattr(binaries, "system_folders", lambda: [*system, old])
    monkeypatch.setattr(binaries, "embedded_folder", lambda: None)
    assert find_binaries().folder == system[0]
    assert find_binaries(major=16).folder == system[1]
    # No installation has this release: the caller gets the newest and reports the difference.
    assert find_binaries(major=12).major == 17
    monkeypatch.setattr(binaries, "system_folders", lambda: [old])
    with pytest.raises(DevError, match=r"^No PostgreSQL 15 or newer"):
        find_binaries()


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda d: (d / "data" / "PG_VERSION").write_text("9\n"), r"was created by PostgreSQL 9, and this machine has"),
        (lambda d: (d / "data" / "PG_VERSION").unlink(), r"is not a PostgreSQL data directory"),
        (lambda d: (d / "passwords.json").write_text("{"), r"passwords.json is damaged"),
        (lambda d: (d / "passwords.json").unlink(), r"passwords.json is missing although"),
    ],
)
def test_damaged_folder_gives_one_sentence(postgres: LocalPostgres, damage: object, sentence: str) -> None:
    assert callable(damage)
    damage(postgres.directory)
    log = postgres.log_path.read_bytes()
    with pytest.raises(DevError, match=sentence):
        postgres.start()
    assert postgres.log_path.read_bytes() == log, "the server was started"


def test_failed_start_reports_server_log(postgres: LocalPostgres) -> None:
    (postgres.data / "global" / "pg_control").write_bytes(b"")
    with pytest.raises(DevError, match=r"PostgreSQL ended with .*pg_control"):
        postgres.start()


def test_second_stop_does_nothing(postgres: LocalPostgres) -> None:
    postgres.start()
    with psycopg.connect(postgres.app_url):
        postgres.stop()
        postgres.stop()
    assert "database system is shut down" in postgres.log_path.read_text()
