"""Puts a guru's content into the exported pages of guru-web: whole documents, ready to send.

One export serves every guru. At start the page templates are cut once; per request only bytes are joined.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import orjson

from sites.pages.renderer import Renderer
from sites.pages.still import script_element

_DATA: Final = re.compile(rb'<script id="__NEXT_DATA__"[^>]*>(.*?)</script>', re.S)
_SCRIPT: Final = re.compile(rb'<script [^>]*src="([^"]+)"[^>]*></script>')
_STYLESHEET: Final = re.compile(rb'<link rel="stylesheet" href="(/_next/static/[^"]+)"')
_THEMES_KEPT: Final = 128  # each with the whole style sheet, 20 kB: memory must not grow with the gurus

Notice = Literal["not-found", "suspended"]


class NotBuiltError(Exception):
    """guru-web has not been built."""


class PageBytes(NamedTuple):
    """A whole document and the Content-Security-Policy header it must be sent with."""

    html: bytes
    csp: str


class _Style(NamedTuple):
    element: bytes
    source: str
    """What the policy says of it."""
    csp: str


class _Template(NamedTuple):
    shell: bytes
    scripts: bytes
    data_end: bytes
    """What follows the query in `__NEXT_DATA__`, to the end of the document."""
    data_page: bytes


class GuruWeb:
    """The export and the server bundle of guru-web.

    `build_id` is part of the addresses under `/_next/data/`; `pages` are Next's names of the pages.
    """

    def __init__(self, out_dir: Path, bundle: Path, *, frame_ancestors: str = "'none'") -> None:
        """Load everything into memory. `frame_ancestors` is a CSP source list: who may frame the pages.

        Raises NotBuiltError, in one sentence, when a part is missing.
        """
        if not (out_dir / "index.html").is_file() or not bundle.is_file():
            raise NotBuiltError(f"guru-web has not been built ({out_dir} or {bundle} is missing): run `make setup`")
        self.out_dir = out_dir
        self.renderer = Renderer(bundle)
        index = (out_dir / "index.html").read_bytes()
        self.build_id: str = _next_data(index)["buildId"]
        self._boot = _boot_script(out_dir)
        self._templates = dict(self._read(path) for path in sorted(out_dir.rglob("*.html")))
        self.pages = tuple(self._templates)
        self.site_css = "".join(
            (out_dir / address.decode().lstrip("/")).read_text(encoding="utf-8")
            for address in _STYLESHEET.findall(index)
        )
        self._frame_ancestors = frame_ancestors
        self._style = lru_cache(maxsize=_THEMES_KEPT)(self._make_style)

    async def page(
        self, page: str, props: Mapping[str, Any], *, query: Mapping[str, str], palette_css: str
    ) -> PageBytes:
        """A page of a guru's site with its content, as React will find it again in the browser.

        `page` is Next's name ("/blog/[slug]"), `query` the values of its parameters ({"slug": "crusty-bread"}),
        `palette_css` what `sites.theme.palette.css` gives. Raises RenderError, and KeyError for an unknown page.
        """
        template = self._templates[page]
        props_json = orjson.dumps(props)
        rendered = await self.renderer.render(page, props_json.decode())
        style = self._style(palette_css)
        html = b"".join(
            (
                b'<!DOCTYPE html><html lang="en"><head>',
                rendered.head.encode(),
                style.element,
                b'</head><body><div id="__next">',
                rendered.html.encode(),
                b'</div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":',
                _island(props_json),
                template.data_page,
                _island(orjson.dumps(query)),
                template.data_end,
                template.scripts,
                b"</body></html>",
            )
        )
        return PageBytes(html, style.csp)

    def data(self, props: Mapping[str, Any]) -> bytes:
        """What `/_next/data/<build_id>/<path>.json` answers: the same props, for a visit within the site."""
        return b'{"pageProps":' + orjson.dumps(props) + b',"__N_SSG":true}'

    async def notice(self, kind: Notice, *, main_origin: str, palette_css: str = "") -> PageBytes:
        """A page without scripts: "Guru Not Found" (404), or a suspended site (410). `main_origin` has no end slash."""
        rendered = await self.renderer.render(f"notice:{kind}", orjson.dumps({"mainOrigin": main_origin}).decode())
        style = self._style(palette_css)
        html = b"".join(
            (
                b'<!DOCTYPE html><html lang="en"><head>',
                rendered.head.encode(),
                style.element,
                b'</head><body><div id="__next">',
                rendered.html.encode(),
                b"</div></body></html>",
            )
        )
        return PageBytes(html, style.csp)

    async def still(self, page: str, props: Mapping[str, Any], *, palette_css: str, framed_by: str) -> PageBytes:
        """A page to look at: drawn like any other, but nothing in it leads anywhere.

        `framed_by` is the one origin that may frame it. Raises RenderError, and KeyError for an unknown page.
        """
        rendered = await self.renderer.render(page, orjson.dumps(props).decode())
        style = self._make_style(palette_css)  # colours somebody tries out push out nobody's
        html = b"".join(
            (
                b'<!DOCTYPE html><html lang="en"><head>',
                rendered.head.encode(),
                style.element,
                script_element(framed_by),
                b'</head><body><div id="__next">',
                rendered.html.encode(),
                b"</div></body></html>",
            )
        )
        return PageBytes(html, self._csp(style.source, framed_by))

    def shell(self, page: str) -> bytes:
        """The exported page without content, for outages: the browser then asks the API itself."""
        return self._templates[page].shell

    def shell_csp(self) -> str:
        """The Content-Security-Policy of an exported page: its style sheet is a file."""
        return self._csp("")

    def _read(self, path: Path) -> tuple[str, _Template]:
        shell = path.read_bytes()
        data = _next_data(shell)
        page: str = data["page"]
        # Browsers without modules read the page as it is.
        scripts = [tag[1] for tag in _SCRIPT.finditer(shell) if b"noModule" not in tag[0]]
        build_id = orjson.dumps(data["buildId"])
        return page, _Template(
            shell=shell,
            scripts=b'<script src="' + self._boot + b'" defer data-scripts="' + b" ".join(scripts) + b'"></script>',
            data_page=b',"__N_SSG":true},"page":' + orjson.dumps(page) + b',"query":',
            data_end=b',"buildId":' + build_id + b',"isFallback":false,"gsp":true,"scriptLoader":[]}</script>',
        )

    def _make_style(self, palette_css: str) -> _Style:
        if "<" in palette_css:
            raise ValueError("a palette holds no markup")
        text = (self.site_css + palette_css).encode()
        digest = base64.b64encode(hashlib.sha256(text).digest()).decode()
        # Said in the document too: a copy kept for outages is then served under a header that knows no hash.
        meta = f"<meta http-equiv=\"Content-Security-Policy\" content=\"style-src 'self' 'sha256-{digest}'\">"
        element = meta.encode() + b"<style>" + text + b'</style><noscript data-n-css=""></noscript>'
        source = f" 'sha256-{digest}'"
        return _Style(element, source, self._csp(source))

    def _csp(self, style_hash: str, framed_by: str = "") -> str:
        return (
            f"default-src 'none'; script-src 'self'; style-src 'self'{style_hash}; img-src 'self' https: data:; "
            "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
            f"frame-ancestors {framed_by or self._frame_ancestors}"
        )


def _island(data: bytes) -> bytes:
    """JSON that cannot end or open an element, nor a line of a script."""
    return data.replace(b"<", b"\\u003c").replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")


def _boot_script(out_dir: Path) -> bytes:
    """The address of the script that loads the others once the page has been painted."""
    found = sorted((out_dir / "_next" / "static").glob("boot-*.js"))
    if len(found) != 1:
        raise NotBuiltError(f"guru-web has not been built wholly ({out_dir} lacks its first script): run `make setup`")
    return f"/_next/static/{found[0].name}".encode()


def _next_data(document: bytes) -> dict[str, Any]:
    match = _DATA.search(document)
    if match is None:
        raise NotBuiltError("an exported page of guru-web carries no page data: run `make setup` to build it again")
    data: dict[str, Any] = orjson.loads(match[1])
    return data
