"""Parameters: nested forms such as `items[0][price]=price_1`, checked against what an operation knows.

An operation describes its parameters in a string of names: `amount:int! currency! metadata{} expand[]
items[].price items[].quantity:int method:instant|standard`. `!` marks a required one, `{}` a map of strings, `[]` a
list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from porchlight_dev.stripe_fake.errors import ValidationError
from porchlight_dev.stripe_fake.store import Json

MAX_METADATA_KEYS = 50
MAX_METADATA_KEY = 40
MAX_METADATA_VALUE = 500
_KEY = re.compile(r"^([^\[\]]+)((?:\[[^\[\]]*\])*)$")
_TRUE_FALSE = {"true": True, "false": False, True: True, False: False}


@dataclass(slots=True)
class Params:
    """The parameters that an operation knows. `kind` is a type, `|`-joined choices, map, list or object."""

    kind: str = "object"
    required: bool = False
    children: dict[str, Params] = field(default_factory=dict)


def params(description: str) -> Params:
    """Return the parameters that a description names."""
    root = Params()
    for word in description.split():
        required = word.endswith("!")
        names, _, kind = word.rstrip("!").partition(":")
        node = root
        for name in names.split("."):
            plain = name.rstrip("[]{}")
            child = node.children.setdefault(plain, Params())
            if name.endswith("[]"):
                child.kind = "list"
                child = child.children.setdefault("", Params())
            elif name.endswith("{}"):
                child.kind = "map"
            node = child
        if node.kind == "object" and not node.children:
            node.kind = kind or "str"
        node.required = required
    return root


def parse_form(body: str) -> Json:
    """Return a form as a tree of dicts whose keys are names and positions. Raises ValidationError."""
    tree: Json = {}
    for key, value in parse_qsl(body, keep_blank_values=True):
        match = _KEY.match(key)
        if not match:
            raise ValidationError(f"Invalid parameter name: {key}", param=key)
        path = [match[1], *re.findall(r"\[([^\[\]]*)\]", match[2])]
        node = tree
        for name, following in zip(path, [*path[1:], None], strict=True):
            step = name if name != "" else str(len(node))
            if following is None:
                node[step] = value
            else:
                node = node.setdefault(step, {})
                if not isinstance(node, dict):
                    raise ValidationError(f"Invalid parameter: {key}", param=key)
    return tree


def check(given: Mapping[str, Any], known: Params, prefix: str = "") -> Json:
    """Return typed parameters, or raise ValidationError with Stripe's code for what is wrong first."""
    for name in given:
        if name not in known.children:
            path = _path(prefix, name)
            raise ValidationError(f"Received unknown parameter: {path}", code="parameter_unknown", param=path)
    checked: Json = {}
    for name, node in known.children.items():
        path = _path(prefix, name)
        if name in given:
            if given[name] == "" and node.required:
                message = f"You passed an empty string for '{path}'. We assume empty values are an attempt to unset it."
                raise ValidationError(message, code="parameter_invalid_empty", param=path)
            checked[name] = _value(given[name], node, path)
        elif node.required:
            raise ValidationError(f"Missing required param: {path}.", code="parameter_missing", param=path)
    return checked


def _path(prefix: str, name: str) -> str:
    return f"{prefix}[{name}]" if prefix else name


def _value(value: Any, node: Params, path: str) -> Any:
    if node.kind == "list":
        return _list(value, node, path)
    if node.kind == "map":
        return _map(value, path)
    if node.kind == "object":
        if value == "":
            return None
        if not isinstance(value, Mapping):
            raise ValidationError("Invalid object", param=path)
        return check(value, node, path)
    if not isinstance(value, (str, int)):
        raise ValidationError(f"Invalid string: {value}", code="parameter_invalid_string", param=path)
    return _scalar(value, node.kind, path)


def _scalar(value: Any, kind: str, path: str) -> Any:
    if kind == "str":
        return str(value)
    if value == "":
        return None
    if kind == "int":
        if not re.fullmatch(r"-?\d{1,18}", str(value)):
            raise ValidationError(f"Invalid integer: {value}", code="parameter_invalid_integer", param=path)
        return int(value)
    if kind == "bool":
        if value not in _TRUE_FALSE:
            raise ValidationError(f"Invalid boolean: {value}", param=path)
        return _TRUE_FALSE[value]
    if value not in kind.split("|"):
        choices = " or ".join(kind.split("|"))
        raise ValidationError(f"Invalid {path}: must be one of {choices}", param=path)
    return value


def _list(value: Any, node: Params, path: str) -> list[Any]:
    if value == "":
        return []
    if isinstance(value, Mapping) and all(key.isdigit() for key in value):
        value = [value[key] for key in sorted(value, key=int)]
    if not isinstance(value, list):
        raise ValidationError("Invalid array", code="parameter_invalid_array", param=path)
    return [_value(entry, node.children[""], f"{path}[{n}]") for n, entry in enumerate(value)]


def _map(value: Any, path: str) -> dict[str, str]:
    if value == "":
        return {}
    if not isinstance(value, Mapping):
        raise ValidationError("Invalid object", param=path)
    if len(value) > MAX_METADATA_KEYS:
        raise ValidationError("You can specify up to 50 keys.", param=path)
    for key, entry in value.items():
        if len(key) > MAX_METADATA_KEY or len(str(entry)) > MAX_METADATA_VALUE:
            raise ValidationError("Keys have at most 40 characters and values 500.", param=f"{path}[{key}]")
    return {key: str(entry) for key, entry in value.items()}


def merged_metadata(old: Mapping[str, str], given: Mapping[str, str] | None) -> dict[str, str]:
    """Return metadata after an update: an empty value removes its key, an empty map removes all."""
    if given is None:
        return dict(old)
    if not given:
        return {}
    return {key: value for key, value in {**old, **given}.items() if value != ""}
