"""The embedded server: private, unprivileged, and back after whatever happened."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from porchlight.local import binaries
from porchlight.local.binaries import find_binaries
from porchlight.local.errors import LocalError
from porchlight.local.postgres import LocalPostgres
from porchlight.local.processes import popen_account, unprivileged_account
from tests.support.ports import free_ports
from tests.support.product import eventually, lives

pytestmark = pytest.mark.parts

# What a product would be: holds a server until it is killed.
HOLDER = """
import sys, time
from pathlib import Path
from porchlight.local.postgres import LocalPostgres
postgres = LocalPostgres(Path(sys.argv[1]), int(sys.argv[2]))
postgres.start()
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture
def postgres(place: Path) -> Iterator[LocalPostgres]:
    made = LocalPostgres(place, free_ports())
    yield made
    made.stop()


def remember(postgres: LocalPostgres, word: str) -> None:
    with psycopg.connect(postgres.owner_url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS words (word text)")
        connection.execute("INSERT INTO words VALUES (%s)", [word])


def remembered(postgres: LocalPostgres) -> list[str]:
    with psycopg.connect(postgres.owner_url) as connection:
        return [row[0] for row in connection.execute("SELECT word FROM words ORDER BY word")]


def main_process(postgres: LocalPostgres) -> psutil.Process:
    return psutil.Process(int((postgres.data / "postmaster.pid").read_text().splitlines()[0]))


def test_rows_outlive_a_stop(postgres: LocalPostgres) -> None:
    postgres.start()
    remember(postgres, "kept")
    process = main_process(postgres)
    postgres.stop()
    assert not lives(process)
    postgres.start()
    assert remembered(postgres) == ["kept"]


def test_rows_outlive_a_kill_of_the_server(postgres: LocalPostgres) -> None:
    postgres.start()
    remember(postgres, "acknowledged")
    main_process(postgres).kill()
    postgres.stop()
    postgres.start()
    assert remembered(postgres) == ["acknowledged"]


def test_the_server_ends_with_its_holder_and_the_next_start_finds_the_rows(place: Path) -> None:
    port = free_ports()
    postgres = LocalPostgres(place, port)
    with subprocess.Popen([sys.executable, "-c", HOLDER, place, str(port)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"ready\n"
        remember(postgres, "before the kill")
        server = main_process(postgres)
        holder.kill()
    # At once: the old server may still be on its way out.
    postgres.start()
    try:
        assert remembered(postgres) == ["before the kill"]
        assert main_process(postgres).pid != server.pid
        eventually("the old server is gone", lambda: not lives(server))
    finally:
        postgres.stop()


def test_a_server_nobody_holds_is_replaced(postgres: LocalPostgres) -> None:
    postgres.prepare()
    with postgres.log_path.open("wb") as log:
        orphan = subprocess.Popen(
            postgres.argv(), env=postgres.env(), stdout=log, stderr=log, **popen_account(postgres.account)
        )
    postgres.release()
    eventually("the orphan answers", postgres.answers)
    postgres.start()
    assert orphan.wait(60) == 0
    assert main_process(postgres).pid != orphan.pid


def test_a_stale_pid_file_naming_a_living_process_is_no_obstacle(postgres: LocalPostgres) -> None:
    postgres.start()
    pid_file = postgres.data / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    postgres.stop()
    # The number belongs to another program of the same account by now: PostgreSQL alone would refuse to start.
    with subprocess.Popen(["sleep", "600"], **popen_account(postgres.account)) as stranger:
        pid_file.write_text("\n".join([str(stranger.pid), *lines[1:]]) + "\n")
        os.chown(pid_file, postgres.data.stat().st_uid, postgres.data.stat().st_gid)
        try:
            postgres.start()
            assert postgres.answers()
            assert stranger.poll() is None
        finally:
            stranger.kill()


def test_remains_of_an_interrupted_first_start_are_no_obstacle(postgres: LocalPostgres) -> None:
    half_made = postgres.directory / "data.new"
    half_made.mkdir(parents=True)
    (half_made / "PG_VERSION").write_text("18\n")
    postgres.start()
    assert postgres.answers()


def test_a_taken_port_is_one_sentence(postgres: LocalPostgres) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", postgres.port))
        other.listen()
        with pytest.raises(LocalError, match=rf"^Port {postgres.port} \(the database\) is taken by .*{os.getpid()}"):
            postgres.start()
    postgres.start()


def test_two_holders_of_one_folder_are_refused(postgres: LocalPostgres) -> None:
    postgres.start()
    with pytest.raises(LocalError, match="already uses"):
        LocalPostgres(postgres.directory, free_ports()).start()
    assert postgres.answers()


def test_it_is_private(postgres: LocalPostgres) -> None:
    postgres.start()
    process = main_process(postgres)
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


def test_settings_are_those_of_a_small_machine(postgres: LocalPostgres) -> None:
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


def test_a_folder_other_accounts_cannot_enter_still_works(place: Path) -> None:
    place.mkdir(mode=0o700)
    said: list[str] = []
    postgres = LocalPostgres(place / "inside", free_ports(), durable=False, say=said.append)
    postgres.start()
    try:
        remember(postgres, "here")
        if unprivileged_account() is None:
            assert postgres.data.parent == postgres.directory
            assert said == []
        else:
            assert len(said) == 1
            assert str(postgres.data) in said[0]
        postgres.stop()
        again = LocalPostgres(place / "inside", free_ports(), durable=False, say=said.append)
        again.start()
        assert remembered(again) == ["here"]
        assert len(said) <= 1
        again.stop()
    finally:
        postgres.stop()
        subprocess.run(["rm", "-rf", postgres.data, postgres.data.with_suffix(".owner")], check=True)


def test_data_of_vanished_temporary_folders_is_removed_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binaries, "SHARED", tmp_path / "shared")
    living, vanished = tmp_path / "living", tmp_path / "vanished"
    living.touch()
    away = Path("/media/disk-that-is-away/location")
    made = {}
    for pointer in (living, vanished, away):
        monkeypatch.setattr(tempfile, "gettempdir", lambda: "/nowhere")
        made[pointer] = binaries.data_elsewhere(pointer)
        made[pointer].mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    binaries.data_elsewhere(living)
    assert {pointer for pointer, data in made.items() if data.exists()} == {living, away}


def test_programs_in_a_private_folder_are_copied_once(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    account = unprivileged_account()
    if account is None:
        # Nobody else needs to reach them: they are used where they are.
        assert binaries.find_binaries().program("postgres").exists()
        return
    place.mkdir()
    monkeypatch.setattr(binaries, "SHARED", place / "shared")
    private = place / "private"
    found = find_binaries()
    private.mkdir(mode=0o700)
    (private / "packages").symlink_to(found.folder.parents[2])
    hidden = binaries.Binaries(private / "packages" / found.folder.relative_to(found.folder.parents[2]), found.version)
    said: list[str] = []
    copied = binaries.reachable_binaries(hidden, account, said.append)
    assert copied.folder.is_relative_to(place / "shared")
    assert binaries.runs_as(copied.program("initdb"), account)
    assert binaries.reachable_binaries(hidden, account, said.append) == copied
    assert len(said) == 1


def fake_installation(folder: Path, version: str) -> Path:
    folder.mkdir(parents=True)
    for name in ("postgres", "initdb"):
        (folder / name).write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) {version}'\n")
        (folder / name).chmod(0o755)
    return folder


def test_the_systems_programs_serve_when_the_package_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = [fake_installation(tmp_path / name, version) for name, version in (("a", "17.2"), ("b", "16.9"))]
    old = fake_installation(tmp_path / "old", "13.4")
    monkeypatch.setattr(binaries, "system_folders", lambda: [*system, old])
    monkeypatch.setattr(binaries, "embedded_folder", lambda: None)
    assert find_binaries().folder == system[0]
    assert find_binaries(major=16).folder == system[1]
    # Data of a release nobody has: the newest is offered, and its caller says so.
    assert find_binaries(major=12).major == 17
    monkeypatch.setattr(binaries, "system_folders", lambda: [old])
    with pytest.raises(LocalError, match=r"^No PostgreSQL 15 or newer"):
        find_binaries()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda d: (d / "data" / "PG_VERSION").write_text("9\n"), r"was made by PostgreSQL 9 and this machine has"),
        (lambda d: (d / "data" / "PG_VERSION").unlink(), r"is not a PostgreSQL data directory"),
        (lambda d: (d / "passwords.json").write_text("{"), r"passwords.json is damaged"),
        (lambda d: (d / "passwords.json").unlink(), r"passwords.json is missing although"),
    ],
)
def test_a_broken_folder_is_one_sentence(postgres: LocalPostgres, spoil: object, sentence: str) -> None:
    postgres.start()
    postgres.stop()
    assert callable(spoil)
    spoil(postgres.directory)
    with pytest.raises(LocalError, match=sentence):
        postgres.start()


def test_a_server_that_cannot_start_says_why(postgres: LocalPostgres) -> None:
    postgres.start()
    postgres.stop()
    (postgres.data / "global" / "pg_control").write_bytes(b"")
    with pytest.raises(LocalError, match=r"PostgreSQL ended with .*pg_control"):
        postgres.start()


def test_stop_is_ordered_and_may_be_repeated(postgres: LocalPostgres) -> None:
    postgres.start()
    with psycopg.connect(postgres.app_url):
        postgres.stop()
        postgres.stop()
    assert "database system is shut down" in postgres.log_path.read_text()
