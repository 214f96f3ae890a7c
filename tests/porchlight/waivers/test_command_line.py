"""`porchlight waivers verify`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from porchlight.cli.main import app
from porchlight.features.waivers.keys import WaiverKeyring
from tests.fixtures.product import run_program
from tests.porchlight.waivers.samples import KEY, OLD_KEY, create_receipt


@pytest.fixture
def receipt(tmp_path: Path) -> Path:
    path = tmp_path / "receipt.zip"
    path.write_bytes(create_receipt(1))
    return path


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return write_keys(tmp_path / "keys.json", WaiverKeyring((KEY, OLD_KEY)))


def write_keys(path: Path, keyring: WaiverKeyring) -> Path:
    path.write_text(json.dumps(keyring.public_key_set()))
    return path


def verify(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["waivers", "verify", *map(str, arguments)])


def test_verify_command_needs_no_database(receipt: Path, keys: Path) -> None:
    env = {"DATABASE_URL": "", "PORCHLIGHT_OVERSEER_DATABASE_URL": "", "PORCHLIGHT_ENV": "production"}
    code, output = run_program("waivers", "verify", str(receipt), "--keys", str(keys), env=env)
    assert code == 0, output
    assert output.splitlines()[-1] == "The receipt is valid."
    assert all(line.startswith("ok    ") for line in output.splitlines()[:-1])


def test_verify_command_without_keys_proves_nothing(receipt: Path) -> None:
    result = verify(receipt)
    assert result.exit_code == 2
    assert "The receipt is valid" not in result.stdout
    assert "No keys file was given, so the key 2026 in the receipt was used." in result.stdout


def test_verify_command_of_changed_receipt_exits_1(receipt: Path, keys: Path) -> None:
    data = bytearray(receipt.read_bytes())
    data[len(data) // 2] ^= 1
    receipt.write_bytes(data)
    result = verify(receipt, "--keys", keys)
    assert result.exit_code == 1
    assert "fault " in result.stdout
    assert "The receipt is valid" not in result.stdout


def test_verify_command_with_other_keys_exits_1(receipt: Path, tmp_path: Path) -> None:
    others = write_keys(tmp_path / "others.json", WaiverKeyring((OLD_KEY,)))
    result = verify(receipt, "--keys", others)
    assert result.exit_code == 1
    assert "fault The keys file does not have the key 2026." in result.stdout


def test_verify_command_of_unreadable_file_exits_1(receipt: Path, tmp_path: Path) -> None:
    for arguments in ([tmp_path / "none.zip"], [tmp_path], [receipt, "--keys", tmp_path], [receipt, "--keys", receipt]):
        result = verify(*arguments)
        assert result.exit_code == 1
        assert not isinstance(result.exception, OSError)
