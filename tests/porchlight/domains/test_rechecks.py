"""Custom domains outside of the console: the worker, the command line, and certificates."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from porchlight.features.domains.actions import DomainChecker, check_due_domains
from porchlight.features.domains.certificates import TlsServer
from porchlight.features.domains.recheck_jobs import CHECK_TASK
from porchlight.features.domains.resolver import DnsResolver
from porchlight.worker import app as worker_app
from tenants.kit import clock
from tests.fixtures.command_line import run_command
from tests.fixtures.databases import Database
from tests.fixtures.dns_server import DnsServer
from tests.fixtures.jobs import create_job_dependencies
from tests.fixtures.ports import free_ports
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.owner import GuruOwner

DOMAIN = "www.chef-rosa.example"


@contextmanager
def _tls_server(folder: Path, name: str) -> Iterator[int]:
    """Run a TLS server with a certificate of one name. Yield its port."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = clock.now()
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=60))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    encodings = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    pem = folder / "server.pem"
    pem.write_bytes(key.private_bytes(*encodings) + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    port = free_ports()

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    serving = asyncio.run_coroutine_threadsafe(asyncio.start_server(answer, "127.0.0.1", port, ssl=context), loop)
    server = serving.result(30)
    try:
        yield port
    finally:
        asyncio.run_coroutine_threadsafe(_close(server), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _close(server: asyncio.Server) -> None:
    server.close()


def test_certificate_is_read_for_its_name_only(tmp_path: Path) -> None:
    with _tls_server(tmp_path, DOMAIN) as port:
        server = TlsServer(BASE_HOST, port)
        until = server.valid_until(DOMAIN, 30)
        assert until is not None
        assert timedelta(days=59) < until - clock.now() <= timedelta(days=60)
        assert server.valid_until("www.other.example", 30) is None
    assert TlsServer(BASE_HOST, free_ports()).valid_until(DOMAIN, 30) is None


async def test_worker_connects_due_domain(
    database: Database, rosa: GuruOwner, dns: DnsServer, service_db: psycopg.Connection[Any], tmp_path: Path
) -> None:
    added = await rosa.call("POST", "/domains", {"domain": DOMAIN}, expect=201)
    dns.zone[(DOMAIN, "CNAME")] = [added["records"][0]["value"] + "."]
    with _tls_server(tmp_path, DOMAIN) as port:
        checker = DomainChecker(DnsResolver(dns.address), TlsServer(BASE_HOST, port), BASE_HOST)
        assert await asyncio.to_thread(check_due_domains, database.service_url, checker) == 0
        service_db.execute("UPDATE domains SET next_check_at = app.now()")
        assert await asyncio.to_thread(check_due_domains, database.service_url, checker) == 1
    (domain,) = (await rosa.call("GET", "/domains"))["domains"]
    assert (domain["status"], bool(domain["certificateUntil"])) == ("connected", True)
    assert await asyncio.to_thread(check_due_domains, database.service_url, checker) == 0


async def test_worker_leaves_domain_of_other_site(
    database: Database, rosa: GuruOwner, theo: GuruOwner, dns: DnsServer, service_db: psycopg.Connection[Any]
) -> None:
    await rosa.call("POST", "/domains", {"domain": DOMAIN}, expect=201)
    added = await theo.call("POST", "/domains", {"domain": DOMAIN}, expect=201)
    service_db.execute("UPDATE domains SET verified_at = app.now() WHERE tenant_id = %s", [rosa.guru.id])
    service_db.execute("UPDATE domains SET next_check_at = app.now() WHERE tenant_id = %s", [theo.guru.id])
    dns.zone[(DOMAIN, "CNAME")] = [added["records"][0]["value"] + "."]
    checker = DomainChecker(DnsResolver(dns.address), TlsServer(BASE_HOST, free_ports()), BASE_HOST)
    assert await asyncio.to_thread(check_due_domains, database.service_url, checker) == 1
    (domain,) = (await theo.call("GET", "/domains"))["domains"]
    assert (domain["status"], domain["outcome"]) == ("waiting", "taken")


def test_worker_has_periodic_check_of_domains(database: Database, dns: DnsServer) -> None:
    services = {"resolver": DnsResolver(dns.address), "certificates": TlsServer(BASE_HOST, free_ports())}
    tasks = worker_app.build(database.service_url, create_job_dependencies(database, **services))
    assert CHECK_TASK in {name for name, _ in tasks.periodic_registry.periodic_tasks}


async def test_command_line_adds_checks_and_removes(database: Database, rosa: GuruOwner, dns: DnsServer) -> None:
    env = {
        "PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url,
        "PORCHLIGHT_BASE_HOST": BASE_HOST,
        "PORCHLIGHT_HTTPS_PORT": str(free_ports()),
        "PORCHLIGHT_DNS_SERVERS": dns.address,
    }

    async def run(*words: str) -> tuple[int, str]:
        return await asyncio.to_thread(run_command, "domain", *words, env=env)

    assert (await run("add", "alpha", DOMAIN))[0] == 0
    code, output = await run("check", "alpha", DOMAIN)
    assert (code, "waiting  no_record" in output) == (0, True), output
    dns.zone[(DOMAIN, "CNAME")] = [output.split()[-1] + "."]
    code, output = await run("check", "alpha", DOMAIN)
    assert (code, "connected  ok" in output) == (0, True), output
    code, output = await run("add", "beta", DOMAIN, "--verified")
    assert (code, "another site" in " ".join(output.split())) == (1, True)
    assert (await run("add", "alpha", f"shop.{BASE_HOST}"))[0] == 1
    code, output = await run("list", "alpha")
    assert (code, output.count(DOMAIN)) == (0, 1)
    assert (await run("remove", "alpha", DOMAIN))[0] == 0
    code, output = await run("remove", "alpha", DOMAIN)
    assert (code, "has no domain" in " ".join(output.split())) == (1, True)
    assert (await rosa.call("GET", "/domains"))["domains"] == []
