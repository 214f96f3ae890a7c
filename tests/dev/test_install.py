"""The setup: it reports a problem in one sentence and repeats no work."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from porchlight_dev.setup import install, python_packages
from porchlight_dev.setup.install import check_disk, clean_state
from porchlight_dev.setup.python_packages import PythonPackages, uv_settings
from porchlight_dev.setup.steps import InstallSteps, SetupError
from porchlight_dev.setup.web_packages import BUILDS, WebPackages, check_node
from porchlight_dev.state import StateFolder

BOOTSTRAP = Path(install.__file__).with_name("bootstrap.py")
Usage = namedtuple("Usage", "total used free")
# Records its arguments and creates the results of a build.
FAKE_NPM = """
echo "$*" >> "$PWD/npm-calls"
case "$*" in
    *main-web*) mkdir -p main-web/dist && echo built > main-web/dist/index.html ;;
    *guru-web*)
        mkdir -p guru-web/out guru-web/dist-ssr
        printf '%02000d' 0 > guru-web/out/index.html
        echo built > guru-web/dist-ssr/server.js ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small checkout with a fake npm on PATH."""
    root = tmp_path / "checkout"
    for name in ("main-web/src", "main-web/shared", "guru-web/src", "node_modules", ".venv/bin"):
        (root / name).mkdir(parents=True)
    (root / ".venv/bin/porchlight").symlink_to(Path(sys.executable).with_name("porchlight"))
    (root / "main-web/src/app.tsx").write_text("app")
    (root / "main-web/shared/tokens.css").write_text("tokens")
    (root / "guru-web/src/page.tsx").write_text("page")
    (root / "package-lock.json").write_text('{"packages": {}}')
    put_program(tmp_path, monkeypatch, "npm", FAKE_NPM)
    return root


def put_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, script: str) -> None:
    programs = tmp_path / "programs"
    programs.mkdir(exist_ok=True)
    (programs / name).write_text(f"#!/bin/sh\n{script}\n")
    (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin")


def steps_of(root: Path) -> InstallSteps:
    return InstallSteps(root, root / "artifacts" / "setup")


def build_all(root: Path) -> list[str]:
    """Build both webs; return the names of those that npm built."""
    calls = root / "npm-calls"
    calls.unlink(missing_ok=True)
    packages = WebPackages(root, steps_of(root))
    for web in BUILDS:
        packages.build(web, before_compress=lambda: None)
    return [web for web in BUILDS if calls.exists() and web in calls.read_text()]


def test_build_unchanged_inputs_is_skipped(checkout: Path) -> None:
    assert build_all(checkout) == ["main-web", "guru-web"]
    assert {path.suffix for path in (checkout / "guru-web/out").iterdir()} == {".html", ".br", ".zst", ".gz"}
    assert build_all(checkout) == []
    (checkout / "guru-web/src/page.tsx").write_text("another page")
    assert build_all(checkout) == ["guru-web"]
    (checkout / "main-web/src/new.tsx").write_text("")
    assert build_all(checkout) == ["main-web"]
    (checkout / "main-web/shared/tokens.css").write_text("other tokens")
    assert build_all(checkout) == ["main-web", "guru-web"]
    (checkout / "main-web/src/new.tsx").rename(checkout / "main-web/src/renamed.tsx")
    assert build_all(checkout) == ["main-web"]
    (checkout / "package-lock.json").write_text("{}")
    assert build_all(checkout) == ["main-web", "guru-web"]
    # Neither results nor tests are inputs; a deleted result is built again.
    (checkout / "main-web/dist/extra.js").write_text("a result of the build")
    (checkout / "main-web/src/app.test.tsx").write_text("a test")
    assert build_all(checkout) == []
    for result in ("guru-web/out", "guru-web/dist-ssr"):
        shutil.rmtree(checkout / result)
        assert build_all(checkout) == ["guru-web"]


def test_failed_build_gives_one_sentence_and_is_retried(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build_all(checkout) == ["main-web", "guru-web"]
    (checkout / "main-web/src/app.tsx").write_text("broken")
    script = 'echo "fine"; echo "npm error code 1"; echo "app.tsx: error: no such"; exit 1'
    put_program(tmp_path, monkeypatch, "npm", script)
    for _ in range(2):
        with pytest.raises(SetupError) as failure:
            build_all(checkout)
        assert str(failure.value).startswith("Build of main-web failed: app.tsx: error: no such (full log: ")
        assert str(failure.value).endswith("main-web.log)")


def test_build_without_result_fails(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_program(tmp_path, monkeypatch, "npm", "exit 0")
    with pytest.raises(SetupError, match=r"ended without creating main-web/dist/index.html"):
        build_all(checkout)


def npm_install(root: Path, *, dev: bool) -> str:
    """Install the npm packages; return the arguments of npm, or "" when they were up to date."""
    (root / "npm-calls").unlink(missing_ok=True)
    WebPackages(root, steps_of(root)).install(dev=dev)
    return (root / "npm-calls").read_text() if (root / "npm-calls").exists() else ""


def test_npm_install_omits_test_tools_for_run(checkout: Path) -> None:
    assert npm_install(checkout, dev=False).startswith("ci --prefer-offline")
    assert npm_install(checkout, dev=False) == ""


def test_npm_install_for_tests_adds_to_run_packages(checkout: Path) -> None:
    assert "--omit=dev" in npm_install(checkout, dev=False)
    assert npm_install(checkout, dev=True).startswith("install --no-save")
    # The packages of the tests include those of the product.
    assert npm_install(checkout, dev=False) == ""
    (checkout / "package-lock.json").write_text('{"packages": {"": {}}}')
    again = npm_install(checkout, dev=True)
    assert again.startswith("ci ")
    assert "--omit" not in again


def test_first_failure_ends_other_steps(checkout: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    put_program(tmp_path, monkeypatch, "npm", 'echo "npm error no network"; exit 1')
    monkeypatch.setattr(install, "ROOT", checkout)
    monkeypatch.setattr(install, "LOGS", checkout / "artifacts" / "setup")
    monkeypatch.setattr(install, "check_node", lambda: None)

    def sleep(self: PythonPackages, *, dev: bool) -> None:
        self._steps.run("Python packages", [["sleep", "600"]], "python")

    monkeypatch.setattr(python_packages.PythonPackages, "install", sleep)
    with pytest.raises(SetupError, match=r"^Web packages failed: npm error no network"):
        install.setup(dev=False)


def test_uv_settings_come_from_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("UV_INDEX_STRATEGY", *python_packages.UV_VARIABLES.values()):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UV_FIND_LINKS", "mine")
    config = (
        "global.index-url='https://mirror.example/simple'\n"
        "global.extra-index-url='\\nhttps://a.example\\nhttps://b.example'\n"
        ":env:.find-links='/wheels'\nglobal.timeout='60'\n"
    )
    assert uv_settings(config) == {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "UV_INDEX": "https://a.example https://b.example",
    }


@pytest.mark.parametrize(
    ("version", "sentence"),
    [("v18.20.1", "is v18.20.1: install a newer one"), ("v20.3.0", "is v20.3.0"), ("gibberish", "is gibberish")],
)
def test_old_node_gives_one_sentence(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, sentence: str
) -> None:
    put_program(tmp_path, monkeypatch, "node", f"echo {version}")
    with pytest.raises(SetupError, match=sentence):
        check_node()


@pytest.mark.parametrize("version", ["v20.19.0", "v22.1.0"])
def test_new_node_is_accepted(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    put_program(tmp_path, monkeypatch, "node", f"echo {version}")
    check_node()


def run_bootstrap(*words: str, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, BOOTSTRAP, *words],
        env={"PATH": path},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_missing_node_gives_one_sentence(tmp_path: Path) -> None:
    done = run_bootstrap("setup", path=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == "Porchlight needs Node 20.19 or newer with npm: install it and try again.\n"


def test_full_disk_gives_one_sentence(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12, 900_000_000))
    shutil.rmtree(checkout / ".venv")
    with pytest.raises(SetupError, match=r"nearly full \(900 MB free, 2500 MB needed\)"):
        check_disk(checkout)


def test_bootstrap_parses_on_old_python() -> None:
    ast.parse(BOOTSTRAP.read_text(), feature_version=(3, 4))


def run_as_python_39(*, path: str) -> subprocess.CompletedProcess[str]:
    """Run the bootstrap as if this were Python 3.9."""
    script = (
        "import sys; sys.version_info = (3, 9, 2, 'final', 0); sys.argv = [sys.argv[1], 'setup'];"
        "names = {'__name__': '__main__', '__file__': sys.argv[0]};"
        "exec(compile(open(sys.argv[0]).read(), sys.argv[0], 'exec'), names)"
    )
    return subprocess.run(
        [sys.executable, "-c", script, BOOTSTRAP],
        env={"PATH": path},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_old_python_gives_one_sentence(tmp_path: Path) -> None:
    done = run_as_python_39(path=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("Porchlight needs Python 3.11 or newer, and this is Python 3.9: install a newer")
    assert done.stderr.count("\n") == 1


def test_old_python_hands_over_to_newer_one(tmp_path: Path) -> None:
    newer = tmp_path / "python3.12"
    newer.write_text('#!/bin/sh\n[ "$1" = -c ] && exit 0\necho "runs: $2"\n')
    newer.chmod(0o755)
    done = run_as_python_39(path=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "runs: setup\n")


def test_clean_state_deletes_data_elsewhere(tmp_path: Path) -> None:
    state = StateFolder(tmp_path / "state")
    state.acquire()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (state.path / "postgres").mkdir()
    (state.path / "postgres" / "location").write_text(f"{elsewhere}\n")
    with pytest.raises(SetupError, match=r"^Porchlight is running from .*: stop it first"):
        clean_state(state.path)
    assert elsewhere.exists()
    state.release()
    clean_state(state.path)
    assert not state.path.exists()
    assert not elsewhere.exists()
    clean_state(state.path)


def test_clean_state_keeps_other_folders(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(SetupError, match="is not a state folder of Porchlight"):
        clean_state(tmp_path)
    assert (tmp_path / "thesis.txt").exists()
