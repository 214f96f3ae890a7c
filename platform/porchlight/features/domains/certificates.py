"""Certificates of custom domains, read from our own TLS server: no other host is contacted."""

from __future__ import annotations

import socket
import ssl
from datetime import datetime

from cryptography import x509


class TlsServer:
    """The server that terminates TLS for all domains (Caddy), as browsers reach it."""

    def __init__(self, host: str, port: int) -> None:
        # Python does not resolve names below localhost, which are this machine (RFC 6761).
        self._address = ("127.0.0.1" if host.endswith(".localhost") else host, port)

    def valid_until(self, domain: str, timeout_seconds: float) -> datetime | None:
        """Return until when the certificate of a domain is valid; None without one. The first call requests it."""
        # The certificate is read, not trusted: browsers verify its issuer.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        try:
            with (
                socket.create_connection(self._address, timeout=timeout_seconds) as plain,
                context.wrap_socket(plain, server_hostname=domain) as connection,
            ):
                encoded = connection.getpeercert(binary_form=True)
        except OSError:  # refused, timed out, or no certificate for this name
            return None
        certificate = x509.load_der_x509_certificate(encoded) if encoded else None
        return certificate.not_valid_after_utc if certificate and _names(certificate, domain) else None


def _names(certificate: x509.Certificate, domain: str) -> bool:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return False
    return domain in names.get_values_for_type(x509.DNSName)
