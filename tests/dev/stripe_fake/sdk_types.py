"""Checks of JSON objects against the classes that Stripe's SDK generates from its OpenAPI description.

An annotation `Optional[T]` covers fields that may be null and fields that may be absent; all others are required.
`Union[Literal[...], str]` is an open enumeration: its literals are the values that this version of the API knows.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import sys
import types
import typing
from collections.abc import Iterable, Iterator
from typing import Any, ForwardRef, Literal, Union, get_args, get_origin

import stripe
import typing_extensions
from stripe._list_object import ListObject
from stripe._object_classes import get_object_class
from stripe._request_options import RequestOptions
from stripe._stripe_object import StripeObject, UntypedStripeObject

_NOT_FIELDS = ("OBJECT_NAME", "_inner_class_types", "_inner_class_dicts", "_field_encodings")
_UNIONS = (Union, types.UnionType)


@functools.cache
def _names(module_name: str) -> dict[str, Any]:
    """Return the names of a generated module, with those that it imports for type checkers only."""
    module = sys.modules.get(module_name) or importlib.import_module(module_name)
    names: dict[str, Any] = {**vars(typing), **vars(typing_extensions), **vars(module)}
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (local := alias.asname or alias.name) not in names:
                    names[local] = getattr(importlib.import_module(node.module), alias.name, Any)
    return names


@functools.cache
def fields(cls: Any) -> dict[str, Any]:
    """Return the fields of a class and their annotations, those of its bases included."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("stripe"):
            found |= {
                name: (annotation, base)
                for name, annotation in vars(base).get("__annotations__", {}).items()
                if name not in _NOT_FIELDS and not name.startswith("_")
            }
    options = RequestOptions.__annotations__ if hasattr(cls, "__total__") else {}  # sent as headers
    return {name: _resolve(annotation, base) for name, (annotation, base) in found.items() if name not in options}


