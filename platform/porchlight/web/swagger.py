"""/api/docs: Swagger UI from an installed package, with a strict Content-Security-Policy and no external files."""

from __future__ import annotations

from importlib.resources import files

from fastapi import FastAPI, Response

from tenants.kit.templates import create_environment

_RESOURCES = files("fastapi_swagger") / "resources"
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_PAGE = create_environment("porchlight.web").get_template("swagger.html.j2").render()
_START_SCRIPT = """SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#swagger-ui", deepLinking: true });"""
_MEDIA_TYPES = {"swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript"}
_HEADERS = {"cache-control": "public, max-age=3600", "x-content-type-options": "nosniff"}


def install(app: FastAPI) -> None:
    """Add the documentation page to an app."""

    @app.get("/api/docs", include_in_schema=False)
    async def page() -> Response:
        return Response(_PAGE, media_type="text/html", headers={"content-security-policy": _CSP, **_HEADERS})

    @app.get("/api/docs/start.js", include_in_schema=False)
    async def start() -> Response:
        return Response(_START_SCRIPT, media_type="text/javascript", headers=_HEADERS)

    for name, kind in _MEDIA_TYPES.items():
        _file(app, name, kind)


def _file(app: FastAPI, name: str, kind: str) -> None:
    body = (_RESOURCES / name).read_bytes()

    @app.get(f"/api/docs/{name}", include_in_schema=False)
    async def resource() -> Response:
        return Response(body, media_type=kind, headers=_HEADERS)
