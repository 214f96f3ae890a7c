"""Caddy as a service: TLS in front of the API, with certificates from its internal authority."""

from __future__ import annotations

import os

from porchlight_dev.environment import BASE_HOST, ROOT, DevEnvironment, program
from porchlight_dev.probes import http_probe
from porchlight_dev.processes import require_free_port
from porchlight_dev.supervisor import DevService

ADMIN_SOCKET = "admin.sock"


def caddy_service(environment: DevEnvironment) -> DevService | None:
    """Return Caddy, or None without a TLS port."""
    if environment.tls_port is None:
        return None
    tls_port = environment.tls_port
    folder = environment.state.path / "caddy"

    async def prepare() -> None:
        folder.mkdir(exist_ok=True)
        # A killed run leaves its socket behind.
        (folder / ADMIN_SOCKET).unlink(missing_ok=True)
        require_free_port(tls_port, "https")
        require_free_port(environment.ask_port, "Caddy's certificate checks")
        require_free_port(environment.redirect_port, "plain HTTP")

    argv = [program("caddy"), "run", "--config", str(ROOT / "infra" / "Caddyfile"), "--adapter", "caddyfile"]
    environment.facts["tls_url"] = environment.tls_url
    environment.facts["tls_ca"] = str(folder / "caddy" / "pki" / "authorities" / "local" / "root.crt")
    return DevService(
        name="caddy",
        argv=lambda: argv,
        env={
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
            # Relative to the working folder, because socket paths have a short maximum length.
            "CADDY_ADMIN": f"unix/{ADMIN_SOCKET}",
            "PORCHLIGHT_BIND": "127.0.0.1",
            "PORCHLIGHT_BASE_HOST": BASE_HOST,
            "PORCHLIGHT_API": f"127.0.0.1:{environment.port}",
            "PORCHLIGHT_HTTPS_PORT": str(tls_port),
            "PORCHLIGHT_HTTPS_SUFFIX": f":{tls_port}",
            "PORCHLIGHT_HTTP_PORT": str(environment.redirect_port),
            "PORCHLIGHT_ASK_PORT": str(environment.ask_port),
            "PORCHLIGHT_PROTOCOLS": "h1 h2",
            "PORCHLIGHT_TLS": "internal",
            # The same hosts also answer without TLS, so browsers must not remember HSTS.
            "PORCHLIGHT_HSTS": "max-age=0",
            "PORCHLIGHT_CUSTOM_HSTS": "max-age=0",
            "PORCHLIGHT_MAIN_WEB": str(ROOT / "main-web" / "dist"),
            "PORCHLIGHT_GURU_WEB": str(ROOT / "guru-web" / "out"),
            "PORCHLIGHT_PUBLISHED_DIR": str(environment.state.path / "published"),
        },
        prepare=prepare,
        ready=http_probe(tls_port, "/", tls=True),
        cwd=folder,
    )