def _resolve(annotation: Any, owner: type) -> Any:
    if isinstance(annotation, ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        names = _names(owner.__module__) | dict(vars(owner))
        return _resolve(eval(annotation, names), owner)  # noqa: S307
    if get_origin(annotation) in (Literal, None):
        return annotation
    arguments = tuple(_resolve(argument, owner) for argument in get_args(annotation))
    origin = get_origin(annotation)
    if origin in _UNIONS:
        return Union[arguments]  # noqa: UP007
    return origin[arguments if len(arguments) > 1 else arguments[0]] if arguments else annotation


def is_optional(annotation: Any) -> bool:
    """Return whether a field may be null or absent."""
    if annotation is Any or get_origin(annotation) is typing_extensions.NotRequired:
        return True
    return get_origin(annotation) in _UNIONS and type(None) in get_args(annotation)


def object_class(name: str) -> type | None:
    """Return the class of an object by its `object` field."""
    mode = "V2" if name.startswith("v2.") else "V1"
    found = get_object_class(mode, name)  # type: ignore[arg-type]
    return None if found is StripeObject else found


def faults(value: Any, annotation: Any, path: str = "") -> Iterator[str]:
    """Yield what is wrong with a value of an answer or event."""
    origin = get_origin(annotation)
    if annotation is Any or annotation is object:
        return
    if origin in _UNIONS:
        yield from _union_faults(value, get_args(annotation), path)
    elif origin is Literal:
        if value not in get_args(annotation):
            yield f"{path}: {value!r} is not one of {get_args(annotation)}"
    elif origin is not None:
        yield from _container_faults(value, origin, get_args(annotation), path)
    elif inspect.isclass(annotation) and issubclass(annotation, StripeObject):
        yield from object_faults(value, annotation, path)
    else:
        yield from _scalar_faults(value, annotation, path)


def _container_faults(value: Any, origin: type, arguments: tuple[Any, ...], path: str) -> Iterator[str]:
    if origin is ListObject:
        yield from _list_faults(value, arguments[0], path)
    elif not isinstance(value, list if origin is list else dict):
        yield f"{path}: {value!r} is not a {origin.__name__}"
    else:
        entries: Iterable[tuple[Any, Any]] = enumerate(value) if isinstance(value, list) else value.items()
        for key, entry in entries:
            yield from faults(entry, arguments[-1], f"{path}[{key}]")


def _scalar_faults(value: Any, annotation: Any, path: str) -> Iterator[str]:
    if annotation is float and isinstance(value, int) and not isinstance(value, bool):
        return
    name = getattr(annotation, "__name__", str(annotation))
    if name in ("Decimal", "datetime"):  # sent as strings
        annotation = str
    if annotation is type(None):
        if value is not None:
            yield f"{path}: {value!r} is not null"
    elif not isinstance(value, annotation) or (isinstance(value, bool) and annotation is not bool):
        yield f"{path}: {value!r} is not {name}"


def _union_faults(value: Any, options: tuple[Any, ...], path: str) -> Iterator[str]:
    known = {literal for option in options if get_origin(option) is Literal for literal in get_args(option)}
    if known and isinstance(value, str):
        if value not in known:
            yield f"{path}: {value!r} is not one of {sorted(map(str, known))}"
        return
    if isinstance(value, dict) and isinstance(value.get("object"), str):
        named = [option for option in options if getattr(option, "OBJECT_NAME", None) == value["object"]]
        options = tuple(named) or options
    failures = [list(faults(value, option, path)) for option in options if get_origin(option) is not Literal]
    if all(failures):
        structured = [found for found in failures if len(found) > 1 or (found and found[0].partition(":")[0] != path)]
        yield from (structured or failures)[0]


def _list_faults(value: Any, item: Any, path: str) -> Iterator[str]:
    if not isinstance(value, dict) or value.get("object") != "list":
        yield f"{path}: {value!r} is not a list object"
        return
    for name, kind in (("data", list), ("has_more", bool), ("url", str)):
        if not isinstance(value.get(name), kind):
            yield f"{path}.{name}: {value.get(name)!r} is not {kind.__name__}"
    for n, entry in enumerate(value.get("data") or []):
        yield from faults(entry, item, f"{path}.data[{n}]")


def object_faults(value: Any, cls: type[Any], path: str = "") -> Iterator[str]:
    """Yield what is wrong with an object of a generated class: absent, unknown and mistyped fields."""
    if not isinstance(value, dict):
        yield f"{path}: {value!r} is not {cls.__name__}"
        return
    if cls is StripeObject or issubclass(cls, UntypedStripeObject):
        return
    known: dict[str, Any] = fields(cls)  # type: ignore[arg-type]
    for name, annotation in known.items():
        if name not in value:
            if not is_optional(annotation):
                yield f"{path}.{name}: is absent"
        else:
            yield from faults(value[name], annotation, f"{path}.{name}")
    for name in value.keys() - known.keys():
        yield f"{path}.{name}: is unknown to {cls.__qualname__}"


def answer_faults(body: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with an answer or with the object of an event, by its `object` field."""
    name = str(body.get("object"))
    if name == "list":
        yield from _list_faults(body, Any, "list")
        for n, entry in enumerate(body.get("data") or []):
            yield from (f"data[{n}]{fault}" for fault in answer_faults(entry))
        return
    cls = object_class(name)
    if body.get("deleted") is True:
        if set(body) != {"id", "object", "deleted"}:
            yield f"{name}: unexpected fields of a deleted object: {sorted(body)}"
    elif cls is None:
        yield f"{name}: no generated class"
    else:
        yield from object_faults(body, cls, name)


def count_objects(value: Any) -> int:
    """Return how many objects with an `object` field a value holds."""
    if isinstance(value, list):
        return sum(map(count_objects, value))
    if isinstance(value, dict):
        return ("object" in value) + sum(map(count_objects, value.values()))
    return 0


def api_version() -> str:
    """Return the version of the API that the SDK pins."""
    return str(stripe.api_version or stripe._api_version._ApiVersion.CURRENT)
