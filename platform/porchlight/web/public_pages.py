"""The HTML of main-web's public pages with their own head, and the absolute addresses in it."""

from __future__ import annotations

import base64
import hashlib

from porchlight.web.page_parts import page_parts
from tenants.http.static_files import StaticFiles

# The placeholder and the folders of main-web/first-files.ts.
_ORIGIN = b"{{origin}}"
_FOLDER = "/entrances"
_PRERENDERED_FOLDER = "/prerendered"
# Requests choose the port and the scheme of an origin: the copies are limited.
MAX_ORIGINS = 4


class PublicPages:
    """Finds the file of a page; files with absolute addresses are kept once per origin."""

    def __init__(self, files: StaticFiles, content_security_policy: str) -> None:
        """`content_security_policy`: that of pages without inline styles and scripts."""
        self._files = files
        self._csp = content_security_policy
        # The least recently used first.
        self._origins: list[str] = []
        self._headers_of_named: dict[str, dict[str, str]] = {}
        # Paths in the order of the build. Pages of signed-in users have a file, too, but no addresses in it.
        self.paths = [
            "/" if name == f"{_FOLDER}/home.html" else name.removeprefix(_FOLDER).removesuffix(".html")
            for name in files.paths()
            if name.startswith(_FOLDER + "/") and _ORIGIN in files.body(name)
        ]
        self._public = frozenset(self.paths)

    def title(self, path: str) -> str | None:
        """Return the title of a page, or None for an unknown path."""
        if path not in self._public:
            return None
        return page_parts(self._files.body(self._name(path)).decode()).title or None

    def named(self, prefix: str) -> bytes:
        """Return the page of the addresses that begin with a prefix, such as `/u/`: without one, the common page."""
        name = f"{_FOLDER}{prefix}any.html"
        return self._files.body(name if name in self._files else "/index.html")

    def prerendered_named(self, prefix: str) -> tuple[bytes, dict[str, str]] | None:
        """Return the same page with placeholders for its first texts, and its headers, or None without one."""
        name = f"{_PRERENDERED_FOLDER}{prefix}any.html"
        if name not in self._files:
            return None
        body = self._files.body(name)
        if name not in self._headers_of_named:
            self._headers_of_named[name] = self._headers(body)
        return body, self._headers_of_named[name]

    @property
    def canonical_paths(self) -> list[str]:
        """The paths without those of pages that name another address as theirs."""
        return [path for path in self.paths if self._canonical_tag(path) in self._files.body(self._name(path))]

    @staticmethod
    def _canonical_tag(path: str) -> bytes:
        return b'<link rel="canonical" href="%b%b"' % (_ORIGIN, path.encode())

    @staticmethod
    def _name(path: str) -> str:
        return f"{_FOLDER}{path if path != '/' else '/home'}.html"

    def file_of(self, path: str, origin: str, *, prerendered: bool = False) -> str:
        """Return the name of the file for a page, as it is reached by `origin`: the common page for unknown paths.

        `prerendered`: the page with its first paint for signed-out visitors, where there is one.
        """
        name = self._name(path)
        if path not in self._public:
            return name if name in self._files else "/index.html"
        painted = name.replace(_FOLDER, _PRERENDERED_FOLDER, 1)
        has_variants = painted in self._files
        if prerendered and has_variants:
            name = painted
        if origin in self._origins:
            self._origins.remove(origin)
        elif len(self._origins) == MAX_ORIGINS:
            self._drop(self._origins.pop(0))
        self._origins.append(origin)
        copy = f"{origin}{name}"
        if copy not in self._files:
            body = self._files.body(name).replace(_ORIGIN, origin.encode())
            self._files.add(copy, body, self._headers(body) if has_variants else None)
        return copy

    def _headers(self, body: bytes) -> dict[str, str]:
        """Return the headers of a page that is another one for signed-in users: caches must not mix them up."""
        policy = self._csp
        for element, text in page_parts(body.decode()).inline:
            source = f"{element}-src 'self'"
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            policy = policy.replace(source, f"{source} 'sha256-{digest}'")
        return {"content-security-policy": policy, "vary": "Accept-Encoding, Cookie"}

    def _drop(self, origin: str) -> None:
        """Forget the copies of an origin."""
        for path in self._files.paths():
            if path.startswith((f"{origin}{_FOLDER}/", f"{origin}{_PRERENDERED_FOLDER}/")):
                self._files.remove(path)
