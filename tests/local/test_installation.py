"""The setup: what is missing is one sentence, what is done is not done again."""

from __future__ import annotations

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path
from types import ModuleType

import pytest

from porchlight.local import installation as real
from porchlight.local.state import StateFolder

BOOTSTRAP = Path(real.__file__).with_name("bootstrap.py")
Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as run by path, working on a small checkout of its own with an npm that only pretends."""
    spec = importlib.util.spec_from_file_location("installation_under_test", real.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    root = tmp_path / "checkout"
    for name in ("main-web/src", "main-web/shared", "guru-web/src", "node_modules"):
        (root / name).mkdir(parents=True)
    (root / ".venv/bin").mkdir(parents=True)
    (root / ".venv/bin/porchlight").symlink_to(Path(sys.executable).with_name("porchlight"))
    (root / "main-web/src/app.tsx").write_text("app")
    (root / "main-web/shared/tokens.css").write_text("tokens")
    (root / "guru-web/src/page.tsx").write_text("page")
    monkeypatch.setattr(module, "ROOT", root)
    monkeypatch.setattr(module, "VENV", root / ".venv")
    monkeypatch.setattr(module, "LOGS", root / "artifacts" / "setup")
    monkeypatch.setattr(module, "BUILD_STAMPS", root / "node_modules" / ".cache" / "porchlight")
    put_npm(
        tmp_path,
        monkeypatch,
        """
        echo "$4" >> "$PWD/built"
        case "$4" in
            main-web) mkdir -p main-web/dist && echo built > main-web/dist/index.html ;;
            guru-web) mkdir -p guru-web/out && printf '%02000d' 0 > guru-web/out/index.html ;;
        esac
        """,
    )
    return module


def put_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    programs = tmp_path / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "npm").write_text(f"#!/bin/sh\n{script}\n")
    (programs / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin")


def build(module: ModuleType) -> list[str]:
    """Build both webs; the names of those that were really built."""
    built = module.ROOT / "built"
    built.unlink(missing_ok=True)
    steps = module.Steps(total=2)
    for web in module.BUILDS:
        module.build_web(steps, web)
    return built.read_text().split() if built.exists() else []


def test_webs_are_built_only_when_their_sources_changed(installation: ModuleType) -> None:
    root: Path = installation.ROOT
    assert build(installation) == ["main-web", "guru-web"]
    assert {path.suffix for path in (root / "guru-web/out").iterdir()} == {".html", ".br", ".zst", ".gz"}
    assert build(installation) == []
    (root / "guru-web/src/page.tsx").write_text("another page")
    assert build(installation) == ["guru-web"]
    (root / "main-web/src/new.tsx").write_text("")
    assert build(installation) == ["main-web"]
    (root / "main-web/shared/tokens.css").write_text("other tokens")
    assert build(installation) == ["main-web", "guru-web"]
    (root / "main-web/src/new.tsx").rename(root / "main-web/src/renamed.tsx")
    assert build(installation) == ["main-web"]
    (root / "package-lock.json").write_text("{}")
    assert build(installation) == ["main-web", "guru-web"]
    # Results are no sources; a lost result is built again.
    (root / "main-web/dist/extra.js").write_text("made by the build")
    assert build(installation) == []
    shutil.rmtree(root / "guru-web/out")
    assert build(installation) == ["guru-web"]


def test_a_failed_build_is_one_sentence_and_tried_again(
    installation: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build(installation) == ["main-web", "guru-web"]
    (installation.ROOT / "main-web/src/app.tsx").write_text("broken")
    put_npm(tmp_path, monkeypatch, 'echo "fine"; echo "npm error code 1"; echo "app.tsx: error: no such"; exit 1')
    for _ in range(2):
        with pytest.raises(installation.SetupError) as failure:
            build(installation)
        assert str(failure.value).startswith("Build of main-web failed: app.tsx: error: no such (whole log: ")
        assert str(failure.value).endswith("main-web.log)")


def test_a_build_without_its_result_is_refused(
    installation: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_npm(tmp_path, monkeypatch, "exit 0")
    with pytest.raises(installation.SetupError, match=r"ended well without making main-web/dist/index.html"):
        build(installation)


@pytest.mark.parametrize(
    ("version", "sentence"),
    [("v18.20.1", "is v18.20.1: install a newer one"), ("v20.3.0", "is v20.3.0"), ("gibberish", "is gibberish")],
)
def test_an_old_node_is_one_sentence(installation: ModuleType, tmp_path: Path, version: str, sentence: str) -> None:
    (tmp_path / "programs" / "node").write_text(f"#!/bin/sh\necho {version}\n")
    (tmp_path / "programs" / "node").chmod(0o755)
    with pytest.raises(installation.SetupError, match=sentence):
        installation.check_node()


@pytest.mark.parametrize("version", ["v20.19.0", "v22.1.0"])
def test_a_new_node_is_fine(installation: ModuleType, tmp_path: Path, version: str) -> None:
    (tmp_path / "programs" / "node").write_text(f"#!/bin/sh\necho {version}\n")
    (tmp_path / "programs" / "node").chmod(0o755)
    installation.check_node()


def run_bootstrap(*words: str, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, BOOTSTRAP, *words],
        env={"PATH": path},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_a_missing_node_is_one_sentence(tmp_path: Path) -> None:
    done = run_bootstrap("setup", path=str(tmp_path))
    assert done.returncode == 1
    assert (
        done.stderr == "Porchlight needs Node 20.19 or newer with npm, and there is none: install it and run again.\n"
    )


def test_a_full_disk_is_one_sentence(installation: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12, 900_000_000))
    shutil.rmtree(installation.VENV)
    with pytest.raises(installation.SetupError, match=r"nearly full: 900 MB are free and setting up needs 2500 MB"):
        installation.check_disk()


def test_the_entry_is_readable_by_pythons_far_too_old() -> None:
    ast.parse(BOOTSTRAP.read_text(), feature_version=(3, 4))


def run_as_python_39(*, path: str) -> subprocess.CompletedProcess[str]:
    """Run the entry as if this were Python 3.9."""
    pretend = (
        "import sys; sys.version_info = (3, 9, 2, 'final', 0); sys.argv = [sys.argv[1], 'setup'];"
        "names = {'__name__': '__main__', '__file__': sys.argv[0]};"
        "exec(compile(open(sys.argv[0]).read(), sys.argv[0], 'exec'), names)"
    )
    return subprocess.run(
        [sys.executable, "-c", pretend, BOOTSTRAP],
        env={"PATH": path},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_an_old_python_is_one_sentence(tmp_path: Path) -> None:
    done = run_as_python_39(path=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("Porchlight needs Python 3.11 or newer and this is Python 3.9: install a newer one")
    assert done.stderr.count("\n") == 1


def test_a_newer_python_beside_an_old_one_takes_over(tmp_path: Path) -> None:
    newer = tmp_path / "python3.12"
    newer.write_text('#!/bin/sh\n[ "$1" = -c ] && exit 0\necho "taken over: $2"\n')
    newer.chmod(0o755)
    done = run_as_python_39(path=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "taken over: setup\n")


def test_clean_state_removes_our_folder_with_a_database_elsewhere(installation: ModuleType, tmp_path: Path) -> None:
    state = StateFolder(tmp_path / "state")
    state.hold()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (state.path / "postgres").mkdir()
    (state.path / "postgres" / "location").write_text(f"{elsewhere}\n")
    with pytest.raises(installation.SetupError, match=r"^Porchlight is running from .*: stop it first"):
        installation.clean_state(state.path)
    assert elsewhere.exists()
    state.release()
    installation.clean_state(state.path)
    assert not state.path.exists()
    assert not elsewhere.exists()
    installation.clean_state(state.path)


def test_clean_state_leaves_other_folders_alone(installation: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(installation.SetupError, match="is not a state folder of Porchlight"):
        installation.clean_state(tmp_path)
    assert (tmp_path / "thesis.txt").exists()
