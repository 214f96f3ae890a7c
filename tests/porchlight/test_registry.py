"""A new feature needs only its folder and one line in `FEATURES`: every part of the product reads its manifest."""

from __future__ import annotations

import importlib
import inspect
import io
import json
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from uuid import UUID

import psycopg
import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from porchlight import api, registry
from porchlight.app import Porchlight
from tenants.db.jobs import enqueue_as_service
from tenants.http.feature import Feature
from tenants.http.routes import FeatureRouter
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, claims, signer
from tests.fixtures.jobs import do_jobs
from tests.porchlight.app_client import BASE_HOST, create_settings, http_client
from tests.porchlight.factories import seed_guru

__all__ = ["certificates", "signer"]

MAX_UPLOAD_BYTES = 2 * registry.MAX_BODY_BYTES

# The folder of a feature: a file name and its content each.
SAMPLE = {
    "__init__.py": "",
    "feature.py": f"""
        from sample_feature import models
        from tenants.http.feature import Feature, UploadLimit

        FEATURE = Feature(
            name="sample",
            routers=("sample_feature.routes:router",),
            models=(models,),
            jobs="sample_feature.jobs",
            upload_limits=(UploadLimit("/api/sample/notes/{{note_id}}/file", {MAX_UPLOAD_BYTES}),),
            guru_host_paths=("/api/sample/on-guru-hosts",),
            private_pages=("/sample-notes",),
            personal_data={{"sample_notes": "notes of the sample"}},
        )
    """,
    "models.py": """
        from uuid import UUID

        from sqlalchemy import ForeignKey
        from sqlalchemy.orm import Mapped, mapped_column

        from tenants.tenancy.models import DELETED_WITH_ACCOUNT, Base

        class SampleNote(Base):
            __tablename__ = "sample_notes"
            __table_args__ = ({"info": DELETED_WITH_ACCOUNT},)
            user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
            body: Mapped[str]
    """,
    "routes.py": """
        from fastapi import Request

        from tenants.http.routes import FeatureRouter, StrictRoute

        router = FeatureRouter(prefix="/api/sample", route_class=StrictRoute)

        @router.get("/on-guru-hosts")
        async def get_sample() -> dict[str, str]:
            return {"answer": "sample"}

        @router.get("/on-main-host")
        async def get_other_sample() -> dict[str, str]:
            return {"answer": "sample"}

        @router.post("/notes/{note_id}/file")
        async def upload_file(request: Request, note_id: str) -> dict[str, int]:
            return {"bytes": len(await request.body())}

        @router.post("/notes/{note_id}/text")
        async def upload_text(request: Request, note_id: str) -> dict[str, int]:
            return {"bytes": len(await request.body())}
    """,
    "jobs.py": """
        from tenants.db.tasks import Tasks

        TASKS = Tasks("sample")

        @TASKS.user_task("sample:add_note")
        def add_note(job, body):
            with job.transaction() as conn:
                conn.execute("INSERT INTO sample_notes (user_id, body) VALUES (%s, %s)", [job.user_id, body])
    """,
}
# As its migration would create it.
TABLE = """
CREATE TABLE sample_notes (user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE, body text NOT NULL);
ALTER TABLE sample_notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE sample_notes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sample_notes TO porchlight_app USING (user_id = app.user_id());
GRANT SELECT, INSERT, UPDATE, DELETE ON sample_notes TO porchlight_app;
"""


@dataclass(frozen=True)
class Product:
    """The product with the sample feature."""

    features: tuple[Feature, ...]
    app: Porchlight


@pytest.fixture(scope="module")
def features(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Feature, ...]]:
    """The registry's list with one more line, for a feature in a folder of its own."""
    path = tmp_path_factory.mktemp("features")
    (path / "sample_feature").mkdir()
    for name, content in SAMPLE.items():
        (path / "sample_feature" / name).write_text(textwrap.dedent(content), "utf-8")
    sys.path.insert(0, str(path))
    try:
        yield (*registry.FEATURES, importlib.import_module("sample_feature.feature").FEATURE)
    finally:
        sys.path.remove(str(path))
        for name in [name for name in sys.modules if name.partition(".")[0] == "sample_feature"]:
            del sys.modules[name]
        registry.metadata.remove(registry.metadata.tables["sample_notes"])


@pytest.fixture(scope="module")
async def product(
    features: tuple[Feature, ...],
    database: Database,
    certificates: CertificateServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Product]:
    """The running product with the sample feature and its table."""
    with psycopg.connect(database.owner_url) as conn:
        conn.execute(TABLE)
    build = tmp_path_factory.mktemp("main-web")
    (build / "index.html").write_text("main-web")
    settings = create_settings(
        database, main_web_dir=build, firebase_project_id=PROJECT, firebase_certs_url=certificates.url
    )
    app = Porchlight(settings, features)
    async with app.running():
        yield Product(features, app)


