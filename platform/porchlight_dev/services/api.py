"""The API, which also serves both webs, as a service."""

from __future__ import annotations

import shutil
import sys

from porchlight_dev.environment import ROOT, DevEnvironment, program
from porchlight_dev.probes import http_probe
from porchlight_dev.processes import require_free_port
from porchlight_dev.supervisor import DevService


def api_service(environment: DevEnvironment) -> DevService:
    """Return the API: two workers, or one that restarts after each change of the code."""
    # The workers share their metrics in this folder; those of an earlier run are stale.
    metrics = environment.state.path / "metrics"
    port = str(environment.port)

    async def prepare() -> None:
        require_free_port(environment.port, "the product")
        shutil.rmtree(metrics, ignore_errors=True)
        metrics.mkdir()

    argv = [program("porchlight"), "serve", "--host", "127.0.0.1", "--port", port, "--workers", "2"]
    if environment.reload:
        argv = [sys.executable, "-m", "porchlight_dev.reload", "--host", "127.0.0.1", "--port", port]
    return DevService(
        name="api",
        argv=lambda: argv,
        env=environment.env | {"PROMETHEUS_MULTIPROC_DIR": str(metrics)},
        prepare=prepare,
        ready=http_probe(environment.port, "/readyz"),
        cwd=ROOT,
    )
