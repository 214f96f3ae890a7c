"""What production is made of: images, the compose file, the example of its settings. No Docker is needed to test it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from porchlight.local.parts import ROOT
from tests.infra.house import BIN, CADDYFILE

INFRA = ROOT / "infra"
DOCKERFILE = INFRA / "Dockerfile"
COMPOSE = INFRA / "compose.yaml"
GUIDE = INFRA / "README.md"
# Made by another stage, or named at the command line by an operator who wants them.
OPTIONAL = {"PORCHLIGHT_RELEASE", "PGBOUNCER_USERLIST"}


def copies() -> Iterator[tuple[list[str], str]]:
    """The COPY lines that take files of the repository: sources and target."""
    for line in DOCKERFILE.read_text().splitlines():
        if line.startswith("COPY ") and "--from=" not in line:
            *sources, target = line.split()[1:]
            yield sources, target


def stages() -> list[str]:
    return re.findall(r"^FROM \S+ AS (\S+)$", DOCKERFILE.read_text(), re.M)


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


def in_context(path: str) -> bool:
    """Whether the ignore file lets a path into the build; the last pattern that matches decides, as Docker has it."""
    inside = True
    for pattern in (INFRA / "Dockerfile.dockerignore").read_text().splitlines():
        if not pattern or pattern.startswith("#"):
            continue
        bare = pattern.lstrip("!")
        if bare.startswith("**/"):
            hit = bare[3:] in path.split("/")
        else:
            hit = fnmatch(path, bare) or path.startswith(bare + "/")
        if hit:
            inside = pattern.startswith("!")
    return inside


def test_every_file_that_is_copied_exists_and_is_let_in() -> None:
    files = tracked()
    for sources, _ in copies():
        for source in sources:
            below = [name for name in files if name == source or name.startswith(source + "/")]
            assert below or (ROOT / source).is_file(), f"{source} is not there"
            assert any(map(in_context, below or [source])), f"{source} is ignored"
    assert not in_context("infra/.env")
    assert not in_context(".git/config")
    assert not in_context("main-web/node_modules/x/index.js")
    assert not in_context("guru-web/out/index.html")


def test_every_workspace_of_the_lock_is_known_to_npm() -> None:
    copied = [source for sources, _ in copies() for source in sources]
    for workspace in json.loads((ROOT / "package.json").read_text())["workspaces"]:
        assert {workspace, f"{workspace}/package.json"}.intersection(copied), workspace


def test_every_stage_that_is_named_exists() -> None:
    named = re.findall(r"--from=(\S+)", DOCKERFILE.read_text())
    targets = [service["build"]["target"] for service in compose()["services"].values() if "build" in service]
    assert named
    assert set(named) | set(targets) <= set(stages())


def test_what_the_image_carries_is_enough_to_run(tmp_path: Path) -> None:
    """The folders of the API's image, put where the image has them, make the command line work."""
    app = tmp_path / "app"
    after = DOCKERFILE.read_text().split("AS webs\n", 1)[1].split("FROM ", 1)[0]
    for source, target in re.findall(r"^COPY (\w+) (\w+)$", after, re.M):
        shutil.copytree(ROOT / source, app / target, ignore=shutil.ignore_patterns("__pycache__"))
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{app}{os.pathsep}{app / 'platform'}"}
    where = "import porchlight.cli, sites, tenants; print(porchlight.cli.__file__, sites.__file__, tenants.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", where], env=env, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert all(path.startswith(str(app)) for path in done.stdout.split())
    script = (INFRA / "porchlight").read_text()
    done = subprocess.run(
        [sys.executable, "-", "openapi"],
        input=script,
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["openapi"].startswith("3.")


def test_packages_are_installed_by_their_hashes() -> None:
    text = DOCKERFILE.read_text()
    assert "--require-hashes" in text
    assert "npm ci" in text
    lock = (ROOT / "requirements.lock").read_text()
    assert "--hash=sha256:" in lock


# The compose file


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())
    return loaded


def example() -> dict[str, str]:
    lines = (INFRA / "example.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_every_setting_is_in_the_example_and_used() -> None:
    wanted = set(re.findall(r"\$\{([A-Z_]+)", COMPOSE.read_text())) - OPTIONAL
    assert wanted == set(example())


def test_the_example_holds_no_secret() -> None:
    for name, value in example().items():
        if re.search(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIALS", name):
            assert value == "", name
        if "DATABASE_URL" in name and value:
            assert ":PASSWORD@" in value


def test_services_are_hardened() -> None:
    services = compose()["services"]
    for name, service in services.items():
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not service.get("privileged"), name
        if name != "postgres":  # its own entrypoint gives up root
            assert service["read_only"] is True, name
            assert service["cap_drop"] == ["ALL"], name
        if name in ("caddy", "api", "postgres"):
            assert service["healthcheck"]["test"], name
    final = re.findall(r"^USER (\S+)$", DOCKERFILE.read_text(), re.M)
    assert final == ["porchlight", "porchlight"]
    assert [name for name, service in services.items() if "ports" in service] == ["caddy"]


def test_the_compose_file_holds_together() -> None:
    loaded = compose()
    services = loaded["services"]
    for name, service in services.items():
        assert set(service.get("depends_on", {})) <= set(services), name
        assert set(service["networks"]) <= set(loaded["networks"]), name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("./"):
                assert (INFRA / source).is_file(), volume
            elif not source.startswith("${"):
                assert source in loaded["volumes"], volume
    proxy = services["caddy"]["networks"]["edge"]["ipv4_address"]
    assert services["api"]["environment"]["PORCHLIGHT_TRUSTED_PROXIES"] == proxy
    assert "inside" not in services["caddy"]["networks"]
    assert "PORCHLIGHT_OWNER_DATABASE_URL" not in services["api"]["environment"]
    assert "POSTGRES_PASSWORD" not in json.dumps(services["api"])


# The Caddyfile


def adapted(**env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BIN / "caddy", "adapt", "--config", CADDYFILE, "--adapter", "caddyfile"],
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("mode", ["internal", "ondemand", "files"])
def test_every_way_to_certificates_is_a_configuration(mode: str) -> None:
    done = adapted(PORCHLIGHT_TLS=mode, PORCHLIGHT_BASE_HOST="porchlight.example", PORCHLIGHT_API="a:8000 b:8000")
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert made["apps"]["tls"]["automation"]["on_demand"]["permission"]["endpoint"].endswith("/internal/tls-check")
    listening = {address for server in made["apps"]["http"]["servers"].values() for address in server["listen"]}
    assert listening == {":443", ":80", "127.0.0.1:2020"}
    assert json.dumps({"dial": "a:8000"}) in json.dumps(made)
    assert json.dumps({"dial": "b:8000"}) in json.dumps(made)


def test_the_wildcard_asks_for_a_dns_module_and_nothing_else() -> None:
    done = adapted(PORCHLIGHT_BASE_HOST="porchlight.example", PORCHLIGHT_DNS_PROVIDER="anydns")
    assert done.returncode != 0
    assert "module not registered: dns.providers.anydns" in done.stderr
    assert "(import tls-wildcard)" in done.stderr


def test_it_is_formatted() -> None:
    done = subprocess.run([BIN / "caddy", "fmt", CADDYFILE], capture_output=True, text=True, check=True)
    assert done.stdout == CADDYFILE.read_text()


def test_the_guide_names_every_setting() -> None:
    guide = GUIDE.read_text()
    for name in re.findall(r"\{\$([A-Z_]+)", CADDYFILE.read_text()):
        assert f"`{name}`" in guide, name
