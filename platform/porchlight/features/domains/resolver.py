"""The Resolver for real DNS. This is the only module that imports dnspython."""

from __future__ import annotations

import dns.exception
import dns.rdatatype
import dns.rdtypes.ANY.TXT
import dns.resolver

from porchlight.ports import DnsOutage, RecordType
from tenants.kit import timeouts

DNS_PORT = 53


class DnsResolver:
    """Asks the system's name servers, or those of a setting such as "10.0.0.2,10.0.0.3:5353"."""

    def __init__(self, servers: str = "") -> None:
        self._servers = [_address(server.strip()) for server in servers.split(",") if server.strip()]

    def records(self, name: str, kind: RecordType) -> list[str]:
        """Return a name's records of a kind. Raises DnsOutage."""
        try:
            lifetime = timeouts.current.dns_lookup_seconds
            answer = self._resolver().resolve(
                f"{name}.", kind, raise_on_no_answer=False, lifetime=lifetime, search=False
            )
        except dns.resolver.NXDOMAIN:
            return []
        except dns.exception.DNSException as error:  # no server, no answer in time, or a malformed name or answer
            raise DnsOutage(type(error).__name__) from error
        if answer.rrset is None:
            return []
        return [_text(record) for record in answer.rrset if record.rdtype == dns.rdatatype.from_text(kind)]

    def _resolver(self) -> dns.resolver.Resolver:
        # Created for each lookup: the system's servers may change, and nothing is cached.
        resolver = dns.resolver.Resolver(configure=not self._servers)
        if self._servers:
            resolver.nameservers = [dns.nameserver.Do53Nameserver(host, port) for host, port in self._servers]
        return resolver


def _address(server: str) -> tuple[str, int]:
    host, colon, port = server.rpartition(":")
    return (host, int(port)) if colon and port.isdigit() and host.count(":") == 0 else (server, DNS_PORT)


def _text(record: object) -> str:
    if isinstance(record, dns.rdtypes.ANY.TXT.TXT):
        return b"".join(record.strings).decode("utf-8", "replace")
    return str(record).lower().removesuffix(".")
