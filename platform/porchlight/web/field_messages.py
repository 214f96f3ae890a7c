"""Messages of refused fields, in the words of the person who filled in the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic_core import ErrorDetails

from tenants.kit.errors import ValidationFailed
from tenants.kit.schemas import WHOLE_SENTENCE

MAX_FIELD_ERRORS = 50
MAX_FIELD_NAME_LENGTH = 80

_UNKNOWN = "This isn't valid."
_WHOLE_NUMBER = "This must be a whole number."
_DATE = "This must be a date, such as 2026-05-31."
_TIME = "This must be a time with its offset, such as 2026-05-31T18:00:00Z."

_MESSAGES: Mapping[str, str] = {
    "missing": "This field is required.",
    "extra_forbidden": "This field isn't recognized.",
    "json_invalid": "This isn't valid JSON.",
    "string_type": "This must be text.",
    "bool_type": "This must be true or false.",
    "bool_parsing": "This must be true or false.",
    "int_type": _WHOLE_NUMBER,
    "int_parsing": _WHOLE_NUMBER,
    "int_from_float": _WHOLE_NUMBER,
    "float_type": "This must be a number.",
    "float_parsing": "This must be a number.",
    "finite_number": "This must be a number.",
    "list_type": "This must be a list.",
    "dict_type": "This must be an object.",
    "model_type": "This must be an object.",
    "model_attributes_type": "This must be an object.",
    "literal_error": "This isn't one of the choices.",
    "enum": "This isn't one of the choices.",
    "date_type": _DATE,
    "date_parsing": _DATE,
    "date_from_datetime_parsing": _DATE,
    "date_from_datetime_inexact": _DATE,
    "datetime_type": _TIME,
    "datetime_parsing": _TIME,
    "datetime_from_date_parsing": _TIME,
    "timezone_aware": _TIME,
}


def _limit(value: float | str, field: str) -> str:
    """Return a limit as people read it: fields that end in "cents" are amounts of dollars, and times show their day."""
    if isinstance(value, str):
        return value[:10]
    if field.lower().endswith("cents"):
        return f"${value / 100:,.2f}".removesuffix(".00")
    return f"{int(value):,}" if value == int(value) else f"{value:,}"


def _more(value: float | str) -> str:
    return "later" if isinstance(value, str) else "more"


def _less(value: float | str) -> str:
    return "earlier" if isinstance(value, str) else "less"


def _count(least: int) -> str:
    return "one" if least == 1 else str(least)


# The error's type, and the text from its context and the field's name.
_LIMITS: Mapping[str, Callable[[Mapping[str, Any], str], str]] = {
    "greater_than_equal": lambda context, field: f"Use {_limit(context['ge'], field)} or {_more(context['ge'])}.",
    "greater_than": lambda context, field: f"Use more than {_limit(context['gt'], field)}.",
    "less_than_equal": lambda context, field: f"Use {_limit(context['le'], field)} or {_less(context['le'])}.",
    "less_than": lambda context, field: f"Use less than {_limit(context['lt'], field)}.",
    "string_too_long": lambda context, _: f"Use {context['max_length']} characters or fewer.",
    "too_long": lambda context, _: f"Choose {context['max_length']} or fewer.",
    "too_short": lambda context, _: f"Choose at least {_count(context['min_length'])}.",
}


def _string_too_short(minimum: int, text: object) -> str:
    if not str(text).strip():
        return _MESSAGES["missing"]
    return f"Use {minimum} characters or more."


def field_message(error: ErrorDetails) -> str:
    """Return what is wrong with a field. The message never repeats the submitted value."""
    kind, context, location = error["type"], error.get("ctx", {}), error["loc"]
    if kind in _MESSAGES:
        return _MESSAGES[kind]
    if kind in _LIMITS:
        names = [part for part in location if isinstance(part, str)]
        return _LIMITS[kind](context, names[-1] if names else "")
    if kind == "string_too_short":
        return _string_too_short(context["min_length"], error["input"])
    if kind == WHOLE_SENTENCE:
        return str(context["sentence"])
    if kind == "value_error" and "error" in context:
        text = str(context["error"])
        return text if text.endswith(".") else f"This {text}."
    return _UNKNOWN


def _field_name(error: ErrorDetails) -> str:
    """Return the field's path as the client sent it. A rule about several fields names one of them."""
    parts = [str(part) for part in error["loc"] if part not in ("body", "query", "path", "header")]
    if field := error.get("ctx", {}).get("field"):
        parts.append(str(field))
    name = ".".join(parts) or "body"
    return name[:MAX_FIELD_NAME_LENGTH].encode("utf-8", "replace").decode()


def validation_error(errors: Sequence[Any]) -> ValidationFailed:
    """Return an error that names each invalid field. It never repeats the submitted values."""
    return ValidationFailed(fields={_field_name(error): field_message(error) for error in errors[:MAX_FIELD_ERRORS]})
