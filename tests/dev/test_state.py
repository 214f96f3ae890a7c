"""The state folder: created or rejected, locked once, with stable secrets."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest

from porchlight_dev.errors import DevError
from porchlight_dev.state import FORMAT, StateFolder

Usage = namedtuple("Usage", "total used free")


def acquired(path: Path) -> StateFolder:
    folder = StateFolder(path)
    folder.acquire()
    return folder


def test_new_folder_is_created_and_reopened(tmp_path: Path) -> None:
    folder = acquired(tmp_path / "deep" / "state")
    key = folder.secret("admin_key")
    assert len(key) >= 32
    assert (folder.path / "secrets.json").stat().st_mode & 0o777 == 0o600
    folder.release()
    again = acquired(folder.path)
    assert again.secret("admin_key") == key
    assert again.secret("another") != key
    again.release()


def test_demo_json_of_earlier_run_is_deleted(tmp_path: Path) -> None:
    folder = acquired(tmp_path / "state")
    folder.facts_path.write_text("{}")
    folder.release()
    again = acquired(folder.path)
    assert not folder.facts_path.exists()
    again.release()


def test_locked_folder_is_rejected(tmp_path: Path) -> None:
    folder = acquired(tmp_path / "state")
    facts = folder.facts_path
    facts.write_text("{}")
    with pytest.raises(DevError, match=r"is already running from .* \(process \d+\)"):
        acquired(folder.path)
    # The rejected start has not touched the files of the running one.
    assert facts.exists()
    folder.release()
    acquired(folder.path).release()


def test_killed_process_unlocks_folder(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from porchlight_dev.state import FORMAT, StateFolder;"
        "folder = StateFolder(Path(sys.argv[1])); folder.acquire(); print('held', flush=True); time.sleep(600)"
    )
    state = tmp_path / "state"
    with subprocess.Popen([sys.executable, "-c", script, state], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(DevError, match="is already running from"):
            acquired(state)
        holder.kill()
    acquired(state).release()


def add_other_file(path: Path) -> None:
    path.mkdir()
    (path / "thesis.txt").write_text("mine")


def make_regular_file(path: Path) -> None:
    path.write_text("a file")


def write_format(text: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.mkdir()
        (path / "porchlight.json").write_text(text)

    return write


def damage_secrets(path: Path) -> None:
    write_format(json.dumps({"format": FORMAT}))(path)
    (path / "secrets.json").write_text("{")


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (add_other_file, r"contains files that are not Porchlight's \(thesis.txt\): empty it, or choose another"),
        (make_regular_file, r"cannot be used \(File exists\)"),
        (write_format("{"), r"porchlight.json is damaged"),
        (write_format('{"format": 1}'), r"created by another release of Porchlight \(format 1, not 5\)"),
        (damage_secrets, r"secrets.json is damaged: delete it"),
    ],
)
def test_damaged_folder_gives_one_sentence(tmp_path: Path, damage: Callable[[Path], None], sentence: str) -> None:
    path = tmp_path / "state"
    damage(path)
    folder = StateFolder(path)

    def use() -> None:
        folder.acquire()
        folder.secret("admin_key")

    with pytest.raises(DevError, match=sentence) as failure:
        use()
    folder.release()
    assert "\n" not in str(failure.value)


def test_rejected_folder_keeps_other_files(tmp_path: Path) -> None:
    add_other_file(tmp_path / "state")
    with pytest.raises(DevError):
        acquired(tmp_path / "state")
    assert [entry.name for entry in (tmp_path / "state").iterdir()] == ["thesis.txt"]


def test_unwritable_folder_gives_one_sentence() -> None:
    # Not even root can create folders here.
    with pytest.raises(
        DevError, match=r"^The state folder /proc/porchlight cannot be used \(.+\): fix its permissions"
    ):
        acquired(Path("/proc/porchlight"))


def test_full_disk_gives_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12, 120_000_000))
    with pytest.raises(DevError, match=r"nearly full \(120 MB free, 500 MB needed\): free some space"):
        acquired(tmp_path / "state")
