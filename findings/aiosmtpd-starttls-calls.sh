#!/usr/bin/env bash
# aiosmtpd 1.4.6 (PyPI) calls connection_made twice for a connection that switches to TLS, and connection_lost once.
#
# The protocol object of a connection is used again by the TLS layer after STARTTLS. asyncio promises one call of each for
# a connection, so a server that counts its connections in these two methods counts every encrypted one for ever: with a
# limit of 100, the 101st encrypted client is sent away, and so is everyone after it. Seen: plain made 1 lost 1, encrypted
# made 2 lost 1. The script fails when the calls are balanced.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check aiosmtpd==1.4.6 trustme==1.2.1
cat > count.py <<'END'
import asyncio
import smtplib
import ssl

import trustme
from aiosmtpd.handlers import Sink
from aiosmtpd.smtp import SMTP

authority = trustme.CA()
server_context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
authority.issue_cert("127.0.0.1").configure_cert(server_context)
client_context = ssl.create_default_context()
authority.configure_trust(client_context)
calls = []


class Counted(SMTP):
    def connection_made(self, transport):
        calls.append("made")
        super().connection_made(transport)

    def connection_lost(self, error):
        calls.append("lost")
        super().connection_lost(error)
        over.set()


def talk(port, is_encrypted):
    with smtplib.SMTP("127.0.0.1", port) as connection:
        connection.ehlo()
        if is_encrypted:
            connection.starttls(context=client_context)
            connection.ehlo()


async def main():
    global over
    make = lambda: Counted(Sink(), hostname="localhost", tls_context=server_context)
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    for name in ("plain", "encrypted"):
        over = asyncio.Event()
        calls.clear()
        await asyncio.to_thread(talk, port, name == "encrypted")
        await asyncio.wait_for(over.wait(), 30)
        print(name, "made", calls.count("made"), "lost", calls.count("lost"))


asyncio.run(main())
END
found="$(venv/bin/python count.py)"
printf '%s\n' "$found"
[ "$found" = "plain made 1 lost 1
encrypted made 2 lost 1" ] || { echo changed; exit 1; }
