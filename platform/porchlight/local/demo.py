"""`porchlight demo`: the whole product on one machine, started step by step and kept running (DESIGN 9)."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import psycopg
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porchlight.local.errors import LocalError
from porchlight.local.identity import identity_environment
from porchlight.local.parts import BASE_HOST, BEFORE_MIGRATIONS, PRODUCT, Stage, World, program
from porchlight.local.postgres import LocalPostgres
from porchlight.local.processes import end_processes, parts_of
from porchlight.local.progress import Steps
from porchlight.local.state import StateFolder, write_private
from porchlight.local.stripe.part import payments_environment
from porchlight.local.supervisor import Supervisor, run_to_end

SHOWN_GURUS = ("cooking", "music", "tech")
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run_demo(port: int, state: Path, tls_port: int | None, seed: bool) -> int:
    """Start the whole product, keep it running until Ctrl-C or SIGTERM, stop it; the exit code.

    Ports: `port` for the product, +1 sign-in, +2 payments, +3 database; with `tls_port` for https also +4 for Caddy's
    questions and +5 for plain HTTP. Everything that lasts is in `state`, whose `demo.json` says how to reach what
    runs. What a person can mend is said in one sentence, with exit code 1.
    """
    console = Console(highlight=False, soft_wrap=True)
    folder = StateFolder(state)
    try:
        if not 1 <= port <= 65530:
            raise LocalError(f"{port} cannot be the first of six ports: choose one between 1 and 65530 (PORT=...).")
        folder.hold()
        # A start that was killed may have left parts; the database finds its own.
        end_processes(parts_of(folder.marker))
        return asyncio.run(Demo(console, folder, port, tls_port, seed).run())
    except LocalError as error:
        console.print(f"[bold red]Porchlight stopped:[/] {escape(str(error))}")
        return 1
    finally:
        folder.release()


class Demo:
    """One start of the product."""

    def __init__(self, console: Console, state: StateFolder, port: int, tls_port: int | None, seed: bool) -> None:
        self.console = console
        self.state = state
        self.steps = Steps(console)
        self.seed = seed
        postgres = LocalPostgres(state.path / "postgres", port + 3, say=self.steps.say)
        self.world = World(port=port, tls_port=tls_port, state=state, postgres=postgres)
        self.supervisor: Supervisor
        self._signals = 0

    async def run(self) -> int:
        """Bring everything up, wait, take everything down."""
        self.supervisor = Supervisor(self.state.marker, self.state.logs, self.steps.say)
        life = asyncio.ensure_future(self._live())
        loop = asyncio.get_running_loop()
        for number in STOP_SIGNALS:
            loop.add_signal_handler(number, self._asked_to_stop, life)
        try:
            await life
        except asyncio.CancelledError:
            self.steps.say("Stopping.")
        finally:
            self.state.facts_path.unlink(missing_ok=True)
            await self.supervisor.stop()
            self.world.postgres.release()
        self.steps.say(f"Stopped. Everything is kept in {self.state.path}.")
        return 0

    def _asked_to_stop(self, life: asyncio.Future[None]) -> None:
        self._signals += 1
        if self._signals == 1:
            life.cancel()
        else:
            # Asked twice: at once, without manners. The database recovers at the next start.
            end_processes(parts_of(self.state.marker), first=signal.SIGKILL)

    async def _live(self) -> None:
        began = time.monotonic()
        with self.steps.shown():
            await self._bring_up()
        write_private(self.state.facts_path, self._facts())
        self._welcome(time.monotonic() - began)
        await self.supervisor.wait()

    async def _bring_up(self) -> None:
        world = self.world
        for stage in BEFORE_MIGRATIONS:
            await self._start(stage)
        world.env.update(self._environment())
        with self.steps.step("Migrations"):
            await self._command("migrate")
        # Left behind by a start that was killed while telling: what is told already stays as it is.
        telling = self.state.path / "telling-stories"
        if self.seed and (telling.exists() or await asyncio.to_thread(self._world_is_empty)):
            with self.steps.step("Stories"):
                telling.touch()
                await self._command("seed")
                telling.unlink()
        for group in PRODUCT:
            try:
                async with asyncio.TaskGroup() as tasks:
                    for stage in group:
                        tasks.create_task(self._start(stage))
            except ExceptionGroup as failures:
                raise failures.exceptions[0] from None

    async def _start(self, stage: Stage) -> None:
        part = stage.factory(self.world)
        if part is not None:
            with self.steps.step(stage.title):
                await self.supervisor.start(part)

    async def _command(self, name: str) -> None:
        """Run `porchlight <name>` with the owner's rights, which no serving part has."""
        owner = {"PORCHLIGHT_OWNER_DATABASE_URL": self.world.postgres.owner_url}
        await run_to_end(
            f"porchlight {name}",
            [program("porchlight"), name],
            env=self.world.env | owner,
            marker=self.state.marker,
            log_path=self.state.logs / f"{name}.log",
        )

    def _environment(self) -> dict[str, str]:
        """What every part of ours gets (DESIGN 9)."""
        world = self.world
        ours = {
            "DATABASE_URL": world.postgres.app_url,
            "PORCHLIGHT_OVERSEER_DATABASE_URL": world.postgres.overseer_url,
            "PORCHLIGHT_BASE_HOST": BASE_HOST,
            "PORCHLIGHT_MAIN_URL": world.tls_url or world.base_url,
            "PORCHLIGHT_ENV": "development",
            "PORCHLIGHT_ADMIN_KEY": self.state.secret("admin_key"),
            "PORCHLIGHT_FILES_URL": (self.state.path / "files").as_uri(),
            "PORCHLIGHT_TRUSTED_PROXIES": "127.0.0.1" if world.tls_port else "",
        }
        if world.tls_port:
            ours["PORCHLIGHT_PUBLISHED_DIR"] = str(self.state.path / "published")
            ours["PORCHLIGHT_HTTPS_PORT"] = str(world.tls_port)
        inherited = {name: value for name, value in os.environ.items() if name != "PORCHLIGHT_OWNER_DATABASE_URL"}
        return inherited | ours | identity_environment(world) | payments_environment(world)

    def _world_is_empty(self) -> bool:
        with psycopg.connect(self.world.superuser_url) as connection:
            row = connection.execute("SELECT EXISTS (SELECT FROM gurus)").fetchone()
        return not (row and row[0])

    def _facts(self) -> dict[str, Any]:
        """The contents of `demo.json`."""
        world = self.world
        return {
            "base_url": world.base_url,
            "tls_url": None,
            "tls_ca": None,
            "auth_url": None,
            "stripe_url": None,
            "database_url": world.postgres.app_url,
            "overseer_url": world.postgres.overseer_url,
            "owner_url": world.postgres.owner_url,
            "superuser_url": world.superuser_url,
            "admin_key": self.state.secret("admin_key"),
            "webhook_secret": payments_environment(world)["STRIPE_WEBHOOK_SECRET"],
            "users": [],
            "state": str(self.state.path),
            "pid": os.getpid(),
        } | world.facts

    # What a person sees

    def _welcome(self, seconds: float) -> None:
        world = self.world
        base = world.tls_url or world.base_url
        scheme, _, rest = base.partition("://")
        table = Table.grid(padding=(0, 2))
        table.add_row("Main platform", base)
        for guru in SHOWN_GURUS:
            table.add_row(f"{guru.capitalize()} guru", f"{scheme}://{guru}.{rest}")
        table.add_row("API", f"{base}/api/docs")
        table.add_row("Mailbox", f"{base}/_mail")
        table.add_row("Details", str(self.state.facts_path))
        self.console.print(f"\n[bold green]Porchlight is ready[/] after {seconds:.1f} s. Ctrl-C stops it.\n")
        self.console.print(table)
        self.console.print()
