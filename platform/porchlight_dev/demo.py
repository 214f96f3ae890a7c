"""The whole product on one machine: `porchlight demo` (`make run`) and `make dev` (docs/operations.md)."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import psycopg
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porchlight.emails.mailbox_reply import MAILBOX_SERVER
from porchlight_dev.environment import BASE_HOST, DevEnvironment, program
from porchlight_dev.errors import DevError
from porchlight_dev.postgres.server import LocalPostgres
from porchlight_dev.processes import end_processes, service_processes
from porchlight_dev.progress import StartSteps
from porchlight_dev.services import DATABASE_STEP, PAYMENTS_STEP, PRODUCT_STEPS, SIGN_IN_STEP, StartStep
from porchlight_dev.services.auth_emulator import create_demo_accounts, firebase_settings
from porchlight_dev.services.fake_stripe import stripe_settings
from porchlight_dev.state import StateFolder, write_private_json
from porchlight_dev.supervisor import Supervisor, run_command
from tenants.db.rows import fetch_value

LISTED_GURUS = ("cooking", "music", "tech")
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# The services never get the owner's URL. They may store bytecode, or each start would compile the product again.
NOT_INHERITED = ("PORCHLIGHT_OWNER_DATABASE_URL", "PYTHONDONTWRITEBYTECODE")
MAX_PORT = 65535 - 8  # the first of nine ports


def run_demo(port: int, state: Path, tls_port: int | None, seed: bool, *, reload: bool = False) -> int:
    """Start the product, run it until Ctrl-C or SIGTERM, stop it; return the exit code.

    Ports: `port` for the product, +1 sign-in, +2 payments, +3 database; with `tls_port` (https) also +4 for Caddy's
    certificate checks and +5 for plain HTTP; with `reload` also +6 for Vite and +7 for Next.js; +8 receives email. The
    folder `state` keeps all data; its `demo.json` says how to reach the services. A DevError is printed, exit code 1.
    """
    console = Console(highlight=False, soft_wrap=True)
    folder = StateFolder(state)
    try:
        if not 1 <= port <= MAX_PORT:
            raise DevError(
                f"{port} cannot be the first of nine ports: choose a port between 1 and {MAX_PORT} (PORT=...)."
            )
        folder.acquire()
        # A killed run may have left services behind. The database handles its own.
        end_processes(service_processes(folder.marker))
        return asyncio.run(Demo(console, folder, port, tls_port, seed=seed, reload=reload).run())
    except DevError as error:
        console.print(f"[bold red]Porchlight stopped:[/] {escape(str(error))}")
        return 1
    finally:
        folder.release()


class Demo:
    """One run of the product."""

    def __init__(
        self, console: Console, state: StateFolder, port: int, tls_port: int | None, *, seed: bool, reload: bool
    ) -> None:
        self.console = console
        self.state = state
        self.steps = StartSteps(console)
        self.seed = seed
        postgres = LocalPostgres(state.path / "postgres", port + 3, print_line=self.steps.print_line)
        self.environment = DevEnvironment(port=port, tls_port=tls_port, state=state, postgres=postgres, reload=reload)
        self.supervisor: Supervisor
        self._stop_requests = 0

    async def run(self) -> int:
        """Start everything, wait, stop everything."""
        self.supervisor = Supervisor(self.state.marker, self.state.logs, self.steps.print_line)
        running = asyncio.ensure_future(self._run_until_cancelled())
        loop = asyncio.get_running_loop()
        for number in STOP_SIGNALS:
            loop.add_signal_handler(number, self._on_stop_signal, running)
        try:
            await running
        except asyncio.CancelledError:
            self.steps.print_line("Stopping.")
        finally:
            self.state.facts_path.unlink(missing_ok=True)
            await self.supervisor.stop()
            self.environment.postgres.release()
        self.steps.print_line(f"Stopped. Your data is in {self.state.path}.")
        return 0

    def _on_stop_signal(self, running: asyncio.Future[None]) -> None:
        self._stop_requests += 1
        if self._stop_requests == 1:
            running.cancel()
        else:
            # A second signal kills at once. The database recovers at the next start.
            end_processes(service_processes(self.state.marker), first=signal.SIGKILL)

    async def _run_until_cancelled(self) -> None:
        started = time.monotonic()
        reports = asyncio.create_task(self.steps.report())
        try:
            with self.steps.live():
                await self._start_all()
        except BaseExceptionGroup as failures:
            raise first_error(failures) from None
        finally:
            reports.cancel()
        write_private_json(self.state.facts_path, self._facts())
        self._print_summary(time.monotonic() - started)
        await self.supervisor.wait()

    async def _start_all(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            payments = tasks.create_task(self._start(PAYMENTS_STEP))
            sign_in = tasks.create_task(self._start(SIGN_IN_STEP))
            await self._start(DATABASE_STEP)
            self.environment.env.update(self._settings())
            with self.steps.step("Migrations"):
                await self._run_cli("migrate")
            await payments
            await self._load_demo_data()
            tasks.create_task(self._sync_plans())
            for group in PRODUCT_STEPS:
                async with asyncio.TaskGroup() as together:
                    for step in group:
                        together.create_task(self._start(step))
            await sign_in
            with self.steps.step("Accounts"):
                self.environment.facts["users"] = await asyncio.to_thread(
                    create_demo_accounts, self.environment.auth_port, self.environment.superuser_url
                )

    async def _load_demo_data(self) -> None:
        # This file remains when a run is killed while it loads the demo data; loading skips what is already there.
        loading = self.state.path / "loading-demo-data"
        if self.seed and (loading.exists() or await asyncio.to_thread(self._has_no_gurus)):
            with self.steps.step("Demo data"):
                loading.touch()
                await self._run_cli("seed")
                loading.unlink()

    async def _sync_plans(self) -> None:
        with self.steps.step("Plans"):
            await self._run_cli("billing", "sync")

    async def _start(self, step: StartStep) -> None:
        service = step.service(self.environment)
        if service is not None:
            with self.steps.step(step.title):
                await self.supervisor.start(service)

    async def _run_cli(self, *words: str) -> None:
        """Run `porchlight <words>` as the owner role, which no service gets."""
        command = " ".join(words)
        owner = {"PORCHLIGHT_OWNER_DATABASE_URL": self.environment.postgres.owner_url}
        await run_command(
            f"porchlight {command}",
            [program("porchlight"), *words],
            env=self.environment.env | owner,
            marker=self.state.marker,
            log_path=self.state.logs / f"{'-'.join(words)}.log",
        )

    def _settings(self) -> dict[str, str]:
        """Return the settings of the product (docs/operations.md)."""
        environment = self.environment
        settings = {
            "DATABASE_URL": environment.postgres.app_url,
            "PORCHLIGHT_OVERSEER_DATABASE_URL": environment.postgres.service_url,
            "PORCHLIGHT_BASE_HOST": BASE_HOST,
            "PORCHLIGHT_MAIN_URL": environment.tls_url or environment.base_url,
            "PORCHLIGHT_ENV": "development",
            "PORCHLIGHT_REPLY_DOMAIN": f"reply.{BASE_HOST}",
            "PORCHLIGHT_REPLY_PORT": str(environment.mail_port),
            "PORCHLIGHT_REPLY_SERVER": MAILBOX_SERVER,
            "PORCHLIGHT_LOCAL_CALENDARS": f"{BASE_HOST}:{environment.port}",  # the demo's own
            "PORCHLIGHT_ADMIN_KEY": self.state.secret("admin_key"),
            "PORCHLIGHT_FILES_URL": (self.state.path / "files").as_uri(),
            # Caddy and the development server of guru-web pass the visitor's host on.
            "PORCHLIGHT_TRUSTED_PROXIES": "127.0.0.1" if environment.tls_port or environment.reload else "",
        }
        if environment.tls_port:
            settings["PORCHLIGHT_PUBLISHED_DIR"] = str(self.state.path / "published")
            settings["PORCHLIGHT_HTTPS_PORT"] = str(environment.tls_port)
        inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        return inherited | settings | firebase_settings(environment) | stripe_settings(environment)

    def _has_no_gurus(self) -> bool:
        with psycopg.connect(self.environment.superuser_url) as connection:
            return not fetch_value(connection, bool, "SELECT EXISTS (SELECT FROM gurus)")

    def _facts(self) -> dict[str, Any]:
        """Return the contents of `demo.json`."""
        environment = self.environment
        return {
            "base_url": environment.base_url,
            "tls_url": None,
            "tls_ca": None,
            "auth_url": None,
            "stripe_url": None,
            "database_url": environment.postgres.app_url,
            "overseer_url": environment.postgres.service_url,
            "owner_url": environment.postgres.owner_url,
            "superuser_url": environment.superuser_url,
            "admin_key": self.state.secret("admin_key"),
            "webhook_secret": stripe_settings(environment)["STRIPE_WEBHOOK_SECRET"],
            "connect_webhook_secret": stripe_settings(environment)["STRIPE_CONNECT_WEBHOOK_SECRET"],
            "users": [],
            "state": str(self.state.path),
            "pid": os.getpid(),
        } | environment.facts

    def _print_summary(self, seconds: float) -> None:
        environment = self.environment
        base = environment.tls_url or environment.base_url
        scheme, _, rest = base.partition("://")
        table = Table.grid(padding=(0, 2))
        table.add_row("Main platform", base)
        for guru in LISTED_GURUS:
            table.add_row(f"{guru.capitalize()} guru", f"{scheme}://{guru}.{rest}")
        if environment.reload:
            table.add_row("Main platform, live edits", f"http://{BASE_HOST}:{environment.vite_port}")
            table.add_row("Cooking guru, live edits", f"http://cooking.{BASE_HOST}:{environment.next_port}")
        table.add_row("API", f"{base}/api/docs")
        table.add_row("Mailbox", f"{base}/_mail")
        table.add_row("Details", str(self.state.facts_path))
        self.console.print(f"\n[bold green]Porchlight is ready[/] after {seconds:.1f} s. Press Ctrl-C to stop it.\n")
        self.console.print(table)
        self.console.print()


def first_error(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first exception of a group, which may hold groups."""
    error: BaseException = failures
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def main() -> int:
    """Run `make dev`; return the exit code."""
    parser = argparse.ArgumentParser(prog="porchlight_dev.demo", description="Run the product for development.")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--state", type=Path, default=Path(".state"))
    parser.add_argument("--no-seed", dest="seed", action="store_false")
    options = parser.parse_args()
    return run_demo(options.port, options.state, None, options.seed, reload=True)


if __name__ == "__main__":
    sys.exit(main())
