"""Commands for waivers. Verification of a receipt needs neither a database nor settings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from porchlight.cli.terminal import fail

waivers_app = typer.Typer(help="Liability waivers.", no_args_is_help=True)


@waivers_app.command("verify")
def waivers_verify(
    receipt: Annotated[Path, typer.Argument(metavar="FILE.zip", help="The receipt.")],
    keys: Annotated[Path | None, typer.Option(help="The published keys: porchlight-waiver-keys.json.")] = None,
) -> None:
    """Verify a waiver's receipt offline. Prints each check; the exit code is 0 if all passed, else 1."""
    from porchlight.features.waivers.keys import MAX_KEY_SET_BYTES, parse_key_set
    from porchlight.features.waivers.receipts import MAX_RECEIPT_BYTES, verify_receipt

    published = None
    if keys is not None:
        try:
            published = parse_key_set(_read(keys, MAX_KEY_SET_BYTES))
        except ValueError as error:
            raise fail(f"The keys file cannot be used: {error}") from error
    checks = verify_receipt(_read(receipt, MAX_RECEIPT_BYTES), published)
    for check in checks:
        sys.stdout.write(f"{'ok' if check.passed else 'fault':6}{check.sentence}\n")
    if not all(check.passed for check in checks):
        raise fail("The receipt is not valid.")
    sys.stdout.write("The receipt is valid.\n")


def _read(path: Path, max_bytes: int) -> bytes:
    """Return a file's content, cut one byte above the limit."""
    try:
        with path.open("rb") as file:
            return file.read(max_bytes + 1)
    except OSError as error:
        raise fail(f"{path} cannot be read: {error.strerror}.") from error
