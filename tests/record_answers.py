"""Records the answers of the real API for the web's failure tests: `python -m tests.record_answers --state .state`.

It needs a new demo without other users, and prepares in it what the pages of the tests show. The file changes only when
all tests passed: the answers of a run that failed or was stopped are not whole.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg

from tests.fixtures.clock import VARIABLE as CLOCK_VARIABLE
from tests.fixtures.product import wait_until_due_jobs_are_done
from tests.recorded_examples import EXAMPLES, PREPARED, VIEWERS

ROOT = Path(__file__).resolve().parents[1]
ANSWERS = ROOT / "main-web/src/testing/failures/answers.gen.json"


class Caller:
    """One viewer of the demo, with a session cookie."""

    def __init__(self, demo: dict[str, Any]) -> None:
        self._host = urlsplit(demo["base_url"])
        self._demo = demo
        self.user = {"uid": "", "email": "", "displayName": ""}
        self._cookies: dict[str, str] = {}
        self._date = ""
        self._http = httpx.Client(
            base_url=f"http://127.0.0.1:{self._host.port}/api",
            headers={"host": self._host.netloc, "origin": demo["base_url"]},
            timeout=120,
        )

    def sign_in(self, email: str) -> None:
        """Sign in as a user of the demo."""
        password = next(user["password"] for user in self._demo["users"] if user["email"] == email)
        accounts = f"{self._demo['auth_url'].rstrip('/')}/identitytoolkit.googleapis.com/v1/accounts"
        body = {"email": email, "password": password, "returnSecureToken": True}
        account = httpx.post(f"{accounts}:signInWithPassword?key=local", json=body, timeout=120).json()
        self.call("POST", "/auth/session", {"idToken": account["idToken"]})
        self.user = {"uid": account["localId"], "email": email, "displayName": account.get("displayName", "")}

    def call(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """Return the data of the answer. What is there already answers 409."""
        response = self._http.request(method, path, json=body, headers={"cookie": self.cookie} | (headers or {}))
        if response.is_error and response.status_code != 409:
            raise RuntimeError(f"{method} {path}: {response.status_code} {response.text}")
        self._date = response.headers["date"]
        # By hand: the client's jar keeps secure cookies for TLS only.
        for cookie in response.headers.get_list("set-cookie"):
            name, _, value = cookie.split(";")[0].partition("=")
            self._cookies[name] = value
        return response.json() if response.content else None

    def upload(self, path: str, photo: bytes) -> None:
        """Send a photo."""
        headers = {"cookie": self.cookie, "content-type": "image/png"}
        self._http.post(path, content=photo, headers=headers).raise_for_status()

    @property
    def server_time(self) -> datetime:
        """The time of the last response."""
        return parsedate_to_datetime(self._date)

    @property
    def cookie(self) -> str:
        """The value of the header."""
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items() if value.strip('"'))


def _run_statements(demo: dict[str, Any]) -> dict[str, str]:
    examples = dict(EXAMPLES)
    with psycopg.connect(demo["overseer_url"], autocommit=True) as conn:
        for name, example in EXAMPLES.items():
            if example.split(maxsplit=1)[0] in ("SELECT", "WITH", "INSERT", "UPDATE"):
                row = conn.execute(example.encode()).fetchone()
                assert row is not None, f"the demo has nothing for {name}"
                examples[name] = str(row[0])
    return examples


def record(state: Path) -> int:
    """Prepare the demo, and let the web's tests ask it. Return their exit code."""
    demo: dict[str, Any] = json.loads((state / "demo.json").read_text())
    wait_until_due_jobs_are_done(demo["overseer_url"])
    callers = {}
    for viewer, email in VIEWERS.items():
        caller = callers[viewer] = Caller(demo)
        if viewer == "staff":
            caller.call("POST", "/admin/login", {"key": demo["admin_key"]})
        elif email:
            caller.sign_in(email)
    examples = _run_statements(demo)
    for name, prepare in PREPARED.items():
        examples[name] = prepare(callers, examples)
    with tempfile.TemporaryDirectory() as folder:
        recorded, file = Path(folder) / ANSWERS.name, Path(folder) / "recording.json"
        facts = {
            "answersFile": str(recorded),
            "host": urlsplit(demo["base_url"]).netloc,
            "port": urlsplit(demo["base_url"]).port,
            "viewers": {name: {**caller.user, "cookie": caller.cookie} for name, caller in callers.items()},
            "examples": examples,
        }
        file.write_text(json.dumps(facts))
        vitest = ["npx", "vitest", "run", "--project", "main-web", "--no-file-parallelism", "src/testing/failures"]
        # What pages log about the failures that the tests cause is no failure of the recording.
        vitest.append("--silent=passed-only")
        # The demo runs at the machine's time, so the web does too. The tests move the answers to their own clock.
        env = os.environ | {"RECORD_FROM": str(file), CLOCK_VARIABLE: callers["staff"].server_time.isoformat()}
        exit_code = subprocess.run(vitest, cwd=ROOT, env=env, check=False).returncode
        if exit_code == 0:
            shutil.copyfile(recorded, ANSWERS)
        else:
            print(f"Nothing is recorded: {ANSWERS.relative_to(ROOT)} is as before.", file=sys.stderr)
        return exit_code


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", type=Path, default=Path(".state"))
    raise SystemExit(record(parser.parse_args().state))
