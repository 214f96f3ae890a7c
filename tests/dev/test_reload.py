"""`make dev`: the API restarts after a change of the code, and both webs run on development servers."""

from __future__ import annotations

from pathlib import Path

import pytest

from porchlight_dev import reload
from porchlight_dev.environment import DevEnvironment
from porchlight_dev.postgres.server import LocalPostgres
from porchlight_dev.services.web_servers import next_service, vite_service
from porchlight_dev.state import StateFolder


def dev_environment(folder: Path, *, reload: bool) -> DevEnvironment:
    postgres = LocalPostgres(folder / "postgres", 23003)
    return DevEnvironment(port=23000, tls_port=None, state=StateFolder(folder), postgres=postgres, reload=reload)


def test_source_snapshot_changes_with_the_code(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "module.py").write_text("")
    before = reload.source_snapshot([tmp_path])
    (package / "module.pyc").write_text("not a source file")
    assert reload.source_snapshot([tmp_path]) == before
    (package / "new.py").write_text("")
    assert reload.source_snapshot([tmp_path]) != before
    (package / "new.py").unlink()
    assert reload.source_snapshot([tmp_path]) == before


def test_source_folders_exist_and_have_code() -> None:
    assert all(reload.source_snapshot([folder]) for folder in reload.SOURCE_FOLDERS)


@pytest.mark.parametrize("service", [vite_service, next_service])
def test_web_servers_run_only_with_reload(tmp_path: Path, service: object) -> None:
    assert callable(service)
    assert service(dev_environment(tmp_path, reload=False)) is None
    running = service(dev_environment(tmp_path, reload=True))
    assert running.env["PORCHLIGHT_DEV_API"] == "127.0.0.1:23000"
