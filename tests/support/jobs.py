"""The jobs that wait, done as a worker does them."""

from __future__ import annotations

from porchlight import jobs


async def do_jobs(dsn: str, helpers: jobs.Helpers, *, wait: bool = False) -> None:
    """Do what waits, and return; `wait`: go on until cancelled."""
    worker = jobs.build(dsn, helpers)
    # What the clock asks for would be done as well, in whichever test a minute begins.
    worker.periodic_registry.periodic_tasks.clear()
    async with worker.open_async():
        await worker.run_worker_async(wait=wait, listen_notify=False, install_signal_handlers=False)
