"""Jinja2 environments with safe defaults."""

from __future__ import annotations

from collections.abc import Mapping

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined, select_autoescape


def create_environment(package: str, shared: Mapping[str, str] | None = None) -> Environment:
    """Return an environment for the templates in the folder `templates` of `package`.

    Files named `*.html.j2` escape every value. An undefined variable raises UndefinedError.
    `shared` maps a prefix to another package: with {"emails": "porchlight.emails"}, a template can extend
    `emails/base.html.j2`.
    """
    prefixes = PrefixLoader({prefix: PackageLoader(name) for prefix, name in (shared or {}).items()})
    return Environment(
        loader=ChoiceLoader([PackageLoader(package), prefixes]),
        autoescape=select_autoescape(enabled_extensions=("html.j2",), default=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
