"""The page templates of guru-web: inserts a guru's content into exported pages, as whole documents.

One export serves every guru. The templates are cut at start; a request only joins bytes.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import orjson

from sites.guru import Typeface
from sites.rendering.preview import script_element
from sites.rendering.renderer import RenderedPage, Renderer
from sites.rendering.styles import StyleSheet

_DATA: Final = re.compile(rb'<script id="__NEXT_DATA__"[^>]*>(.*?)</script>', re.S)
_SCRIPT: Final = re.compile(rb'<script [^>]*src="([^"]+)"[^>]*></script>')
_STYLESHEET: Final = re.compile(rb'<link rel="stylesheet" href="(/_next/static/[^"]+)"')
_LATIN_FONT: Final = re.compile(r"url\(([^)]+-latin-[0-9a-f]{16}\.woff2)\)")

Notice = Literal["not-found", "suspended"]


class NotBuiltError(Exception):
    """guru-web has not been built."""


class PageBytes(NamedTuple):
    """A whole document, and the Content-Security-Policy header to send with it."""

    html: bytes
    csp: str


class _Style(NamedTuple):
    element: bytes
    source: str
    """Its source in the Content-Security-Policy."""
    csp: str


class _Template(NamedTuple):
    shell: bytes
    scripts: bytes
    data_end: bytes
    """The part after the query in `__NEXT_DATA__`, to the end of the document."""
    data_page: bytes


class GuruWeb:
    """The export and the server bundle of guru-web.

    `build_id` is part of the URLs under `/_next/data/`; `pages` are Next's names of the pages.
    """

    def __init__(self, out_dir: Path, bundle: Path, *, frame_ancestors: str = "'none'") -> None:
        """Load everything into memory. `frame_ancestors` is a CSP source list: the origins that can frame the pages.

        Raise NotBuiltError when a part is missing.
        """
        if not all(file.is_file() for file in (out_dir / "index.html", bundle, _typefaces(bundle))):
            raise NotBuiltError(f"guru-web is not built ({out_dir} or {bundle} is missing): run `make setup`")
        self.out_dir = out_dir
        self.renderer = Renderer(bundle)
        index = (out_dir / "index.html").read_bytes()
        self.build_id: str = _next_data(index)["buildId"]
        self._boot, self._booted = _boot_script(out_dir)
        self._templates = dict(self._read(path) for path in sorted(out_dir.rglob("*.html")))
        self.pages = tuple(self._templates)
        self._site_styles = StyleSheet((out_dir / _stylesheet(index).lstrip("/")).read_text(encoding="utf-8"))
        # The @font-face rules and variables of each pair: a page names, and so loads, only the fonts of its guru's.
        self.typefaces: dict[Typeface, str] = orjson.loads(_typefaces(bundle).read_bytes())
        self._frame_ancestors = frame_ancestors

    async def page(
        self,
        page: str,
        props: Mapping[str, Any],
        *,
        query: Mapping[str, str],
        palette_css: str,
        typeface: Typeface,
        forms_to: str = "",
    ) -> PageBytes:
        """Render a page of a guru's site with its content, ready for hydration by React.

        `page` is Next's name ("/blog/[slug]"), `query` the values of its parameters ({"slug": "crusty-bread"}),
        `palette_css` the result of `sites.theme.palette.css`, `forms_to` an origin to which forms may redirect. Raise
        RenderError, and KeyError for an unknown page.
        """
        template = self._templates[page]
        props_json = orjson.dumps(props)
        rendered = await self.renderer.render(page, props_json.decode())
        style = self._style(rendered, palette_css, typeface)
        html = b"".join(
            (
                b'<!DOCTYPE html><html lang="en"><head>',
                rendered.head.encode(),
                style.element,
                b'</head><body><div id="__next">',
                rendered.html.encode(),
                b'</div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":',
                _escape_json(props_json),
                template.data_page,
                _escape_json(orjson.dumps(query)),
                template.data_end,
                template.scripts,
                b"</body></html>",
            )
        )
        return PageBytes(html, self._csp(style.source, forms_to=forms_to) if forms_to else style.csp)

    def data(self, props: Mapping[str, Any]) -> bytes:
        """Return the body of `/_next/data/<build_id>/<path>.json`: the same props, for client-side navigation."""
        return b'{"pageProps":' + orjson.dumps(props) + b',"__N_SSG":true}'

    async def notice(self, kind: Notice, *, main_origin: str, palette_css: str = "") -> PageBytes:
        """Render a page without scripts: "Guru Not Found" (404) or "suspended" (410)."""
        rendered = await self.renderer.render(f"notice:{kind}", orjson.dumps({"mainOrigin": main_origin}).decode())
        style = self._style(rendered, palette_css, None)
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

    async def render_preview(
        self, page: str, props: Mapping[str, Any], *, palette_css: str, typeface: Typeface, framed_by: str
    ) -> PageBytes:
        """Render a page as a preview, in which links and forms do nothing.

        `framed_by` is the one origin that can frame it. Raise RenderError, and KeyError for an unknown page.
        """
        rendered = await self.renderer.render(page, orjson.dumps(props).decode())
        style = self._style(rendered, palette_css, typeface)
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
        """Return the exported page without content, for outages: the browser then calls the API itself."""
        return self._templates[page].shell

    def shell_csp(self) -> str:
        """Return the Content-Security-Policy of an exported page, whose style sheet is a file."""
        return self._csp("")

    def _read(self, path: Path) -> tuple[str, _Template]:
        shell = path.read_bytes()
        data = _next_data(shell)
        page: str = data["page"]
        # Browsers without modules show the page without scripts. The boot script names those that all pages have.
        tags = [tag for tag in _SCRIPT.finditer(shell) if b"noModule" not in tag[0]]
        scripts = [tag[1] for tag in tags if tag[1] not in self._booted]
        build_id = orjson.dumps(data["buildId"])
        return page, _Template(
            shell=shell,
            scripts=b'<script src="' + self._boot + b'" defer data-scripts="' + b" ".join(scripts) + b'"></script>',
            data_page=b',"__N_SSG":true},"page":' + orjson.dumps(page) + b',"query":',
            data_end=b',"buildId":' + build_id + b',"isFallback":false,"gsp":true,"scriptLoader":[]}</script>',
        )

    def _style(self, rendered: RenderedPage, palette_css: str, typeface: Typeface | None) -> _Style:
        if "<" in palette_css:
            raise ValueError("the palette contains markup")
        fonts = self.typefaces[typeface] if typeface else ""
        css = self._site_styles.used_by(rendered.html, has_theme=bool(fonts and palette_css))
        text = (css + fonts + palette_css).encode()
        digest = base64.b64encode(hashlib.sha256(text).digest()).decode()
        # In the document too: a snapshot is served with a header that does not contain the hash.
        meta = f"<meta http-equiv=\"Content-Security-Policy\" content=\"style-src 'self' 'sha256-{digest}'\">"
        # Known at once, a font is there for the first paint, or not used on this page: nothing moves.
        preloads = "".join(
            f'<link rel="preload" as="font" type="font/woff2" crossorigin href="{path}">'
            for path in _LATIN_FONT.findall(fonts)
        )
        element = (preloads + meta).encode() + b"<style>" + text + b'</style><noscript data-n-css=""></noscript>'
        source = f" 'sha256-{digest}'"
        return _Style(element, source, self._csp(source))

    def _csp(self, style_hash: str, framed_by: str = "", forms_to: str = "") -> str:
        form_action = f"'self' {forms_to}" if forms_to else "'self'"
        return (
            f"default-src 'none'; script-src 'self'; style-src 'self'{style_hash}; img-src 'self' https: data:; "
            f"font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action {form_action}; base-uri 'none'; "
            f"frame-ancestors {framed_by or self._frame_ancestors}"
        )


def _escape_json(data: bytes) -> bytes:
    """Escape JSON for a script element: it must not end the element, nor contain a line separator."""
    return data.replace(b"<", b"\\u003c").replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")


def _typefaces(bundle: Path) -> Path:
    return bundle.with_name("typefaces.json")


def _stylesheet(index: bytes) -> str:
    """Return the URL of the style sheet of all pages."""
    addresses = _STYLESHEET.findall(index)
    if len(addresses) != 1:
        raise NotBuiltError(f"the export of guru-web has {len(addresses)} style sheets: run `make setup`")
    return str(addresses[0], "ascii")


def _boot_script(out_dir: Path) -> tuple[bytes, bytes]:
    """Return the URL of the script that loads the others once the page has been painted, and its text."""
    scripts = sorted((out_dir / "_next" / "static").glob("boot-*.js"))
    if len(scripts) != 1:
        raise NotBuiltError(f"the build of guru-web is incomplete ({out_dir} has no boot script): run `make setup`")
    return f"/_next/static/{scripts[0].name}".encode(), scripts[0].read_bytes()


def _next_data(document: bytes) -> dict[str, Any]:
    match = _DATA.search(document)
    if match is None:
        raise NotBuiltError("an exported page of guru-web has no page data: run `make setup` to rebuild it")
    data: dict[str, Any] = orjson.loads(match[1])
    return data
