"""The manifest of a feature: everything the product needs to know to run it.

`porchlight.registry` lists the manifests. The API, the worker, the models, the body limits, robots.txt, the account
export and the Caddyfile's upload line are derived from that list, so adding a feature is one folder and one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType


@dataclass(frozen=True, slots=True)
class UploadLimit:
    """The body limit of one upload route.

    `path` is the route's path with its parameters, for example `/api/needs/{need_id}/photos`.
    """

    path: str
    max_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """One feature of the product."""

    name: str
    # FastAPI routers as `module:attribute`. Strings, so that the worker and the commands do not import the routes.
    # Included in this order. Put busy routes first: FastAPI looks through them one by one.
    routers: tuple[str, ...] = ()
    # Modules with SQLAlchemy models.
    models: tuple[ModuleType, ...] = ()
    # Module with the feature's `TASKS` (`tenants.db.tasks`). A string, so that the API process does not import what
    # only the worker needs.
    jobs: str = ""
    # Module with the function `rules()`, which returns `porchlight.settlement.rules.SettlementRules`.
    settlement: str = ""
    upload_limits: tuple[UploadLimit, ...] = ()
    # Prefixes of API paths that guru hosts answer too; the main host answers all paths.
    guru_host_paths: tuple[str, ...] = ()
    # Prefixes of main-web's pages that robots.txt excludes.
    private_pages: tuple[str, ...] = ()
    # Prefixes of API paths of pictures that public pages name: robots.txt allows them.
    pictures: tuple[str, ...] = ()
    # For each table with rows of users: its description in the archive of the account export.
    personal_data: Mapping[str, str] = field(default_factory=dict)
    # Tables in which the deletion of an account erases its words where the app role may not: `app.erase_words` does.
    erased_tables: frozenset[str] = frozenset()