async def test_api_serves_routes_of_new_feature(product: Product) -> None:
    async with http_client(product.app, BASE_HOST) as client:
        for path in ("/api/sample/on-main-host", "/api/sample/on-guru-hosts"):
            assert (await client.get(path)).json() == {"answer": "sample"}
        assert "/api/sample/on-main-host" in (await client.get("/api/openapi.json")).json()["paths"]


async def test_guru_hosts_serve_paths_of_new_feature(product: Product, database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, f"sample-{new_id().hex[-8:]}", posts=0)
    async with http_client(product.app, guru.host) as client:
        assert (await client.get("/api/sample/on-guru-hosts")).json() == {"answer": "sample"}
        assert (await client.get("/api/sample/on-main-host")).status_code == 404


async def test_body_limit_of_new_feature_applies(product: Product) -> None:
    async with http_client(product.app, BASE_HOST) as client:
        url = f"/api/sample/notes/{new_id()}"
        largest = b"x" * MAX_UPLOAD_BYTES
        assert (await client.post(f"{url}/file", content=largest)).json() == {"bytes": MAX_UPLOAD_BYTES}
        assert (await client.post(f"{url}/file", content=largest + b"x")).status_code == 413
        assert (await client.post(f"{url}/text", content=largest)).status_code == 413
    assert "/api/sample/notes/*/file" in registry.caddy_upload_paths(product.features).split()


async def test_robots_txt_excludes_page_of_new_feature(product: Product) -> None:
    async with http_client(product.app, BASE_HOST) as client:
        assert "Disallow: /sample-notes" in (await client.get("/robots.txt")).text.splitlines()


async def test_export_has_rows_written_by_new_task(product: Product, database: Database, signer: Signer) -> None:
    uid = f"u{new_id().hex}"
    token = signer.token(claims(uid, email=f"{uid}@example.com", email_verified=True))
    async with http_client(product.app, BASE_HOST) as client:
        client.headers["authorization"] = f"Bearer {token}"
        user_id = UUID((await client.post("/api/auth/register", json={})).json()["data"]["id"])
        with psycopg.connect(database.service_url) as conn:
            enqueue_as_service(conn, "sample:add_note", user_id=str(user_id), body="A note")
        await do_jobs(database, features=product.features)
        response = await client.get("/api/auth/export")
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert json.loads(archive.read("sample_notes.json")) == [{"user_id": str(user_id), "body": "A note"}]
        readme = archive.read("README.txt").decode().splitlines()
    assert [line.split(maxsplit=1) for line in readme if "sample" in line] == [
        ["sample_notes.json", "notes of the sample"]
    ]


def test_metadata_has_table_of_new_feature(features: tuple[Feature, ...]) -> None:
    assert features[-1].name == "sample"
    assert "sample_notes" in registry.metadata.tables


def _functions_of(dependant: Dependant) -> Iterator[Callable[..., object]]:
    for part in dependant.dependencies:
        if part.call is not None:
            yield part.call
        yield from _functions_of(part)


def test_dependencies_of_routes_are_coroutines() -> None:
    """FastAPI runs any other function in a thread, which costs each request more than most statements."""
    found = {
        function
        for router in api.routers()
        for route in router.routes
        if isinstance(route, APIRoute)
        for function in _functions_of(route.dependant)
    }
    assert len(found) > 10
    assert [function for function in found if not inspect.iscoroutinefunction(function)] == []


def test_worker_imports_no_web_framework() -> None:
    """The routes, FastAPI and the PDF library would take 60 MB of the worker's memory."""
    script = """
import importlib, sys
from porchlight.worker import app
for feature in app.FEATURES:
    if feature.jobs:
        importlib.import_module(feature.jobs)
print([name for name in sys.modules if name.endswith("routes") or name in ("fastapi", "reportlab")])
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert process.stdout.strip() == "[]"


def test_api_imports_no_library_of_rare_requests() -> None:
    """Each web worker would keep them in memory: the PDF library and its text shaper take 8 MB."""
    script = """
import sys
from porchlight import api, app
list(api.routers())
rare = {"reportlab", "uharfbuzz", "stripe", "firebase_admin", "numpy", "torch"}
print(sorted(rare & set(sys.modules)))
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert process.stdout.strip() == "[]"


def test_routers_do_not_include_others() -> None:
    """FastAPI compares each request again with the routes of an included router."""
    routers = list(api.routers())
    assert all(isinstance(router, FeatureRouter) for router in routers)
    assert all(isinstance(route, APIRoute) for router in routers for route in router.routes)
