"""The state folder: ours or refused in one sentence; held once; its secrets kept."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest

from porchlight.local.errors import LocalError
from porchlight.local.state import StateFolder

Usage = namedtuple("Usage", "total used free")


def held(path: Path) -> StateFolder:
    folder = StateFolder(path)
    folder.hold()
    return folder


def test_a_new_folder_is_made_and_recognised_again(tmp_path: Path) -> None:
    folder = held(tmp_path / "deep" / "state")
    key = folder.secret("admin_key")
    assert len(key) >= 32
    assert (folder.path / "secrets.json").stat().st_mode & 0o777 == 0o600
    folder.release()
    again = held(folder.path)
    assert again.secret("admin_key") == key
    assert again.secret("another") != key
    again.release()


def test_demo_json_of_an_earlier_start_is_removed(tmp_path: Path) -> None:
    folder = held(tmp_path / "state")
    folder.facts_path.write_text("{}")
    folder.release()
    again = held(folder.path)
    assert not folder.facts_path.exists()
    again.release()


def test_it_is_held_once(tmp_path: Path) -> None:
    folder = held(tmp_path / "state")
    facts = folder.facts_path
    facts.write_text("{}")
    with pytest.raises(LocalError, match=r"already runs from .* \(process \d+\)"):
        held(folder.path)
    # The refused start has not touched what the running one wrote.
    assert facts.exists()
    folder.release()
    held(folder.path).release()


def test_a_killed_holder_leaves_the_folder_free(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from porchlight.local.state import StateFolder;"
        "folder = StateFolder(Path(sys.argv[1])); folder.hold(); print('held', flush=True); time.sleep(600)"
    )
    state = tmp_path / "state"
    with subprocess.Popen([sys.executable, "-c", script, state], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LocalError, match="already runs from"):
            held(state)
        holder.kill()
    held(state).release()


def strange_file(path: Path) -> None:
    path.mkdir()
    (path / "thesis.txt").write_text("mine")


def plain_file(path: Path) -> None:
    path.write_text("a file")


def mark(text: str) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        path.mkdir()
        (path / "porchlight.json").write_text(text)

    return spoil


def damaged_secrets(path: Path) -> None:
    mark(json.dumps({"format": 1}))(path)
    (path / "secrets.json").write_text("{")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (strange_file, r"holds files that are not Porchlight's \(thesis.txt\): empty it, or choose another"),
        (plain_file, r"cannot be used \(File exists\)"),
        (mark("{"), r"porchlight.json is damaged"),
        (mark('{"format": 2}'), r"made by another release of Porchlight \(format 2, not 1\)"),
        (damaged_secrets, r"secrets.json is damaged: remove it"),
    ],
)
def test_a_broken_folder_is_one_sentence(tmp_path: Path, spoil: Callable[[Path], None], sentence: str) -> None:
    path = tmp_path / "state"
    spoil(path)
    folder = StateFolder(path)

    def use() -> None:
        folder.hold()
        folder.secret("admin_key")

    with pytest.raises(LocalError, match=sentence) as failure:
        use()
    folder.release()
    assert "\n" not in str(failure.value)


def test_a_stranger_in_the_folder_is_left_alone(tmp_path: Path) -> None:
    strange_file(tmp_path / "state")
    with pytest.raises(LocalError):
        held(tmp_path / "state")
    assert [entry.name for entry in (tmp_path / "state").iterdir()] == ["thesis.txt"]


def test_a_folder_that_cannot_be_written_is_one_sentence() -> None:
    # Nobody can make folders here, root included.
    with pytest.raises(LocalError, match=r"^The state folder /proc/porchlight cannot be used \(.+\): make it yours"):
        held(Path("/proc/porchlight"))


def test_a_full_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12, 120_000_000))
    with pytest.raises(LocalError, match=r"nearly full: 120 MB are free and 500 MB are needed; make room"):
        held(tmp_path / "state")
