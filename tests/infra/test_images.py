"""Production files: Dockerfile, compose file, Caddyfile and example settings. Docker is not needed."""

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

from porchlight_dev.environment import ROOT
from tests.infra.deployment import BIN, CADDYFILE

INFRA = ROOT / "infra"
DOCKERFILE = INFRA / "Dockerfile"
COMPOSE = INFRA / "compose.yaml"
GUIDE = INFRA / "README.md"
# Set by another stage, or by the operator on the command line.
OPTIONAL = {"PORCHLIGHT_RELEASE", "PGBOUNCER_USERLIST"}


def copy_instructions() -> Iterator[tuple[list[str], str]]:
    """Yield sources and target of the COPY instructions that copy files of the repository."""
    for line in DOCKERFILE.read_text().splitlines():
        if line.startswith("COPY ") and "--from=" not in line:
            *sources, target = line.split()[1:]
            yield sources, target


def dockerfile_stages() -> list[str]:
    return re.findall(r"^FROM \S+ AS (\S+)$", DOCKERFILE.read_text(), re.M)


def tracked_files() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


def is_in_build_context(path: str) -> bool:
    """Return whether the build context includes a path. The last matching pattern decides, as in Docker."""
    is_included = True
    for pattern in (INFRA / "Dockerfile.dockerignore").read_text().splitlines():
        if not pattern or pattern.startswith("#"):
            continue
        plain_pattern = pattern.lstrip("!")
        if plain_pattern.startswith("**/"):
            is_match = plain_pattern[3:] in path.split("/")
        else:
            is_match = fnmatch(path, plain_pattern) or path.startswith(plain_pattern + "/")
        if is_match:
            is_included = pattern.startswith("!")
    return is_included


def test_dockerfile_copied_files_exist_and_are_included() -> None:
    files = tracked_files()
    for sources, _ in copy_instructions():
        for source in sources:
            matching = [name for name in files if name == source or name.startswith(source + "/")]
            assert matching or (ROOT / source).is_file(), f"{source} is not there"
            assert any(map(is_in_build_context, matching or [source])), f"{source} is ignored"
    assert not is_in_build_context("infra/.env")
    assert not is_in_build_context(".git/config")
    assert not is_in_build_context("main-web/node_modules/x/index.js")
    assert not is_in_build_context("guru-web/out/index.html")


def test_dockerfile_copies_every_npm_workspace() -> None:
    copied = [source for sources, _ in copy_instructions() for source in sources]
    for workspace in json.loads((ROOT / "package.json").read_text())["workspaces"]:
        assert {workspace, f"{workspace}/package.json"}.intersection(copied), workspace


def test_dockerfile_named_stages_exist() -> None:
    named = re.findall(r"--from=(\S+)", DOCKERFILE.read_text())
    targets = [service["build"]["target"] for service in compose_file()["services"].values() if "build" in service]
    assert named
    assert set(named) | set(targets) <= set(dockerfile_stages())


def test_image_folders_suffice_to_run_cli(tmp_path: Path) -> None:
    """Copy the folders as the API's image does; the command line must work."""
    app = tmp_path / "app"
    after = DOCKERFILE.read_text().split("AS webs\n", 1)[1].split("FROM ", 1)[0]
    for source, target in re.findall(r"^COPY (\w+) (\w+)$", after, re.M):
        shutil.copytree(ROOT / source, app / target, ignore=shutil.ignore_patterns("__pycache__"))
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{app}{os.pathsep}{app / 'platform'}"}
    script_ = "import porchlight, sites, tenants; print(porchlight.__file__, sites.__file__, tenants.__file__)"
    result = subprocess.run(
        [sys.executable, "-c", script_], env=env, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert all(path.startswith(str(app)) for path in result.stdout.split())
    script = (INFRA / "porchlight").read_text()
    result = subprocess.run(
        [sys.executable, "-", "openapi"],
        input=script,
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(result.stdout)["openapi"].startswith("3.")


def test_image_installs_packages_by_hash() -> None:
    text = DOCKERFILE.read_text()
    assert "--require-hashes" in text
    assert "npm ci" in text
    lock = (ROOT / "requirements.lock").read_text()
    assert "--hash=sha256:" in lock


# The compose file


def compose_file() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())
    return loaded


def example_env() -> dict[str, str]:
    lines = (INFRA / "example.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_example_env_lists_every_setting() -> None:
    wanted = set(re.findall(r"\$\{([A-Z_]+)", COMPOSE.read_text())) - OPTIONAL
    assert wanted == set(example_env())


def test_example_env_holds_no_secret() -> None:
    for name, value in example_env().items():
        if re.search(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIALS", name):
            assert value == "", name
        if "DATABASE_URL" in name and value:
            assert ":PASSWORD@" in value


def test_compose_services_are_hardened() -> None:
    services = compose_file()["services"]
    for name, service in services.items():
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not service.get("privileged"), name
        if name != "postgres":  # its entrypoint drops root
            assert service["read_only"] is True, name
            assert service["cap_drop"] == ["ALL"], name
        if name in ("caddy", "api", "postgres"):
            assert service["healthcheck"]["test"], name
    final = re.findall(r"^USER (\S+)$", DOCKERFILE.read_text(), re.M)
    assert final == ["porchlight", "porchlight"]
    assert [name for name, service in services.items() if "ports" in service] == ["caddy", "mail"]


def test_compose_file_references_are_valid() -> None:
    loaded = compose_file()
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


def adapt_caddyfile(**env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BIN / "caddy", "adapt", "--config", CADDYFILE, "--adapter", "caddyfile"],
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("mode", ["internal", "ondemand", "files"])
def test_caddyfile_adapts_in_each_tls_mode(mode: str) -> None:
    result = adapt_caddyfile(
        PORCHLIGHT_TLS=mode, PORCHLIGHT_BASE_HOST="porchlight.example", PORCHLIGHT_API="a:8000 b:8000"
    )
    assert result.returncode == 0, result.stderr
    config = json.loads(result.stdout)
    assert config["apps"]["tls"]["automation"]["on_demand"]["permission"]["endpoint"].endswith("/internal/tls-check")
    listening = {address for server in config["apps"]["http"]["servers"].values() for address in server["listen"]}
    assert listening == {":443", ":80", "127.0.0.1:2020"}
    assert json.dumps({"dial": "a:8000"}) in json.dumps(config)
    assert json.dumps({"dial": "b:8000"}) in json.dumps(config)


def test_caddyfile_wildcard_requires_dns_module() -> None:
    result = adapt_caddyfile(PORCHLIGHT_BASE_HOST="porchlight.example", PORCHLIGHT_DNS_PROVIDER="anydns")
    assert result.returncode != 0
    assert "module not registered: dns.providers.anydns" in result.stderr
    assert "(import tls-wildcard)" in result.stderr


def test_caddyfile_is_formatted_by_caddy() -> None:
    result = subprocess.run([BIN / "caddy", "fmt", CADDYFILE], capture_output=True, text=True, check=True)
    assert result.stdout == CADDYFILE.read_text()


def test_infra_guide_names_every_setting() -> None:
    guide = GUIDE.read_text()
    for name in re.findall(r"\{\$([A-Z_]+)", CADDYFILE.read_text()):
        assert f"`{name}`" in guide, name
