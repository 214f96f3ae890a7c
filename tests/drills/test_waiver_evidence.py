"""Random edits of receipts and of stored waivers: all are found, and a second verifier agrees."""

from __future__ import annotations

from pathlib import Path
from random import Random

import httpx
import pytest

from porchlight.features.waivers.keys import waiver_keyring
from porchlight.features.waivers.receipts import verify_receipt
from tests.bench.figures import print_figure
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.app_client import create_settings
from tests.porchlight.conftest import app, emulator, web
from tests.porchlight.waivers.api_client import HIGH_PAYLOAD, SIGNATURE, create_waiver_user
from tests.porchlight.waivers.samples import PUBLIC_KEYS, create_receipt, edit_receipt
from tests.porchlight.waivers.sessions import create_guru, session_waiver
from tests.porchlight.waivers.stored_edits import editable_waivers, missed_edits
from tests.porchlight.waivers.verifiers import compare_verifiers

__all__ = ["app", "emulator", "web"]

pytestmark = pytest.mark.drill
STORED_EDITS, RECEIPT_EDITS, COMPARED_RECEIPTS = 1_000, 20_000, 5_000


async def test_drill_of_edits_of_stored_waivers_finds_all(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    user = await create_waiver_user(web, emulator)
    for guru in [create_guru(database) for _ in range(3)]:
        for _ in range(3):
            await user.accepted(session_waiver(guru, signature=SIGNATURE))
    await user.accepted(HIGH_PAYLOAD)
    keys = waiver_keyring(create_settings(database)).public_keys
    with editable_waivers(database) as conn:
        missed = missed_edits(Random(), conn, keys, STORED_EDITS)
    print_figure("edits of stored waivers found", STORED_EDITS - len(missed), None, "edits", least=STORED_EDITS)
    assert missed == []


def test_drill_of_edits_of_receipts_finds_all() -> None:
    random = Random()
    accepted = 0
    for number in range(RECEIPT_EDITS):
        edited = edit_receipt(random, create_receipt(number % 10), create_receipt((number + 1) % 10))
        accepted += all(check.passed for check in verify_receipt(edited, PUBLIC_KEYS))
    print_figure("edits of receipts found", RECEIPT_EDITS - accepted, None, "edits", least=RECEIPT_EDITS)
    assert accepted == 0


def test_drill_of_javascript_verifier_agrees(tmp_path: Path) -> None:
    differing = compare_verifiers(Random(), tmp_path, COMPARED_RECEIPTS)
    agreed = COMPARED_RECEIPTS - len(differing)
    print_figure("receipts with the same verdict in JavaScript", agreed, None, "receipts", least=COMPARED_RECEIPTS)
    assert differing == []
