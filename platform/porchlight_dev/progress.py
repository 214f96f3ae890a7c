"""Progress output while the product starts: one line per step, with its duration."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, Task, TextColumn
from rich.progress import ProgressColumn as Column
from rich.text import Text

# Without a terminal, a line about the running steps appears this often.
REPORT_INTERVAL_SECONDS = 15.0


class ElapsedColumn(Column):
    """Seconds since the step started, with one decimal."""

    def render(self, task: Task) -> Text:
        """Return the text of the column."""
        seconds = task.finished_time if task.finished else task.elapsed
        return Text(f"{seconds or 0:.1f} s", style="dim")


class StartSteps:
    """Shows steps that may run at the same time: live on a terminal, as plain lines elsewhere."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Progress | None = None
        self._started: dict[str, float] = {}  # of the steps in progress, by title

    @contextmanager
    def live(self) -> Iterator[None]:
        """Show steps live while the context is open, if the console is a terminal."""
        if not self._console.is_terminal:
            yield
            return
        progress = Progress(
            SpinnerColumn(finished_text="[green]✓[/]"),
            TextColumn("{task.description}"),
            ElapsedColumn(),
            console=self._console,
        )
        with progress:
            self._live = progress
            try:
                yield
            finally:
                self._live = None

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Show one step. A step that raises stays unfinished on the screen."""
        if self._live is not None:
            task = self._live.add_task(title, total=1)
            yield
            self._live.update(task, completed=1)
            return
        started = self._started[title] = time.monotonic()
        self._console.print(f"{title} ...")
        try:
            yield
        finally:
            del self._started[title]
        self._console.print(f"{title}: {time.monotonic() - started:.1f} s")

    async def report(self) -> None:
        """Print regularly which steps are in progress and for how long, where there is no live view."""
        while True:
            await asyncio.sleep(REPORT_INTERVAL_SECONDS)
            now = time.monotonic()
            status = ", ".join(f"{title} {now - started:.0f} s" for title, started in self._started.items())
            if status:
                self.print_line(f"... {status}")

    def print_line(self, line: str) -> None:
        """Print a line of its own."""
        self._console.print(escape(line))
