"""What a person sees while the product starts: one line a step, with its time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, Task, TextColumn
from rich.progress import ProgressColumn as Column
from rich.text import Text


class Elapsed(Column):
    """Seconds with a tenth, running and then standing."""

    def render(self, task: Task) -> Text:
        """The column's text."""
        seconds = task.finished_time if task.finished else task.elapsed
        return Text(f"{seconds or 0:.1f} s", style="dim")


class Steps:
    """Shows steps that may run beside each other: live on a terminal, as plain lines elsewhere."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Progress | None = None

    @contextmanager
    def shown(self) -> Iterator[None]:
        """While this is open, steps are shown."""
        if not self._console.is_terminal:
            yield
            return
        live = Progress(
            SpinnerColumn(finished_text="[green]✓[/]"),
            TextColumn("{task.description}"),
            Elapsed(),
            console=self._console,
        )
        with live:
            self._live = live
            try:
                yield
            finally:
                self._live = None

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """One step; it stays unfinished on the screen when it fails."""
        if self._live is not None:
            task = self._live.add_task(title, total=1)
            yield
            self._live.update(task, completed=1)
            return
        began = time.monotonic()
        self._console.print(f"{title} ...")
        yield
        self._console.print(f"{title}: {time.monotonic() - began:.1f} s")

    def say(self, line: str) -> None:
        """A line of its own."""
        self._console.print(escape(line))
