#!/usr/bin/env bash
# httpcore 1.0.9 with httpx 0.28.1 and anyio 4.16.0 (PyPI) tries to import a package that is not installed, several times
# in each asynchronous request.
#
# httpcore asks `sniffio` which event loop runs, by an import inside a function that each lock and each event calls, and
# takes asyncio if the import fails. httpx and older releases of anyio brought sniffio along; neither requires it any
# more. Python remembers modules that it imported and not those that it missed, so each attempt searches the whole path
# again, which takes about 0.1 ms with the standard path. Seen, on one connection that is kept alive: 4 searches for a
# request without sniffio, none with sniffio 1.3.1. The script fails when this changes.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check httpx==0.28.1 httpcore==1.0.9 anyio==4.16.0
cat > count_searches.py <<'END'
import asyncio
import http.server
import sys
import threading

import httpx

REQUESTS = 20
searches = 0


class Counter:
    @staticmethod
    def find_spec(name, path=None, target=None):
        global searches
        searches += name == "sniffio"
        return None


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


async def main(address):
    async with httpx.AsyncClient(trust_env=False) as client:
        await client.get(address)
        sys.meta_path.insert(0, Counter)
        for _ in range(REQUESTS):
            await client.get(address)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
asyncio.run(main(f"http://127.0.0.1:{server.server_port}/"))
print(f"{searches / REQUESTS:g} searches a request")
assert (searches >= 3 * REQUESTS) if sys.argv[1] == "absent" else searches == 0, searches
END
venv/bin/python count_searches.py absent
venv/bin/pip install --quiet --disable-pip-version-check sniffio==1.3.1
venv/bin/python count_searches.py installed
