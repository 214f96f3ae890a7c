"""Commands for waivers. Verification of a receipt needs neither a database nor settings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from porchlight.cli.terminal import fail, service_db
from porchlight.settings.environment import Settings

waivers_app = typer.Typer(help="Liability waivers.", no_args_is_help=True)


@waivers_app.command("verify")
def waivers_verify(
    receipt: Annotated[Path, typer.Argument(metavar="FILE.zip", help="The receipt.")],
    keys: Annotated[Path | None, typer.Option(help="The published keys: porchlight-waiver-keys.json.")] = None,
) -> None:
    """Verify a waiver's receipt offline. Prints each check; the exit code is 0 if all passed, else 1.

    Without the published keys it is 2 at best: a forger can put a key of their own into a receipt.
    """
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
    if published is None:
        fail("The receipt agrees with itself, but anyone could have signed it: give the published keys with --keys.")
        raise typer.Exit(2)
    sys.stdout.write("The receipt is valid.\n")


def _read(path: Path, max_bytes: int) -> bytes:
    """Return a file's content, cut one byte above the limit."""
    try:
        with path.open("rb") as file:
            return file.read(max_bytes + 1)
    except OSError as error:
        raise fail(f"{path} cannot be read: {error.strerror}.") from error


@waivers_app.command("audit")
def waivers_audit(
    stored_heads: Annotated[
        list[str] | None, typer.Option("--head", help='A line that "head" printed and that was stored elsewhere.')
    ] = None,
) -> None:
    """Verify all chains, signatures, records and PDFs of the database. The exit code is 0 if all are valid, else 1."""
    from porchlight.features.waivers.audit import audit_fault, chain_heads, has_head
    from porchlight.features.waivers.chain import ChainHead
    from porchlight.features.waivers.keys import waiver_keyring

    expected: list[tuple[str, ChainHead]] = []
    for line in stored_heads or []:
        match line.split():
            case [chain_id, number, sha256] if number.isdecimal():
                expected.append((chain_id, ChainHead(int(number), sha256)))
            case _:
                raise fail("A head has a chain, a number and a hash, separated by spaces.")
    try:
        keys = waiver_keyring(Settings()).public_keys
    except ValueError as error:
        raise fail(str(error)) from error
    with service_db() as conn:
        error_sentence = audit_fault(conn, keys)
        for chain_id, head in expected:
            if error_sentence is None and not has_head(conn, chain_id, head):
                error_sentence = f"{chain_id}: The chain no longer has link {head.number} with this hash."
        count = len(chain_heads(conn))
    if error_sentence:
        raise fail(error_sentence)
    sys.stdout.write(f"All waivers are valid. Chains: {count}.\n")


@waivers_app.command("head")
def waivers_head() -> None:
    """Print the chain, the number and the hash of each chain's newest link. Store the lines elsewhere."""
    from porchlight.features.waivers.audit import chain_heads

    with service_db() as conn:
        for chain_id, head in chain_heads(conn).items():
            sys.stdout.write(f"{chain_id} {head.number} {head.sha256}\n")
