"""The verifier of receipts and a second one in JavaScript, which was written from the README alone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random

from porchlight.features.waivers.keys import WaiverKeyring
from porchlight.features.waivers.receipts import verify_receipt
from tests.porchlight.waivers.samples import (
    KEY,
    OLD_KEY,
    PUBLIC_KEYS,
    create_old_receipt,
    create_receipt,
    edit_receipt,
    erase,
)

# The README is part of receipts that people keep. Never change it: add a new one and a new format.
README_SHA256 = "7f6d0ebda43255dffcd2220bc941d4db09bb5ba59ab568b14bea93ddb5938287"
_JS_VERIFIER = Path(__file__).with_name("verify_receipts.mjs")
_PARTS = ("drawnSignature", "emergencyContact", "networkAddress", "userAgent")


def compare_verifiers(random: Random, folder: Path, count: int) -> list[str]:
    """Verify receipts with both: of five, one as issued, one after an erasure and three edited ones.

    Return the names of those with different verdicts, and of those where both are wrong.
    """
    receipts = folder / "receipts"
    receipts.mkdir()
    verdicts: dict[str, bool] = {}
    expected: dict[str, bool] = {}
    for number in range(count):
        receipt = create_receipt(number % 10) if number else create_old_receipt()
        if number % 5 == 1:
            receipt = erase(receipt, *random.sample(_PARTS, random.randrange(5)))
        elif number % 5 > 1:
            receipt = edit_receipt(random, receipt, create_receipt((number + 1) % 10))
        name = f"{number}.zip"
        (receipts / name).write_bytes(receipt)
        verdicts[name] = all(check.passed for check in verify_receipt(receipt, PUBLIC_KEYS))
        expected[name] = number % 5 < 2
    keys = folder / "keys.json"
    keys.write_text(json.dumps(WaiverKeyring((KEY, OLD_KEY)).public_key_set()))
    command = ["node", str(_JS_VERIFIER), str(receipts), str(keys), README_SHA256]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    second = json.loads(done.stdout)
    return [name for name in verdicts if not verdicts[name] == second[name] == expected[name]]
